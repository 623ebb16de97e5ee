"""One workspace in memory with its use cases, as a test needs them."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Grant
from inklings_desktop.domain.background.cadence import BackgroundConfig
from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey, Tier
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.settings import Settings
from inklings_desktop.usecases.steps.counting_reads import CountReads
from tests.support.asking import asked_by
from tests.support.builders import (
    NOON,
    READ_AND_WRITE,
    WORKSPACE_ID,
    FixedClock,
    SeededIds,
    a_channel,
    a_person,
    an_agent,
)
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fakes import FakePublisher, FakeStore, FakeWorkspaceDirectory

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.log.events import Event, EventKind
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from inklings_desktop.usecases.bundle import Inklings

CAP = 5


@dataclass(slots=True)
class World:
    """A store with one workspace, the channels ``general`` and ``map-room``, and nothing else.

    Attributes:
        adapters: What a test plays of the adapters; the others are not there.
    """

    publisher: FakePublisher = field(default_factory=FakePublisher)
    clock: FixedClock = field(default_factory=FixedClock)
    new_id: SeededIds = field(default_factory=SeededIds)
    embedder: FakeEmbedder = field(default_factory=FakeEmbedder)
    decay: DecayConfig = field(default_factory=DecayConfig)
    cap: int = CAP
    background: BackgroundConfig = field(default_factory=BackgroundConfig)
    adapters: SimpleNamespace = field(default_factory=SimpleNamespace)
    store: FakeStore = field(init=False)
    directory: FakeWorkspaceDirectory = field(init=False)
    general: Channel = field(init=False)
    map_room: Channel = field(init=False)

    def __post_init__(self) -> None:
        """Make the workspace and its channels, and forget that anything was published."""
        self.store = FakeStore(self.publisher)
        self.directory = FakeWorkspaceDirectory(self.store)
        self.directory.create(Workspace(WORKSPACE_ID, "Saltglass", NOON))
        self.general = a_channel("general", channel_id=self.new_id())
        self.map_room = a_channel("map-room", channel_id=self.new_id())
        with self.store.write(WORKSPACE_ID, initiator="test") as unit:
            unit.conversations.add_channel(self.general)
            unit.conversations.add_channel(self.map_room)
            unit.commit()
        self.publisher.published.clear()

    def settings(self) -> Settings:
        """What is set now."""
        return Settings(decay=self.decay, cap=self.cap, background=self.background)

    def asked_by(self, caller: Caller) -> Inklings:
        """Every use case, by noun, as somebody asks it."""
        return asked_by(caller, self, feed=self.publisher)

    @property
    def person(self) -> Inklings:
        """Every use case, by noun, as the person asks it."""
        return self.asked_by(a_person())

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
        return self.store.files[workspace_id].memories[memory_id]

    def active(self, scope: ScopeKey) -> list[MemoryEntry]:
        """The active memories of one scope key, in order of writing."""
        return [
            one
            for one in self.store.files[scope.workspace_id].memories.values()
            if one.scope == scope and not one.is_forgotten
        ]

    def events(self, workspace_id: str | None = WORKSPACE_ID) -> tuple[Event, ...]:
        """The event log of one file, oldest first."""
        return self.store.files[workspace_id].events

    def kinds(self, workspace_id: str | None = WORKSPACE_ID) -> list[EventKind]:
        """Kinds of the events of one file, oldest first."""
        return [event.kind for event in self.events(workspace_id)]
