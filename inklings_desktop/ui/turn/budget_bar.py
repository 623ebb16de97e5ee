"""How much of a turn's budget is taken, and by what: a bar and its legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.marks.meters import ContextMeter, MeterShare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme

_LINE = 20
_SWATCH = 10
_SWATCH_GAP = 6
_GAP = 18
_BAR_HEIGHT = 10


class _BudgetMeter(ContextMeter):
    """The bar alone; every part keeps its colour whatever it adds up to."""

    def sizeHint(self) -> QSize:
        """A little higher than the meter of the standing slice."""
        return QSize(super().sizeHint().width(), self._theme.scaled(_BAR_HEIGHT))

    def is_over(self) -> bool:
        """Never marked as a fault: what is too much is left out and said in words."""
        return False


class Legend(QWidget):
    """A swatch, a name and a figure for every part, on as many lines as they need."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shares: tuple[MeterShare, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.updateGeometry)

    def show_shares(self, shares: Sequence[MeterShare]) -> None:
        """Name other parts."""
        self._shares = tuple(shares)
        self.setAccessibleName(", ".join(map(_words, self._shares)))
        self._take_lines()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(0, self._theme.scaled(_LINE))

    def heightForWidth(self, width: int) -> int:
        """As many lines as the parts need."""
        places = self._places(width)
        n_lines = 1 + int(places[-1].y()) if places else 1
        return n_lines * self._theme.scaled(_LINE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Takes the lines it needs at this width; not every layout above asks for them."""
        super().resizeEvent(event)
        self._take_lines()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws every part."""
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = theme.font("meta", tabular=True)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        line = theme.scaled(_LINE)
        for share, place in zip(self._shares, self._places(self.width()), strict=True):
            middle = (place.y() + 0.5) * line
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(share.role))
            swatch = QRectF(place.x(), round(middle - _SWATCH / 2), _SWATCH, _SWATCH)
            painter.drawRoundedRect(swatch, 2, 2)
            painter.setPen(theme.color("inkSoft"))
            baseline = round(middle + (metrics.ascent() - metrics.descent()) / 2)
            painter.drawText(QPointF(swatch.right() + _SWATCH_GAP, baseline), _words(share))
        painter.end()

    def _take_lines(self) -> None:
        height = self.heightForWidth(self.width())
        if self._shares and height != self.minimumHeight():
            self.setFixedHeight(height)

    def _places(self, width: int) -> list[QPointF]:
        """Left edge of each part in pixels, and the number of its line."""
        metrics = QFontMetricsF(self._theme.font("meta", tabular=True))
        places: list[QPointF] = []
        x, line = 0.0, 0
        for share in self._shares:
            taken = _SWATCH + _SWATCH_GAP + metrics.horizontalAdvance(_words(share))
            if x and x + taken > width:
                x, line = 0.0, line + 1
            places.append(QPointF(x, line))
            x += taken + _GAP
        return places


class BudgetBar(QWidget):
    """The bar over its legend."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.meter = _BudgetMeter(theme, 1, self)
        self.meter.setObjectName("budgetMeter")
        self.meter.setAccessibleName(self.tr("Budget of the turn"))
        self.legend = Legend(theme, self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addWidget(self.meter)
        self._column.addWidget(self.legend)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_budget(self, shares: Sequence[MeterShare], limit: int, told: str) -> None:
        """Show what takes how much.

        Args:
            shares: Parts in the order of the document.
            limit: Characters of the budget.
            told: The sum in words, for a screen reader.
        """
        self.meter.set_limit(max(limit, 1))
        self.meter.show_shares([one for one in shares if one.n_characters])
        self.meter.setAccessibleDescription(f"{told}; {', '.join(map(_words, shares))}")
        self.legend.show_shares(shares)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.meter.setFixedHeight(self._theme.scaled(_BAR_HEIGHT))


def _words(share: MeterShare) -> str:
    locale = QLocale()
    # The plain C locale would leave the thousands together.
    locale.setNumberOptions(QLocale.NumberOption.DefaultNumberOptions)
    return f"{share.name} {locale.toString(share.n_characters)}"
