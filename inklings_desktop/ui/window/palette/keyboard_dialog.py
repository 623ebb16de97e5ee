"""The keyboard sheet: every key, where it acts and what it does, from the register of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from inklings_desktop.ui.kit.dialogs.paper_dialog import PaperDialog
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.panes.key_columns import KeyColumns

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.commands import Commands

_SIZE = QSize(900, 700)
_MARGIN = 28
_BAR = 14


class KeyboardDialog(PaperDialog):
    """Sections by place, in two columns; Escape closes."""

    def __init__(self, theme: Theme, window: QWidget, commands: Commands) -> None:
        super().__init__(theme, window, title=tr("Keyboard"), size=_SIZE)
        self.setObjectName("keyboardSheet")
        self.show_head(tr("Keyboard"), tr("Single letters act while the list has the keyboard."))
        inner = KeyColumns(theme, commands, self)
        # The bar stands in the margin; it would push the keys out of line with the cross.
        inner.setContentsMargins(_MARGIN, 12, _MARGIN - _BAR, 24)
        self.lines = inner.lines
        self.area = QScrollArea(self)
        self.area.setObjectName("keyboardList")
        self.area.setAccessibleName(tr("Keys and what they do"))
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.area.viewport().setAutoFillBackground(False)
        self.area.setWidget(inner)
        inner.setAutoFillBackground(False)
        self.body.addWidget(self.area, 1)
