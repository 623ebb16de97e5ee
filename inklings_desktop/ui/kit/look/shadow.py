"""The shadow of what floats over a page, painted beside it.

An effect on the floating widget itself would draw it through a picture each time, and for each such
picture Qt lays out whatever else the window holds, pages that are not on show included.
"""

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFocusFrame, QWidget

_BLUR, _BELOW, _STRENGTH = 20, 6, 60
_AROUND = _BLUR + 4
"""How far it is seen on each side, in pixels."""
_MOVING = frozenset(
    {
        QEvent.Type.Move,
        QEvent.Type.Resize,
        QEvent.Type.Show,
        QEvent.Type.Hide,
        QEvent.Type.ZOrderChange,
    }
)


class Shadow(QFocusFrame):
    """Lies under a sibling with round corners, wherever that is.

    A screen reader and the mouse pass it over, as they do every frame that Qt knows of.
    """

    def __init__(self, caster: QWidget, radius: float) -> None:
        """Lie under a widget and go where it goes.

        Args:
            caster: What floats; a child of the page.
            radius: Of its corners, in pixels.
        """
        super().__init__(caster.parentWidget())
        self._caster, self._radius = caster, radius
        self._picture: tuple[QSize, float, QImage] | None = None
        caster.installEventFilter(self)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notices that the caster moves, comes or goes."""
        if event.type() in _MOVING:
            self._follow()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        place = self._caster.geometry().translated(0, _BELOW)
        self.setGeometry(place.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND))
        self.stackUnder(self._caster)
        self.setVisible(not self._caster.isHidden())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws it; the picture of one size is made once."""
        size, ratio = self._caster.size(), self.devicePixelRatioF()
        if self._picture is None or self._picture[:2] != (size, ratio):
            self._picture = (size, ratio, _blurred(size, self._radius, ratio))
        painter = QPainter(self)
        painter.drawImage(0, 0, self._picture[2])
        painter.end()


def _blurred(size: QSize, radius: float, ratio: float) -> QImage:
    """The shadow alone of a card of this size, with ``_AROUND`` on each side."""
    from PySide6.QtGui import QPainterPath
    from PySide6.QtWidgets import QGraphicsDropShadowEffect, QGraphicsScene

    card = QPainterPath()
    card.addRoundedRect(0, 0, size.width(), size.height(), radius, radius)
    scene = QGraphicsScene()
    item = scene.addPath(card, QPen(Qt.PenStyle.NoPen), QColor("black"))
    far = size.height() + 2 * _AROUND  # the card itself is drawn as well: out of sight
    effect = QGraphicsDropShadowEffect()
    effect.setBlurRadius(_BLUR)
    effect.setOffset(0, far)
    effect.setColor(QColor(0, 0, 0, _STRENGTH))
    item.setGraphicsEffect(effect)
    width, height = size.width() + 2 * _AROUND, size.height() + 2 * _AROUND
    both = QImage(QSize(width, height + far) * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    both.setDevicePixelRatio(ratio)
    both.fill(Qt.GlobalColor.transparent)
    painter = QPainter(both)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    area = QRectF(0, 0, width, height + far)
    scene.render(painter, area, area.translated(-_AROUND, -_AROUND))
    painter.end()
    return both.copy(0, round(far * ratio), both.width(), round(height * ratio))
