"""Tries everything once in a temporary folder: stores, searches, serves an agent and draws."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from inklings_desktop.usecases.bundle import Inklings


class Draw(Protocol):
    """Draws one state of every page of a data root into a folder."""

    def __call__(self, root: Path, *, tour: Path) -> int:
        """The exit status."""
        ...


def try_everything(
    opened: Callable[[Path], AbstractContextManager[Inklings]],
    draw: Draw,
    say: Callable[[str], None],
) -> int:
    """Store, search, serve and draw once; 0 when all of it worked.

    Args:
        opened: Opens a data root.
        draw: Draws its pages.
        say: Tells how it went.
    """
    from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
    from inklings_desktop.usecases.ports.connections import StepResult
    from inklings_desktop.usecases.search.search_memories import SearchRequest

    folder = Path(tempfile.mkdtemp(prefix="inklings-smoke-"))
    try:
        with opened(folder) as inklings:
            world = inklings.workspaces.create("Smoke test")
            scope = ScopeKey.workspace(world.id)
            written = inklings.memories.put(
                MemoryDraft(scope, "The lighthouse keeper counts the tides.")
            )
            found = inklings.search.find([scope], SearchRequest("lighthouse tide"))
            played = inklings.clients.rehearse_connection("smoke test", world.id, lambda: False)
        if [hit.entry.id for hit in found.hits] != [written.id]:
            say("The search did not find what was written.")
            return 1
        if failed := [one for one in played if one.result is StepResult.FAILED]:
            say(f"The agent's door did not answer: {failed[0].step} ({failed[0].reason}).")
            return 1
        pictures = folder / "pictures"
        status = draw(folder, tour=pictures)
        if status != 0 or not list(pictures.glob("*.png")):
            say("The window was not drawn.")
            return status or 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    say("Everything works: written, found, served, drawn.")
    return 0
