"""What every group is made of: a heading, cards below it, rows of a name and a control, fields."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from inklings_desktop.ui.kit.controls.toggles import Switch
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground, restyle, vbox
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label, wrapped_label

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QResizeEvent
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
        on_ground(self, "canvas")
        heading = named(plain_label(title, "title", self), "groupTitle")
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


_FIELD = 72


class NumberField(QLineEdit):
    """A number within bounds; what is none is marked, told to nobody, and kept until corrected.

    Signals:
        number_wanted: A number was typed, and the field left or Enter pressed.
    """

    number_wanted = Signal(float)

    def __init__(
        self, theme: Theme, name: str, bounds: tuple[float, float], parent: QWidget, *, whole: bool
    ) -> None:
        """An empty field.

        Args:
            name: Read aloud for it.
            bounds: The least and the most.
            whole: Whether only whole numbers will do.
        """
        super().__init__(parent)
        self._theme, self._bounds, self._is_whole = theme, bounds, whole
        self._number = bounds[0]
        self.setProperty("small", "true")
        self.setAccessibleName(name)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        kind = tr("A whole number") if whole else tr("A number")
        least, most = (_figure(one) for one in bounds)
        self._rule = tr("{kind} from {least} to {most}").format(kind=kind, least=least, most=most)
        self.setToolTip(plain_tool_tip(self._rule))
        self.textEdited.connect(lambda: self._mark(valid=self.number() is not None))
        self.editingFinished.connect(self._on_editing_finished)
        theme.dress(self._on_theme_dressed)

    def show_number(self, number: float) -> None:
        """Show what is set, unless something else is being typed."""
        self._number = number
        if not self.hasFocus() or not self.isModified():
            self.setText(_figure(number))
            self._mark(valid=True)

    def number(self) -> float | None:
        """What is typed; None for what is no number within the bounds."""
        try:
            number = float(self.text().strip().replace(",", "."))
        except ValueError:
            return None
        least, most = self._bounds
        if not (math.isfinite(number) and least <= number <= most):
            return None
        return number if not self._is_whole or number.is_integer() else None

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was none is given up once the field is left."""
        super().focusOutEvent(event)
        if self.number() is None:
            self.setText(_figure(self._number))
            self._mark(valid=True)

    @Slot()
    def _on_editing_finished(self) -> None:
        number = self.number()
        if number is not None and number != self._number:
            self._number = number
            self.setModified(False)
            self.number_wanted.emit(number)

    def _mark(self, *, valid: bool) -> None:
        restyle(self, "invalid", "false" if valid else "true")
        self.setAccessibleDescription("" if valid else self._rule)

    @Slot()
    def _on_theme_dressed(self) -> None:
        self.setFixedWidth(self._theme.scaled(_FIELD))
        self.setFont(self._theme.font("meta", tabular=True))


def _figure(number: float) -> str:
    return f"{number:g}" if number < 1e6 else f"{number:.0f}"  # noqa: PLR2004 - as printed


class SwitchRow(QWidget):
    """What can be on or off, with a sentence on what that means.

    Attributes:
        switch: The switch at the right.
    """

    def __init__(self, theme: Theme, name: str, sentence: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.switch = Switch(theme, name, self)
        self.switch.setAccessibleDescription(sentence)
        words = vbox(None, plain_label(name, "fact", self), spacing=1)
        words.addWidget(wrapped_label(sentence, "meta", self))
        hbox(self, (words, 1), self.switch, margins=(0, 4, 0, 4), spacing=18)
