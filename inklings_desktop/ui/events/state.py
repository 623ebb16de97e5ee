"""What the event log tab is asked to show, and what it shows; plain values, no widgets."""

from __future__ import annotations

from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING

from inklings_desktop.domain.log.events import EventFacets, EventFilter
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.log.events import EventKind
    from inklings_desktop.ui.kit.lists.event_list_model import EventRow
    from inklings_desktop.ui.kit.words.messages import Message


class LogChoice(Enum):
    """Whose log it is; every file has one of its own, with its own numbers."""

    WORKSPACE = "workspace"
    ACCOUNT = "account"


class Period(Enum):
    """How far back the list goes, in days; nothing is left out under ``ANY``."""

    ANY = 0
    DAY = 1
    WEEK = 7
    MONTH = 30
    TWO_MONTHS = 60
    YEAR = 365

    def since(self, now: datetime) -> datetime | None:
        """The oldest instant in the list."""
        return None if self is Period.ANY else now - timedelta(days=self.value)


@dataclass(frozen=True, slots=True)
class EventRequest:
    """What the list is asked to show.

    Attributes:
        log: Whose log.
        kinds: Only these kinds, if any.
        actors: Only these actors, if any.
        tiers: Only what is about these tiers, if any.
        period: How far back.
        text: What is looked for; empty looks for nothing.
    """

    log: LogChoice = LogChoice.WORKSPACE
    kinds: frozenset[EventKind] = frozenset()
    actors: frozenset[str] = frozenset()
    tiers: frozenset[str] = frozenset()
    period: Period = Period.ANY
    text: str = ""

    @property
    def is_narrowed(self) -> bool:
        """Whether events of this log may be left out."""
        return self != EventRequest(self.log)

    def where(self, now: datetime) -> EventFilter:
        """The same as the store is asked."""
        return EventFilter(
            self.kinds, self.actors, self.tiers, self.period.since(now), self.text.strip()
        )


class LogEmptiness(Enum):
    """Why the list shows nothing."""

    NOTHING_YET = "nothing_yet"
    NO_MATCH = "no_match"


NO_FACETS = EventFacets((), (), (), 0)


@dataclass(frozen=True, slots=True)
class EventLogContent:
    """What the list shows.

    Attributes:
        request: What was asked for.
        rows: Newest first; more may follow page by page.
        has_more: Whether further pages exist.
        total: The sentence at the right: ``Newest first, 18 events``.
        facets: Values by which this log can be filtered.
        emptiness: Why nothing is shown; None while something is.
        failure: Why nothing could be read; None while it could.
    """

    request: EventRequest
    rows: tuple[EventRow, ...] = ()
    has_more: bool = False
    total: str = ""
    facets: EventFacets = NO_FACETS
    emptiness: LogEmptiness | None = None
    failure: Message | None = None


@dataclass(frozen=True, slots=True)
class EventFact:
    """One line of the details: its name, and its value as a person reads it.

    Attributes:
        name: What it is.
        text: The value.
        is_fixed: Whether it is a word of the program's own, set in fixed type.
        is_gone: Whether it names something that is no longer there.
        copies: What its copy button copies; empty leaves the button out.
    """

    name: str
    text: str
    is_fixed: bool = False
    is_gone: bool = False
    copies: str = ""


@dataclass(frozen=True, slots=True)
class EventLink:
    """Leads to the event that belongs to this one, before or after it."""

    title: str
    text: str
    number: int


@dataclass(frozen=True, slots=True)
class EventDetail:
    """Everything about one event.

    Attributes:
        log: Whose log it is in.
        number: Its number there.
        title: ``Event 48,112``.
        is_permanent: Whether it carries a lock.
        facts: Names and values.
        summary_title: What the box below is called; empty without one.
        summary: Lines for fixed type.
        receipt: Names and values of what a check after a scrub found.
        note: A remark about such records; empty without one.
        links: Events before and after it that belong to it.
        reference: One line that names it for good.
    """

    log: LogChoice
    number: int
    title: str
    facts: tuple[EventFact, ...]
    is_permanent: bool = False
    summary_title: str = ""
    summary: tuple[str, ...] = ()
    receipt: tuple[EventFact, ...] = ()
    note: str = ""
    links: tuple[EventLink, ...] = ()
    reference: str = ""


@dataclass(frozen=True, slots=True)
class ChainState:
    """What is known of whether the logs are what was written.

    Attributes:
        text: One sentence; empty before anybody asked.
        is_running: Whether the logs are being read.
        is_broken: Whether one is not what was written.
        broken_log: Whose log that is: a workspace's id, or None for the account.
        broken_number: Its first event that is not what was written.
    """

    text: str = ""
    is_running: bool = False
    is_broken: bool = False
    broken_log: str | None = None
    broken_number: int | None = None
