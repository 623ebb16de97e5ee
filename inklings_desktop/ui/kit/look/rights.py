"""Badges of what somebody may do: write in green, read in blue, nothing as a plain word."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.cells import Cell
from inklings_desktop.ui.kit.look.text_layout import write

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from inklings_desktop.ui.kit.look.theme import Theme

_HEIGHT, _PADDING = 20, 8
_ICON, _ICON_GAP = 14, 5


class RightTone(Enum):
    """How a badge is drawn: its ground, its ink and its icon."""

    NONE = ("", "inkSoft", "")
    ROOM = ("graphiteSoft", "inkSoft", "")
    READ = ("lapisSoft", "lapis", "eye")
    WRITE = ("accentSoft", "accent", "pencil-simple")
    GIVEN_READ = ("graphiteSoft", "inkSoft", "eye")
    """Read, but only because nobody said otherwise."""
    BARRED = ("graphiteSoft", "inkSoft", "lock-simple")
    """Read, for something else stops it from writing."""


@dataclass(frozen=True, slots=True)
class RightBadge(Cell):
    """What may be done in one place, cut with an ellipsis where there is no room.

    Attributes:
        text: The words: ``read, write``, ``if taking part``, ``none``.
        tone: How it is drawn.
        has_icon: Whether the icon of its tone has room.
    """

    text: str
    tone: RightTone
    has_icon: bool = True

    def width(self, theme: Theme) -> float:
        ground, _, _ = self.tone.value
        if not ground:
            return QFontMetricsF(theme.font("meta")).horizontalAdvance(self.text)
        words = QFontMetricsF(theme.font("meta", weight=600)).horizontalAdvance(self.text)
        return self._before_words(theme) + words + _PADDING

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> float:
        ground, ink, icon = self.tone.value
        start, middle, colour = room.left(), room.top(), theme.color(ink)
        if not ground:
            return write(
                painter, start, middle, self.text, theme.font("meta"), colour, room=room.width()
            )
        font, before = theme.font("meta", weight=600), self._before_words(theme)
        metrics = QFontMetricsF(font)
        left = max(0.0, room.width() - before - _PADDING)
        shown = metrics.elidedText(self.text, Qt.TextElideMode.ElideRight, left)
        height = theme.scaled(_HEIGHT)
        width = before + metrics.horizontalAdvance(shown) + _PADDING
        theme.draw_box(painter, QRectF(start, middle - height / 2, width, height), ground, "chip")
        if icon and self.has_icon:
            theme.draw_icon(painter, (round(start + _PADDING), middle), icon, ink, _ICON)
        write(painter, start + before, middle, shown, font, colour)
        return start + width

    def _before_words(self, theme: Theme) -> int:
        has_icon = self.has_icon and self.tone.value[2]
        return _PADDING + (theme.icon_px(_ICON) + _ICON_GAP if has_icon else 0)
