"""The event log as Qt sees it: five columns over immutable rows, loaded page by page."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum

from PySide6.QtCore import QObject, Qt

from inklings_desktop.ui.kit.lists.paged_list_model import PagedListModel
from inklings_desktop.ui.kit.lists.row_list_model import Column


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


class EventRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    IS_HEADING = Qt.ItemDataRole.UserRole + 2


class EventListModel(PagedListModel[EventRow]):
    """Events, newest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_number, _READERS, parent)
        self.name_columns(  # in the order of the enumeration
            Column(self.tr("Event"), lambda row: row.number_text),
            Column(self.tr("When"), lambda row: row.age, lambda row: row.exact),
            Column(self.tr("Type"), lambda row: row.kind, lambda row: row.kind),
            Column(self.tr("Actor"), lambda row: row.actor, lambda row: row.actor),
            Column(self.tr("What happened"), lambda row: row.what, lambda row: row.what),
        )


def _itself(row: EventRow) -> EventRow:
    return row


def _number(row: EventRow) -> int:
    return row.number


def _description(row: EventRow) -> str:
    return row.accessible_description


def _never(_row: EventRow) -> bool:
    return False


_READERS: dict[int, Callable[[EventRow], object]] = {
    EventRole.ROW: _itself,
    EventRole.IS_HEADING: _never,
    Qt.ItemDataRole.AccessibleDescriptionRole: _description,
}
