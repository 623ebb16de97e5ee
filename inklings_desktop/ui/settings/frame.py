"""What every group is made of: a heading, cards below it, rows of a name and a control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QLabel, QSizePolicy, QWidget

from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.marks.labels import plain_label, wrapped_label

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QVBoxLayout

    from inklings_desktop.ui.kit.look.layouts import Part
    from inklings_desktop.ui.kit.look.theme import Theme

_TOP, _SIDE = 18, 32
_CARD_GAP = 14
_CARD_SIDE, _CARD_TOP = 18, 16
_NAMES = 118
_ROW = 36
_HEAD_FROM = 720


class GroupFrame(QWidget):
    """One group: its title, a sentence, perhaps something at the right; then its cards.

    Attributes:
        cards: Where cards are put, from top to bottom.
    """

    def __init__(self, theme: Theme, title: str, lead: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        # As wide as the page, whatever stands in it; what has no room there stands below.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setProperty("ground", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        heading = plain_label(title, "title", self)
        heading.setObjectName("groupTitle")
        self._head = hbox(
            None,
            (vbox(None, heading, wrapped_label(lead, "meta", self), spacing=2), 1),
            spacing=18,
        )
        self.cards = vbox(None, spacing=_CARD_GAP)
        vbox(
            self,
            self._head,
            self.cards,
            STRETCH,
            margins=(_SIDE, _TOP, _SIDE, _TOP),
            spacing=_CARD_GAP,
        )

    def add_beside_title(self, widget: QWidget) -> None:
        """Put something at the right of the heading."""
        fill(self._head, (widget, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts what is beside the title below it where the page is narrow."""
        super().resizeEvent(event)
        self._head.setDirection(
            QBoxLayout.Direction.LeftToRight
            if self.is_wider_than(_HEAD_FROM)
            else QBoxLayout.Direction.TopToBottom
        )

    def is_wider_than(self, width: float) -> bool:
        """Whether there is more room than this, at the text size on show."""
        return self.width() >= self.theme.scaled(width)

    def add_card(self, title: str = "") -> Card:
        """One more card below the others."""
        card = Card(self.theme, title, self)
        self.cards.addWidget(card)
        return card


class Card(QFrame):
    """A plate with a title, rows of a name and a control, and whatever else is put into it.

    Attributes:
        head: The line of the title; something may be put at its right.
        column: Everything below each other.
    """

    def __init__(self, theme: Theme, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self._theme = theme
        self._rows: QGridLayout | None = None
        self.column: QVBoxLayout = vbox(
            self, margins=(_CARD_SIDE, _CARD_TOP, _CARD_SIDE, _CARD_TOP), spacing=10
        )
        self.head = hbox(None, spacing=12)
        if title:
            self.head.addWidget(plain_label(title, "tab", self))
            self.head.addStretch(1)
            self.column.addLayout(self.head)
        theme.changed.connect(self._on_theme_changed)

    def add(self, *parts: Part) -> None:
        """Put something below what is there."""
        self._rows = None
        fill(self.column, *parts)

    def add_row(self, name: str, *parts: Part) -> QLabel:
        """One more line: its name at the left, then controls; what comes back is the name."""
        if self._rows is None:
            self._rows = QGridLayout()
            self._rows.setHorizontalSpacing(12)
            self._rows.setVerticalSpacing(0)
            self._rows.setColumnStretch(1, 1)
            self._rows.setColumnMinimumWidth(0, self._theme.scaled(_NAMES))
            self.column.addLayout(self._rows)
        number = self._rows.rowCount()
        label = plain_label(name, "meta", self)
        self._rows.addWidget(label, number, 0)
        self._rows.addLayout(hbox(None, *parts, STRETCH, spacing=8), number, 1)
        self._rows.setRowMinimumHeight(number, self._theme.scaled(_ROW))
        return label

    @Slot()
    def _on_theme_changed(self) -> None:
        for grid in self.findChildren(QGridLayout):
            grid.setColumnMinimumWidth(0, self._theme.scaled(_NAMES))
            for number in range(1, grid.rowCount()):
                grid.setRowMinimumHeight(number, self._theme.scaled(_ROW))
