# ruff: noqa: INP001 - a package named like this folder would hide the library of that name
"""Draws the icon in every size that a desktop asks for, from the two drawings of it.

python packaging/draw_icons.py

PNG files go into ``resources/share``; what Windows and macOS show for the bundle, beside the
drawing for small sizes. A large drawing made small is mud: up to 32 pixels have one of their own.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

HERE = Path(__file__).resolve().parent
HICOLOR = HERE.parent / "resources" / "share" / "icons" / "hicolor"
ID = "io.github.inklings_desktop.inklings"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
SMALL = 32
WINDOWS_SIZES = (16, 24, 32, 48, 256)
MACOS_SIZES = {b"ic07": 128, b"ic08": 256, b"ic09": 512}


def main() -> None:
    """Write every file."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QGuiApplication([])
    drawn = {size: png(size) for size in SIZES}
    for size, data in drawn.items():
        path = HICOLOR / f"{size}x{size}" / "apps" / f"{ID}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (HERE / "icons" / "inklings.ico").write_bytes(windows_icon(drawn))
    (HERE / "icons" / "inklings.icns").write_bytes(macos_icon(drawn))
    app.shutdown()


def png(size: int) -> bytes:
    """The icon, so many pixels wide and high."""
    drawing = HERE / "icons" / "small.svg"
    if size > SMALL:
        drawing = HICOLOR / "scalable" / "apps" / f"{ID}.svg"
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(str(drawing)).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stub misses that bytes are text
    return bytes(buffer.data().data())


def windows_icon(drawn: dict[int, bytes]) -> bytes:
    """An ICO file: a table of sizes and places, then the PNG files."""
    place = 6 + 16 * len(WINDOWS_SIZES)
    table, images = struct.pack("<3H", 0, 1, len(WINDOWS_SIZES)), b""
    for size in WINDOWS_SIZES:
        data = drawn[size]
        side = size % 256  # 0 stands for 256
        at = place + len(images)
        table += struct.pack("<4B2H2I", side, side, 0, 0, 1, 32, len(data), at)
        images += data
    return table + images


def macos_icon(drawn: dict[int, bytes]) -> bytes:
    """An ICNS file: PNG files one after the other, each under the name of its size."""
    parts = b"".join(
        struct.pack(">4sI", name, 8 + len(drawn[size])) + drawn[size]
        for name, size in MACOS_SIZES.items()
    )
    return struct.pack(">4sI", b"icns", 8 + len(parts)) + parts


if __name__ == "__main__":
    main()
