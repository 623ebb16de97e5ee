"""Two workspaces in one data root, and agents at one kind of door: where scenarios are played."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.memory import ScopeKey
from tests.end2end.agent_doors import AgentsDoor, ProtocolDoor, UseCaseDoor
from tests.support.builders import FixedClock, a_memory

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.store import Embedder

LOOM, RESEARCHER, WRITER, STRANGER = "loom", "researcher", "writer", "stranger"


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
        """Make both workspaces and let the author's agents in, and a stranger to read."""
        first = self.open(None)
        made = [first.workspaces.create(name) for name in ("A", "B")]
        for workspace in made:
            for client in (LOOM, RESEARCHER, WRITER):
                rights = preset_rights(ClientKind.WORLD_AGENT, workspace.id)
                first.clients.grant(client, rights, kind=ClientKind.WORLD_AGENT)
            reading = preset_rights(ClientKind.EXTERNAL, workspace.id)
            first.clients.grant(STRANGER, reading)
        self.a, self.b = (self.open(workspace.id) for workspace in made)

    def open(self, workspace: str | None) -> Inklings:
        """The data root once more, as another program would open it."""
        return self.stack.enter_context(
            open_inklings(
                self.root,
                workspace=workspace,
                clock=self.clock,
                embedder=self.embedder,
                embed_writes=False,
            )
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


def workspace_of(inklings: Inklings) -> str:
    assert inklings.workspace is not None
    return inklings.workspace.id
