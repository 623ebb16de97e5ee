"""Somebody who types and saves without end: new memories, edits and VOICE, until a test kills it.

Every text is kept half typed before the whole of it is saved. Says its number after each round.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY, MemoryTyping
from inklings_desktop.domain.memory import Lifetime, MemoryDraft, MemoryPatch, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.support.builders import a_person

if TYPE_CHECKING:
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings

HALF, WHOLE, EDITED_HALF, EDITED = "half", "whole", "edited ha", "edited"


def main(root: str, run: str) -> None:
    """Go on until somebody ends this program; the run tells its texts from those before."""
    person = a_person()
    embedder = NullEmbedder("none", "missing")
    with open_inklings(Path(root), caller=person, embedder=embedder) as inklings:
        here = inklings.as_caller(person).places.workspaces()
        workspace = here[0] if here else inklings.as_caller(person).workspaces.create("Saltglass")
        for number in count(1):
            _round(inklings, workspace, f"{run}-{number}")
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


def _round(inklings: Inklings, workspace: Workspace, number: str) -> None:
    scope = ScopeKey.workspace(workspace.id)
    now = datetime.now(UTC)
    long_term = Lifetime.LONG_TERM
    typing = MemoryTyping(scope, NEW_MEMORY, 0, f"{number} {HALF}", 0.5, long_term, (), now)
    inklings.drafts.keep_typing(typing)
    draft = MemoryDraft(scope, f"{number} {WHOLE}", 0.5, lifetime=long_term)
    entry = inklings.memories.put(draft, settles_typing=True)
    half = f"{number} {EDITED_HALF}"
    inklings.drafts.keep_typing(MemoryTyping(scope, entry.id, 1, half, 0.5, long_term, (), now))
    patch = MemoryPatch(content=f"{number} {EDITED}")
    inklings.memories.update(entry.ref, patch, expected_version=1, settles_typing=True)
    voice = inklings.entries.find(workspace.id, "VOICE")
    inklings.drafts.keep(voice.ref, f"{number} {HALF}", voice.version)
    inklings.entries.save(
        voice.ref,
        f"{number} {WHOLE} of {voice.version}",
        expected_version=voice.version,
        settles_draft=True,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
