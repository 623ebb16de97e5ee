"""One workspace with its use cases, as a test needs them."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from types import SimpleNamespace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Grant
from inklings_desktop.domain.background.cadence import BackgroundConfig
from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey, Tier
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.settings import Settings
from inklings_desktop.usecases.steps.recording import CountReads
from tests.support.builders import (
    NOON,
    READ_AND_WRITE,
    WORKSPACE_ID,
    SeededIds,
    a_channel,
    a_person,
    an_agent,
)
from tests.support.dumps import logical_dump
from tests.support.fake_embedder import FakeEmbedder
from tests.support.kept_roots import copied_or_made
from tests.support.sqlite_store import SqliteWorld, sqlite_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.log.events import Event, EventKind
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from tests.support.dumps import Dump
CAP = 5
MANY = 1_000


@dataclass(slots=True)
class World(SqliteWorld):
    """A store with one workspace, the channels ``general`` and ``map-room``, and nothing else.

    Attributes:
        adapters: What a test plays of the adapters; the others are not there.
    """

    new_id: SeededIds = field(default_factory=SeededIds)
    embedder: FakeEmbedder = field(default_factory=FakeEmbedder)
    decay: DecayConfig = field(default_factory=DecayConfig)
    cap: int = CAP
    background: BackgroundConfig = field(default_factory=BackgroundConfig)
    adapters: SimpleNamespace = field(default_factory=SimpleNamespace)
    general: Channel = field(init=False)
    map_room: Channel = field(init=False)

    def __post_init__(self) -> None:
        """Know the channels that are there, the first things that got an id."""
        self.general = a_channel("general", channel_id=self.new_id())
        self.map_room = a_channel("map-room", channel_id=self.new_id())

    def settings(self) -> Settings:
        """What is set now."""
        return Settings(decay=self.decay, cap=self.cap, background=self.background)

    @property
    def count_reads(self) -> CountReads:
        return CountReads(self.store)

    def entry(self, name: str) -> NamedEntry:
        """The named entry of this name, as the person sees it."""
        return self.person.entries.find(WORKSPACE_ID, name)

    def keep(self, *entries: MemoryEntry) -> tuple[MemoryEntry, ...]:
        """Put memories into the store as they are, past every use case."""
        stored: list[MemoryEntry] = []
        for workspace_id in dict.fromkeys(entry.scope.workspace_id for entry in entries):
            with self.store.write(workspace_id, initiator="test") as unit:
                stored += unit.memories.add(
                    [one for one in entries if one.scope.workspace_id == workspace_id]
                )
                unit.commit()
        self.publisher.published.clear()
        return tuple(stored)

    def a_conversation(self, caller: Caller | None = None) -> Conversation:
        """A new conversation in the map room."""
        started = self.asked_by(caller or a_person()).conversations.start(
            WORKSPACE_ID, channel=self.map_room.id, title="The toll"
        )
        self.publisher.published.clear()
        return started

    def an_agent_of(self, *rooms: Conversation, name: str = "researcher") -> Caller:
        """An agent that takes part in these conversations and their channels."""
        return an_agent(
            name,
            grants=(
                Grant(
                    Tier.CONVERSATION,
                    WORKSPACE_ID,
                    READ_AND_WRITE,
                    frozenset(room.id for room in rooms),
                ),
                Grant(
                    Tier.CHANNEL,
                    WORKSPACE_ID,
                    READ_AND_WRITE,
                    frozenset(room.channel_id for room in rooms),
                ),
                Grant(Tier.WORKSPACE, WORKSPACE_ID, frozenset({Action.READ})),
            ),
        )

    def stored(self, memory_id: str, workspace_id: str | None = WORKSPACE_ID) -> MemoryEntry:
        """A memory as it is now."""
        with self.store.read(workspace_id) as view:
            return view.memories.get_many([memory_id])[memory_id]

    def active(self, scope: ScopeKey) -> list[MemoryEntry]:
        """The active memories of one scope key, in order of writing."""
        with self.store.read(scope.workspace_id) as view:
            return list(view.memories.active_of_conversation(scope))

    def everything(self) -> dict[str | None, Dump]:
        """Every row of the account's file and of each workspace's, logs and counters included."""
        files = (None, *(one.id for one in self.directory.workspaces()))
        return {one: logical_dump(self.path(one), without=()) for one in files}

    def events(self, workspace_id: str | None = WORKSPACE_ID) -> tuple[Event, ...]:
        """The event log of one file, oldest first."""
        with self.store.read(workspace_id) as view:
            return view.events.latest(MANY)[::-1]

    def kinds(self, workspace_id: str | None = WORKSPACE_ID) -> list[EventKind]:
        """Kinds of the events of one file, oldest first."""
        return [event.kind for event in self.events(workspace_id)]


@contextmanager
def a_world(kept_roots: Path, root: Path) -> Iterator[World]:
    """The world of a test's own under a data root, where nothing is yet."""
    copied_or_made(kept_roots / "one_workspace", root, lambda: _make(root))
    with sqlite_world(root) as there:
        yield World(*(getattr(there, one.name) for one in fields(SqliteWorld)))


def _make(root: Path) -> None:
    with sqlite_world(root) as made:
        made.directory.rename(Workspace(WORKSPACE_ID, "Saltglass", NOON))
        new_id = SeededIds()
        with made.store.write(WORKSPACE_ID, initiator="test") as unit:
            unit.conversations.add_channel(a_channel("general", channel_id=new_id()))
            unit.conversations.add_channel(a_channel("map-room", channel_id=new_id()))
            unit.commit()
        made.path(None)
