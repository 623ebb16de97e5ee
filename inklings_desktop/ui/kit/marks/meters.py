"""How much of something there is: bars, shares, counts over time, the standing context."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QLocale, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.mirror import draw_text, smooth_painter_on
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import counted, tr

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
            has_tracks: Whether the whole length that a bar can have is to be seen behind it.
        """
        super().__init__(parent)
        self._theme = theme
        self._has_tracks = has_tracks
        self._bars: tuple[Bar, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

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
        return QSize(self._theme.scaled(200), self._theme.scaled(_ROW) * max(len(self._bars), 1))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.scaled(140), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._bars:
            return
        theme = self._theme
        painter = smooth_painter_on(self)
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
            draw_text(painter, QPointF(0, baseline), bar.name)
            painter.setFont(figures)
            painter.setPen(theme.color("ink"))
            width = figure_metrics.horizontalAdvance(bar.figure)
            draw_text(painter, QPointF(self.width() - width, baseline), bar.figure)
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


_HEIGHT = 5


class ShareBar(QWidget):
    """As wide as there is room; what it stands for is said by whoever knows it."""

    def __init__(self, theme: Theme, role: str = "accent", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._role = role
        self._share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def share(self) -> float:
        """What part of it is filled, 0 up to 1."""
        return self._share

    def set_share(self, share: float, role: str = "") -> None:
        """Fill another part of it, perhaps in another role's colour."""
        self._share, self._role = min(1.0, max(0.0, share)), role or self._role
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.scaled(120), self._theme.scaled(_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the track and what of it is filled."""
        painter = smooth_painter_on(self)
        rect = QRectF(self.rect())
        radius = rect.height() / 2
        self._theme.draw_box(painter, rect, "line", radius)
        if self._share > 0:
            painter.setBrush(self._theme.color(self._role))
            filled = QRectF(rect)
            filled.setWidth(max(rect.height(), rect.width() * self._share))
            painter.drawRoundedRect(filled, radius, radius)
        painter.end()


WIDTH = 72
HEIGHT = 26
_STROKE = 1.6
_FILL_OPACITY = 0.14


class GrowthLine(QWidget):
    """Counts at equal distances, the last one now; drawn from nothing at the foot up to the most.

    The description read aloud is set by whoever knows what is counted.
    """

    def __init__(self, theme: Theme, role: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._role = role
        self._points: tuple[int, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_points(self, points: Sequence[int]) -> None:
        """Show these counts, none below 0."""
        self._points = tuple(points)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.scaled(WIDTH), self._theme.scaled(HEIGHT))

    def line(self) -> list[QPointF]:
        """Where the line runs, in pixels of this widget."""
        if not self._points:
            return []
        top, foot = _STROKE, self.height() - _STROKE / 2
        most = max(*self._points, 1)
        step = (self.width() - 1) / max(len(self._points) - 1, 1)
        return [
            QPointF(0.5 + step * place, foot - (foot - top) * count / most)
            for place, count in enumerate(self._points)
        ]

    def paintEvent(self, _event: QPaintEvent) -> None:
        line = self.line()
        if len(line) < 2:  # noqa: PLR2004 - one point makes no line
            return
        painter = smooth_painter_on(self)
        foot = float(self.height())
        ground = QPolygonF([QPointF(line[0].x(), foot), *line, QPointF(line[-1].x(), foot)])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.wash(self._role, _FILL_OPACITY))
        painter.drawPolygon(ground)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(self._theme.color(self._role), _STROKE)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPolyline(line)
        painter.end()


_METER_HEIGHT, _BAR_HEIGHT = 8, 6
_METER_WIDTH, _BAR_WIDTH = 120, 66
_SEAM = 1
_PALE = 0.6
_LEAST_SEGMENT = 2


@dataclass(frozen=True, slots=True)
class MeterShare:
    """What one entry takes; a ``pale`` one shows its colour at 60 %, to stand off its neighbour."""

    name: str
    n_characters: int
    role: str
    pale: bool = False


class ContextMeter(QWidget):
    """A bar of one segment per entry; in madder once they are more than the limit together."""

    def __init__(self, theme: Theme, limit: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shares: tuple[MeterShare, ...] = ()
        self._limit = limit
        self.setAccessibleName(tr("Always in context"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_shares(())

    def set_limit(self, limit: int) -> None:
        """Measure the shares against another limit."""
        self._limit = limit

    def show_shares(self, shares: Sequence[MeterShare]) -> None:
        """Show what each entry takes, in the order given."""
        self._shares = tuple(shares)
        n_shares = len(self._shares)
        told = counted(
            n_shares,
            "{taken} of {limit} characters, 1 entry",
            "{taken} of {limit} characters, {n} entries",
        )
        self.setAccessibleDescription(
            told.format(taken=_figure(self.n_characters()), limit=_figure(self._limit))
        )
        self.update()

    def n_characters(self) -> int:
        """What all entries take together."""
        return sum(share.n_characters for share in self._shares)

    def is_over(self) -> bool:
        """Whether the entries take more than the limit."""
        return self.n_characters() > self._limit

    def spans(self) -> list[tuple[float, float]]:
        """Left edge and width of every segment at the width on show, without the seams."""
        whole = max(self._limit, self.n_characters())
        spans = []
        left = 0.0
        for share in self._shares:
            width = self.width() * share.n_characters / whole
            if share.n_characters:
                width = max(width, _LEAST_SEGMENT + _SEAM)
            spans.append((left, max(0.0, width - _SEAM)))
            left += width
        return spans

    def sizeHint(self) -> QSize:
        """As high as the design says, as wide as there is room."""
        return QSize(_METER_WIDTH, self._theme.scaled(_METER_HEIGHT))

    def event(self, event: QEvent) -> bool:
        """Names the entry under the mouse with its length."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tool_tip(self._told_at(event.x())), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        _clip_to_pill(painter, QRectF(self.rect()), self._theme.radius("mark") * 2)
        painter.fillRect(self.rect(), self._theme.color("line"))
        for share, (left, width) in zip(self._shares, self.spans(), strict=True):
            role = "madder" if self.is_over() else share.role
            rect = QRectF(left, 0, width, self.height())
            painter.fillRect(rect, self._theme.wash(role, _PALE if share.pale else 1.0))
        painter.end()

    def _told_at(self, x: int) -> str:
        for share, (left, width) in zip(self._shares, self.spans(), strict=True):
            if left <= x <= left + width:
                return tr("{0}: {1} characters").format(share.name, _figure(share.n_characters))
        return self.accessibleDescription()


class SoftLimitBar(QWidget):
    """A short bar that fills up to a soft limit and turns ochre beyond it."""

    def __init__(self, theme: Theme, limit: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._n_characters = 0
        self._limit = limit
        self.setAccessibleName(tr("Length"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_value(0)

    def set_value(self, n_characters: int) -> None:
        """Show how many characters are used."""
        self._n_characters = n_characters
        told = tr("{0} of {1} characters").format(_figure(n_characters), _figure(self._limit))
        self.setAccessibleDescription(told)
        self.setToolTip(told)
        self.update()

    def is_over(self) -> bool:
        """Whether the limit is passed; being full is not."""
        return self._n_characters > self._limit

    def sizeHint(self) -> QSize:
        return QSize(self._theme.scaled(_BAR_WIDTH), self._theme.scaled(_BAR_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the track and what of it is used."""
        painter = smooth_painter_on(self)
        rect = QRectF(self.rect())
        _clip_to_pill(painter, rect, rect.height() / 2)
        painter.fillRect(rect, self._theme.color("line"))
        share = min(1.0, self._n_characters / self._limit)
        role = "ochre" if self.is_over() else "accent"
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(role))
        if share > 0:
            filled = QRectF(0, 0, max(rect.height(), rect.width() * share), rect.height())
            painter.drawRoundedRect(filled, rect.height() / 2, rect.height() / 2)
        painter.end()


def _figure(number: int) -> str:
    return QLocale().toString(number)


def _clip_to_pill(painter: QPainter, rect: QRectF, radius: float) -> None:
    path = QPainterPath()
    path.addRoundedRect(rect, radius, radius)
    painter.setClipPath(path)
