"""A switch that is on or off; its knob moves at once, its state is the caller's to confirm."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from inklings_desktop.ui.kit.look.theme import Theme

_WIDTH, _HEIGHT = 34, 20
_KNOB = 12
_INSET = 4


class Switch(QAbstractButton):
    """On or off.

    A press only says what the person wants; what is shown changes by ``show_on``.

    Signals:
        wanted: Whether the person wants it on.
    """

    wanted = Signal(bool)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("ringRadius", _HEIGHT // 2)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedSize(self.sizeHint())
        self.clicked.connect(self._on_clicked)
        theme.changed.connect(self._on_theme_changed)

    def show_on(self, *, on: bool) -> None:
        """Show it on or off."""
        self.setChecked(on)

    def sizeHint(self) -> QSize:
        """Grows with the text."""
        return QSize(self._theme.scaled(_WIDTH), self._theme.scaled(_HEIGHT))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves on Enter as on Space."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws track and knob."""
        theme, on = self._theme, self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        radius = track.height() / 2
        if on:
            ground = "accentHover" if self.underMouse() else "accent"
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(ground if self.isEnabled() else "inkFaint"))
        else:
            painter.setPen(QPen(theme.color("controlBorder" if self.isEnabled() else "line"), 1))
            painter.setBrush(theme.color("hover" if self.underMouse() else "sunken"))
        painter.drawRoundedRect(track, radius, radius)
        knob, inset = theme.scaled(_KNOB), theme.scaled(_INSET)
        x = self.width() - inset - knob if on else inset
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("onAccent" if on else "inkSoft"))
        painter.drawEllipse(QRectF(x, (self.height() - knob) / 2, knob, knob))
        painter.end()

    @Slot(bool)
    def _on_clicked(self, checked: bool) -> None:  # noqa: FBT001 - Qt's signal
        # Until the change is made, what is true stays on show.
        self.setChecked(not checked)
        self.wanted.emit(checked)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.update()
