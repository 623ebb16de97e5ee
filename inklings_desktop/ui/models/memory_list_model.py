"""The memory list as Qt sees it: one column over immutable rows, loaded page by page."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from inklings_desktop.ui.models.memory_rows import HeadingRow, MemoryRow, NoteRow, Row

AnyIndex = QModelIndex | QPersistentModelIndex

_NO_FLAGS = Qt.ItemFlag.NoItemFlags
_HEADING_FLAGS = Qt.ItemFlag.ItemIsEnabled
_ROW_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
)


class MemoryRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    ID = Qt.ItemDataRole.UserRole + 2
    IS_HEADING = Qt.ItemDataRole.UserRole + 3


class MemoryListModel(QAbstractTableModel):
    """Headings, memories and working notes in one column.

    Rows are told apart by their ids, which are unique within the list. ``data`` hands out what
    the rows hold and computes nothing.
    """

    more_requested = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()
        self._positions: dict[str, int] | None = None
        self._has_more = False
        self._asked = False

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is shown now, top to bottom."""
        return self._rows

    def replace_rows(self, rows: Sequence[Row], *, has_more: bool = False) -> None:
        """Show other rows, announcing the smallest honest change.

        Rows at both ends that keep their ids stay; those of them that differ are announced as
        changed. What lies between is removed and inserted. Selection and scroll position thus
        survive an edit, a new memory and a forgotten one. A list without any common end is
        announced anew.
        """
        new = tuple(rows)
        old = self._rows
        self._has_more = has_more
        self._asked = False
        prefix = _common(old, new)
        rest = min(len(old), len(new)) - prefix
        suffix = min(rest, _common(old[prefix:][::-1], new[prefix:][::-1]))
        removed = len(old) - prefix - suffix
        inserted = len(new) - prefix - suffix
        if not prefix and not suffix:
            self.beginResetModel()
            self._set_rows(new)
            self.endResetModel()
            return
        tail = old[len(old) - suffix :]
        if removed:
            self.beginRemoveRows(QModelIndex(), prefix, prefix + removed - 1)
            self._set_rows(old[:prefix] + tail)
            self.endRemoveRows()
        if inserted:
            self.beginInsertRows(QModelIndex(), prefix, prefix + inserted - 1)
            self._set_rows(old[:prefix] + new[prefix : prefix + inserted] + tail)
            self.endInsertRows()
        before = self._rows
        self._set_rows(new)
        for first, last in _changed_runs(before, new):
            self.dataChanged.emit(self.index(first, 0), self.index(last, 0))

    def append_rows(self, rows: Sequence[Row], *, has_more: bool) -> None:
        """Show one more page below what is there; the answer to ``more_requested``."""
        self._has_more = has_more
        self._asked = False
        if rows:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
            self._set_rows(self._rows + tuple(rows))
            self.endInsertRows()

    def row_at(self, index: AnyIndex) -> Row | None:
        """The row behind an index, nothing for an invalid one."""
        return self._rows[index.row()] if index.isValid() else None

    def index_of(self, row_id: str) -> QModelIndex:
        """Where the row with this id stands; an invalid index when it is not shown."""
        if self._positions is None:
            self._positions = {row.id: position for position, row in enumerate(self._rows)}
        position = self._positions.get(row_id)
        return QModelIndex() if position is None else self.index(position, 0)

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
            return _NO_FLAGS
        return _HEADING_FLAGS if isinstance(row, HeadingRow) else _ROW_FLAGS

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What the row holds for this role."""
        row = self.row_at(index)
        read = _READERS.get(role)
        return None if row is None or read is None else read(row)

    def canFetchMore(self, parent: AnyIndex) -> bool:
        """Whether there is a further page that nobody has asked for yet."""
        return not parent.isValid() and self._has_more and not self._asked

    def fetchMore(self, parent: AnyIndex) -> None:
        """Ask for the next page, once."""
        if self.canFetchMore(parent):
            self._asked = True
            self.more_requested.emit()

    def _set_rows(self, rows: tuple[Row, ...]) -> None:
        self._rows = rows
        self._positions = None


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


def _common(left: Sequence[Row], right: Sequence[Row]) -> int:
    """How many rows at the head of both have the same ids."""
    count = 0
    for one, other in zip(left, right, strict=False):
        if one.id != other.id or type(one) is not type(other):
            break
        count += 1
    return count


def _changed_runs(before: Sequence[Row], after: Sequence[Row]) -> list[tuple[int, int]]:
    """First and last position of each run of rows that differ."""
    runs: list[tuple[int, int]] = []
    for position, (one, other) in enumerate(zip(before, after, strict=True)):
        if one is other or one == other:
            continue
        if runs and runs[-1][1] == position - 1:
            runs[-1] = (runs[-1][0], position)
        else:
            runs.append((position, position))
    return runs
