"""Plant a marker in every place of a store that was made for it."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import field, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.access.canary import Canary, CanaryKind, CanaryState, Room
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memories.memory_typing import MemoryTyping
from inklings_desktop.domain.memories.saved_filters import FilterWords
from inklings_desktop.domain.memory import (
    Derivation,
    Lifetime,
    MemoryDraft,
    MemoryPatch,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole
from inklings_desktop.usecases.knowledge.values import FactDraft

if TYPE_CHECKING:
    from inklings_desktop.domain.access.clients import Client
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.entries.proposals import ProposalRef
    from inklings_desktop.domain.memory import MemoryRef
    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.progress import Progress

SOUGHT = "canary sings"
NOTE_KEY = "plan"
STRANGER = "somebody else"

_EVERYTHING = frozenset({Action.READ, Action.WRITE, Action.PROPOSE})


@dataclass(frozen=True, slots=True)
class PlantedRoom:
    """A channel, conversation or page with its marker."""

    id: str
    canary: Canary


@dataclass(frozen=True, slots=True)
class PlantedWorld:
    """One workspace with a marker in every place.

    Attributes:
        canary: The marker in its name.
    """

    workspace: Workspace
    canary: Canary
    channels: tuple[PlantedRoom, ...]
    conversations: tuple[PlantedRoom, ...]
    page: PlantedRoom

    @property
    def id(self) -> str:
        """The workspace's id."""
        return self.workspace.id

    @property
    def scopes(self) -> tuple[ScopeKey, ...]:
        """Every scope key in its file."""
        return (
            ScopeKey.workspace(self.id),
            *(ScopeKey.channel(self.id, one.id) for one in self.channels),
            *(ScopeKey.conversation(self.id, one.id) for one in self.conversations),
        )


@dataclass(slots=True)
class Planted:
    """Everything that was planted, and where to ask for it.

    Attributes:
        home: The workspace that the client is bound to.
        elsewhere: Another one, in which it holds the same rights.
        memories: Each memory that carries one, with it.
        entries: Each named entry that carries one, with it.
        proposals: Proposals of somebody else.
    """

    home: PlantedWorld
    elsewhere: PlantedWorld
    canaries: list[Canary] = field(default_factory=list)
    memories: list[tuple[MemoryRef, Canary]] = field(default_factory=list)
    entries: list[tuple[NamedEntry, Canary]] = field(default_factory=list)
    proposals: list[ProposalRef] = field(default_factory=list)


def plant(inklings: Inklings, client: Client, workspace_id: str, progress: Progress) -> Planted:
    """Two workspaces and an account full of markers; the client holds its rights in both.

    Args:
        client: Whose rights are tried.
        workspace_id: The workspace of the author's in which it holds them.

    Raises:
        StoppedError: The person stopped it.
    """
    return _Planting(inklings, client, workspace_id, progress).planted()


def new_mark() -> str:
    """A word that no text holds by chance."""
    return f"zq{secrets.token_hex(6)}"


@dataclass(slots=True)
class _Planting:
    inklings: Inklings
    client: Client
    workspace_id: str
    progress: Progress
    canaries: list[Canary] = field(default_factory=list)
    memories: list[tuple[MemoryRef, Canary]] = field(default_factory=list)
    entries: list[tuple[NamedEntry, Canary]] = field(default_factory=list)
    proposals: list[ProposalRef] = field(default_factory=list)

    def planted(self) -> Planted:
        home = self._world(is_elsewhere=False)
        elsewhere = self._world(is_elsewhere=True)
        account = Canary((), CanaryKind.MEMORY, Tier.ACCOUNT)
        self._memories(ScopeKey.account(), account, self._agents(None))
        self._entries(None, replace(account, kind=CanaryKind.ENTRY), self._agents(None)[1])
        self._desk_of_the_author(ScopeKey.account(), account)
        return Planted(home, elsewhere, self.canaries, self.memories, self.entries, self.proposals)

    def _world(self, *, is_elsewhere: bool) -> PlantedWorld:
        mark = new_mark()
        workspace = self.inklings.workspaces.create(f"World of {mark}")
        base = Canary((), CanaryKind.WORKSPACE, Tier.WORKSPACE, is_elsewhere)
        named = self._noted(replace(base, traces=(mark, workspace.id)))
        guest, stranger = self._agents(workspace.id)
        channels, rooms, rights = [], [], []
        own = self._channel(workspace.id, base, Room.OWN)
        strange = self._channel(workspace.id, base, Room.STRANGE)
        channels += [own, strange]
        # What was granted for one workspace is asked for in the other as well, and never told.
        for right in self.client.rights_in(self.workspace_id) | self.client.rights_in(None):
            moved, granted = self._moved(right, workspace.id, base, channels)
            rights.append(moved)
            if granted is not None:
                channels.append(granted)
        for agent, channel, room in (
            (guest, own, Room.OWN),
            (stranger, own, Room.STRANGE),
            (stranger, strange, Room.STRANGE),
        ):
            rooms.append(self._conversation(agent, workspace.id, channel.id, base, room))
        self.inklings.clients.grant(self.client.name, rights, kind=self.client.kind)
        page = self._page(workspace.id, replace(base, kind=CanaryKind.PAGE))
        world = PlantedWorld(workspace, named, tuple(channels), tuple(rooms), page)
        self._memories(
            ScopeKey.workspace(workspace.id),
            replace(base, kind=CanaryKind.MEMORY),
            (guest, stranger),
        )
        for tier, places in ((Tier.CHANNEL, channels), (Tier.CONVERSATION, rooms)):
            for place in places:
                scope = ScopeKey(tier, workspace.id, place.id)
                inside = replace(place.canary, kind=CanaryKind.MEMORY)
                self._memories(scope, inside, (guest, stranger))
        self._facts(workspace.id, replace(base, kind=CanaryKind.MEMORY))
        self._entries(workspace.id, replace(base, kind=CanaryKind.ENTRY), stranger)
        self._desk_of_the_author(ScopeKey.workspace(workspace.id), base)
        return world

    def _moved(
        self, right: Right, workspace_id: str, base: Canary, channels: list[PlantedRoom]
    ) -> tuple[Right, PlantedRoom | None]:
        """The same right in the drill's workspace; a channel of its own for one that has one."""
        if right.workspace_id is None:
            return right, None
        if right.channel_id is None:
            return replace(right, workspace_id=workspace_id), None
        known = next((one for one in channels if one.canary.channel_id == right.channel_id), None)
        room = known or self._channel(workspace_id, base, Room.GRANTED, right.channel_id)
        moved = Right(right.tier, workspace_id, right.action, room.id)
        return moved, None if known else room

    def _agents(self, workspace_id: str | None) -> tuple[Caller, Caller]:
        """The client and somebody else, both with hands free to plant."""
        grants = tuple(
            Grant(tier, None if tier is Tier.ACCOUNT else workspace_id, _EVERYTHING)
            for tier in Tier
        )
        guest = Caller(CallerKind.AGENT, self.client.name, Door.MCP, grants)
        return guest, replace(guest, name=STRANGER)

    def _noted(self, canary: Canary) -> Canary:
        self.progress.require_wanted()
        self.canaries.append(canary)
        return canary

    def _channel(
        self, workspace_id: str, base: Canary, room: Room, channel_id: str | None = None
    ) -> PlantedRoom:
        mark = new_mark()
        made: Channel = self.inklings.channels.create(workspace_id, f"room-{mark}", f"About {mark}")
        canary = replace(
            base,
            traces=(mark, made.id),
            kind=CanaryKind.CHANNEL,
            tier=Tier.CHANNEL,
            room=room,
            channel_id=channel_id,
        )
        return PlantedRoom(made.id, self._noted(canary))

    def _conversation(
        self, agent: Caller, workspace_id: str, channel_id: str, base: Canary, room: Room
    ) -> PlantedRoom:
        mine, mark = self.inklings.as_caller(agent), new_mark()
        made: Conversation = mine.conversations.start(
            workspace_id, channel=channel_id, title=f"Talk of {mark}"
        )
        canary = replace(
            base,
            traces=(mark, made.id, made.ref_code),
            kind=CanaryKind.CONVERSATION,
            tier=Tier.CONVERSATION,
            room=room,
        )
        noted = new_mark()
        mine.notes.write(workspace_id, made.id, NOTE_KEY, {"said": noted})
        self._noted(replace(canary, traces=(noted,), kind=CanaryKind.NOTE))
        said = new_mark()
        parts = json.dumps([{"kind": "text", "text": _text(said)}])
        self.inklings.messages.append(
            workspace_id, made.id, MessageDraft(MessageRole.USER, parts, "planted")
        )
        self._noted(replace(canary, traces=(said,), kind=CanaryKind.MESSAGE))
        return PlantedRoom(made.id, self._noted(canary))

    def _memories(self, scope: ScopeKey, base: Canary, agents: tuple[Caller, Caller]) -> None:
        inklings, person = self.inklings, self.inklings.caller
        guest, stranger = agents
        self._memory(person, scope, base, CanaryState.PLAIN)
        self._memory(guest, scope, base, CanaryState.PRIVATE_OWN)
        self._memory(stranger, scope, base, CanaryState.PRIVATE_OTHER)
        paused = self._memory(person, scope, base, CanaryState.PAUSED)
        inklings.memories.mark([paused], MemoryMark.PAUSED, on=True)
        gone = self._memory(person, scope, base, CanaryState.FORGOTTEN)
        inklings.memories.forget([gone], reason=f"Wrong, {new_mark()}")
        edited = self._memory(person, scope, base, CanaryState.EARLIER, with_id=False)
        mark = new_mark()
        inklings.memories.update(
            edited, MemoryPatch(content=_text(mark), tags=(mark,)), expected_version=1
        )
        self.memories[-1] = (edited, self._noted(replace(base, traces=(mark, edited.id))))

    def _memory(
        self,
        caller: Caller,
        scope: ScopeKey,
        base: Canary,
        state: CanaryState,
        *,
        with_id: bool = True,
    ) -> MemoryRef:
        mark = new_mark()
        is_private = state in {CanaryState.PRIVATE_OWN, CanaryState.PRIVATE_OTHER}
        draft = MemoryDraft(
            scope, _text(mark), tags=(mark,), private_to=caller.name if is_private else None
        )
        ref = self.inklings.as_caller(caller).memories.put(draft).ref
        canary = replace(base, traces=(mark, ref.id) if with_id else (mark,), state=state)
        self.memories.append((ref, self._noted(canary)))
        return ref

    def _facts(self, workspace_id: str, base: Canary) -> None:
        """A fact of a domain that is open to reading, and one of a closed domain."""
        for state in (CanaryState.PLAIN, CanaryState.AUTHOR_ONLY):
            domain, mark = new_mark(), new_mark()
            is_closed = state is CanaryState.AUTHOR_ONLY
            self.inklings.domains.create(workspace_id, domain, closed=is_closed)
            draft = FactDraft(domain, mark, _text(mark))
            ref = self.inklings.facts.put(workspace_id, draft).fact.memory.ref
            canary = replace(base, traces=(mark, domain, ref.id), state=state)
            self.memories.append((ref, self._noted(canary)))

    def _page(self, workspace_id: str, base: Canary) -> PlantedRoom:
        """A page, and a memory that comes from what it said before."""
        inklings, mark, here = self.inklings, new_mark(), ScopeKey.workspace(workspace_id)
        file = inklings.data_dir.parent / f"pages of {workspace_id}" / "Quay.md"
        file.parent.mkdir()
        inklings.world.link(workspace_id, file.parent)
        for text in (_text(mark), f"{_text(mark)} Nobody hears it."):
            file.write_text(f"{text} ^own\n", encoding="utf-8")
            os.utime(file, (0, 0))  # what was just saved waits before memories hear of it
            inklings.world.look(workspace_id)
            from_it = (Derivation("Quay^own"),)
            inklings.memories.put(MemoryDraft(here, f"About {new_mark()}.", derived_from=from_it))
        page = inklings.world.page(workspace_id, "Quay").page
        return PlantedRoom(page.id, self._noted(replace(base, traces=(mark, page.id))))

    def _entries(self, workspace_id: str | None, base: Canary, stranger: Caller) -> None:
        inklings = self.inklings
        tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
        base = replace(base, tier=tier)
        earlier, mark, typed, asked, dropped = (new_mark() for _ in range(5))
        entry = inklings.entries.create(tier, workspace_id, mark.upper(), _text(earlier))
        self._noted(replace(base, traces=(earlier,), state=CanaryState.EARLIER))
        saved = inklings.entries.save(entry.ref, _text(mark), expected_version=entry.version)
        plain = replace(base, traces=(mark, mark.upper(), entry.id))
        self.entries.append((saved, self._noted(plain)))
        inklings.drafts.keep(entry.ref, _text(typed), saved.version)
        kind = CanaryKind.TYPING
        self._noted(replace(base, traces=(typed,), kind=kind, state=CanaryState.AUTHOR_ONLY))
        proposal = inklings.as_caller(stranger).proposals.propose(
            workspace_id, entry.name, _text(asked), f"Because of {asked}", tier
        )
        self.proposals.append(proposal.ref)
        kind = CanaryKind.PROPOSAL
        self._noted(replace(base, traces=(asked,), kind=kind, state=CanaryState.AUTHOR_ONLY))
        gone = inklings.entries.create(tier, workspace_id, dropped.upper(), _text(dropped))
        inklings.entries.delete(gone.ref, expected_version=gone.version)
        traces = (dropped, dropped.upper(), gone.id)
        deleted = self._noted(replace(base, traces=traces, state=CanaryState.DELETED))
        self.entries.append((gone, deleted))

    def _desk_of_the_author(self, scope: ScopeKey, base: Canary) -> None:
        """What was typed and not saved, filters and questions of the author's."""
        inklings = self.inklings
        typed, named, asked = (new_mark() for _ in range(3))
        now = inklings.clock()
        typing = MemoryTyping(scope, "", 0, _text(typed), 0.5, Lifetime.SHORT_TERM, (), now)
        inklings.drafts.keep_typing(typing)
        hidden = replace(base, tier=scope.tier, state=CanaryState.AUTHOR_ONLY)
        self._noted(replace(hidden, traces=(typed,), kind=CanaryKind.TYPING))
        ref, _ = self.memories[-1]
        inklings.golden.save(ref.scope, f"Where is {asked}?", must=[ref.id])
        self._noted(replace(hidden, traces=(asked,), kind=CanaryKind.GOLDEN_QUESTION))
        if scope.workspace_id is not None:
            words = FilterWords(text=named)
            inklings.search.save_filter(scope.workspace_id, scope.tier, f"All of {named}", words)
            self._noted(replace(hidden, traces=(named,), kind=CanaryKind.SAVED_FILTER))


def _text(mark: str) -> str:
    return f"The canary sings {mark} at the quay."
