"""Whether a window can be shown on this machine; knows no Qt, so it can ask before Qt aborts."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from pathlib import Path

APT_LINE = (
    "apt-get install -y --no-install-recommends libgl1 libegl1 libglib2.0-0 libdbus-1-3 "
    "libfontconfig1 libxkbcommon0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 "
    "libxkbcommon-x11-0"
)
DNF_LINE = (
    "dnf install -y mesa-libGL mesa-libEGL glib2 dbus-libs fontconfig libxkbcommon "
    "xcb-util-cursor xcb-util-wm xcb-util-keysyms libxkbcommon-x11"
)

_QT_LIBRARIES = (
    "libGL.so.1",
    "libEGL.so.1",
    "libglib-2.0.so.0",
    "libdbus-1.so.3",
    "libfontconfig.so.1",
    "libxkbcommon.so.0",
)
_X11_LIBRARIES = (
    "libxcb-cursor.so.0",
    "libxcb-icccm.so.4",
    "libxcb-keysyms.so.1",
    "libxcb-shape.so.0",
    "libxkbcommon-x11.so.0",
)
_CONNECT_SECONDS = 2.0


def has_display() -> bool:
    """Whether a window can appear; a platform chosen by hand is taken at its word."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return _has_wayland() or _has_x11()


def missing_libraries() -> tuple[str, ...]:
    """System libraries that Qt needs here and that are not installed."""
    if not sys.platform.startswith("linux"):
        return ()
    wanted = list(_QT_LIBRARIES)
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if platform.startswith("xcb") or (not platform and not _has_wayland() and _has_x11()):
        wanted += _X11_LIBRARIES
    return tuple(name for name in wanted if not _loads(name))


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _has_wayland() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY")
    folder = os.environ.get("XDG_RUNTIME_DIR")
    return bool(name and folder) and Path(folder or "", name or "").exists()


def _has_x11() -> bool:
    display = os.environ.get("DISPLAY", "")
    host, _, number = display.partition(":")
    if not number:
        return False
    number = number.partition(".")[0]
    if host not in {"", "unix"}:
        return True  # another machine's screen: let Qt try
    for address in (f"/tmp/.X11-unix/X{number}", f"\0/tmp/.X11-unix/X{number}"):  # noqa: S108 - the place that X11 gives its sockets
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(_CONNECT_SECONDS)
            if probe.connect_ex(address) == 0:
                return True
    return False
