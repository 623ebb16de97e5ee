"""The revisions of an entry as Qt sees them: one column over immutable rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inklings_desktop.ui.models.memory_rows import CuratorName

AnyIndex = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class RevisionRow:
    """One revision as the history shows it; every text is final.

    ``is_older`` marks the older side of the comparison, ``is_newer`` the newer one where that is
    not the text in the editor.
    """

    number: int
    time: str
    title: str
    curator: CuratorName
    curator_label: str
    length: str
    accessible_description: str
    is_older: bool = False
    is_newer: bool = False


class RevisionRole(IntEnum):
    """What can be asked of an item besides Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    IS_HEADING = Qt.ItemDataRole.UserRole + 2


class RevisionListModel(QAbstractTableModel):
    """Revisions, newest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[RevisionRow, ...] = ()

    @property
    def rows(self) -> tuple[RevisionRow, ...]:
        """What is shown now, top to bottom."""
        return self._rows

    def replace_rows(self, rows: Sequence[RevisionRow]) -> None:
        """Show other rows; where the same revisions stand, only changes are told."""
        new, old = tuple(rows), self._rows
        if [row.number for row in new] != [row.number for row in old]:
            self.beginResetModel()
            self._rows = new
            self.endResetModel()
            return
        self._rows = new
        for place, (before, after) in enumerate(zip(old, new, strict=True)):
            if before != after:
                self.dataChanged.emit(self.index(place, 0), self.index(place, 0))

    def row_at(self, index: AnyIndex) -> RevisionRow | None:
        """The row behind an index, nothing for an invalid one."""
        return self._rows[index.row()] if index.isValid() else None

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        """Number of rows on show; rows have no children."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex | None = None) -> int:
        """One column; rows have no children."""
        return 0 if parent is not None and parent.isValid() else 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What the row holds for this role."""
        row = self.row_at(index)
        if row is None:
            return None
        if role == RevisionRole.ROW:
            return row
        if role == RevisionRole.IS_HEADING:
            return False
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return row.time
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return row.accessible_description
        return None
