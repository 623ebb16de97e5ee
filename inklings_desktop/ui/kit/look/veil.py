"""What lies under what floats: a veil or a shadow; whether anything shows through here at all."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFocusFrame, QWidget

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme

_SHADOW_RINGS = 18
_SHADOW_FALL = 8
_SHADOW_LIGHT = 0.010
_SHADOW_DARK = 0.022

DIALOG_VEIL = "dialogVeil"
"""Name of the veil that a window keeps for its small dialogs."""


def veil_behind(dialog: QWidget) -> None:
    """Cover the dialog's window, which may be a dialog too, until it is hidden; not twice over."""
    parent = dialog.parentWidget()
    veil = _veil_of(parent.window()) if parent is not None else None
    if veil is not None and not veil.isVisible():
        veil.show_behind(dialog)


def _veil_of(window: QWidget) -> Scrim | None:
    """The veil of a window; a dialog over one gets its own."""
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    found = window.findChild(Scrim, DIALOG_VEIL, options=direct)
    over = window.parentWidget()
    if found is None and over is not None and (below := _veil_of(over.window())) is not None:
        found = Scrim(below.theme, window)
        found.setObjectName(DIALOG_VEIL)
    return found


class Scrim(QWidget):
    """Covers its window while a dialog is open; the dialog's shadow falls on it.

    It takes no input of its own: the dialog's modality keeps the window from hearing any.
    """

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.theme = self._theme = theme
        self._window = window
        self._dialog: QWidget | None = None
        self.setObjectName("scrim")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def show_behind(self, dialog: QWidget) -> None:
        """Cover the window until the dialog is hidden, or gone without ever having been shown."""
        self._dialog = dialog
        for heard in (dialog, self._window):
            heard.installEventFilter(self)
        dialog.destroyed.connect(self._on_dialog_destroyed)
        self._fit()
        self.raise_()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the size of the window and the place of the dialog."""
        kind = event.type()
        if watched is self._window and kind is QEvent.Type.Resize:
            self._fit()
        elif watched is self._dialog and self._dialog is not None:
            if kind is QEvent.Type.Hide:
                for heard in (self._dialog, self._window):
                    heard.removeEventFilter(self)
                self._dialog.destroyed.disconnect(self._on_dialog_destroyed)
                self._on_dialog_destroyed()
            elif kind in {QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show}:
                self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_round = self._window.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        radius = self._theme.radius("dialog") if is_round else 0
        self._theme.draw_box(painter, self.rect(), "scrim", radius)
        if self._dialog is not None:
            self._paint_shadow(painter, self._dialog)
        painter.end()

    def _paint_shadow(self, painter: QPainter, dialog: QWidget) -> None:
        corner = self.mapFromGlobal(dialog.mapToGlobal(QPoint(0, 0)))
        rect = QRectF(QPointF(corner), dialog.size()).translated(0, _SHADOW_FALL)
        colour = QColor(0, 0, 0)
        colour.setAlphaF(_SHADOW_DARK if self._theme.is_dark else _SHADOW_LIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        radius = self._theme.radius("dialog")
        for ring in range(_SHADOW_RINGS):
            painter.drawRoundedRect(
                rect.adjusted(-ring, -ring, ring, ring), radius + ring, radius + ring
            )

    def _fit(self) -> None:
        self.setGeometry(self._window.rect())

    @Slot()
    def _on_dialog_destroyed(self) -> None:
        self._dialog = None
        self.hide()


_SELECTION = b"_NET_WM_CM_S%d"


class _Cookie(ctypes.Structure):
    _fields_ = (("sequence", ctypes.c_uint),)


class _Reply(ctypes.Structure):
    """Both replies wanted here: a head of eight bytes and one number."""

    _fields_ = (("head", ctypes.c_uint8 * 8), ("value", ctypes.c_uint32))


def shows_through() -> bool:
    """Whether windows may have see-through parts; asked anew each time, it takes about 1 ms."""
    if QGuiApplication.platformName() != "xcb":
        return True
    from ctypes.util import find_library

    name = find_library("xcb")
    if name is None:
        return True
    return _is_composited(ctypes.CDLL(name))


def _is_composited(xcb: ctypes.CDLL) -> bool:
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = (ctypes.c_char_p, ctypes.POINTER(ctypes.c_int))
    xcb.xcb_connection_has_error.argtypes = (ctypes.c_void_p,)
    xcb.xcb_disconnect.argtypes = (ctypes.c_void_p,)
    screen = ctypes.c_int(0)
    connection = xcb.xcb_connect(None, ctypes.byref(screen))
    try:
        if xcb.xcb_connection_has_error(connection):
            return True
        atom = _asked_atom(xcb, connection, _SELECTION % screen.value)
        return _asked_owner(xcb, connection, atom) != 0
    finally:
        xcb.xcb_disconnect(connection)


def _asked_atom(xcb: ctypes.CDLL, connection: int, name: bytes) -> int:
    xcb.xcb_intern_atom.restype = _Cookie
    xcb.xcb_intern_atom.argtypes = (
        ctypes.c_void_p,
        ctypes.c_uint8,
        ctypes.c_uint16,
        ctypes.c_char_p,
    )
    cookie = xcb.xcb_intern_atom(connection, 0, len(name), name)
    return _replied(xcb.xcb_intern_atom_reply, connection, cookie)


def _asked_owner(xcb: ctypes.CDLL, connection: int, atom: int) -> int:
    xcb.xcb_get_selection_owner.restype = _Cookie
    xcb.xcb_get_selection_owner.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
    cookie = xcb.xcb_get_selection_owner(connection, atom)
    return _replied(xcb.xcb_get_selection_owner_reply, connection, cookie)


def _replied(reply: ctypes._NamedFuncPointer, connection: int, cookie: _Cookie) -> int:
    """The one number of a reply; 0 when the server did not answer."""
    reply.restype = ctypes.POINTER(_Reply)
    reply.argtypes = (ctypes.c_void_p, _Cookie, ctypes.c_void_p)
    found = reply(connection, cookie, None)
    if not found:
        return 0
    value = int(found.contents.value)
    free = ctypes.CDLL(None).free
    free.argtypes = (ctypes.c_void_p,)
    free(found)
    return value


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

    An effect on the sibling itself would draw it through a picture each time, and for each such
    picture Qt lays out whatever else the window holds, pages that are not on show included. A
    screen reader and the mouse pass it over, as they do every frame that Qt knows of.
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
