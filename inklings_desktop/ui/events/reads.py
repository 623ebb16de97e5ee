"""What the event log tab reads, and how answers join what is on show; run off the UI thread."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.events.details import event_detail
from inklings_desktop.ui.events.state import EventLogContent, LogChoice, LogEmptiness
from inklings_desktop.ui.kit.words.event_words import event_rows, total_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.log.events import DescribedEvent, Event
    from inklings_desktop.ui.events.state import EventDetail, EventRequest
    from inklings_desktop.ui.kit.lists.event_list_model import EventRow
    from inklings_desktop.usecases.bundle import Inklings

PAGE = 200
MOST_AT_ONCE = 1_000
THINGS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was read of one log.

    Attributes:
        found: The events, with the names of today, newest first.
        content: What is shown of them.
    """

    found: tuple[DescribedEvent, ...]
    content: EventLogContent

    @property
    def head(self) -> int:
        """Number of the newest event; 0 before there is one."""
        return self.found[0].event.number if self.found else 0

    @property
    def last(self) -> int:
        """Number of the oldest event that is loaded; 0 before there is one."""
        return self.found[-1].event.number if self.found else 0

    def holds(self, number: int) -> bool:
        """Whether this event is loaded."""
        if not self.last <= number <= self.head:
            return False
        return any(one.event.number == number for one in self.found)


def read_log(
    inklings: Inklings, workspace_id: str | None, request: EventRequest, through: int | None
) -> Loaded:
    """The newest events that are asked for, at least one page.

    Args:
        workspace_id: Whose log; None for the account's.
        request: What is asked for.
        through: Read on until this number is reached; None reads one page.

    Raises:
        InklingsError: The log cannot be read.
    """
    now = inklings.clock()
    facets = inklings.log.facets(workspace_id)
    where = request.where(now)
    events: list[Event] = []
    has_more = True
    while has_more and (not events or (through is not None and events[-1].number > through)):
        limit = PAGE if through is None else MOST_AT_ONCE
        before = events[-1].number if events else None
        page = inklings.log.list(workspace_id, where, limit=limit, before=before)
        events += page
        has_more = _may_have_more(page, limit)
    found = inklings.log.describe(workspace_id, events)
    content = EventLogContent(request, facets=facets)
    return Loaded(found, _content(content, event_rows(found, now), has_more=has_more))


def read_page(inklings: Inklings, workspace_id: str | None, loaded: Loaded) -> Loaded:
    """What is loaded with one more page below it.

    Raises:
        InklingsError: The log cannot be read.
    """
    now = inklings.clock()
    content = loaded.content
    events = inklings.log.list(
        workspace_id, content.request.where(now), limit=PAGE, before=loaded.last
    )
    found = inklings.log.describe(workspace_id, events)
    rows = (*content.rows, *event_rows(found, now))
    has_more = _may_have_more(events, PAGE)
    return Loaded((*loaded.found, *found), _content(content, rows, has_more=has_more))


def read_on_top(inklings: Inklings, workspace_id: str | None, loaded: Loaded) -> Loaded:
    """The newest page, and below it what is loaded of older events, with the ages of now.

    Where more than a page is new, that page alone: nothing may be left out between two events.

    Raises:
        InklingsError: The log cannot be read.
    """
    newest = read_log(inklings, workspace_id, loaded.content.request, None)
    older = tuple(one for one in loaded.found if one.event.number < newest.last)
    if newest.last > loaded.head or not older:
        return newest
    rows = (*newest.content.rows, *event_rows(older, inklings.clock()))
    content = _content(newest.content, rows, has_more=loaded.content.has_more)
    return Loaded((*newest.found, *older), content)


def read_detail(
    inklings: Inklings, workspace_id: str | None, log: LogChoice, number: int
) -> EventDetail:
    """Everything about one event.

    Raises:
        NotFoundError: The log holds no such event.
        InklingsError: The log cannot be read.
    """
    event = inklings.log.show(workspace_id, number)
    (found,) = inklings.log.describe(workspace_id, (event,), things_per_event=THINGS_SHOWN)
    relatives = _relatives(inklings, workspace_id, event)
    return event_detail(found, log, _log_name(inklings, workspace_id), relatives, inklings.clock())


def _may_have_more(page: Sequence[Event], limit: int) -> bool:
    """Whether older events may follow; the first one of a log has number 1."""
    return len(page) == limit and page[-1].number > 1


def _content(
    before: EventLogContent, rows: tuple[EventRow, ...], *, has_more: bool
) -> EventLogContent:
    request = before.request
    n_all: int | None = len(rows)
    if has_more:
        n_all = None if request.is_narrowed else before.facets.total
    emptiness = None
    if not rows:
        is_filtered = request.is_narrowed and before.facets.total
        emptiness = LogEmptiness.NO_MATCH if is_filtered else LogEmptiness.NOTHING_YET
    return replace(
        before,
        rows=rows,
        has_more=has_more,
        total=total_sentence(len(rows), n_all),
        emptiness=emptiness,
    )


def _relatives(inklings: Inklings, workspace_id: str | None, event: Event) -> tuple[Event, ...]:
    """The scrub that a check belongs to, or the check that followed a scrub."""
    if "workspace" in event.marks:
        return _copied_relatives(inklings, event)
    if event.kind is EventKind.SCRUB_VERIFIED and (number := executed_number(event)):
        try:
            return (inklings.log.show(workspace_id, number),)
        except NotFoundError:
            return ()
    if event.kind is EventKind.SCRUB_EXECUTED:
        where = EventFilter(kinds=frozenset({EventKind.SCRUB_VERIFIED}), since=event.at)
        checks = inklings.log.list(workspace_id, where, limit=MOST_AT_ONCE)
        return tuple(one for one in checks if executed_number(one) == event.number)[-1:]
    return ()


def _copied_relatives(inklings: Inklings, event: Event) -> tuple[Event, ...]:
    """The same among copies in the account's log, which name each other by their old numbers."""
    is_check = event.kind is EventKind.SCRUB_VERIFIED
    wanted = EventKind.SCRUB_EXECUTED if is_check else EventKind.SCRUB_VERIFIED
    copies = inklings.log.list(None, EventFilter(kinds=frozenset({wanted})), limit=MOST_AT_ONCE)
    return tuple(
        one
        for one in copies
        if one.marks.get("workspace") == event.marks["workspace"]
        and _old_number(one, event) == _old_number(event, one)
    )[:1]


def _old_number(one: Event, other: Event) -> str:
    """Number that the scrub of the two had: its own, or the one that its check names."""
    if one.kind is EventKind.SCRUB_EXECUTED:
        return one.marks.get("number", "")
    return str(executed_number(one) or other.number)


def executed_number(event: Event) -> int | None:
    """Number of the scrub that a check belongs to."""
    return event.counts.get("scrub")


def _log_name(inklings: Inklings, workspace_id: str | None) -> str:
    if workspace_id is None:
        return "account"
    try:
        return inklings.workspaces.find(workspace_id).name
    except NotFoundError:
        return workspace_id
