"""Small marks of what something is: words in a frame, a lock, the crest of a workspace."""

import math
import zlib

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.ui.kit.look.cells import Celled, Icon, Line, Said, Text
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.theme import Theme

_PADDING = 8
_ICON_GAP = 4
_RADIUS = 4
PERMANENT = Ground("graphiteSoft", "chip")
"""The ground of what stays whatever else goes."""
_HEIGHT = 20


AGENT_ONLY = Ground("surface", _RADIUS, "inkSoft", dashes=(3.0, 2.0))
"""The dashed frame that marks what only the agent writes."""


class Badge(Celled, QWidget):
    """An icon and a word in a frame, such as Read-only or *permanent*."""

    def __init__(
        self,
        theme: Theme,
        text: str,
        icon: str,
        *,
        ground: Ground = AGENT_ONLY,
        gap: int = _ICON_GAP,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._line = Line((Icon(icon), Text(text, "inkSoft", "label", gap=gap)))
        self.stands_on = ground
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        width = round(self._line.width(self._theme))
        return QSize(width + 2 * _PADDING, self._theme.scaled(_HEIGHT))

    def said(self) -> Said:
        return Said((self._line,), _PADDING)


class ShortId(Celled, QWidget):
    """The first characters of an id; a click or Enter copies the whole id."""

    stands_on = Ground("graphiteSoft", _RADIUS)

    def __init__(
        self, theme: Theme, tooltip: str, *, n_shown: int = 8, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._id = ""
        self._n_shown = n_shown
        self.setToolTip(tooltip)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_id("")

    def set_id(self, entry_id: str) -> None:
        """Show another id; an empty one hides the label."""
        self._id = entry_id
        self.setVisible(bool(entry_id))
        self.setAccessibleName(f"{self.toolTip()} {entry_id}")
        self.updateGeometry()
        self.update()

    def copy(self) -> None:
        """Put the whole id on the clipboard."""
        QGuiApplication.clipboard().setText(self._id)

    def sizeHint(self) -> QSize:
        """As wide as what is shown of the id."""
        metrics = QFontMetricsF(self._theme.font("meta", px=12, tabular=True))
        width = metrics.horizontalAdvance(self._id[: self._n_shown])
        return QSize(round(width) + 13, self._theme.scaled(18))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.copy()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.copy()
        else:
            super().keyPressEvent(event)

    def said(self) -> Said:
        shown = Text(self._id[: self._n_shown], "inkSoft", px=12, tabular=True)
        return Said((Line((shown,), is_centred=True),))


_HEIGHTS = (0.30, 0.50, 0.70)
_STRENGTHS = (1.0, 0.75, 0.45)
_STEPS = 24
_INKS = ("accent", "lapis", "tyrian", "ochre", "graphite")
_TURNS = (0.8, 1.3, 2.1)
_SWING = 0.12, 0.075, 0.055
"""The more often a wave turns, the less far it swings."""


def wave_phases(seed: str) -> tuple[float, float, float]:
    """Where the three waves begin, in radians; the same seed always gives the same three."""
    checksum = zlib.crc32(seed.encode())
    first, second, third = ((checksum >> shift & 0xFF) / 256 * math.tau for shift in (0, 8, 16))
    return first, second, third


def crest_kind(seed: str) -> tuple[str, int]:
    """Colour role of a crest, and how its waves turn; without a seed the plain one."""
    if not seed:
        return _INKS[0], 1
    number = zlib.crc32(seed.encode()) >> 24  # the bits that no phase has
    return _INKS[number % len(_INKS)], number // len(_INKS) % len(_TURNS)


def paint_crest(painter: QPainter, rect: QRectF, seed: str, theme: Theme) -> None:
    """Three waves on a rounded square, told apart by colour and form; antialiasing is on."""
    role, form = crest_kind(seed)
    radius = theme.radius("control")
    theme.draw_box(painter, rect, f"{role}Soft", radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    edge = rect.width()
    left, width = rect.left() + edge * 0.14, edge * 0.72
    for phase, height, strength in zip(wave_phases(seed), _HEIGHTS, _STRENGTHS, strict=True):
        painter.setPen(QPen(theme.wash(role, strength), edge * 0.055, c=Qt.PenCapStyle.RoundCap))
        middle = rect.top() + edge * height
        turns, swing = math.tau * _TURNS[form], edge * _SWING[form]
        painter.drawPolyline(
            QPolygonF(
                [
                    QPointF(
                        left + width * step / _STEPS,
                        middle + swing * math.sin(phase + turns * step / _STEPS),
                    )
                    for step in range(_STEPS + 1)
                ]
            )
        )


class Crest(QWidget):
    """The crest as a small widget."""

    def __init__(
        self, theme: Theme, seed: str = "", *, edge: int = 32, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._seed = seed
        self._edge = edge
        self.setFixedSize(self.sizeHint())

    def set_seed(self, seed: str) -> None:
        """Show the waves of another workspace."""
        self._seed = seed
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._edge, self._edge)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        paint_crest(painter, QRectF(self.rect()), self._seed, self._theme)
        painter.end()
