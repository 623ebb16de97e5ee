"""Changes one page, and dies before the step that it is told; a test asks it line by line."""

from __future__ import annotations

import os
import signal
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.world.pages import FolderKind, FolderRules, WorldFolder
from inklings_desktop.storage.world import page_place
from inklings_desktop.storage.world.page_writer import LocalPageWriter, digest_of_bytes
from tests.support.dying import serve

if TYPE_CHECKING:
    from collections.abc import Callable

OLD, NEW = "# Wend Gate\n\nThe booth faces away.\n", "# Wend Gate\n\nThe booth faces the sea.\n"
PAGE, OTHER = "places/gate.md", "gates/wend.md"
STEPS = frozenset(
    {"open", "fdopen", "fchmod", "fsync", "link", "unlink", "rename", "replace", "mkdir", "stat"}
)


class DyingOs:
    """The module ``os``, until the step that is not done any more; step 0 is never reached."""

    def __init__(self, last: int) -> None:
        self._n_taken, self._last = 0, last

    def __getattr__(self, name: str) -> Any:
        found = getattr(os, name)
        return self.counted(found) if name in STEPS else found

    def counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same call, which is a step."""

        def step(*arguments: Any, **options: Any) -> Any:
            self._n_taken += 1
            if self._n_taken == self._last:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **options)

        return step


def folder_at(root: str) -> WorldFolder:
    """The linked folder."""
    at = datetime(2026, 3, 14, tzinfo=UTC)
    return WorldFolder("1", "isles", FolderKind.PLAIN, root, "here", FolderRules(), True, at)


def change(writer: LocalPageWriter, root: str) -> None:
    """Let the page say something else; what it said is kept beside the folder."""
    kept = Path(root).with_name("kept")
    old = digest_of_bytes(OLD.encode())

    def keep(data: bytes) -> None:
        kept.write_bytes(data)

    writer.change(folder_at(root), PAGE, old, NEW, keep)


def create(writer: LocalPageWriter, root: str) -> None:
    """Make a page, and its folder."""
    writer.create(folder_at(root), OTHER, NEW)


def move(writer: LocalPageWriter, root: str) -> None:
    """Give the page another path."""
    writer.move(folder_at(root), PAGE, OTHER, digest_of_bytes(OLD.encode()))


ACTS = {"change": change, "create": create, "move": move}


def accept(root: str, what: str, last: str, way: str) -> None:
    """Do one of them, in the way of file systems that can exchange names, or of the others."""
    dying = DyingOs(int(last))
    vars(page_place)["os"] = dying
    known = page_place._renamed if way == "exchange" else lambda *_: False
    page_place._renamed = dying.counted(known)
    ACTS[what](LocalPageWriter(wait=dying.counted(lambda _seconds: None)), root)


if __name__ == "__main__":
    serve({"accept": accept})
