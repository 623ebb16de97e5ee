"""Grids, notices, columns, heads of cards and hairlines that several panes share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import STRETCH, FlowLayout, hbox, vbox
from inklings_desktop.ui.kit.marks.labels import IconMark, plain_label, wrapped_label

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme


GUTTER = 20
LABEL_COLUMN = 98
SECTION_GAP = 14


class FactGrid(QWidget):
    """Names at the left, values at the right; a row whose value is hidden takes no room.

    Attributes:
        name_style: Text style of the names.
        name_width: Of their column at the usual size of text, in pixels.
        name_side: Where a name stands beside a value of several lines.
        row_height: Of a row, likewise.
        grid: Holds them.
    """

    name_style: ClassVar = "caption"
    name_width: ClassVar = LABEL_COLUMN
    name_side: ClassVar = Qt.AlignmentFlag.AlignTop
    row_height: ClassVar = 25

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setHorizontalSpacing(0)
        self.grid.setVerticalSpacing(0)
        self.grid.setColumnStretch(1, 1)
        self._rows: dict[QWidget, tuple[QLabel, int, int]] = {}
        theme.dress(self._on_theme_changed)

    def add_row(self, name: str, value: QWidget, height: int = 0) -> None:
        """One more row at the end; a value of fixed width stands at the left."""
        number, height = self.grid.rowCount(), height or self.row_height
        label = plain_label(name, self.name_style, self)
        self.grid.addWidget(label, number, 0, self.name_side)
        side = Qt.AlignmentFlag.AlignVCenter
        if value.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Fixed:
            side |= Qt.AlignmentFlag.AlignLeft
        self.grid.addWidget(value, number, 1, side)
        self._rows[value] = (label, number, height)
        self._fit(value)

    def add_text(self, name: str, style: str = "metaInk") -> QLabel:
        """One more row with text; what comes back takes the text."""
        value = wrapped_label("", style, self)
        self.add_row(name, value)
        return value

    def name_row(self, value: QWidget, name: str) -> None:
        """Give a row another name."""
        self._rows[value][0].setText(name)

    def show_row(self, value: QWidget, *, shown: bool) -> None:
        """Show or hide one row."""
        self._rows[value][0].setVisible(shown)
        value.setVisible(shown)
        self._fit(value)

    def _fit(self, value: QWidget) -> None:
        label, number, height = self._rows[value]
        row = self._theme.scaled(height)
        # A label remembers a least height of larger type when the type gets smaller.
        label.setFixedHeight(row)
        self.grid.setRowMinimumHeight(number, 0 if value.isHidden() else row)
        if self.name_side is Qt.AlignmentFlag.AlignTop and isinstance(value, QLabel):
            # Several lines are named beside the first, and stand as far from their neighbours.
            value.ensurePolished()  # before, its font is another one
            spare = max(0, row - math.ceil(QFontMetricsF(value.font()).height()))
            value.setContentsMargins(0, spare // 2, 0, spare - spare // 2)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.grid.setColumnMinimumWidth(0, self._theme.scaled(self.name_width))
        for value in self._rows:
            self._fit(value)


class FactTable(FactGrid):
    """Names at the left, what is so at the right, in the middle of each row."""

    name_style = "body"
    name_width = 132
    name_side = Qt.AlignmentFlag.AlignVCenter
    row_height = 28

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, bare: bool = False) -> None:
        """Have no lines yet.

        Args:
            bare: Whether it begins where the text around begins: there is no frame.
        """
        super().__init__(theme, parent)
        if not bare:
            self.grid.setContentsMargins(18, 9, 18, 9)

    def add_text(self, name: str, style: str = "fact") -> QLabel:
        """One more line with words; what comes back takes them."""
        value = plain_label("", style, self)
        value.setWordWrap(True)
        self.add_row(name, value)
        return value


class Notice(Grounded, QWidget):
    """A tinted box with an icon, a sentence and, where something can be done, buttons."""

    def __init__(
        self, theme: Theme, *, icon: str, role: str, ground: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.stands_on = Ground(ground, "control")
        self._icon = IconMark(theme, icon, role, parent=self)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.title = wrapped_label("", "metaStrong", self)
        self.text = wrapped_label("", "metaInk", self)
        self.buttons = FlowLayout(gap=6, line_gap=6)  # long words go on below one another
        self.buttons.setContentsMargins(0, 4, 0, 0)
        words = vbox(None, self.title, self.text, self.buttons, spacing=0)
        hbox(self, self._icon, (words, 1), margins=(12, 9, 12, 9), spacing=9)
        self.say("", "")

    def say(self, title: str, text: str) -> None:
        """Show a title and a sentence; either may be empty."""
        for label, words in ((self.title, title), (self.text, text)):
            label.setText(words)
            label.setVisible(bool(words))

    def add_button(self, text: str) -> PushButton:
        """One more button in the line below the words."""
        button = PushButton(self._theme, text, small=True, parent=self)
        self.buttons.addWidget(button)
        return button


class PaneScroll(QScrollArea):
    """A column that scrolls; its right margin gives way to the scroll bar."""

    def __init__(
        self, parent: QWidget | None = None, *, gutter: int = GUTTER, top: int = 14
    ) -> None:
        super().__init__(parent)
        self._gutter, self._top = gutter, top
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.column = QWidget()
        self.column.setProperty("ground", "canvas")
        # As wide as the pane, whatever stands in it: a word that cannot be broken, as a long tag,
        # would else push everything beside it out of sight.
        self.column.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.viewport().setProperty("ground", "canvas")
        self.stack = vbox(self.column, spacing=0)
        self.setWidget(self.column)
        self._fit()
        self.verticalScrollBar().installEventFilter(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Show, QEvent.Type.Hide}:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        bar = self.verticalScrollBar()
        taken = bar.sizeHint().width() if bar.isVisible() else 0
        side = self._gutter
        self.stack.setContentsMargins(side, self._top, max(0, side - taken), side)


PADDING = 16
_HEIGHT = 36


class CardHead(QWidget):
    """Grows with the text."""

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = hbox(
            self, plain_label(title, "label", self), STRETCH, margins=(PADDING, 0, PADDING, 0)
        )
        theme.hold_height(self, _HEIGHT)

    def add(self, widget: QWidget) -> None:
        """Put something at the right."""
        self._row.addWidget(widget)


class VerticalRule(Grounded, QWidget):
    """A hairline between two panes."""

    stands_on = Ground("line")

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedWidth(1)
