"""The memory list as Qt sees it: one column over immutable rows, loaded page by page."""

from collections.abc import Callable, Sequence
from enum import IntEnum

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal

from inklings_desktop.ui.models.memory_rows import HeadingRow, MemoryRow, NoteRow, Row
from inklings_desktop.ui.models.row_list_model import AnyIndex, RowListModel


class MemoryRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    ID = Qt.ItemDataRole.UserRole + 2
    IS_HEADING = Qt.ItemDataRole.UserRole + 3


class MemoryListModel(RowListModel[Row]):
    """Headings, memories and working notes in one column, loaded page by page.

    Signals:
        more_requested: The end of the loaded rows is near; emitted once per page.
    """

    more_requested = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_id, _READERS, parent)
        self._has_more = False
        self._asked = False

    def is_heading(self, row: Row) -> bool:
        """Whether a row only names those below it."""
        return isinstance(row, HeadingRow)

    def replace_rows(self, rows: Sequence[Row], *, has_more: bool = False) -> None:
        """Show other rows, announcing the smallest honest change; more may follow."""
        self._has_more = has_more
        self._asked = False
        super().replace_rows(rows)

    def append_rows(self, rows: Sequence[Row], *, has_more: bool) -> None:
        """Show one more page below what is there; the answer to ``more_requested``."""
        self._has_more = has_more
        self._asked = False
        if rows:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
            self._set_rows(self._rows + tuple(rows))
            self.endInsertRows()

    def canFetchMore(self, parent: AnyIndex) -> bool:
        """Whether there is a further page that nobody has asked for yet."""
        return not parent.isValid() and self._has_more and not self._asked

    def fetchMore(self, parent: AnyIndex) -> None:
        """Ask for the next page, once."""
        if self.canFetchMore(parent):
            self._asked = True
            self.more_requested.emit()


def _itself(row: Row) -> Row:
    return row


def _id(row: Row) -> str:
    return row.id


def _is_heading(row: Row) -> bool:
    return isinstance(row, HeadingRow)


def _text(row: Row) -> str:
    match row:
        case HeadingRow():
            return f"{row.text}, {row.detail}" if row.detail else row.text
        case MemoryRow():
            return row.excerpt
        case NoteRow():
            return f"{row.key} = {row.value_line}"


def _description(row: Row) -> str:
    return row.detail if isinstance(row, HeadingRow) else row.accessible_description


def _tooltip(row: Row) -> str | None:
    return (row.tooltip or None) if isinstance(row, MemoryRow) else None


_READERS: dict[int, Callable[[Row], object]] = {
    MemoryRole.ROW: _itself,
    MemoryRole.ID: _id,
    MemoryRole.IS_HEADING: _is_heading,
    Qt.ItemDataRole.DisplayRole: _text,
    Qt.ItemDataRole.AccessibleTextRole: _text,
    Qt.ItemDataRole.AccessibleDescriptionRole: _description,
    Qt.ItemDataRole.ToolTipRole: _tooltip,
}
