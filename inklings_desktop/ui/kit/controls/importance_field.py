"""Importance as a slider and a figure that belong together."""

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSlider,
    QStyle,
    QWidget,
)

from inklings_desktop.ui.kit.controls.range_slider import HANDLE_RADIUS, TRACK_HEIGHT, paint_handle
from inklings_desktop.ui.kit.look.theme import Theme

_STEPS = 100
_FIELD_WIDTH = 58


class ImportanceSlider(QSlider):
    """A slider from 0 to 1 in steps of 0.01 that goes where it is clicked."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.setRange(0, _STEPS)
        self.setPageStep(5)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(24)
        theme.changed.connect(self.update)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Goes to the place that was clicked."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setValue(self._value_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follows the pointer."""
        if self.isSliderDown():
            self.setValue(self._value_at(event.position().x()))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Lets go."""
        self.setSliderDown(False)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws track and handle."""
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        left, room = HANDLE_RADIUS, self.width() - 2 * HANDLE_RADIUS
        x = left + room * self.value() / _STEPS
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        top = middle - TRACK_HEIGHT / 2
        painter.drawRoundedRect(QRectF(0, top, self.width(), TRACK_HEIGHT), 2, 2)
        enabled = self.isEnabled()
        painter.setBrush(theme.color("accent" if enabled else "inkFaint"))
        painter.drawRoundedRect(QRectF(0, top, x, TRACK_HEIGHT), 2, 2)
        if enabled:
            paint_handle(painter, QPointF(x, middle), theme, active=False)
        painter.end()

    def _value_at(self, x: float) -> int:
        room = round(self.width() - 2 * HANDLE_RADIUS)
        return QStyle.sliderValueFromPosition(0, _STEPS, round(x - HANDLE_RADIUS), room)


class ImportanceField(QWidget):
    """Slider and figure; whichever is moved, the other follows.

    ``value_changed`` tells every valid value while it changes. A figure outside 0 to 1 is shown
    as invalid and told to nobody.
    """

    value_changed = Signal(float)
    validity_changed = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._value = 0.5
        self._valid = True
        self.slider = ImportanceSlider(theme, self)
        self.slider.setObjectName("importanceSlider")
        self.slider.setAccessibleName(self.tr("Importance"))
        self.edit = QLineEdit(self)
        self.edit.setObjectName("importanceField")
        self.edit.setAccessibleName(self.tr("Importance"))
        self.edit.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.edit.setProperty("small", "true")
        self.edit.setFixedWidth(_FIELD_WIDTH)
        self._error = QLabel(self.tr("Importance runs from 0 to 1."), self)
        self._error.setProperty("textStyle", "error")
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
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
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
        self.edit.setText(f"{value:.2f}")
        self._describe()

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
        self.edit.setProperty("invalid", "false" if valid else "true")
        self.edit.style().unpolish(self.edit)
        self.edit.style().polish(self.edit)
        self.edit.setAccessibleDescription("" if valid else self._error.text())
        self.validity_changed.emit(valid)

    def _describe(self) -> None:
        self.slider.setAccessibleDescription(f"{self._value:.2f}")

    @Slot(int)
    def _on_slider_value_changed(self, step: int) -> None:
        value = step / _STEPS
        self._set_valid(valid=True)
        self.edit.setText(f"{value:.2f}")
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
            self.edit.setText(f"{self._value:.2f}")

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
