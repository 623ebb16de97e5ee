"""The memory list as Qt sees it, and where Shift was pressed in it."""

from __future__ import annotations

from contextlib import contextmanager
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt

from inklings_desktop.ui.kit.lists.memory_rows import HeadingRow, MemoryRow, NoteRow, Row
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex, PlacedListModel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

_CHECK = Qt.ItemDataRole.CheckStateRole


class MemoryListModel(PlacedListModel[Row]):
    """Headings, memories and working notes in one column, loaded page by page."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            attrgetter("id"), parent, text=_text, description=_description, tool_tip=_tooltip
        )
        self._checked: frozenset[str] = frozenset()

    @property
    def is_checking(self) -> bool:
        """Whether any memory is checked, loaded or not."""
        return bool(self._checked)

    def is_checked(self, memory_id: str) -> bool:
        """Whether this memory is checked."""
        return memory_id in self._checked

    def set_checked(self, ids: AbstractSet[str]) -> None:
        """Check these memories and no others; those that are not loaded yet count as well."""
        before, self._checked = self._checked, frozenset(ids)
        switched = bool(before) != bool(self._checked)
        changed = before ^ self._checked
        runs: list[tuple[int, int]] = []
        for place, row in (*enumerate(self._rows), *sorted(self._far.items())):
            if isinstance(row, MemoryRow) and (switched or row.id in changed):
                if runs and runs[-1][1] == place - 1:
                    runs[-1] = (runs[-1][0], place)
                else:
                    runs.append((place, place))
        for first, last in runs:
            self.dataChanged.emit(self.index(first, 0), self.index(last, 0), [_CHECK])

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        if self._checked and isinstance(self.row_at(index), MemoryRow):
            return flags | Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What the row holds for this role; its check only while memories are being checked."""
        if role != _CHECK:
            return super().data(index, role)
        row = self.row_at(index) if self._checked else None
        if not isinstance(row, MemoryRow):
            return None
        is_checked = row.id in self._checked
        return Qt.CheckState.Checked if is_checked else Qt.CheckState.Unchecked

    def is_heading(self, row: Row) -> bool:
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
