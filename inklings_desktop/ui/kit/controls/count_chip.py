"""A pill with a dot, a word and a figure; one of a row of them is chosen."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from inklings_desktop.ui.kit.look.theme import Theme

_PADDING = 10
_DOT = 6
_GAP = 6


class CountChip(QAbstractButton):
    """Shows how many there are of something; chosen, a list holds only those."""

    def __init__(
        self, theme: Theme, label: str, *, dot: str = "", parent: QWidget | None = None
    ) -> None:
        """Build a chip.

        Args:
            theme: Look of the window.
            label: Its word.
            dot: Colour role of the dot; empty for none.
            parent: What it stands in.
        """
        super().__init__(parent)
        self._theme = theme
        self._dot = dot
        self._count = ""
        self.setText(label)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setProperty("ringRadius", 16)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.changed.connect(self._on_theme_changed)

    def show_count(self, count: str) -> None:
        """Show another figure."""
        self._count = count
        self.setAccessibleName(f"{self.text()} {count}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Dot, word and figure; both weights fit, so that choosing moves nothing."""
        word = QFontMetricsF(self._theme.font("meta")).horizontalAdvance(self.text())
        figure = QFontMetricsF(self._theme.font("meta", weight=600)).horizontalAdvance(self._count)
        dot = _DOT + _GAP if self._dot else 0
        width = 2 * _PADDING + dot + word + _GAP + figure
        return QSize(round(width) + 1, self._theme.px("controlSmall"))

    def minimumSizeHint(self) -> QSize:
        """A chip is never squeezed."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws outline, dot, word and figure."""
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self.isChecked():
            painter.setPen(QPen(theme.color("accent"), 1))
            painter.setBrush(theme.color("accentSoft"))
        else:
            painter.setPen(QPen(theme.color("lineStrong"), 1))
            painter.setBrush(theme.color("hover" if self.underMouse() else "surface"))
        painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
        x, middle = float(_PADDING), self.height() / 2
        if self._dot:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(self._dot))
            painter.drawEllipse(QPointF(x + _DOT / 2, middle), _DOT / 2, _DOT / 2)
            x += _DOT + _GAP
        role = "ink" if self.isChecked() else "inkSoft"
        for text, weight, ink in ((self.text(), 400, role), (self._count, 600, "ink")):
            font = theme.font("meta", weight=weight)
            metrics = QFontMetricsF(font)
            painter.setFont(font)
            painter.setPen(theme.color(ink))
            baseline = round(middle + (metrics.ascent() - metrics.descent()) / 2)
            painter.drawText(QPointF(x, baseline), text)
            x += metrics.horizontalAdvance(text) + _GAP
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()
