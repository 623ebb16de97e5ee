"""What widgets stand on: a colour, round corners, a line around, bars and hairlines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter, QPaintEvent
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme

    Painted = QWidget
else:
    Painted = object

_BAR = 3


@dataclass(frozen=True, slots=True)
class Ground:
    """What is painted under a widget; every colour is a role, and an empty one paints nothing.

    Attributes:
        role: Of the whole.
        radius: Of its corners: a name, or pixels.
        line: Around it.
        line_px: Width of that line.
        bar: At the left edge.
        bar_px: Width of that bar.
        above: A hairline at the upper edge.
        below: A hairline at the lower edge.
        dashes: Of the line, lengths and gaps in widths of it; none for a whole one.
        inset: How far the whole stays from every edge, in pixels.
    """

    role: str = ""
    radius: str | float = 0
    line: str = ""
    line_px: int = 1
    bar: str = ""
    bar_px: int = _BAR
    above: str = ""
    below: str = ""
    dashes: tuple[float, ...] = ()
    inset: float = 0

    def paint_in(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Fill a rectangle with it; antialiasing is on."""
        if self.role:
            box = rect.adjusted(self.inset, self.inset, -self.inset, -self.inset)
            if self.radius or self.line:
                theme.draw_box(
                    *(painter, box, self.role, self.radius),
                    line=self.line,
                    line_px=self.line_px,
                    dashes=self.dashes,
                )
            else:  # many times faster
                painter.fillRect(box, theme.color(self.role))
        x, y, width, height = rect.x(), rect.y(), rect.width(), rect.height()
        if self.bar:
            painter.fillRect(QRectF(x, y, self.bar_px, height), theme.color(self.bar))
        if self.above:
            painter.fillRect(QRectF(x, y, width, 1), theme.color(self.above))
        if self.below:
            painter.fillRect(QRectF(x, y + height - 1, width, 1), theme.color(self.below))


class Grounded(Painted):
    """Goes before the class of a widget, which then stands on a ground of its own.

    Attributes:
        stands_on: The ground; who gives it another one says ``stand_on``.
    """

    _theme: Theme
    stands_on = Ground()

    def stand_on(self, ground: Ground) -> None:
        """Show another ground."""
        self.stands_on = ground
        self.update()

    def ground(self) -> Ground:
        """What is painted now, where that follows from how the widget stands."""
        return self.stands_on

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
        self.ground().paint_in(painter, QRectF(self.rect()), self._theme)
        painter.end()
        super().paintEvent(event)
