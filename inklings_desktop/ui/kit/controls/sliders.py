"""Sliders: two handles that mark out a range from 0 to 1, and one with a figure beside it."""

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QLineEdit, QSizePolicy, QSlider, QStyle, QWidget

from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import restyle
from inklings_desktop.ui.kit.look.mirror import as_painted, smooth_painter_on
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import decimal, tr
from inklings_desktop.ui.kit.marks.labels import plain_label

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
        return QSize(220, 24)

    def keyPressEvent(self, event: QKeyEvent) -> None:
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
        value = self._value_at(as_painted(event.position(), self).x())
        near_high = abs(value - self._high) < abs(value - self._low)
        together = self._low == self._high
        self._upper_active = value > self._high if together else near_high
        self._move_active(value)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move_active(self._value_at(as_painted(event.position(), self).x()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = smooth_painter_on(self)
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
        self.setAccessibleDescription(f"{decimal(self._low, 2)} \u2013 {decimal(self._high, 2)}")


def paint_handle(
    painter: QPainter, centre: QPointF, theme: Theme, *, active: bool, role: str = "accent"
) -> None:
    """The round handle of a slider, with a ring while it listens to the keyboard."""
    if active:
        painter.setPen(QPen(theme.color("focus"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, HANDLE_RADIUS + 2, HANDLE_RADIUS + 2)
    painter.setPen(QPen(theme.color(role), 2))
    painter.setBrush(theme.color("surface"))
    painter.drawEllipse(centre, HANDLE_RADIUS - 1, HANDLE_RADIUS - 1)


_STEPS = 100
_FIELD_WIDTH = 58


class LineSlider(QSlider):
    """A slider of whole steps that goes where it is clicked."""

    def __init__(
        self,
        theme: Theme,
        steps: tuple[int, int],
        *,
        role: str = "accent",
        parent: QWidget | None = None,
    ) -> None:
        """Begin at the lowest step.

        Args:
            steps: The lowest and the highest.
            role: Colour role of the way to the handle.
        """
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._role = role
        self.setRange(*steps)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(24)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setValue(self._value_at(as_painted(event.position(), self).x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.setValue(self._value_at(as_painted(event.position(), self).x()))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self.setSliderDown(False)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = smooth_painter_on(self)
        middle = self.height() / 2
        left, room = HANDLE_RADIUS, self.width() - 2 * HANDLE_RADIUS
        done = (self.value() - self.minimum()) / (self.maximum() - self.minimum())
        x = left + room * done
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        top = middle - TRACK_HEIGHT / 2
        painter.drawRoundedRect(QRectF(0, top, self.width(), TRACK_HEIGHT), 2, 2)
        enabled = self.isEnabled()
        painter.setBrush(theme.color(self._role if enabled else "inkFaint"))
        painter.drawRoundedRect(QRectF(0, top, x, TRACK_HEIGHT), 2, 2)
        if enabled:
            paint_handle(painter, QPointF(x, middle), theme, active=False, role=self._role)
        painter.end()

    def _value_at(self, x: float) -> int:
        room = round(self.width() - 2 * HANDLE_RADIUS)
        return QStyle.sliderValueFromPosition(
            self.minimum(), self.maximum(), round(x - HANDLE_RADIUS), room
        )


class ImportanceField(QWidget):
    """Slider and figure, of the importance or of what else runs from 0 to 1.

    Whichever is moved, the other follows. ``value_changed`` tells every valid value while it
    changes. A figure outside 0 to 1 is shown as invalid and told to nobody.
    """

    value_changed = Signal(float)
    validity_changed = Signal(bool)

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        name: str = "importance",
        spoken: str = "",
        fault: str = "",
    ) -> None:
        """Show the middle.

        Args:
            name: Object names of its parts begin so.
            spoken: What it is; empty for the importance.
            fault: Said of a figure outside 0 to 1, likewise.
        """
        super().__init__(parent)
        self._theme = theme
        self._value = 0.5
        spoken = spoken or tr("Importance")
        self._valid = True
        self.slider = LineSlider(theme, (0, _STEPS), parent=self)
        self.slider.setPageStep(5)
        self.slider.setObjectName(f"{name}Slider")
        self.slider.setAccessibleName(spoken)
        self.edit = named(QLineEdit(self), f"{name}Field", spoken)
        self.edit.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.edit.setProperty("small", "true")
        self.edit.setFixedWidth(_FIELD_WIDTH)
        self._error = plain_label(fault or tr("Importance runs from 0 to 1."), "error", self)
        self._error.hide()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.addWidget(self.slider, 0, 0)
        grid.addWidget(self.edit, 0, 1)
        grid.addWidget(self._error, 1, 0, 1, 2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.slider.valueChanged.connect(self._on_slider_value_changed)
        self.edit.textEdited.connect(self._on_edit_text_edited)
        self.edit.editingFinished.connect(self._on_edit_editing_finished)
        theme.dress(self._on_theme_changed)
        self.set_value(self._value)

    def value(self) -> float:
        """The last valid value, 0 up to 1."""
        return self._value

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hands the keyboard on; as a focus proxy it would be a second stop of the Tab key."""
        super().focusInEvent(event)
        self.slider.setFocus(event.reason())

    def is_valid(self) -> bool:
        """Whether the figure on show is a number from 0 to 1."""
        return self._valid

    def set_value(self, value: float) -> None:
        """Show another value, without a signal."""
        self._value = value
        self._set_valid(valid=True)
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(value * _STEPS))
        self.edit.setText(decimal(value, 2))
        self._describe()

    def show_now(self, value: float) -> None:
        """Show another value; the same one leaves what is being typed alone."""
        if value != self._value:
            self.set_value(value)

    def set_read_only(self, *, read_only: bool) -> None:
        """Let the value be seen but not changed."""
        self.slider.setEnabled(not read_only)
        self.edit.setReadOnly(read_only)

    def _take(self, value: float) -> None:
        if value != self._value:
            self._value = value
            self._describe()
            self.value_changed.emit(value)

    def _set_valid(self, *, valid: bool) -> None:
        if valid == self._valid:
            return
        self._valid = valid
        self._error.setVisible(not valid)
        restyle(self.edit, "invalid", "false" if valid else "true")
        self.edit.setAccessibleDescription("" if valid else self._error.text())
        self.validity_changed.emit(valid)

    def _describe(self) -> None:
        self.slider.setAccessibleDescription(decimal(self._value, 2))

    @Slot(int)
    def _on_slider_value_changed(self, step: int) -> None:
        value = step / _STEPS
        self._set_valid(valid=True)
        self.edit.setText(decimal(value, 2))
        self._take(value)

    @Slot(str)
    def _on_edit_text_edited(self, text: str) -> None:
        value = importance_from(text)
        self._set_valid(valid=value is not None)
        if value is not None:
            with QSignalBlocker(self.slider):
                self.slider.setValue(round(value * _STEPS))
            self._take(value)

    @Slot()
    def _on_edit_editing_finished(self) -> None:
        if self._valid:
            self.edit.setText(decimal(self._value, 2))

    @Slot()
    def _on_theme_changed(self) -> None:
        self.edit.setFont(self._theme.font("meta", tabular=True))


def importance_from(text: str) -> float | None:
    """The importance that a person typed, with point or comma; nothing outside 0 to 1."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return value if 0.0 <= value <= 1.0 else None
