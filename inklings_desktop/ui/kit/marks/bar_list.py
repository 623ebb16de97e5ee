"""A few counts under each other, each with its name and a bar of its share."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.theme import Theme

_ROW = 19
_BAR = 8
_LEAST_BAR = 3.0
_GAP = 10
_RADIUS = 2


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of the list.

    Attributes:
        name: Stands at the left.
        figure: Stands at the right.
        share: How far the bar reaches, 0 up to 1; something that is not nothing always shows.
        role: Colour of the bar.
        opacity: How much of the colour, 0 up to 1.
    """

    name: str
    figure: str
    share: float
    role: str
    opacity: float = 1.0


class BarList(QWidget):
    """Names, bars and figures in three columns; every bar begins at the same place."""

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, has_tracks: bool = False
    ) -> None:
        """Begin without lines.

        Args:
            theme: Colours and sizes.
            parent: Owner.
            has_tracks: Whether the whole length that a bar can have is to be seen behind it.
        """
        super().__init__(parent)
        self._theme = theme
        self._has_tracks = has_tracks
        self._bars: tuple[Bar, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._on_theme_changed)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """The lines on show."""
        return self._bars

    def set_bars(self, bars: Sequence[Bar]) -> None:
        """Show these lines."""
        same_height = len(bars) == len(self._bars)
        self._bars = tuple(replace(bar, name=spelled_out(bar.name)) for bar in bars)
        self.setAccessibleDescription(", ".join(f"{bar.name} {bar.figure}" for bar in bars))
        if not same_height:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """One line each."""
        return QSize(self._theme.scaled(200), self._theme.scaled(_ROW) * max(len(self._bars), 1))

    def minimumSizeHint(self) -> QSize:
        """Names and figures; bars take what is left."""
        return QSize(self._theme.scaled(140), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws every line."""
        if not self._bars:
            return
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        names, figures = theme.font("meta"), theme.font("meta", tabular=True)
        name_metrics, figure_metrics = QFontMetricsF(names), QFontMetricsF(figures)
        left = max(name_metrics.horizontalAdvance(bar.name) for bar in self._bars) + _GAP
        right = float(self.width() - _GAP)
        right -= max(figure_metrics.horizontalAdvance(bar.figure) for bar in self._bars)
        step = theme.scaled(_ROW)
        rise = (name_metrics.ascent() - name_metrics.descent()) / 2
        for place, bar in enumerate(self._bars):
            middle = step * (place + 0.5)
            baseline = round(middle + rise)
            painter.setFont(names)
            painter.setPen(theme.color("inkSoft"))
            painter.drawText(QPointF(0, baseline), bar.name)
            painter.setFont(figures)
            painter.setPen(theme.color("ink"))
            width = figure_metrics.horizontalAdvance(bar.figure)
            painter.drawText(QPointF(self.width() - width, baseline), bar.figure)
            room = right - left
            if self._has_tracks and room > 0:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("line"))
                track = QRectF(left, round(middle - _BAR / 2), room, _BAR)
                painter.drawRoundedRect(track, _RADIUS, _RADIUS)
            if bar.share > 0 and room > 0:
                length = max(_LEAST_BAR, room * min(bar.share, 1.0))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.wash(bar.role, bar.opacity))
                rect = QRectF(left, round(middle - _BAR / 2), length, _BAR)
                painter.drawRoundedRect(rect, _RADIUS, _RADIUS)
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()
