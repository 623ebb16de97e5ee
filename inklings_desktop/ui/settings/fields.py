"""Controls that several groups use: a field for a number, a switch with its sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from inklings_desktop.ui.kit.controls.toggles import Switch
from inklings_desktop.ui.kit.look.layouts import hbox, vbox
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label, wrapped_label

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent

    from inklings_desktop.ui.kit.look.theme import Theme

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
            theme: Look of the window.
            name: Read aloud for it.
            bounds: The least and the most.
            parent: Owner.
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
        self.textEdited.connect(self._on_text_edited)
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
    def _on_text_edited(self) -> None:
        self._mark(valid=self.number() is not None)

    @Slot()
    def _on_editing_finished(self) -> None:
        number = self.number()
        if number is not None and number != self._number:
            self._number = number
            self.setModified(False)
            self.number_wanted.emit(number)

    def _mark(self, *, valid: bool) -> None:
        value = "false" if valid else "true"
        if self.property("invalid") != value:
            self.setProperty("invalid", value)
            self.style().unpolish(self)
            self.style().polish(self)
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
