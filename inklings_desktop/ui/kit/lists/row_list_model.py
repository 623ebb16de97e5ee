"""Immutable rows as Qt sees them: what every list of the window has in common."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip

AnyIndex = QModelIndex | QPersistentModelIndex
R = TypeVar("R")

_NO_FLAGS = Qt.ItemFlag.NoItemFlags
_HEADING_FLAGS = Qt.ItemFlag.ItemIsEnabled
_ROW_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
)
_CELL_ROLES = frozenset({int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.AccessibleTextRole)})


@dataclass(frozen=True, slots=True)
class Column(Generic[R]):
    """One column of a list that has several.

    Attributes:
        name: What stands above it.
        text: What a row holds there.
        tip: The same in full, for the tool tip; none where the text is the whole of it.
        spoken: What is read aloud where the cell has no text of its own.
    """

    name: str
    text: Callable[[R], str]
    tip: Callable[[R], str] | None = None
    spoken: Callable[[R], str] | None = None


class RowListModel(QAbstractTableModel, Generic[R]):
    """Rows that are told apart by their keys, which are unique within the list.

    ``data`` hands out what the rows hold and computes nothing.
    """

    def __init__(
        self,
        key: Callable[[R], Hashable],
        readers: Mapping[int, Callable[[R], object]],
        parent: QObject | None = None,
    ) -> None:
        """Begin without rows.

        Args:
            key: What tells a row apart from the others of its type.
            readers: What a row holds, by role.
            parent: Owner of the model.
        """
        super().__init__(parent)
        self._columns: tuple[Column[R], ...] = ()
        self._key = key
        self._readers = readers
        self._rows: tuple[R, ...] = ()
        self._positions: dict[Hashable, int] | None = None

    def name_columns(self, *columns: Column[R]) -> None:
        """Have these columns, left to right, instead of one whose cells are all in ``readers``."""
        self._columns = columns

    def is_heading(self, row: R) -> bool:  # noqa: ARG002 - lists without headings need none
        """Whether a row only names those below it."""
        return False

    @property
    def rows(self) -> tuple[R, ...]:
        """What is shown now, top to bottom."""
        return self._rows

    def replace_rows(self, rows: Sequence[R]) -> None:
        """Show other rows, announcing the smallest honest change.

        Rows at both ends that keep their keys stay; those of them that differ are announced as
        changed. What lies between is removed and inserted. Selection and scroll position thus
        survive an edit, a new row and one that left. A list without any common end is announced
        anew.
        """
        new = tuple(rows)
        old = self._rows
        prefix = self._common(old, new)
        rest = min(len(old), len(new)) - prefix
        suffix = min(rest, self._common(old[prefix:][::-1], new[prefix:][::-1]))
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
            self.dataChanged.emit(self.index(first, 0), self.index(last, self.columnCount() - 1))

    def row_at(self, index: AnyIndex) -> R | None:
        """The row behind an index, nothing for an invalid one."""
        return self._rows[index.row()] if index.isValid() else None

    def index_of(self, key: Hashable) -> QModelIndex:
        """Where the row with this key stands; an invalid index when it is not shown."""
        if self._positions is None:
            self._positions = {self._key(row): place for place, row in enumerate(self._rows)}
        place = self._positions.get(key)
        return QModelIndex() if place is None else self.index(place, 0)

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        """Number of rows on show; rows have no children."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex | None = None) -> int:
        """One column, unless a list names several; rows have no children."""
        return 0 if parent is not None and parent.isValid() else max(1, len(self._columns))

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Headings can be read but not selected."""
        row = self.row_at(index)
        if row is None:
            return _NO_FLAGS
        return _HEADING_FLAGS if self.is_heading(row) else _ROW_FLAGS

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What the row holds for this role, in this column."""
        row = self.row_at(index)
        if row is None:
            return None
        if self._columns:
            column = self._columns[index.column()]
            if role in _CELL_ROLES:
                text = column.text(row)
                if text or column.spoken is None or role == Qt.ItemDataRole.DisplayRole:
                    return text
                return column.spoken(row)
            if role == Qt.ItemDataRole.ToolTipRole and column.tip is not None:
                tip = column.tip(row)
                return plain_tool_tip(tip) if tip else None
        read = self._readers.get(role)
        return None if read is None else read(row)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """The name of a column."""
        is_named = orientation is Qt.Orientation.Horizontal and role in _CELL_ROLES
        return self._columns[section].name if is_named and self._columns else None

    def _set_rows(self, rows: tuple[R, ...]) -> None:
        self._rows = rows
        self._positions = None

    def _common(self, left: Sequence[R], right: Sequence[R]) -> int:
        """How many rows at the head of both have the same keys."""
        count = 0
        for one, other in zip(left, right, strict=False):
            if type(one) is not type(other) or self._key(one) != self._key(other):
                break
            count += 1
        return count


def _changed_runs(before: Sequence[R], after: Sequence[R]) -> list[tuple[int, int]]:
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
