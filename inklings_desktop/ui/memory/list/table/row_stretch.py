"""Where Shift was pressed first in the list, and where it has led since."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QPersistentModelIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QModelIndex

    from inklings_desktop.ui.memory.list.table.model import MemoryListModel


class RowStretch:
    """The anchor of a stretch of rows and its other end, through changes of the list.

    It ends when another row becomes current without Shift, or when a row is checked by itself:
    the next one is begun there.
    """

    def __init__(self, model: MemoryListModel) -> None:
        self._rows = model
        self._anchor = QPersistentModelIndex()
        self._end = QPersistentModelIndex()
        self._anchor_id = self._end_id = ""
        self._is_drawn = False

    def begin(self, index: QModelIndex) -> bool:
        """Begin here unless one is being drawn already; whether this is a new one."""
        if self._found().isValid():
            return False
        self._anchor = QPersistentModelIndex(index)
        self._anchor_id = self._id_of(index)
        return True

    def drawn_to(self, index: QModelIndex) -> tuple[int, int]:
        """First and last place of the stretch, now that it leads here."""
        self.begin(index)  # where nothing was current it begins where it leads
        self._end, self._end_id = QPersistentModelIndex(index), self._id_of(index)
        start = self._found().row()
        return min(start, index.row()), max(start, index.row())

    def end(self) -> None:
        """The next one is begun anew."""
        self._anchor = self._end = QPersistentModelIndex()
        self._anchor_id = self._end_id = ""

    def end_elsewhere(self, current: QModelIndex) -> None:
        """End if another row became current; not while the list is read anew around the same."""
        if self._is_drawn or not current.isValid():
            return
        is_same = self._end.isValid() and self._end.row() == current.row()
        if not is_same and (not self._end_id or self._id_of(current) != self._end_id):
            self.end()

    @contextmanager
    def being_drawn(self) -> Iterator[None]:
        """A row becomes current by drawing."""
        self._is_drawn = True
        try:
            yield
        finally:
            self._is_drawn = False

    def _found(self) -> QModelIndex | QPersistentModelIndex:
        """Where the anchor stands now; its row may have moved."""
        named = self._rows.index_of(self._anchor_id) if self._anchor_id else None
        return named if named is not None and named.isValid() else self._anchor

    def _id_of(self, index: QModelIndex) -> str:
        row = self._rows.row_at(index)
        return "" if row is None else row.id
