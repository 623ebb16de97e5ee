"""Two workspaces in one data root, and agents at one kind of door: where scenarios are played."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.memory import ScopeKey
from tests.end2end.agent_doors import AgentsDoor, ProtocolDoor, UseCaseDoor
from tests.support.builders import FixedClock, a_memory
from tests.support.kept_roots import copied_or_made

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.store import Embedder

LOOM, RESEARCHER, WRITER, STRANGER = "loom", "researcher", "writer", "stranger"
OWN = "world-agent"
"""The agent that belongs to the program, which alone is shown the tools of a conversation."""


@dataclass(slots=True)
class Stage:
    """Two workspaces, A and B, one clock, and agents at one kind of door.

    Attributes:
        root: The data root.
        through: ``usecases`` or ``protocol``.
        embedder: The model in use.
        clock: Stands still until a scenario moves it.
    """

    root: Path
    through: str
    embedder: Embedder
    clock: FixedClock = field(default_factory=FixedClock)
    stack: ExitStack = field(default_factory=ExitStack)
    a: Inklings = field(init=False)
    b: Inklings = field(init=False)

    def __post_init__(self) -> None:
        """Open both workspaces; the author's agents are let in, and a stranger to read."""
        copied_or_made(_kept_roots() / self.embedder.model_id, self.root, self._make)
        found = {one.name: one.id for one in self.open(None).places.workspaces()}
        self.a, self.b = self.open(found["A"]), self.open(found["B"])

    def _make(self) -> None:
        with self._opened(None) as first:
            for name in ("A", "B"):
                workspace = first.workspaces.create(name)
                for client in (LOOM, RESEARCHER, WRITER, OWN):
                    rights = preset_rights(ClientKind.WORLD_AGENT, workspace.id)
                    first.clients.grant(client, rights, kind=ClientKind.WORLD_AGENT)
                reading = preset_rights(ClientKind.EXTERNAL, workspace.id)
                first.clients.grant(STRANGER, reading)

    def open(self, workspace: str | None) -> Inklings:
        """The data root once more, as another program would open it."""
        return self.stack.enter_context(self._opened(workspace))

    def _opened(self, workspace: str | None) -> AbstractContextManager[Inklings]:
        return open_inklings(
            self.root,
            workspace=workspace,
            clock=self.clock,
            embedder=self.embedder,
            embed_writes=False,
        )

    def agent(self, inklings: Inklings, client: str = LOOM) -> AgentsDoor:
        """An agent at this stage's kind of door."""
        kind = UseCaseDoor if self.through == "usecases" else ProtocolDoor
        return kind(inklings, workspace_of(inklings), client)

    def client(self, inklings: Inklings, client: str = LOOM) -> ProtocolDoor:
        """An agent as a client of the protocol, whatever kind of door this stage has."""
        return ProtocolDoor(inklings, workspace_of(inklings), client)

    def keep(self, *texts: str, scope: ScopeKey | None = None, **values: Any) -> list[MemoryEntry]:
        """Memories of workspace A as they may have come into the file: no door was asked.

        Args:
            texts: Their contents.
            scope: Where; the workspace tier if None.
            values: What ``a_memory`` takes besides; written now unless told otherwise.
        """
        place = scope or ScopeKey.workspace(workspace_of(self.a))
        known = {"created_at": self.clock()} | values
        store = self.a.parts.store
        with store.write(place.workspace_id, initiator="test") as unit:
            stored = unit.memories.add([a_memory(text, scope=place, **known) for text in texts])
            unit.commit()
        self.embed()
        return list(stored)

    def embed(self) -> None:
        """Give every memory its vector, as the backfill does."""
        if self.embedder.is_available:
            for workspace_id in (workspace_of(self.a), workspace_of(self.b), None):
                while self.a.tasks.embed(workspace_id):
                    pass

    def memory(self, inklings: Inklings, memory_id: str) -> MemoryEntry:
        """A memory as the person finds it."""
        return inklings.listing.locate(memory_id, workspace_of(inklings))


@cache
def _kept_roots() -> Path:
    """Where the stages of this process come from."""
    folder = Path(tempfile.mkdtemp(prefix="inklings-stage-"))
    atexit.register(shutil.rmtree, folder)
    return folder


def workspace_of(inklings: Inklings) -> str:
    assert inklings.workspace is not None
    return inklings.workspace.id
