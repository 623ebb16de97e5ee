"""Every state of the window looks and speaks as it was recorded."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, qVersion
from PySide6.QtGui import QColor, QImage

from tests.end2end.state_tours import states
from tests.oracle.fingerprints import TILE_HEIGHT, TILE_WIDTH, differing, fingerprint
from tests.oracle.records import (
    DRAWING_SECONDS,
    PICTURES,
    RECORDED_WITH,
    TREES,
    draw,
    picture_differences,
    pictures_told,
    trees_told,
)
from tests.oracle.spoken_tree import joined

MOST_LINES = 60
"""Of a difference that is shown."""
SIZE = 1440, 900


def a_picture(folder: Path, name: str = "01-memory-light") -> QImage:
    folder.mkdir(exist_ok=True)
    picture = QImage(*SIZE, QImage.Format.Format_RGB32)
    picture.fill(QColor("#f4f4f0"))
    assert picture.save(str(folder / f"{name}.png"))
    return picture


@pytest.mark.end2end
@pytest.mark.endurance
@pytest.mark.timeout(DRAWING_SECONDS)
def test_every_state_looks_and_speaks_as_recorded(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    pictures, is_short = tmp_path / "states", not reduced_or_full(0, 1)

    draw(pictures, is_short=is_short)

    drawn = {path.stem for path in pictures.glob("*.png")}
    wanted = states(tmp_path, is_short=is_short)
    assert drawn == {f"{name}-{one}" for name in wanted for one in ("light", "dark")}
    if (qVersion(), sys.platform) != (RECORDED_WITH, "linux"):
        pytest.skip("another Qt or system than these were recorded with")
    recorded = PICTURES.read_text(encoding="utf-8").splitlines(keepends=True)
    of_these = "".join(line for line in recorded if line.split(" ")[0] in drawn)
    assert picture_differences(pictures, of_these) == []
    if not is_short:  # a tree points at others, which some states alone do not have
        heard = difflib.unified_diff(
            TREES.read_text(encoding="utf-8").splitlines(),
            trees_told(pictures).splitlines(),
            "recorded",
            "now",
            lineterm="",
            n=1,
        )
        assert list(heard)[:MOST_LINES] == []


def test_one_pixel_of_another_colour_is_found_and_marked(tmp_path: Path) -> None:
    folder, left = tmp_path / "pictures", tmp_path / "left"
    picture = a_picture(folder)
    recorded = pictures_told(folder)
    assert picture_differences(folder, recorded, left) == []

    picture.setPixelColor(TILE_WIDTH + 5, TILE_HEIGHT + 5, QColor("#c03020"))
    assert picture.save(str(folder / "01-memory-light.png"))

    (said,) = picture_differences(folder, recorded, left)
    assert said.startswith("01-memory-light differs in 1 tiles, first at 120,75")
    shown = QImage(str(left / "01-memory-light.png"))
    assert shown.pixelColor(TILE_WIDTH + 1, TILE_HEIGHT + 20) == QColor("red")
    assert shown.pixelColor(20, 20) == QColor("#f4f4f0")


def test_a_picture_that_is_new_or_gone_or_of_another_size_is_told(tmp_path: Path) -> None:
    before, now = tmp_path / "before", tmp_path / "now"
    a_picture(before, "gone")
    a_picture(now, "new")
    recorded = f"{pictures_told(before)}larger 9x9 AAAA\n"
    a_picture(now, "larger")

    said = picture_differences(now, recorded, tmp_path / "left")

    assert [line.split(":")[0] for line in said] == [
        "gone is no longer drawn",
        "new was not recorded",
        "larger differs in 1 tiles, first at 0,0",
    ]


def test_the_last_bit_of_a_colour_is_no_difference(tmp_path: Path) -> None:
    picture = a_picture(tmp_path)
    recorded = fingerprint(picture)
    picture.fill(QColor("#f5f3f1"))
    assert differing(picture, recorded) == []
    picture.fill(QColor("#e4f4f0"))
    assert len(differing(picture, recorded)) == 12 * 12
    assert differing(picture.copy(QRect(0, 0, 20, 20)), recorded) == [QRect(0, 0, 20, 20)]


def test_what_a_screen_reader_found_before_is_pointed_at() -> None:
    rail = 'Client\n Tree "Places"\n  TreeItem "Memory"\n'
    told = joined({"one": rail, "two": rail.replace("Memory", "Control plane"), "three": rail})
    assert told.splitlines()[-1] == "Client ... as in one"
    assert told.count("Places") == 2
