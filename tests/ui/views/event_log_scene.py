"""Events to show in the Event log tab."""

from __future__ import annotations

from dataclasses import replace

from inklings_desktop.domain.log.events import EventFacets
from inklings_desktop.ui.events.state import (
    EventDetail,
    EventFact,
    EventLink,
    EventLogContent,
    EventRequest,
    LogChoice,
)
from inklings_desktop.ui.kit.lists.event_list_model import EventRow

FACETS = EventFacets(
    (("memory.created", 1_200), ("access.denied", 3), ("from.elsewhere", 1)),
    (("orchestrator", 1_203), ("Ada", 1)),
    (("workspace", 1_200), ("channel", 4)),
    1_204,
)
DETAIL = EventDetail(
    LogChoice.WORKSPACE,
    7,
    "Event 7",
    (
        EventFact("Type", "scrub.executed", is_fixed=True),
        EventFact("Scope", "no longer there, 0e8f2a4c", is_gone=True),
    ),
    is_permanent=True,
    summary_title="Manifest summary",
    summary=("tier      channel 143", "named     0 kept"),
    receipt=(EventFact("Receipt code", "9c1f-44d2", is_fixed=True, copies="9c1f44d2" * 8),),
    note="This record is permanent.",
    links=(EventLink("After this", "Check, 3 minutes later", 8),),
    reference="Saltglass, event 7",
)


def a_row(number: int, **values: object) -> EventRow:
    row = EventRow(
        number,
        f"{number:,}",
        "6 d ago",
        "8 Mar 2026, 10:42",
        "memory.created",
        "orchestrator",
        "2 memories, #map-room",
        f"event {number}",
    )
    return replace(row, **values)  # type: ignore[arg-type]  # fields of the row by name


def rows(newest: int, oldest: int = 1) -> tuple[EventRow, ...]:
    return tuple(a_row(number) for number in range(newest, oldest - 1, -1))


def some(newest: int = 60, request: EventRequest | None = None) -> EventLogContent:
    return EventLogContent(
        request or EventRequest(),
        rows(newest),
        total=f"Newest first, {newest} events",
        facets=FACETS,
    )
