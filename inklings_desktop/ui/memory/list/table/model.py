"""The memory list as Qt sees it: one column over immutable rows, loaded page by page."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt

from inklings_desktop.ui.kit.lists.memory_rows import HeadingRow, MemoryRow, NoteRow, Row
from inklings_desktop.ui.kit.lists.placed_list_model import PlacedListModel
from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex

_CHECK = Qt.ItemDataRole.CheckStateRole


class MemoryRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    ID = Qt.ItemDataRole.UserRole + 2
    IS_HEADING = Qt.ItemDataRole.UserRole + 3


class MemoryListModel(PlacedListModel[Row]):
    """Headings, memories and working notes in one column, loaded page by page."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_id, _READERS, parent)
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
        """Memories can be checked while any is."""
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
