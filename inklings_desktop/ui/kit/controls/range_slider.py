"""A slider with two handles that marks out a range from 0 to 1."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.ui.kit.look.theme import Theme

HANDLE_RADIUS = 7.0
TRACK_HEIGHT = 4.0

_STEP = 0.05


class RangeSlider(QWidget):
    """Two handles on one track; Tab goes from the lower to the upper one.

    Arrow keys move the active handle by 0.05, Home and End as far as it goes.
    """

    range_changed = Signal(float, float)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = name
        self._low = 0.0
        self._high = 1.0
        self._upper_active = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setProperty("ring", "none")
        theme.changed.connect(self.update)
        self._describe()

    def range(self) -> tuple[float, float]:
        """Lower and upper end, both from 0 to 1."""
        return self._low, self._high

    def set_range(self, low: float, high: float) -> None:
        """Mark out another range; ends outside 0 to 1 are moved in, a reversed one is turned."""
        ends = sorted(min(1.0, max(0.0, end)) for end in (low, high))
        if (ends[0], ends[1]) != (self._low, self._high):
            self._low, self._high = ends
            self._describe()
            self.update()
            self.range_changed.emit(self._low, self._high)

    def sizeHint(self) -> QSize:
        """Wide enough to aim at steps."""
        return QSize(220, 24)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves the active handle."""
        value = self._high if self._upper_active else self._low
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Down:
                self._move_active(value - _STEP)
            case Qt.Key.Key_Right | Qt.Key.Key_Up:
                self._move_active(value + _STEP)
            case Qt.Key.Key_Home:
                self._move_active(0.0)
            case Qt.Key.Key_End:
                self._move_active(1.0)
            case _:
                super().keyPressEvent(event)

    def focusNextPrevChild(self, next_: bool) -> bool:  # noqa: N802, FBT001 - Qt calls it so
        """Goes to the other handle first."""
        if next_ is not self._upper_active:
            self._upper_active = next_
            self.update()
            return True
        return super().focusNextPrevChild(next_)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begins at the handle that is nearer to where focus came from."""
        if event.reason() == Qt.FocusReason.TabFocusReason:
            self._upper_active = False
        elif event.reason() == Qt.FocusReason.BacktabFocusReason:
            self._upper_active = True
        super().focusInEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Takes the nearer handle."""
        value = self._value_at(event.position().x())
        near_high = abs(value - self._high) < abs(value - self._low)
        together = self._low == self._high
        self._upper_active = value > self._high if together else near_high
        self._move_active(value)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Moves the handle that was taken."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move_active(self._value_at(event.position().x()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws track and handles."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme
        middle = self.height() / 2
        low, high = self._x(self._low), self._x(self._high)
        painter.setPen(Qt.PenStyle.NoPen)
        track = QRectF(
            self._x(0.0), middle - TRACK_HEIGHT / 2, self._x(1.0) - self._x(0.0), TRACK_HEIGHT
        )
        painter.setBrush(theme.color("line"))
        painter.drawRoundedRect(track, 2, 2)
        painter.setBrush(theme.color("accent"))
        painter.drawRect(QRectF(low, track.top(), high - low, TRACK_HEIGHT))
        for x, upper in ((low, False), (high, True)):
            active = self.hasFocus() and upper is self._upper_active
            paint_handle(painter, QPointF(x, middle), theme, active=active)
        painter.end()

    def _move_active(self, value: float) -> None:
        stepped = round(min(1.0, max(0.0, value)) / _STEP) * _STEP
        if self._upper_active:
            self.set_range(self._low, max(self._low, stepped))
        else:
            self.set_range(min(self._high, stepped), self._high)

    def _x(self, value: float) -> float:
        room = self.width() - 2 * (HANDLE_RADIUS + 3)
        return HANDLE_RADIUS + 3 + room * value

    def _value_at(self, x: float) -> float:
        room = self.width() - 2 * (HANDLE_RADIUS + 3)
        return (x - HANDLE_RADIUS - 3) / max(1.0, room)

    def _describe(self) -> None:
        self.setAccessibleName(self._name)
        self.setAccessibleDescription(f"{self._low:.2f} \u2013 {self._high:.2f}")


def paint_handle(painter: QPainter, centre: QPointF, theme: Theme, *, active: bool) -> None:
    """The round handle of a slider, with a ring while it listens to the keyboard."""
    if active:
        painter.setPen(QPen(theme.color("focus"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, HANDLE_RADIUS + 2, HANDLE_RADIUS + 2)
    painter.setPen(QPen(theme.color("accent"), 2))
    painter.setBrush(theme.color("surface"))
    painter.drawEllipse(centre, HANDLE_RADIUS - 1, HANDLE_RADIUS - 1)
