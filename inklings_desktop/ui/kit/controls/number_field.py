"""A field for a number within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from inklings_desktop.ui.kit.look.layouts import restyle
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent

    from inklings_desktop.settings import Number
    from inklings_desktop.ui.kit.look.theme import Theme


class NumberField(QLineEdit):
    """A number within bounds; what is none is marked, told to nobody, and kept until corrected.

    Signals:
        number_wanted: A number was typed, and the field left or Enter pressed.
        number_typed: What is typed is one; it may not be all.
    """

    number_wanted = Signal(float)
    number_typed = Signal(float)
    px = 72

    def __init__(self, theme: Theme, name: str, kind: Number, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._kind = theme, kind
        self._number, self._told = kind.least, ""
        self.setProperty("small", "true")
        self.setAccessibleName(name)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setToolTip(plain_tool_tip(self.rule()))
        self.textEdited.connect(self._on_text_edited)
        self.editingFinished.connect(self._on_editing_finished)
        theme.dress(self._on_theme_dressed)

    def figure(self, number: float) -> str:
        """A number as it is printed."""
        return f"{number:g}" if number < 1e6 else f"{number:.0f}"  # noqa: PLR2004 - as printed

    def rule(self) -> str:
        """What can be typed."""
        return tr("{kind} from {least} to {most}").format(
            kind=tr("A whole number") if self._kind.whole else tr("A number"),
            least=self.figure(self._kind.least),
            most=self.figure(self._kind.most),
        )

    def show_told(self, told: str) -> None:
        """Say more of the number that is set to whoever listens."""
        self._told = told

    def show_number(self, number: float) -> None:
        """Show what is set, unless something else is being typed."""
        is_typed = self.hasFocus() and self.isModified() and number in {self._number, self.number()}
        self._number = number
        if not is_typed:
            self.setText(self.figure(number))
            self._mark(valid=True)

    def number(self) -> float | None:
        """What is typed; None for what is no number within the bounds."""
        try:
            return self._kind.taken(float(self.text().strip().replace(",", ".")))
        except ValueError:
            return None

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was none is given up once the field is left."""
        super().focusOutEvent(event)
        if self.number() is None:
            self.setText(self.figure(self._number))
            self._mark(valid=True)

    @Slot()
    def _on_text_edited(self) -> None:
        number = self.number()
        self._mark(valid=number is not None)
        if number is not None:
            self.number_typed.emit(number)

    @Slot()
    def _on_editing_finished(self) -> None:
        number = self.number()
        if number is not None and number != self._number:
            self._number = number
            self.setModified(False)
            self.number_wanted.emit(number)

    def _mark(self, *, valid: bool) -> None:
        restyle(self, "invalid", "false" if valid else "true")
        self.setAccessibleDescription(self._told if valid else self.rule())

    @Slot()
    def _on_theme_dressed(self) -> None:
        self.setFixedWidth(self._theme.scaled(self.px))
        self.setFont(self._theme.font("meta", tabular=True))
