"""How much of the standing context is taken: one bar for all entries, one for the entry at hand."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QLocale, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QHelpEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.look.theme import Theme

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
        self.setAccessibleName(self.tr("Always in context"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._on_theme_changed)
        self.show_shares(())

    def set_limit(self, limit: int) -> None:
        """Measure the shares against another limit."""
        self._limit = limit

    def show_shares(self, shares: Sequence[MeterShare]) -> None:
        """Show what each entry takes, in the order given."""
        self._shares = tuple(shares)
        n_shares = len(self._shares)
        told = self.tr("{0} of {1} characters, 1 entry") if n_shares == 1 else ""
        told = told or self.tr("{0} of {1} characters, {2} entries")
        self.setAccessibleDescription(
            told.format(_figure(self.n_characters()), _figure(self._limit), n_shares)
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
        """Draws the track and the segments on it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
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
                return self.tr("{0}: {1} characters").format(
                    share.name, _figure(share.n_characters)
                )
        return self.accessibleDescription()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()


class SoftLimitBar(QWidget):
    """A short bar that fills up to a soft limit and turns ochre beyond it."""

    def __init__(self, theme: Theme, limit: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._n_characters = 0
        self._limit = limit
        self.setAccessibleName(self.tr("Length"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.set_value(0)

    def set_value(self, n_characters: int) -> None:
        """Show how many characters are used."""
        self._n_characters = n_characters
        told = self.tr("{0} of {1} characters").format(_figure(n_characters), _figure(self._limit))
        self.setAccessibleDescription(told)
        self.setToolTip(told)
        self.update()

    def is_over(self) -> bool:
        """Whether the limit is passed; being full is not."""
        return self._n_characters > self._limit

    def sizeHint(self) -> QSize:
        """As the design says, with the text size."""
        return QSize(self._theme.scaled(_BAR_WIDTH), self._theme.scaled(_BAR_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the track and what of it is used."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
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

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.update()


def _figure(number: int) -> str:
    return QLocale().toString(number)


def _clip_to_pill(painter: QPainter, rect: QRectF, radius: float) -> None:
    path = QPainterPath()
    path.addRoundedRect(rect, radius, radius)
    painter.setClipPath(path)
