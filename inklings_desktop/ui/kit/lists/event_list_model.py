"""The event log as Qt sees it: five columns over rows that are loaded page by page."""

from collections.abc import Sequence
from enum import Enum, IntEnum
from operator import attrgetter
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, Column, RowListModel
from inklings_desktop.ui.kit.look.cells import Cell, Icon, Text
from inklings_desktop.ui.kit.look.translation import tr

R = TypeVar("R")


class PagedListModel(RowListModel[R]):
    """Rows of which more may follow.

    Signals:
        more_requested: The end of the loaded rows is near; emitted once per page.
    """

    more_requested = Signal()

    _has_more = False
    _asked = False

    def replace_rows(self, rows: Sequence[R], *, has_more: bool = False) -> None:
        """Show other rows, announcing the smallest honest change; more may follow."""
        self._has_more = has_more
        self._asked = False
        super().replace_rows(rows)

    def canFetchMore(self, parent: AnyIndex) -> bool:
        """Whether there is a further page that nobody has asked for yet."""
        return not parent.isValid() and self._has_more and not self._asked

    def fetchMore(self, parent: AnyIndex) -> None:
        if self.canFetchMore(parent):
            self._asked = True
            self.more_requested.emit()


class EventTone(Enum):
    """How a row of the log is marked."""

    PLAIN = "plain"
    PERMANENT = "permanent"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event as the table shows it; every text is final.

    Attributes:
        number: Its number in its log.
        number_text: The same with its thousands set apart.
        age: How long ago, ``6 d ago``.
        exact: When exactly.
        kind: What kind of event, a word of the program's own.
        actor: Who did it.
        what: What happened.
        tone: How the kind is marked.
        accessible_description: The whole row in one sentence.
    """

    number: int
    number_text: str
    age: str
    exact: str
    kind: str
    actor: str
    what: str
    accessible_description: str
    tone: EventTone = EventTone.PLAIN

    @property
    def is_permanent(self) -> bool:
        """Whether it carries a lock: a record that stays whatever else is scrubbed."""
        return self.tone is EventTone.PERMANENT

    @property
    def as_text(self) -> str:
        """The row for the clipboard: its cells with tabs between them."""
        return f"{self.number_text}\t{self.exact}\t{self.kind}\t{self.actor}\t{self.what}"


class EventColumn(IntEnum):
    """The columns, left to right."""

    NUMBER = 0
    WHEN = 1
    KIND = 2
    ACTOR = 3
    WHAT = 4


_GAP = 14
_NUMBER, _KIND, _ACTOR, _WHAT = map(attrgetter, ("number_text", "kind", "actor", "what"))


class EventListModel(PagedListModel[EventRow]):
    """Events, newest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            attrgetter("number"), parent, description=attrgetter("accessible_description")
        )
        self.name_columns(  # in the order of the enumeration
            Column(tr("Event"), _NUMBER, cells=_number, right=2 * _GAP, is_figure=True),
            Column(tr("When"), attrgetter("age"), attrgetter("exact"), cells=_when, right=_GAP),
            Column(tr("Type"), _KIND, _KIND, cells=_kind, right=_GAP),
            Column(tr("By"), _ACTOR, _ACTOR, cells=_actor, right=_GAP),
            Column(tr("What happened"), _WHAT, _WHAT, right=24),
        )


def _number(row: EventRow) -> tuple[Cell, ...]:
    return (Text(row.number_text, tabular=True),)


def _when(row: EventRow) -> tuple[Cell, ...]:
    return (Text(row.age, "inkSoft", tabular=True),)


def _kind(row: EventRow) -> tuple[Cell, ...]:
    role = "ink" if row.tone is EventTone.PLAIN else "madder"
    lock = (Icon("lock-simple", role, gap=8),) if row.is_permanent else ()
    return (Text(row.kind, role, "mono"), *lock)


def _actor(row: EventRow) -> tuple[Cell, ...]:
    return (Text(row.actor),)
