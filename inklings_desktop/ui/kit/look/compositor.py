"""Whether what lies below a window shows through it here.

On X11 that is a compositor's work. Where none runs, what should be see-through is black: round
corners and shadows have to be left out there. Qt knows, but does not say, so the X server is
asked the way every program asks it: does anybody own the selection of compositing managers?
"""

from __future__ import annotations

import ctypes
import ctypes.util

from PySide6.QtGui import QGuiApplication

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
    name = ctypes.util.find_library("xcb")
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
