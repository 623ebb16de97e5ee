"""The field at the right of the menu bar that opens the command palette."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.key_hints import key_cap_height, key_cap_width, paint_key_cap

_WIDTH = 248
_HEIGHT = 24
_LEFT = 9
_GAP = 8


class GotoField(QAbstractButton):
    """Looks like a field, is a button: the palette it opens has the real one."""

    def __init__(self, theme: Theme, text: str, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._keys = keys
        self.setText(text)
        self.setObjectName("gotoField")
        self.setAccessibleName(text.rstrip("\u2026"))
        self.setAccessibleDescription(keys)
        self.setToolTip(f"{text.rstrip(chr(0x2026))} ({keys})")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.changed.connect(self._on_theme_changed)

    def sizeHint(self) -> QSize:
        """One line, a little lower than the menu bar."""
        return QSize(self._theme.scaled(_WIDTH), self._theme.scaled(_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws frame, icon, words and key."""
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("line" if not self.underMouse() else "lineStrong"), 1))
        painter.setBrush(theme.color("surface" if self.isEnabled() else "sunken"))
        radius = theme.radius("control")
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, radius, radius)
        edge = theme.icon_px(14)
        ratio = self.devicePixelRatioF()
        icon = theme.pixmap("magnifying-glass", "inkSoft", 14, ratio=ratio)
        painter.drawPixmap(_LEFT, (self.height() - edge) // 2, icon)
        font = theme.font("meta")
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(theme.color("inkSoft"))
        baseline = round(self.height() / 2 + (metrics.ascent() - metrics.descent()) / 2)
        painter.drawText(QPointF(_LEFT + edge + _GAP, baseline), self.text())
        cap_font = theme.font("meta", px=12)
        width, height = key_cap_width(self._keys, cap_font), key_cap_height(theme)
        top = round((self.height() - height) / 2)
        cap = QRectF(self.width() - width - 5, top, width, height)
        paint_key_cap(painter, cap, self._keys, theme)
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()
