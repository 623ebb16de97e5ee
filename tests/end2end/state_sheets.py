"""Evidence: each state of the window beside the picture it was designed from, in one file.

``python -m tests.end2end.state_sheets --design DIR --out docs/states`` draws every state in both
themes and lays design, light and dark side by side. ``--tour DIR`` takes pictures that are there.
``--languages --out docs/languages`` lays a few of them side by side in every language instead.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFont, QImage, QImageWriter, QPainter

from tests.end2end.state_table import DESIGN_OF, DesignPictures

WIDTH = 720
"""Of each picture on a sheet with a design, in pixels."""
BARE_WIDTH = 576
"""Of each where there is no design to be compared with."""
GAP, HEAD = 12, 22
GROUND, INK = QColor(0xEE, 0xEE, 0xEC), QColor(0x22, 0x2A, 0x28)
FORMATS = ("webp", "png")
QUALITY = 35
MOST_BYTES = 4_200_000
IN_LANGUAGES = (
    "13b-settings-memory",
    "13c-settings-appearance",
    "18a-welcome-doors",
    "18b-welcome-voice",
    "18c-welcome-agent",
)
IN_LANGUAGES_WIDTH = 480


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture of a sheet and what stands above it."""

    label: str
    path: Path


def panels_of(state: str, tour: Path, design: Path) -> list[Panel]:
    """What a sheet shows, left to right."""
    pictures = DESIGN_OF.get(state, DesignPictures())
    found = []
    if pictures.light:
        found.append(Panel(f"design: {pictures.light}", design / f"{pictures.light}.png"))
    found.append(Panel("program, light", tour / f"{state}-light.png"))
    if pictures.dark:
        found.append(Panel(f"design: {pictures.dark}", design / f"{pictures.dark}.png"))
    found.append(Panel("program, dark", tour / f"{state}-dark.png"))
    return found


def sheet_of(panels: list[Panel], each: int) -> QImage:
    """The pictures side by side, smoothly scaled to one width in pixels.

    Raises:
        FileNotFoundError: One of them cannot be read.
    """
    scaled = []
    for panel in panels:
        picture = QImage(str(panel.path))
        if picture.isNull():
            raise FileNotFoundError(panel.path)
        scaled.append(picture.scaledToWidth(each, Qt.TransformationMode.SmoothTransformation))
    width = len(panels) * (each + GAP) + GAP
    sheet = QImage(
        width, HEAD + max(one.height() for one in scaled) + GAP, QImage.Format.Format_RGB32
    )
    sheet.fill(GROUND)
    painter = QPainter(sheet)
    font = QFont(painter.font())
    font.setPixelSize(12)
    painter.setFont(font)
    painter.setPen(INK)
    for number, (panel, picture) in enumerate(zip(panels, scaled, strict=True)):
        left = GAP + number * (each + GAP)
        painter.drawText(QRect(left, 0, each, HEAD), Qt.AlignmentFlag.AlignVCenter, panel.label)
        painter.drawImage(QPoint(left, HEAD), picture)
    painter.end()
    return sheet


def write_sheet(sheet: QImage, stem: Path) -> Path:
    """Write a sheet as small as this Qt can.

    Raises:
        OSError: The file cannot be written.
    """
    known = {bytes(one.data()).decode() for one in QImageWriter.supportedImageFormats()}
    suffix = next(one for one in FORMATS if one in known)
    path = stem.with_suffix(f".{suffix}")
    if suffix == "png":
        sheet = sheet.convertToFormat(QImage.Format.Format_Indexed8)
    writer = QImageWriter(str(path), suffix.encode())
    writer.setQuality(QUALITY)
    if not writer.write(sheet):
        raise OSError(path, writer.errorString())
    return path


def make_sheets(tour: Path, design: Path, out: Path) -> list[Path]:
    """One sheet for each state that was drawn."""
    out.mkdir(parents=True, exist_ok=True)
    states = sorted(path.name.removesuffix("-light.png") for path in tour.glob("*-light.png"))
    sheets = []
    for state in states:
        each = WIDTH if state in DESIGN_OF else BARE_WIDTH
        sheet = sheet_of(panels_of(state, tour, design), each)
        sheets.append(write_sheet(sheet, out / state))
    return sheets


def make_language_sheets(tours: dict[str, Path], out: Path) -> list[Path]:
    """One sheet for each of a few states, in every language and both themes.

    Args:
        tours: The folder of the pictures of each language.
        out: Gets the sheets.
    """
    out.mkdir(parents=True, exist_ok=True)
    sheets = []
    for state in IN_LANGUAGES:
        panels = [
            Panel(f"{language}, {theme}", tour / f"{state}-{theme}.png")
            for theme in ("light", "dark")
            for language, tour in tours.items()
        ]
        sheets.append(write_sheet(sheet_of(panels, IN_LANGUAGES_WIDTH), out / state))
    return sheets


def draw_languages(scratch: Path, out: Path) -> list[Path]:
    """Draw in every language, each in a process of its own, and lay side by side."""
    from inklings_desktop.ui.kit.look.translation import LANGUAGE_NAMES
    from tests.oracle.pose import Pose
    from tests.oracle.records import draw

    tours = {name: scratch / code for code, name in LANGUAGE_NAMES.items()}
    for code, name in LANGUAGE_NAMES.items():
        draw(tours[name], pose=Pose(code))
    return make_language_sheets(tours, out)


def main() -> int:
    """Draw, lay side by side, and say how large it all became."""
    parser = argparse.ArgumentParser(prog="state_sheets", description=__doc__)
    parser.add_argument("--tour", type=Path, help="folder of pictures that were drawn already")
    parser.add_argument("--design", type=Path, help="folder of the design pictures")
    parser.add_argument("--languages", action="store_true", help="a few states in each language")
    parser.add_argument("--out", type=Path, required=True, help="folder for the sheets")
    chosen = parser.parse_args()
    if chosen.design is None and not chosen.languages:
        parser.error("--design is missing")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["LOGNAME"] = "ottoline"  # the operator in the pictures, whoever draws them
    from PySide6.QtWidgets import QApplication

    from inklings_desktop.ui.app.application import GarbageCollection
    from tests.end2end.state_tours import draw_all

    app = QApplication(sys.argv[:1])
    app.setApplicationName("Inklings")
    garbage = GarbageCollection()
    with tempfile.TemporaryDirectory(prefix="inklings-states-") as scratch:
        if chosen.languages:
            garbage.stop()
            return _told(draw_languages(Path(scratch), chosen.out))
        tour = chosen.tour or Path(scratch) / "pictures"
        if chosen.tour is None or not chosen.tour.exists():
            draw_all(Path(scratch), tour)
        garbage.stop()
        sheets = make_sheets(tour, chosen.design, chosen.out)
    return _told(sheets)


def _told(sheets: list[Path]) -> int:
    n_bytes = sum(path.stat().st_size for path in sheets)
    print(f"{len(sheets)} sheets, {n_bytes:,} bytes")  # noqa: T201 - a command's own words
    return 0 if n_bytes <= MOST_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
