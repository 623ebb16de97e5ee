"""A button whose key stands beside its word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QStyle, QStyleOptionButton, QStylePainter

from inklings_desktop.ui.kit.controls.icon_button import PushButton

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme

_GAP = 8
_BUTTON_PADDING = 13


class KeyHintButton(PushButton):
    """A button whose key stands beside its word."""

    def __init__(
        self,
        theme: Theme,
        text: str,
        hint: str,
        parent: QWidget | None = None,
        *,
        kind: str = "primary",
        glyph: str = "",
    ) -> None:
        super().__init__(theme, text, kind=kind, parent=parent)
        self._hint = hint
        self._glyph = glyph
        self.setToolTip(f"{text} ({hint})")
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        """Room for the word and the key."""
        word, hint = self._widths()
        width = self._glyph_room() + word + _GAP + hint + 2 * _BUTTON_PADDING
        return QSize(round(width), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """The same: nothing is cut off."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the button without its word, then word and key."""
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        word, hint = self._widths()
        left = (self.width() - self._glyph_room() - word - _GAP - hint) / 2
        is_primary = self._kind == "primary"
        roles = ("onAccent", "onAccent") if is_primary else ("ink", "inkFaint")
        if not self.isEnabled():
            roles = ("inkFaint", "inkFaint")
        if self._glyph:
            edge = self._theme.icon_px(16)
            ratio = self.devicePixelRatioF()
            picture = self._theme.pixmap(self._glyph, roles[0], 16, ratio=ratio)
            painter.drawPixmap(QPointF(round(left), round((self.height() - edge) / 2)), picture)
            left += self._glyph_room()
        for font, text, x, role in (
            (self._word_font(), self.text(), left, roles[0]),
            (self._theme.font("body"), self._hint, left + word + _GAP, roles[1]),
        ):
            painter.setPen(self._theme.color(role))
            metrics = QFontMetricsF(font)
            baseline = (self.height() + metrics.ascent() - metrics.descent()) / 2
            painter.setFont(font)
            painter.drawText(QPointF(x, round(baseline)), text)
        painter.end()

    def _glyph_room(self) -> int:
        return self._theme.icon_px(16) + _GAP if self._glyph else 0

    def _widths(self) -> tuple[float, float]:
        word = QFontMetricsF(self._word_font()).horizontalAdvance(self.text())
        return word, QFontMetricsF(self._theme.font("body")).horizontalAdvance(self._hint)

    def _word_font(self) -> QFont:
        return self._theme.font("bodyStrong" if self.isEnabled() else "body")
