"""The named entries list as Qt sees it: one column over immutable rows."""

from collections.abc import Callable
from enum import IntEnum

from PySide6.QtCore import QObject, Qt

from inklings_desktop.ui.entries.rows import (
    EntryHeading,
    EntryListRow,
    EntryRow,
    ProposalRow,
)
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel


class EntryRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    ID = Qt.ItemDataRole.UserRole + 2
    IS_HEADING = Qt.ItemDataRole.UserRole + 3


class EntryListModel(RowListModel[EntryListRow]):
    """Headings, named entries and proposals in one column."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_id, _READERS, parent)

    def is_heading(self, row: EntryListRow) -> bool:
        """Whether a row only names those below it."""
        return isinstance(row, EntryHeading)


def _itself(row: EntryListRow) -> EntryListRow:
    return row


def _id(row: EntryListRow) -> str:
    return row.id


def _is_heading(row: EntryListRow) -> bool:
    return isinstance(row, EntryHeading)


def _text(row: EntryListRow) -> str:
    match row:
        case EntryHeading():
            return f"{row.text}, {row.detail}" if row.detail else row.text
        case EntryRow():
            return row.name
        case ProposalRow():
            return row.title


def _description(row: EntryListRow) -> str:
    return row.detail if isinstance(row, EntryHeading) else row.accessible_description


def _tooltip(row: EntryListRow) -> str | None:
    return None if isinstance(row, EntryHeading) else row.tooltip or None


_READERS: dict[int, Callable[[EntryListRow], object]] = {
    EntryRole.ROW: _itself,
    EntryRole.ID: _id,
    EntryRole.IS_HEADING: _is_heading,
    Qt.ItemDataRole.DisplayRole: _text,
    Qt.ItemDataRole.AccessibleTextRole: _text,
    Qt.ItemDataRole.AccessibleDescriptionRole: _description,
    Qt.ItemDataRole.ToolTipRole: _tooltip,
}
