"""Small labels with a frame: working note, read-only, the short id of an entry."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.theme import Theme

_PADDING = 8
_ICON_GAP = 4
_RADIUS = 4


def paint_badge_frame(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """The dashed frame that marks what only the agent writes; antialiasing is on."""
    pen = QPen(theme.color("inkSoft"), 1, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([3.0, 2.0])
    painter.setPen(pen)
    painter.setBrush(theme.color("surface"))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)


class Badge(QWidget):
    """An icon and a word in a dashed frame, such as Working Note or Read-only."""

    def __init__(
        self, theme: Theme, text: str, icon: str = "", *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = text
        self._icon = icon
        self.setAccessibleName(text)
        theme.changed.connect(self._on_theme_changed)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        width = QFontMetricsF(self._theme.font("label")).horizontalAdvance(self._text)
        if self._icon:
            width += self._theme.icon_px(14) + _ICON_GAP
        return QSize(round(width) + 2 * _PADDING, self._theme.scaled(20))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws frame, icon and word."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_badge_frame(painter, QRectF(self.rect()), self._theme)
        x = _PADDING
        if self._icon:
            edge = self._theme.icon_px(14)
            picture = self._theme.pixmap(self._icon, "inkSoft", 14, ratio=self.devicePixelRatioF())
            painter.drawPixmap(x, (self.height() - edge) // 2, picture)
            x += edge + _ICON_GAP
        painter.setFont(self._theme.font("label"))
        painter.setPen(self._theme.color("inkSoft"))
        rect = QRectF(x, 0, self.width() - x, self.height())
        painter.drawText(
            rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._text
        )
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.update()


class ShortId(QWidget):
    """The first characters of an id; a click or Enter copies the whole id."""

    copied = Signal(str)

    def __init__(
        self, theme: Theme, tooltip: str, *, n_shown: int = 8, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._id = ""
        self._n_shown = n_shown
        self.setToolTip(tooltip)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self._on_theme_changed)
        self.set_id("")

    def set_id(self, entry_id: str) -> None:
        """Show another id; an empty one hides the label."""
        self._id = entry_id
        self.setVisible(bool(entry_id))
        self.setAccessibleName(f"{self.toolTip()} {entry_id}")
        self.setFixedSize(self.sizeHint())
        self.update()

    def copy(self) -> None:
        """Put the whole id on the clipboard."""
        QGuiApplication.clipboard().setText(self._id)
        self.copied.emit(self._id)

    def sizeHint(self) -> QSize:
        """As wide as what is shown of the id."""
        metrics = QFontMetricsF(self._theme.font("meta", px=12, tabular=True))
        width = metrics.horizontalAdvance(self._id[: self._n_shown])
        return QSize(round(width) + 13, self._theme.scaled(18))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Copies."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.copy()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copies on Enter and Space."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.copy()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the id on its ground."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("graphiteSoft"))
        painter.drawRoundedRect(QRectF(self.rect()), _RADIUS, _RADIUS)
        painter.setFont(self._theme.font("meta", px=12, tabular=True))
        painter.setPen(self._theme.color("inkSoft"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._id[: self._n_shown])
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.setFixedSize(self.sizeHint())
        self.update()
