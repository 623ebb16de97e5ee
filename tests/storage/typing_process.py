"""Somebody who types in VOICE: keeps one draft after the other and says each once it is kept."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

from inklings_desktop.domain.entries.named_entry import EntryDraft
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.sqlite_store import sqlite_world


def main(root: str) -> None:
    """Type until somebody ends this program."""
    with sqlite_world(Path(root)) as world:
        with world.store.read(WORKSPACE_ID) as view:
            voice = view.entries.find("VOICE")
        for number in count(1):
            with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                unit.drafts.keep(EntryDraft(voice.id, f"{number} {'x' * number}", 1, NOON))
                unit.commit()
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
