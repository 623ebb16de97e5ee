"""Where pictures, faces and style sheets lie, and how an icon is drawn, by us if need be.

Resources are looked for in three places, in this order: the folder of a frozen program, the
package of an installed wheel, the checkout. Faces and icons come from data packages, which are
found without being imported. Each had one release by one person, so a file of theirs is used only
if it is the very one we tried. Without it the system's faces and icons of our own serve.
"""

from __future__ import annotations

import hashlib
import logging
import struct
import sys
import zlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QPainter,
    QPixmap,
    QPixmapCache,
)

_RING: Final = "M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17"
_FRAME: Final = "M4.5 4.5h15v15h-15z"
_STROKES: Final = {
    "arrow-down": "M12 5v14M6 13l6 6 6-6",
    "arrow-left": "M19 12H5M11 6l-6 6 6 6",
    "arrow-right": "M5 12h14M13 6l6 6-6 6",
    "arrow-up": "M12 19V5M6 11l6-6 6 6",
    "caret-down": "M6 9l6 6 6-6",
    "caret-left": "M15 6l-6 6 6 6",
    "caret-right": "M9 6l6 6-6 6",
    "caret-up": "M6 15l6-6 6 6",
    "check": "M5 13l4 4L19 7",
    "check-circle": f"{_RING}M8 12l3 3 5-6",
    "circle": _RING,
    "clock": f"{_RING}M12 7v5l3.5 2.5",
    "copy": "M8.5 8.5h11v11h-11zM5 15.5V5h10.5",
    "dots-three": "M5 12h.01M12 12h.01M19 12h.01",
    "folder": "M3 6h6l2 2.5h10V19H3z",
    "info": f"{_RING}M12 11.5V17M12 7.5h.01",
    "list": "M4 6h16M4 12h16M4 18h16",
    "lock-simple": "M5.5 11h13v9h-13zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
    "magnifying-glass": "M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.5 15.5L20 20",
    "minus": "M5 12h14",
    "pause": "M9 6v12M15 6v12",
    "pencil-simple": "M4.5 19.5l1-4L16 5l3 3L8.5 18.5z",
    "play": "M8 5l11 7-11 7z",
    "plus": "M12 5v14M5 12h14",
    "square": _FRAME,
    "stop": _FRAME,
    "trash": "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
    "warning": "M12 4L2.5 20h19zM12 10v4.5M12 17.2h.01",
    "warning-circle": f"{_RING}M12 7v6M12 16.5h.01",
    "x": "M6 6l12 12M18 6L6 18",
    "x-circle": f"{_RING}M9 9l6 6M15 9l-6 6",
}
_SOLID: Final = frozenset({"circle", "play", "square", "stop"})
_WIDTHS: Final = {"regular": 1.6, "fill": 1.6, "bold": 2.4}


def drawn_icon(name: str, weight: str) -> bytes:
    """An icon as SVG, in the same colour word as those of the package.

    Args:
        name: As the package calls it, such as ``caret-down``.
        weight: ``regular``, ``fill`` or ``bold``.
    """
    letter = "" if name in _STROKES else name[0].upper()
    fill = "currentColor" if weight == "fill" and name in _SOLID else "none"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
        f'<path d="{_STROKES.get(name, _FRAME)}" fill="{fill}" stroke="currentColor" '
        f'stroke-width="{_WIDTHS[weight]}" stroke-linecap="round" stroke-linejoin="round"/>'
        '<text x="12" y="16" font-family="sans-serif" font-size="11" text-anchor="middle" '
        f'fill="currentColor">{letter}</text></svg>'
    ).encode()


IconWeight = Literal["regular", "fill", "bold"]

FACES = {
    ("font_source_sans_pro", "files/SourceSansPro-Regular.ttf"): (
        "b77f3a700edd0fc0dec73258f882d5c3926c77f5caf6800a201d2166568d2309"
    ),
    ("font_source_sans_pro", "files/SourceSansPro-Semibold.ttf"): (
        "b440fd42fd5a54e1b252731deca9cc86604bee6ffa99281f5874c3476eb17eae"
    ),
    ("font_source_serif_pro", "files/SourceSerifPro-Regular.ttf"): (
        "b4e0771f06d8f6573a535312762b0b2f4fb9a03372239e39b0e7cf203da8ea9a"
    ),
    ("font_source_serif_pro", "files/SourceSerifPro-Semibold.ttf"): (
        "83cc8531f284efb749bbb54f9fb4a0e0450cba918a41df76fabb3a42f2f95899"
    ),
}
"""Package and file of each face, and the SHA-256 of the file."""

ICONS = ("justmyresource_phosphor", "icons.zip")
ICONS_SHA256 = "fd248edc11c867bf197f1b60c667b727e8b715347c74a5865fdfe626df1f0b16"

_log = logging.getLogger(__name__)

_END_OF_DIRECTORY = struct.Struct("<4s4H2LH")
_DIRECTORY_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL_ENTRY = struct.Struct("<4s5H3L2H")
_STORED = 0
_LONGEST_ARCHIVE_COMMENT = 65_535


def resource_root() -> Path:
    """The folder that holds ``tokens.json``, ``styles`` and the other resources.

    Raises:
        FileNotFoundError: The program was installed without its resources.
    """
    package = Path(__file__).resolve().parents[3]
    places = [package / "resources", package.parent / "resources"]
    frozen = getattr(sys, "_MEIPASS", None)
    if frozen is not None:
        places.insert(0, Path(frozen) / "resources")
    for place in places:
        if (place / "tokens.json").is_file():
            return place
    raise FileNotFoundError(places[-1] / "tokens.json")


def resource_path(*parts: str) -> Path:
    """Where one resource lies, given by its steps below the resource folder."""
    return resource_root().joinpath(*parts)


@cache
def package_folder(package: str) -> Path:
    """The folder of a data package, found without importing it.

    Raises:
        FileNotFoundError: The package is not installed.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(package)
    return Path(spec.submodule_search_locations[0])


def pinned_file(package: str, name: str, sha256: str) -> Path | None:
    """A file of a data package, or None where it is missing or is not the one we tried.

    Args:
        package: Name of the package.
        name: Path of the file below the package's folder.
        sha256: What its content must hash to, in lower-case hexadecimal.
    """
    try:
        path = package_folder(package) / name
        content = path.read_bytes()
    except OSError:
        _log.warning("%s of %s is not installed", name, package)
        return None
    if hashlib.sha256(content).hexdigest() != sha256:
        _log.warning("%s of %s is not the file we know; it is not used", name, package)
        return None
    return path


@cache
def register_faces() -> tuple[str, ...]:
    """Make the bundled faces known to Qt, once; returns their family names.

    Only the four files that the window uses are loaded. Where one is missing, the families that
    the tokens name after it serve. The application object has to exist.
    """
    families: dict[str, None] = {}
    for (package, name), sha256 in FACES.items():
        path = pinned_file(package, name, sha256)
        if path is None:
            continue
        face = QFontDatabase.addApplicationFont(str(path))
        for family in QFontDatabase.applicationFontFamilies(face):
            families[family] = None
    return tuple(families)


class IconArchive:
    """Reads single SVG files out of the icon package's archive.

    The archive lists some 7,500 files. Indexing them all costs more than the rest of the
    window's first paint, so a name is looked up in the raw directory instead. What was read once
    is remembered.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Read an archive.

        Args:
            path: Where it lies; without one, icons of our own are drawn.
        """
        self._path = path
        self._directory: bytes | None = None
        self._read: dict[str, bytes] = {}

    def svg(self, name: str, weight: IconWeight = "regular") -> bytes:
        """The picture called ``name`` in the wanted weight.

        Raises:
            LookupError: There is an archive, and it has no such picture.
        """
        suffix = "" if weight == "regular" else f"-{weight}"
        member = f"{weight}/{name}{suffix}.svg"
        known = self._read.get(member)
        if known is None:
            path = self._path
            made = drawn_icon(name, weight) if path is None else self._member(path, member)
            known = self._read[member] = made
        return known

    def _member(self, path: Path, name: str) -> bytes:
        with path.open("rb") as archive:
            if self._directory is None:
                archive.seek(0, 2)
                size = archive.tell()
                archive.seek(max(0, size - _END_OF_DIRECTORY.size - _LONGEST_ARCHIVE_COMMENT))
                tail = archive.read()
                end = _END_OF_DIRECTORY.unpack_from(tail, tail.rindex(b"PK\x05\x06"))
                archive.seek(end[6])
                self._directory = archive.read(end[5])
            method, packed_size, offset = _entry(self._directory, name)
            archive.seek(offset)
            header = _LOCAL_ENTRY.unpack(archive.read(_LOCAL_ENTRY.size))
            archive.seek(header[9] + header[10], 1)
            packed = archive.read(packed_size)
        return packed if method == _STORED else zlib.decompress(packed, -zlib.MAX_WBITS)


def _entry(directory: bytes, name: str) -> tuple[int, int, int]:
    """Method, packed size and offset of one file of an archive."""
    wanted = name.encode()
    found = directory.find(wanted)
    while found >= 0:
        start = found - _DIRECTORY_ENTRY.size
        if start >= 0:
            entry = _DIRECTORY_ENTRY.unpack_from(directory, start)
            if entry[0] == b"PK\x01\x02" and entry[10] == len(wanted):
                return entry[4], entry[8], entry[16]
        found = directory.find(wanted, found + 1)
    raise LookupError(name)


@cache
def package_icons() -> IconArchive:
    """The icons of the package, checked once; without it those of our own."""
    return IconArchive(pinned_file(*ICONS, ICONS_SHA256))


class IconLibrary:
    """Draws icons in any colour and remembers each by name, colour, size and pixel ratio."""

    def __init__(self, archive: IconArchive | None = None) -> None:
        self._archive = archive or package_icons()
        self._pixmaps: dict[tuple[str, IconWeight, int, int, float], QPixmap] = {}

    def pixmap(
        self,
        name: str,
        colour: QColor,
        size: int,
        *,
        weight: IconWeight = "regular",
        ratio: float | None = None,
    ) -> QPixmap:
        """One icon as a square picture.

        Args:
            name: Phosphor name without weight, such as ``eraser``.
            colour: Takes the place of the picture's own colour.
            size: Edge in logical pixels.
            weight: ``fill`` marks what is current, ``bold`` stands in primary buttons.
            ratio: Device pixels per logical pixel; the application's own when not given.

        Raises:
            LookupError: There is no such icon.
        """
        if ratio is None:
            app = QGuiApplication.instance()
            ratio = app.devicePixelRatio() if isinstance(app, QGuiApplication) else 1.0
        key = (name, weight, colour.rgba(), size, ratio)
        known = self._pixmaps.get(key)
        if known is None:
            known = self._pixmaps[key] = self._draw(name, weight, colour, round(size * ratio))
            known.setDevicePixelRatio(ratio)
        return known

    def icon(
        self,
        name: str,
        colour: QColor,
        size: int,
        *,
        weight: IconWeight = "regular",
        disabled: QColor | None = None,
    ) -> QIcon:
        """One icon for a button or action, with its own colour while disabled.

        Raises:
            LookupError: There is no such icon.
        """
        icon = QIcon(self.pixmap(name, colour, size, weight=weight))
        if disabled is not None:
            picture = self.pixmap(name, disabled, size, weight=weight)
            icon.addPixmap(picture, QIcon.Mode.Disabled)
        return icon

    def forget(self) -> None:
        """Let go of every picture: in another look no one is asked for again.

        Qt keeps scaled and faint copies of each beside it, under a key that only the picture
        itself leads to.
        """
        self._pixmaps.clear()
        QPixmapCache.clear()

    def _draw(self, name: str, weight: IconWeight, colour: QColor, edge: int) -> QPixmap:
        # The SVG module is paid for by the first icon, not by the import of the window.
        from PySide6.QtSvg import QSvgRenderer

        source = self._archive.svg(name, weight)
        opaque = colour.name(QColor.NameFormat.HexRgb).encode()
        renderer = QSvgRenderer(QByteArray(source.replace(b"currentColor", opaque)))
        picture = QPixmap(QSize(edge, edge))
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setOpacity(colour.alphaF())
        renderer.render(painter, QRectF(0, 0, edge, edge))
        painter.end()
        return picture
