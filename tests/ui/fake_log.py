"""Event logs in hand, for presenters: no store, no files."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.log.events import (
    ALL_EVENTS,
    DescribedEvent,
    Event,
    EventFacets,
    EventFilter,
    EventKind,
    EventPlace,
    EventThing,
    LogVerdict,
)
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.rooms.workspace import Workspace
from tests.support.builders import NOON, WORKSPACE_ID, FixedClock, a_person
from tests.support.stand_ins import played
from tests.support.stopwatch import HANG_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.usecases.bundle import Inklings


class FakeLog:
    """The logs of one workspace and the account, and the use cases that the tab calls.

    Attributes:
        fails_with: Raised by every call while it is set.
        gate: Lists wait for it; open by default.
        calls: What was asked of the store, in order.
    """

    def __init__(self) -> None:
        self.logs: dict[str | None, list[Event]] = {WORKSPACE_ID: [], None: []}
        self.names: dict[str, str] = {WORKSPACE_ID: "Saltglass"}
        self.verdicts: tuple[LogVerdict, ...] = ()
        self.clock = FixedClock()
        self.fails_with: InklingsError | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.calls: list[str] = []

    def inklings(self) -> Inklings:
        """The bundle, with these logs behind the use cases it knows and nothing behind the rest."""
        known: dict[str, Callable[..., object]] = {
            "log.list": self.list_events,
            "log.facets": self.facets,
            "log.show": self.show,
            "log.describe": self.describe,
            "log.verify": self.verify,
            "workspaces.find": self.find_workspace,
        }
        return played(a_person(), {"clock": self.clock}, known)

    def append(
        self,
        kind: EventKind = EventKind.MEMORY_CREATED,
        *,
        log: str | None = WORKSPACE_ID,
        actor: str = "orchestrator",
        minutes_ago: float = 0.0,
        **values: Any,
    ) -> Event:
        """One more event."""
        events = self.logs[log]
        event = Event(
            kind,
            actor,
            values.pop("actor_kind", "agent"),
            values.pop("door", "mcp"),
            values.pop("tier", "workspace" if log else "account"),
            values.pop("scope_key", log or "account"),
            values.pop("ids", ()),
            values.pop("counts", {"memories": 2}),
            values.pop("marks", {}),
            number=len(events) + 1,
            at=NOON - timedelta(minutes=minutes_ago),
            chain_hash="ab" * 32,
        )
        assert not values
        events.append(event)
        return event

    def fill(self, n_events: int) -> None:
        """That many plain events."""
        for _ in range(n_events):
            self.append()

    def changes(self, **values: Any) -> MemoryChanges:
        """The change record of a commit in the workspace, with an event unless said otherwise."""
        return MemoryChanges(WORKSPACE_ID, **{"events": True, **values})

    # -- use cases ------------------------------------------------------------------------

    def list_events(
        self,
        _caller: object,
        workspace_id: str | None,
        where: EventFilter = ALL_EVENTS,
        *,
        limit: int = 200,
        before: int | None = None,
    ) -> tuple[Event, ...]:
        """As ``ListEvents``."""
        self._begin(f"list {limit} before {before}")
        assert self.gate.wait(HANG_SECONDS)
        found = [
            event
            for event in reversed(self.logs[workspace_id])
            if (before is None or event.number < before) and _fits(event, where)
        ]
        return tuple(found[:limit])

    def facets(self, _caller: object, workspace_id: str | None) -> EventFacets:
        """As ``ListEventFacets``."""
        self._begin("facets")
        events = self.logs[workspace_id]
        return EventFacets(
            _counted(events, lambda event: event.kind.value),
            _counted(events, lambda event: event.actor),
            _counted(events, lambda event: event.tier or ""),
            len(events),
        )

    def show(self, _caller: object, workspace_id: str | None, number: int) -> Event:
        """As ``ShowEvent``."""
        self._begin(f"show {number}")
        for event in self.logs[workspace_id]:
            if event.number == number:
                return event
        raise NotFoundError("event", str(number))

    def describe(
        self,
        _caller: object,
        _workspace_id: str | None,
        events: Sequence[Event],
        *,
        things_per_event: int = 3,
    ) -> tuple[DescribedEvent, ...]:
        """As ``DescribeEvents``."""
        self._begin("describe")
        return tuple(self._described(event, things_per_event) for event in events)

    def verify(self, _caller: object) -> tuple[LogVerdict, ...]:
        """As ``VerifyLogs``."""
        self._begin("verify")
        assert self.gate.wait(HANG_SECONDS)
        return self.verdicts

    def find_workspace(self, _caller: object, key: str) -> Workspace:
        """As ``Workspaces.find``."""
        return Workspace(key, "Saltglass", NOON)

    # -- inside -----------------------------------------------------------------------------

    def _begin(self, call: str) -> None:
        self.calls.append(call)
        if self.fails_with is not None:
            raise self.fails_with

    def _described(self, event: Event, n_things: int) -> DescribedEvent:
        place = None
        if event.tier is not None and event.scope_key is not None:
            name = "" if event.tier == "account" else self.names.get(event.scope_key)
            place = EventPlace(event.tier, event.scope_key, name)
        kind = event.kind.value.partition(".")[0]
        things = tuple(
            EventThing(kind, id_, self.names.get(id_), is_active=id_ in self.names)
            for id_ in event.ids[:n_things]
        )
        return DescribedEvent(event, place, things)


def _fits(event: Event, where: EventFilter) -> bool:
    words = f"{event.number} {event.kind.value} {event.actor} {event.tier}".casefold()
    return (
        (not where.kinds or event.kind in where.kinds)
        and (not where.actors or event.actor in where.actors)
        and (not where.tiers or event.tier in where.tiers)
        and (where.since is None or (event.at is not None and event.at >= where.since))
        and all(word in words for word in where.words)
    )


def _counted(events: Sequence[Event], value: Callable[[Event], str]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for event in events:
        counts[value(event)] = counts.get(value(event), 0) + 1
    return tuple(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
