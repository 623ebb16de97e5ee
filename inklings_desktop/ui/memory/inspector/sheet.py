"""The inspector over the right edge of the list, for those who keep it put away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Signal, Slot
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inklings_desktop.ui.kit.look.motion import slide_from_right

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from inklings_desktop.ui.kit.look.theme import Theme

WIDTH = 440
_SHADOW = 16
_STRENGTH_LIGHT, _STRENGTH_DARK = 26, 90


class InspectorSheet(QWidget):
    """Floats over a page while the inspector that it holds is not docked beside it.

    A press on the page beside it puts the sheet away, like Escape does.

    Signals:
        closed: The sheet was put away; the inspector belongs into its place again.
    """

    closed = Signal()

    def __init__(self, theme: Theme, page: QWidget) -> None:
        """Build the sheet.

        Args:
            theme: Colours and durations.
            page: What it floats over; the sheet is its child.
        """
        super().__init__(page)
        self._theme = theme
        self._page = page
        self.setObjectName("inspectorSheet")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(_SHADOW + 1, 0, 0, 0)
        self._beside: QWidget | None = None
        page.installEventFilter(self)
        theme.changed.connect(self._fit)
        self.hide()

    def put_away_by(self, beside: QWidget) -> None:
        """Put the sheet away when this part of the page is pressed."""
        self._beside = beside
        beside.installEventFilter(self)

    def hold(self, inspector: QWidget) -> None:
        """Take the inspector in and slide over the page."""
        inspector.setMinimumWidth(0)
        inspector.setMaximumWidth(self._width())
        self._column.addWidget(inspector)
        inspector.show()
        self._fit()
        self.raise_()
        self.show()
        slide_from_right(self, self._theme, self.width())

    @Slot()
    def close_sheet(self) -> None:
        """Put the sheet away, if it is there."""
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the size of the page, and hears when it is pressed beside the sheet."""
        if self.isHidden():
            return super().eventFilter(watched, event)
        if watched is self._page and event.type() is QEvent.Type.Resize:
            self._fit()
        elif watched is self._beside and event.type() is QEvent.Type.MouseButtonPress:
            self.close_sheet()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the hairline at its edge and the shadow that falls on the list."""
        painter = QPainter(self)
        strength = _STRENGTH_DARK if self._theme.is_dark else _STRENGTH_LIGHT
        for step in range(_SHADOW):
            share = (step + 1) / _SHADOW
            painter.fillRect(step, 0, 1, self.height(), QColor(0, 0, 0, round(strength * share**2)))
        painter.fillRect(QRectF(_SHADOW, 0, 1, self.height()), self._theme.color("lineStrong"))
        painter.end()

    def _width(self) -> int:
        """Width of the inspector in the sheet: larger type needs more, the page may have less."""
        return min(max(WIDTH, self._theme.scaled(WIDTH)), self._page.width() - 2 * _SHADOW)

    @Slot()
    def _fit(self) -> None:
        width = self._width() + _SHADOW + 1
        self.setGeometry(QRect(self._page.width() - width, 0, width, self._page.height()))
