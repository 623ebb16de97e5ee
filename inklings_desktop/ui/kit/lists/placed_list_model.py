"""Rows by their places, in a list whose whole length is known and of which pages are loaded."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal

from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, RowListModel

R = TypeVar("R")

_AWAITED_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
)
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
        super().__init__(key, readers, parent)
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

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """A row that is awaited can be gone to like any other."""
        if index.isValid() and self.is_awaited(index.row()):
            return _AWAITED_FLAGS
        return super().flags(index)

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
