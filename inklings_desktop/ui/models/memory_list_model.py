"""The memory list as Qt sees it: one column over immutable rows, loaded page by page."""

from collections.abc import Callable
from enum import IntEnum

from PySide6.QtCore import QObject, Qt

from inklings_desktop.ui.models.memory_rows import HeadingRow, MemoryRow, NoteRow, Row
from inklings_desktop.ui.models.tailed_list_model import TailedListModel


class MemoryRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    ID = Qt.ItemDataRole.UserRole + 2
    IS_HEADING = Qt.ItemDataRole.UserRole + 3


class MemoryListModel(TailedListModel[Row]):
    """Headings, memories and working notes in one column, loaded page by page."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_id, _READERS, parent)

    def is_heading(self, row: Row) -> bool:
        """Whether a row only names those below it."""
        return isinstance(row, HeadingRow)


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
