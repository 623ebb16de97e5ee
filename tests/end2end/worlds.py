"""Workspaces in which every text says where it belongs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Grant
from inklings_desktop.domain.memory import (
    MemoryDraft,
    MemoryEntry,
    MemoryPatch,
    ScopeKey,
    Tier,
)
from tests.support.builders import READ_AND_WRITE, an_agent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings

ACCOUNT_MARK = "qxaccount"
SHARED_WORDS = "keeper counts tides"
NOTE_KEY = "pages"
AGENT = "researcher"


@dataclass(frozen=True, slots=True)
class World:
    """A workspace with memories, rooms and notes in every place.

    Attributes:
        workspace: The workspace.
        mark: A word that every text of it holds, and no other text.
        channels: ``general`` and one of its own.
        conversations: Active, idle and archived, in the channel of its own.
        memories: Every memory of it, two of them forgotten.
    """

    workspace: Workspace
    mark: str
    channels: tuple[Channel, ...]
    conversations: tuple[Conversation, ...]
    memories: tuple[MemoryEntry, ...]

    @property
    def id(self) -> str:
        """The workspace's id."""
        return self.workspace.id

    @property
    def folder(self) -> str:
        """Its folder, named from the data root."""
        return f"workspaces/{self.id}/"

    def scopes(self, tier: Tier) -> tuple[ScopeKey, ...]:
        """Every scope key of one tier that can be reached from this workspace."""
        match tier:
            case Tier.CONVERSATION:
                return tuple(ScopeKey.conversation(self.id, one.id) for one in self.conversations)
            case Tier.CHANNEL:
                return tuple(ScopeKey.channel(self.id, one.id) for one in self.channels)
            case Tier.WORKSPACE:
                return (ScopeKey.workspace(self.id),)
            case Tier.ACCOUNT:
                return (ScopeKey.account(),)

    @property
    def own_scopes(self) -> tuple[ScopeKey, ...]:
        """Every scope key in its own file."""
        tiers = (Tier.CONVERSATION, Tier.CHANNEL, Tier.WORKSPACE)
        return tuple(scope for tier in tiers for scope in self.scopes(tier))

    def place_mark(self, scope: ScopeKey) -> str:
        """A word that the texts of one scope key hold, and no other text."""
        if scope.tier is Tier.ACCOUNT:
            return ACCOUNT_MARK
        return f"{self.mark}at{self.own_scopes.index(scope)}end"

    def traces(self) -> tuple[str, ...]:
        """Whatever would betray that this workspace exists."""
        rooms = [one for room in self.conversations for one in (room.id, room.ref_code)]
        channels = [channel.id for channel in self.channels]
        return (self.mark, self.id, *rooms, *channels, *(entry.id for entry in self.memories))

    def agent(
        self, tiers: Iterable[Tier] | None = None, keys: frozenset[str] | None = None
    ) -> Caller:
        """An agent with rights in this workspace: in all three tiers, in some, or at some keys."""
        chosen = tiers or (Tier.CONVERSATION, Tier.CHANNEL, Tier.WORKSPACE)
        return an_agent(AGENT, workspace_id=self.id, tiers=chosen, keys=keys)


def settle(inklings: Inklings, number: int) -> World:
    """Make a world and fill every place of it."""
    mark = f"qx{number}mark"
    workspace = inklings.workspaces.create(f"World {number}")
    inklings.channels.create(workspace.id, f"{mark}-room", f"Where {mark} is spoken of")
    channels = inklings.places.channels(workspace.id)
    rooms = tuple(
        inklings.conversations.start(workspace.id, channel=channels[1].id, title=f"{mark} {state}")
        for state in ("active", "idle", "archived")
    )
    world = World(workspace, mark, channels, rooms, ())
    inklings.as_caller(world.agent()).notes.write(
        world.id, rooms[0].id, NOTE_KEY, {"said": world.place_mark(_first(world))}
    )
    memories = [
        inklings.memories.put(_draft(world, scope, kind))
        for scope in world.own_scopes
        for kind in ("kept", "kept too")
    ]
    edited = inklings.memories.put(_draft(world, ScopeKey.workspace(world.id), "first"))
    memories.append(
        inklings.memories.update(
            edited.ref,
            MemoryPatch(content=edited.content.replace("first", "second")),
            expected_version=edited.version,
        )
    )
    private = _draft(world, ScopeKey.workspace(world.id), "private", private_to=AGENT)
    memories.append(inklings.as_caller(world.agent()).memories.put(private))
    gone = [
        inklings.memories.put(_draft(world, scope, "forgotten"))
        for scope in (ScopeKey.workspace(world.id), world.scopes(Tier.CHANNEL)[1])
    ]
    memories += inklings.memories.forget([entry.ref for entry in gone], reason=f"{mark} is wrong")
    inklings.conversations.idle(world.id, rooms[1].id, summary=f"- The {mark} keeper counted well")
    inklings.conversations.archive(world.id, rooms[2].id, force=True)
    every = {entry.id: entry for entry in memories}
    channel = inklings.listing.browse(world.scopes(Tier.CHANNEL))
    every |= {entry.id: entry for entry in channel.entries}
    rooms = tuple(inklings.conversations.get(world.id, room.id) for room in rooms)
    return World(workspace, mark, channels, rooms, tuple(every.values()))


def settle_account(inklings: Inklings) -> MemoryEntry:
    """Remember a preference of the author, which belongs to no workspace."""
    draft = MemoryDraft(
        ScopeKey.account(),
        f"The keeper of {ACCOUNT_MARK} counts the tides in ink.",
        source=ACCOUNT_MARK,
        tags=(ACCOUNT_MARK,),
    )
    return inklings.memories.put(draft)


def an_account_agent() -> Caller:
    """An agent that may read and write the account tier alone."""
    grant = Grant(Tier.ACCOUNT, None, READ_AND_WRITE)
    return an_agent(AGENT, grants=(grant,))


def a_reader(world: World) -> Caller:
    """An agent that may read the whole workspace and write nothing."""
    return an_agent(AGENT, workspace_id=world.id, actions=frozenset({Action.READ}))


def _first(world: World) -> ScopeKey:
    return world.own_scopes[0]


def _draft(world: World, scope: ScopeKey, kind: str, private_to: str | None = None) -> MemoryDraft:
    place = world.place_mark(scope)
    return MemoryDraft(
        scope,
        f"The {kind} keeper of {world.mark}, {place}, counts the tides.",
        source=place,
        tags=(place,),
        private_to=private_to,
    )
