"""Presenters over a real store in a temporary folder, driven by a plain event loop."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access import Door
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.null_embedder import NullEmbedder
from inklings_desktop.ui.background import Background
from tests.support.builders import a_person

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from PySide6.QtCore import SignalInstance

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(slots=True)
class Heard:
    """What a signal carried, each time it was emitted."""

    payloads: list[Any] = field(default_factory=list)

    def to(self, signal: SignalInstance) -> Heard:
        """Listen to a signal."""
        signal.connect(self.payloads.append)
        return self

    @property
    def last(self) -> Any:
        """What it carried the last time."""
        return self.payloads[-1]


@dataclass(frozen=True, slots=True)
class Bench:
    """An opened data root with one workspace."""

    inklings: Inklings
    workspace: Workspace

    @property
    def scope(self) -> ScopeKey:
        """The workspace tier."""
        return ScopeKey.workspace(self.workspace.id)

    def put(self, content: str, **values: Any) -> MemoryEntry:
        """Remember something in the workspace tier."""
        draft = MemoryDraft(values.pop("scope", self.scope), content, **values)
        return self.inklings.put_memory(self.inklings.caller, draft)

    def run(self, action: Callable[[Background], Awaitable[None]]) -> list[BaseException]:
        """Carry an action out on an event loop; the bugs that nobody caught."""
        bugs: list[BaseException] = []

        async def carried_out() -> None:
            background = Background(bugs.append)
            try:
                await action(background)
            finally:
                await background.close()

        asyncio.run(carried_out())
        return bugs


@contextmanager
def a_bench(root: Path) -> Iterator[Bench]:
    """A fresh store without a model, opened as the window opens it."""
    person = a_person(door=Door.WINDOW)
    with open_inklings(root, caller=person, embedder=NullEmbedder("none", "missing")) as inklings:
        yield Bench(inklings, inklings.create_workspace(person, "Saltglass"))
