"""Immutable rows as Qt sees them: all of them, or by their places as one looks."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from inklings_desktop.ui.kit.look.cells import Cell

AnyIndex = QModelIndex | QPersistentModelIndex
R = TypeVar("R")

_HEADING_FLAGS = Qt.ItemFlag.ItemIsEnabled
_ROW_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
)
_LAST_OF_QT = int(Qt.ItemDataRole.UserRole)
_CELL_ROLES = frozenset({int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.AccessibleTextRole)})


class RowRole(IntEnum):
    """What every list can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    ID = Qt.ItemDataRole.UserRole + 2
    IS_HEADING = Qt.ItemDataRole.UserRole + 3


@dataclass(frozen=True, slots=True)
class Column(Generic[R]):
    """One column of a list that has several.

    Attributes:
        name: What stands above it.
        text: What a row holds there.
        tip: The same in full, for the tool tip; none where the text is the whole of it.
        spoken: What is read aloud where the cell has no text of its own.
        cells: What is drawn there; None for the text alone, an empty one for nothing.
        left: Room before what stands in it, in pixels.
        right: Room behind that.
        is_figure: Whether it ends at the right.
    """

    name: str
    text: Callable[[R], str]
    tip: Callable[[R], str] | None = None
    spoken: Callable[[R], str] | None = None
    cells: Callable[[R], tuple[Cell, ...]] | None = None
    left: int = 0
    right: int = 0
    is_figure: bool = False


class RowListModel(QAbstractTableModel, Generic[R]):
    """Rows that are told apart by their keys, which are unique within the list.

    ``data`` hands out what the rows hold and computes nothing.
    """

    def __init__(
        self,
        key: Callable[[R], Hashable],
        parent: QObject | None = None,
        *,
        text: Callable[[R], str] | None = None,
        spoken: Callable[[R], str] | None = None,
        description: Callable[[R], str] | None = None,
        tool_tip: Callable[[R], str | None] | None = None,
        others: Mapping[int, Callable[[R], object]] | None = None,
    ) -> None:
        """Begin without rows.

        Args:
            key: What tells a row apart from the others of its type.
            text: What a row says.
            spoken: What is read aloud instead.
            description: What is read aloud after it.
            tool_tip: What the mouse finds out.
            others: What a row holds besides, by role.
        """
        super().__init__(parent)
        self._columns: tuple[Column[R], ...] = ()
        self._key = key
        readers: dict[int, Callable[[R], object] | None] = {
            Qt.ItemDataRole.DisplayRole: text,
            Qt.ItemDataRole.AccessibleTextRole: spoken or text,
            Qt.ItemDataRole.AccessibleDescriptionRole: description,
            Qt.ItemDataRole.ToolTipRole: tool_tip,
        }
        self._readers = {role: read for role, read in readers.items() if read} | dict(others or {})
        self._rows: tuple[R, ...] = ()
        self._positions: dict[Hashable, int] | None = None

    def name_columns(self, *columns: Column[R]) -> None:
        """Have these columns, left to right, instead of one that holds what rows say."""
        self._columns = columns

    def is_heading(self, row: R) -> bool:  # noqa: ARG002 - lists without headings need none
        """Whether a row only names those below it."""
        return False

    @property
    def columns(self) -> tuple[Column[R], ...]:
        """Those it was given, left to right."""
        return self._columns

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

    def reword(self, rows: Mapping[int, R]) -> None:
        """Let rows say something else: same keys, same places."""
        keys = self._positions
        reworded = list(self._rows)
        for place, row in rows.items():
            if place < len(reworded):  # a longer list has a tail elsewhere
                reworded[place] = row
        self._set_rows(tuple(reworded))
        self._positions = keys
        for place in rows:
            self.dataChanged.emit(self.index(place, 0), self.index(place, self.columnCount() - 1))

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
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        row = self.row_at(index)  # one that is still to be read can be gone to like any other
        return _HEADING_FLAGS if row is not None and self.is_heading(row) else _ROW_FLAGS

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
        if (read := self._readers.get(role)) is not None:
            return read(row)
        if role <= _LAST_OF_QT:  # most that a cell is asked for while it is drawn
            return None
        if role == RowRole.ROW:
            return row
        if role == RowRole.IS_HEADING:
            return self.is_heading(row)
        return self._key(row) if role == RowRole.ID else None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
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


MOST_FAR_ROWS = 4_000
"""Loaded rows kept outside the head; those furthest from where one looks go first."""


class PlacedListModel(RowListModel[R]):
    """The first page, and behind it places whose rows are read when somebody looks at them.

    ``rows`` is the first page. A place of the tail holds a heading, a row that was placed there,
    or nothing yet: then ``data`` has nothing to say and the view draws an empty row. The scroll
    bar thus tells the truth about 100,000 rows, and jumping anywhere loads one page.

    Signals:
        rows_placed: First and last place of the tail that got rows.
    """

    rows_placed = Signal(int, int)

    def __init__(
        self, key: Callable[[R], Hashable], parent: QObject | None = None, **said: Any
    ) -> None:
        """Begin without rows; what they say is told as to any list."""
        super().__init__(key, parent, **said)
        self._n_rows = 0
        self._headings: dict[int, R] = {}
        self._far: dict[int, R] = {}
        self._far_places: dict[Hashable, int] = {}

    @property
    def has_tail(self) -> bool:
        """Whether there are places beyond the head."""
        return self._n_rows > len(self._rows)

    def show_list(
        self,
        rows: Sequence[R],
        *,
        n_rows: int,
        headings: Mapping[int, R],
        far: Mapping[int, R],
    ) -> None:
        """Show another list, announcing the smallest honest change.

        Args:
            rows: From the top.
            n_rows: How long the whole list is; 0 where those are all.
            headings: Every heading of the whole list by its place; only looked at for the tail.
            far: Rows of the tail that are known already, by their places; the others are awaited.
        """
        if n_rows <= len(rows):
            self.replace_rows(rows)
            return
        is_same_length = (n_rows, len(rows)) == (self._n_rows, len(self._rows))
        if is_same_length and headings.keys() == self._headings.keys():
            self._headings = dict(headings)
            self._set_rows(tuple(rows))
            self._keep_far(far)
            self.dataChanged.emit(self.index(0, 0), self.index(n_rows - 1, 0))
            return
        self._begin_anew(rows, n_rows, headings, far)

    def replace_rows(self, rows: Sequence[R]) -> None:
        """Show other rows in a list without a tail, announcing the smallest honest change."""
        if self.has_tail:
            self._begin_anew(rows, 0, {}, {})
        else:
            super().replace_rows(rows)

    def reword(self, rows: Mapping[int, R]) -> None:
        """Let rows say something else, those of the tail as well."""
        self._far |= {place: row for place, row in rows.items() if place in self._far}
        super().reword(rows)

    def place_rows(self, rows: Mapping[int, R]) -> None:
        """Fill places of the tail; those of the head and beyond the end are left alone."""
        wanted = {
            place: row for place, row in rows.items() if len(self._rows) <= place < self._n_rows
        }
        if not wanted:
            return
        first, last = min(wanted), max(wanted)
        for place, row in wanted.items():
            self._drop_far(place)
            self._far[place] = row
            self._far_places[self._key(row)] = place
        if len(self._far) > MOST_FAR_ROWS:
            middle = (first + last) // 2
            for place in sorted(self._far, key=lambda one: abs(one - middle))[MOST_FAR_ROWS:]:
                self._drop_far(place)
        self.dataChanged.emit(self.index(first, 0), self.index(last, 0))
        self.rows_placed.emit(first, last)

    def is_awaited(self, place: int) -> bool:
        """Whether a place is part of the list and its row is still to be read."""
        return (
            len(self._rows) <= place < self._n_rows
            and place not in self._far
            and place not in self._headings
        )

    def heading_places(self, first: int, last: int) -> Iterator[int]:
        """Places from first to last that hold headings, rising."""
        for place in range(first, min(last + 1, len(self._rows))):
            if self.is_heading(self._rows[place]):
                yield place
        yield from (
            one for one in sorted(self._headings) if max(first, len(self._rows)) <= one <= last
        )

    def row_at(self, index: AnyIndex) -> R | None:
        """The row behind an index; nothing for an invalid one and for one that is awaited."""
        if not index.isValid():
            return None
        place = index.row()
        if place < len(self._rows):
            return self._rows[place]
        return self._headings.get(place) or self._far.get(place)

    def index_of(self, key: Hashable) -> QModelIndex:
        """Where the row with this key stands; an invalid index when it is not loaded."""
        found = super().index_of(key)
        if found.isValid() or key not in self._far_places:
            return found
        return self.index(self._far_places[key], 0)

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        """Number of rows of the whole list; rows have no children."""
        if parent is not None and parent.isValid():
            return 0
        return max(self._n_rows, len(self._rows))

    def _begin_anew(
        self, rows: Sequence[R], n_rows: int, headings: Mapping[int, R], far: Mapping[int, R]
    ) -> None:
        self.beginResetModel()
        self._n_rows, self._headings = n_rows, dict(headings)
        self._set_rows(tuple(rows))
        self._keep_far(far)
        self.endResetModel()

    def _keep_far(self, far: Mapping[int, R]) -> None:
        self._far = {place: row for place, row in far.items() if place >= len(self._rows)}
        self._far_places = {self._key(row): place for place, row in self._far.items()}

    def _drop_far(self, place: int) -> None:
        row = self._far.pop(place, None)
        if row is not None:
            self._far_places.pop(self._key(row), None)
