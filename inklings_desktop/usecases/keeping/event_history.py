"""The event logs: pages, one event, what the ids in them are called, and a check."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize_person
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.log.events import (
    ALL_EVENTS,
    LOST_ANCHORS,
    DescribedEvent,
    Event,
    EventDraft,
    EventFacets,
    EventFilter,
    EventKind,
    EventPlace,
    EventThing,
    LogFault,
    LogVerdict,
)
from inklings_desktop.domain.memory import ACCOUNT_KEY, Tier
from inklings_desktop.usecases.parts import Asked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inklings_desktop.domain.log.events import LostWrites
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.ports.log import LogAudit
    from inklings_desktop.usecases.ports.store import StoreView

EVENTS_LIMIT = 200
MAX_EVENTS = 1_000
THINGS_PER_EVENT = 3
BEGINNING_CHARACTERS = 80
_BROKEN_CHAINS = (
    frozenset(LogFault)
    - LOST_ANCHORS
    - {LogFault.FILE_MISSING, LogFault.UNREADABLE, LogFault.WRITES_LOST}
)


class Log(Asked):
    """The events of every file, and whether they are all there; None is the account's log."""

    @property
    def _audit(self) -> LogAudit:
        return self.adapters.audit

    def list(
        self,
        workspace_id: str | None,
        where: EventFilter = ALL_EVENTS,
        *,
        limit: int = EVENTS_LIMIT,
        before: int | None = None,
    ) -> tuple[Event, ...]:
        """Lists the events that match, newest first, with numbers below ``before``.

        Args:
            workspace_id: None asks for the account's log.
            where: Which events.
            limit: Most events wanted.
            before: Number of the last event of the page before; None begins at the newest.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The limit is not from 1 to ``MAX_EVENTS``.
            NotFoundError: There is no such workspace.
        """
        _authorize(self.caller, workspace_id)
        if not 1 <= limit <= MAX_EVENTS:
            raise InvalidValueError("limit", "range", MAX_EVENTS)
        with self.store.read(workspace_id) as view:
            return view.events.latest(limit, before, where)

    def facets(self, workspace_id: str | None) -> EventFacets:
        """Names kinds, actors and tiers in use in the whole log.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
        """
        _authorize(self.caller, workspace_id)
        with self.store.read(workspace_id) as view:
            return view.events.facets()

    def show(self, workspace_id: str | None, number: int) -> Event:
        """The event with this number.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace or number.
        """
        _authorize(self.caller, workspace_id)
        with self.store.read(workspace_id) as view:
            return view.events.get(number)

    def describe(
        self,
        workspace_id: str | None,
        events: Sequence[Event],
        *,
        things_per_event: int = THINGS_PER_EVENT,
    ) -> tuple[DescribedEvent, ...]:
        """Says what the ids in events are called today, in the same order, with their places.

        Args:
            workspace_id: Whose log they are from; None is the account's.
            events: A page of them, or one.
            things_per_event: Most ids looked up per event.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
        """
        _authorize(self.caller, workspace_id)
        worlds = {one.id: one.name for one in self.parts.directory.workspaces()}
        with self.store.read(workspace_id) as view:
            names = _Names(view, workspace_id, worlds)
            things = names.things(events, things_per_event)
            return tuple(
                DescribedEvent(event, names.place(event), found)
                for event, found in zip(events, things, strict=True)
            )

    def verify(self) -> tuple[LogVerdict, ...]:
        """Checks every log against its chain and its noted head; changes nothing.

        The account's comes first, then the workspaces', the oldest first. A log whose head is noted
        and whose file is gone has a verdict too, at the end.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        _authorize(self.caller, None)
        worlds = self.parts.directory.workspaces()
        found = [self._audit.verify(None)]
        found += [replace(self._audit.verify(one.id), name=one.name) for one in worlds]
        gone = self._audit.noted_workspaces() - {one.id for one in worlds}
        missing = [LogVerdict(one, "", 0, None, LogFault.FILE_MISSING) for one in sorted(gone)]
        return (*found, *missing)

    def find_lost_writes(self) -> tuple[tuple[Workspace | None, LostWrites], ...]:
        """Names the files that once held more than they do: an older copy of them came back.

        The account is None and comes first, then the workspaces, the oldest first.

        Raises:
            ScopeDeniedError: The caller is not the person.
            StorageError: What was noted of a file cannot be read.
        """
        _authorize(self.caller, None)
        found = []
        for one in (None, *self.parts.directory.workspaces()):
            lost = self._audit.lost_writes(None if one is None else one.id)
            if lost is not None:
                found.append((one, lost))
        return tuple(found)

    def accept_lost_writes(self) -> tuple[tuple[Workspace | None, LostWrites], ...]:
        """Goes on without what is missing, and says what it was; an event keeps the loss on record.

        Raises:
            ScopeDeniedError: The caller is not the person.
            StorageError: A log cannot be written to; what was accepted before stays so.
        """
        caller = self.caller
        _authorize(caller, None, Action.MANAGE)
        found = self.find_lost_writes()
        for world, lost in found:
            workspace_id = None if world is None else world.id
            with self.writing(workspace_id) as unit:
                draft = _anchored(
                    caller, workspace_id, LogFault.WRITES_LOST, {"writes": lost.n_writes}
                )
                unit.events.append(draft, self.clock())
                unit.commit()
            self._audit.accept_lost_writes(workspace_id)
        return found

    def anchor(self) -> tuple[LogVerdict, ...]:
        """Notes anew how far the logs have come, and verifies them; what is missing stays missing.

        Only logs whose chain is whole and whose head is missing or not to be trusted are anchored;
        each gets an event that says since when it is, so that the loss stays on record. Lost
        writes are accepted in the same way.

        Raises:
            ScopeDeniedError: The caller is not the person.
            StorageError: A log or the noted heads cannot be written to.
        """
        caller = self.caller
        _authorize(caller, None, Action.MANAGE)
        self.accept_lost_writes()
        before = self.verify()
        lost = [one for one in before if one.reason in LOST_ANCHORS]
        doubtful = [one for one in before if one.reason in _BROKEN_CHAINS]
        for verdict in lost:
            with self.writing(verdict.workspace_id) as unit:
                assert verdict.reason is not None
                counts = {"events": verdict.n_events}
                draft = _anchored(caller, verdict.workspace_id, verdict.reason, counts)
                unit.events.append(draft, self.clock())
                unit.commit()
        if lost:
            self._audit.anchor(
                [one.workspace_id for one in lost], [one.workspace_id for one in doubtful]
            )
        return self.verify()


def _anchored(
    caller: Caller, workspace_id: str | None, because: LogFault, counts: Mapping[str, int]
) -> EventDraft:
    tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
    return EventDraft(
        EventKind.LOG_ANCHORED,
        caller.name,
        caller.kind.value,
        caller.door.value,
        tier.value,
        workspace_id or ACCOUNT_KEY,
        counts=counts,
        marks={"because": because.value},
    )


class _Names:
    """Looks up ids of one file, each once."""

    def __init__(
        self, view: StoreView, workspace_id: str | None, worlds: Mapping[str, str]
    ) -> None:
        self._view = view
        self._workspace_id = workspace_id
        self._worlds = worlds
        self._places: dict[tuple[str, str], EventPlace] = {}

    def place(self, event: Event) -> EventPlace | None:
        """Where it took place."""
        if event.tier is None or event.scope_key is None:
            return None
        address = (event.tier, event.scope_key)
        if address not in self._places:
            self._places[address] = self._place(*address)
        return self._places[address]

    def things(self, events: Sequence[Event], per_event: int) -> list[tuple[EventThing, ...]]:
        """What each event is about."""
        wanted = [(_thing_kind(event), event.ids[:per_event]) for event in events]
        known = {
            "memory": self._memories,
            "named_entry": self._entries,
            "proposal": self._proposals,
        }
        found = {
            kind: look_up({id_ for one, ids in wanted if one == kind for id_ in ids})
            for kind, look_up in known.items()
        }
        return [
            tuple(
                found[kind].get(id_) or EventThing(kind, id_, None, is_active=False) for id_ in ids
            )
            if kind in found
            else ()
            for kind, ids in wanted
        ]

    def _place(self, tier: str, key: str) -> EventPlace:
        if tier == Tier.ACCOUNT:
            return EventPlace(tier, key, "")
        # The account's log names nothing but workspaces, whatever the tier.
        if tier == Tier.WORKSPACE or self._workspace_id is None:
            return EventPlace(Tier.WORKSPACE.value, key, self._worlds.get(key))
        rooms = self._view.conversations
        try:
            if tier == Tier.CHANNEL:
                return EventPlace(tier, key, rooms.get_channel(key).name)
            conversation = rooms.get(key)
        except NotFoundError:
            return EventPlace(tier, key, None)
        return EventPlace(tier, key, conversation.title, conversation.ref_code)

    def _memories(self, ids: Iterable[str]) -> dict[str, EventThing]:
        return {
            id_: EventThing("memory", id_, _beginning(one.content), not one.is_forgotten)
            for id_, one in self._view.memories.get_many(sorted(ids)).items()
        }

    def _entries(self, ids: set[str]) -> dict[str, EventThing]:
        if not ids:
            return {}
        entries = (*self._view.entries.entries(), *self._view.entries.entries(deleted=True))
        return {
            one.id: EventThing("named_entry", one.id, one.name, not one.is_deleted)
            for one in entries
            if one.id in ids
        }

    def _proposals(self, ids: set[str]) -> dict[str, EventThing]:
        found = {}
        for id_ in ids:
            try:
                one = self._view.proposals.get(id_)
            except NotFoundError:
                continue
            name = one.target_name or one.kind.value
            found[id_] = EventThing("proposal", id_, name, one.is_undecided)
        return found


def _authorize(caller: Caller, workspace_id: str | None, action: Action = Action.READ) -> None:
    tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
    authorize_person(caller, action, tier)


def _thing_kind(event: Event) -> str:
    """What the ids of an event name: the first part of its kind says so."""
    return event.kind.value.partition(".")[0]


def _beginning(text: str) -> str:
    line = " ".join(text[: 4 * BEGINNING_CHARACTERS].split())
    if len(line) <= BEGINNING_CHARACTERS:
        return line
    return f"{line[:BEGINNING_CHARACTERS].rstrip()}\u2026"
