"""Small key caps, alone and in a row that explains the keys of the moment."""

import math
import re
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.control_marks import (
    key_cap_height,
    key_cap_width,
    key_name,
    paint_key_cap,
)
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import tr

_CAP_GAP = 5
_LABEL_GAP = 6
HINT_GAP = 16
"""Behind each hint, the last one included, in pixels."""


def on_caps(keys: str) -> str:
    """Keys as caps show them: ``Ctrl N`` for ``Ctrl+N``; the plus of ``Ctrl++`` stays."""
    return re.sub(r"\+(?=.)", " ", keys)


@dataclass(frozen=True, slots=True)
class KeyHint:
    """What some keys do here, such as J and K: move."""

    keys: tuple[str, ...]
    label: str


class KeyHints(QWidget):
    """Hints side by side; those that do not fit are left out."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._hints: tuple[KeyHint, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show other hints."""
        self._hints = tuple(hints)
        self.setAccessibleName(
            ", ".join(
                tr("{keys}: {what}").format(
                    keys=" ".join(map(key_name, hint.keys)), what=hint.label
                )
                for hint in self._hints
            )
        )
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(
            math.ceil(sum(self._width(hint) + HINT_GAP for hint in self._hints)), self._height()
        )

    def minimumSizeHint(self) -> QSize:
        """Room for none of them, so that they never widen the window."""
        return QSize(0, self._height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        font, ink = self._font(), self._theme.color("inkFaint")
        middle, x = self.height() / 2, 0.0
        for hint in self._hints:
            if x + self._width(hint) > self.width():
                break
            for key in hint.keys:
                width = key_cap_width(key, font)
                height = key_cap_height(self._theme)
                box = QRectF(x, round(middle - height / 2), width, height)
                paint_key_cap(painter, box, key, self._theme)
                x += width + _CAP_GAP
            x += _LABEL_GAP - _CAP_GAP
            x = write(painter, x, middle, hint.label, font, ink) + HINT_GAP
        painter.end()

    def _width(self, hint: KeyHint) -> float:
        font = self._font()
        caps = sum(key_cap_width(key, font) + _CAP_GAP for key in hint.keys)
        label = QFontMetricsF(font).horizontalAdvance(hint.label)
        return caps + _LABEL_GAP - _CAP_GAP + label

    def _height(self) -> int:
        return key_cap_height(self._theme) + 5

    def _font(self) -> QFont:
        return self._theme.font("meta", px=12)
