"""Lists deleted companions; one of them can be brought back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

_WIDTH = 480
_MARGIN = 28
_MOST_SHOWN = 7
_ROW_HEIGHT = 34


@dataclass(frozen=True, slots=True)
class DeletedRow:
    """One deleted companion: its id, and what is said of it."""

    id: str
    text: str


class DeletedEntriesDialog(QDialog):
    """Deleted companions, the latest first; Enter or a double click brings one back."""

    def __init__(self, rows: Sequence[DeletedRow], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("deletedEntriesDialog")
        self.setWindowTitle(self.tr("Restore a deleted entry"))
        self.setMinimumWidth(_WIDTH)
        heading = QLabel(self.tr("Restore a deleted entry"), self)
        heading.setProperty("textStyle", "title")
        words = QLabel(
            self.tr(
                "It comes back with all its revisions, and the agent reads it again from the "
                "next turn."
            )
            if rows
            else self.tr("No companion was deleted."),
            self,
        )
        words.setProperty("textStyle", "body")
        words.setWordWrap(True)
        words.setMinimumWidth(_WIDTH - 2 * _MARGIN)
        self.list = QListWidget(self)
        self.list.setObjectName("deletedList")
        self.list.setAccessibleName(self.tr("Deleted entries"))
        self.list.setProperty("popup", "true")
        for row in rows:
            item = QListWidgetItem(row.text, self.list)
            item.setData(Qt.ItemDataRole.UserRole, row.id)
        self.list.setFixedHeight(_ROW_HEIGHT * min(max(len(rows), 1), _MOST_SHOWN) + 10)
        self.list.setCurrentRow(0)
        self.list.setVisible(bool(rows))
        self.list.itemActivated.connect(self._on_list_item_activated)
        cancel = QPushButton(self.tr("Cancel") if rows else self.tr("Close"), self)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.confirm = QPushButton(self.tr("Restore"), self)
        self.confirm.setObjectName("deletedRestore")
        self.confirm.setProperty("kind", "primary")
        self.confirm.setDefault(True)
        self.confirm.setVisible(bool(rows))
        self.confirm.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.confirm)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 24, _MARGIN, 24)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addWidget(words)
        layout.addWidget(self.list)
        layout.addSpacing(8)
        layout.addLayout(buttons)

    @property
    def chosen_id(self) -> str:
        """Id of the companion to bring back; empty if there is none."""
        chosen = self.list.currentIndex().data(Qt.ItemDataRole.UserRole)
        return str(chosen or "")

    @Slot()
    def _on_list_item_activated(self) -> None:
        self.accept()
