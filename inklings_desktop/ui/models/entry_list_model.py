"""The named entries list as Qt sees it: one column over immutable rows."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inklings_desktop.ui.models.entry_rows import (
    EntryHeading,
    EntryListRow,
    EntryRow,
    ProposalRow,
)

AnyIndex = QModelIndex | QPersistentModelIndex

_HEADING_FLAGS = Qt.ItemFlag.ItemIsEnabled
_ROW_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
)


class EntryRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    ID = Qt.ItemDataRole.UserRole + 2
    IS_HEADING = Qt.ItemDataRole.UserRole + 3


class EntryListModel(QAbstractTableModel):
    """Headings, named entries and proposals in one column; ids are unique within the list."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[EntryListRow, ...] = ()

    @property
    def rows(self) -> tuple[EntryListRow, ...]:
        """What is shown now, top to bottom."""
        return self._rows

    def replace_rows(self, rows: Sequence[EntryListRow]) -> None:
        """Show other rows; where the same ids stand in the same order, only changes are told."""
        new, old = tuple(rows), self._rows
        if [_key(row) for row in new] != [_key(row) for row in old]:
            self.beginResetModel()
            self._rows = new
            self.endResetModel()
            return
        self._rows = new
        for place, (before, after) in enumerate(zip(old, new, strict=True)):
            if before != after:
                self.dataChanged.emit(self.index(place, 0), self.index(place, 0))

    def row_at(self, index: AnyIndex) -> EntryListRow | None:
        """The row behind an index, nothing for an invalid one."""
        return self._rows[index.row()] if index.isValid() else None

    def index_of(self, row_id: str) -> QModelIndex:
        """Where the row with this id stands; an invalid index when it is not shown."""
        for place, row in enumerate(self._rows):
            if row.id == row_id:
                return self.index(place, 0)
        return QModelIndex()

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        """Number of rows on show; rows have no children."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex | None = None) -> int:
        """One column; rows have no children."""
        return 0 if parent is not None and parent.isValid() else 1

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Headings can be read but not selected, so that arrow keys pass over them."""
        row = self.row_at(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        return _HEADING_FLAGS if isinstance(row, EntryHeading) else _ROW_FLAGS

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What the row holds for this role."""
        row = self.row_at(index)
        read = _READERS.get(role)
        return None if row is None or read is None else read(row)


def _key(row: EntryListRow) -> tuple[type, str]:
    return type(row), row.id


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
