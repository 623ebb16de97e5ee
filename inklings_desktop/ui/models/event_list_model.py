"""The event log as Qt sees it: five columns over immutable rows, loaded page by page."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt

from inklings_desktop.ui.models.paged_list_model import PagedListModel
from inklings_desktop.ui.models.row_list_model import AnyIndex
from inklings_desktop.ui.plain_text import plain_tool_tip


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

    def columnCount(self, parent: AnyIndex | None = None) -> int:
        """As many as there are ``EventColumn``; rows have no children."""
        return 0 if parent is not None and parent.isValid() else len(EventColumn)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What the row holds for this role, in this column."""
        row = self.row_at(index)
        if row is None:
            return None
        if role in _CELL_ROLES:
            return _CELLS[EventColumn(index.column())](row)
        if role == Qt.ItemDataRole.ToolTipRole:
            read = _TOOL_TIPS.get(EventColumn(index.column()))
            return plain_tool_tip(read(row)) if read is not None else None
        return super().data(index, role)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """The name of a column."""
        if orientation is not Qt.Orientation.Horizontal or role not in _CELL_ROLES:
            return None
        return {
            EventColumn.NUMBER: self.tr("Event"),
            EventColumn.WHEN: self.tr("When"),
            EventColumn.KIND: self.tr("Type"),
            EventColumn.ACTOR: self.tr("Actor"),
            EventColumn.WHAT: self.tr("What happened"),
        }[EventColumn(section)]


def _itself(row: EventRow) -> EventRow:
    return row


def _number(row: EventRow) -> int:
    return row.number


def _number_text(row: EventRow) -> str:
    return row.number_text


def _age(row: EventRow) -> str:
    return row.age


def _exact(row: EventRow) -> str:
    return row.exact


def _kind(row: EventRow) -> str:
    return row.kind


def _actor(row: EventRow) -> str:
    return row.actor


def _what(row: EventRow) -> str:
    return row.what


def _description(row: EventRow) -> str:
    return row.accessible_description


def _never(_row: EventRow) -> bool:
    return False


_CELL_ROLES = frozenset({int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.AccessibleTextRole)})
_CELLS: dict[EventColumn, Callable[[EventRow], str]] = {
    EventColumn.NUMBER: _number_text,
    EventColumn.WHEN: _age,
    EventColumn.KIND: _kind,
    EventColumn.ACTOR: _actor,
    EventColumn.WHAT: _what,
}
_TOOL_TIPS: dict[EventColumn, Callable[[EventRow], str]] = {
    EventColumn.WHEN: _exact,
    EventColumn.KIND: _kind,
    EventColumn.ACTOR: _actor,
    EventColumn.WHAT: _what,
}
_READERS: dict[int, Callable[[EventRow], object]] = {
    EventRole.ROW: _itself,
    EventRole.IS_HEADING: _never,
    Qt.ItemDataRole.AccessibleDescriptionRole: _description,
}
