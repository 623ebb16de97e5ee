"""Lists the imports that can still be taken back, each as one step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
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
class ImportLine:
    """One import: its id, and what is said of it."""

    id: str
    text: str


class ImportsDialog(QDialog):
    """The latest import first; dismissing the dialog leaves all of them as they are."""

    def __init__(self, lines: Sequence[ImportLine], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("importsDialog")
        title = self.tr("Take an import back")
        self.setWindowTitle(title)
        self.setMinimumWidth(_WIDTH)
        heading = QLabel(title, self)
        heading.setProperty("textStyle", "title")
        words = QLabel(
            self.tr(
                "What it added is forgotten and what it replaced returns. Whatever was changed"
                " since stays as it is."
            )
            if lines
            else self.tr("There is no import in this workspace that could be taken back."),
            self,
        )
        words.setProperty("textStyle", "body")
        words.setWordWrap(True)
        words.setMinimumWidth(_WIDTH - 2 * _MARGIN)
        self.list = QListWidget(self)
        self.list.setObjectName("importsList")
        self.list.setAccessibleName(self.tr("Imports"))
        self.list.setProperty("popup", "true")
        for line in lines:
            item = QListWidgetItem(line.text, self.list)
            item.setData(Qt.ItemDataRole.UserRole, line.id)
        self.list.setFixedHeight(_ROW_HEIGHT * min(max(len(lines), 1), _MOST_SHOWN) + 10)
        self.list.setCurrentRow(0)
        self.list.setVisible(bool(lines))
        cancel = QPushButton(self.tr("Cancel") if lines else self.tr("Close"), self)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.confirm = QPushButton(self.tr("Take back"), self)
        self.confirm.setObjectName("importsTakeBack")
        self.confirm.setProperty("kind", "primary")
        self.confirm.setAutoDefault(False)
        self.confirm.setVisible(bool(lines))
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
        """Id of the import to take back; empty if there is none."""
        return str(self.list.currentIndex().data(Qt.ItemDataRole.UserRole) or "")
