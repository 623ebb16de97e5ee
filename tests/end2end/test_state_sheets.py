"""The evidence holds together: designs, states, the page about them and the sheets it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage

from tests.end2end.state_sheets import BARE_WIDTH, MOST_BYTES, WIDTH, make_sheets
from tests.end2end.state_table import DESIGN_OF, N_PICTURES, VOID, matched
from tests.end2end.state_tours import states
from tests.support.processes import REPOSITORY

pytestmark = pytest.mark.usefixtures("qapp")
PAGE = REPOSITORY / "docs" / "states.md"
SHEET = re.compile(r"\((states/[\w.-]+)\)")
SECTION = re.compile(r"^#+ .*\(`([\w-]+)`\)$", re.MULTILINE)


def a_picture(path: Path, size: QSize, colour: str) -> None:
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    assert image.save(str(path))


def test_every_design_picture_is_held_against_a_state_or_says_why_not(tmp_path: Path) -> None:
    assert len(matched() | set(VOID)) == N_PICTURES
    assert not matched() & set(VOID)
    assert all(VOID.values())
    assert set(DESIGN_OF) <= set(states(tmp_path))


def test_no_state_is_drawn_twice(tmp_path: Path) -> None:
    drawn = states(tmp_path)
    assert len(drawn) == len(set(drawn))


def test_the_page_tells_of_every_state_and_every_design_picture(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    told = SECTION.findall(page)
    assert sorted(told) == sorted(states(tmp_path))
    assert [name for name in matched() | set(VOID) if f"`{name}`" not in page] == []


def test_the_page_shows_a_sheet_of_every_state_and_all_are_small(tmp_path: Path) -> None:
    shown = [PAGE.parent / name for name in SHEET.findall(PAGE.read_text(encoding="utf-8"))]
    assert sorted(path.stem for path in shown) == sorted(states(tmp_path))
    assert [path.name for path in shown if not path.is_file()] == []
    assert sum(path.stat().st_size for path in shown) <= MOST_BYTES


def test_a_sheet_lays_design_light_and_dark_side_by_side(tmp_path: Path) -> None:
    tour, design = tmp_path / "tour", tmp_path / "design"
    tour.mkdir()
    design.mkdir()
    a_picture(tour / "06-orientation-preview-light.png", QSize(1440, 900), "#ffffff")
    a_picture(tour / "06-orientation-preview-dark.png", QSize(1440, 900), "#101418")
    a_picture(design / "06-orientation-preview.png", QSize(1440, 900), "#c03020")
    a_picture(tour / "account-light.png", QSize(1024, 700), "#ffffff")
    a_picture(tour / "account-dark.png", QSize(1024, 700), "#101418")

    both = make_sheets(tour, design, tmp_path / "sheets")

    preview, account = (QImage(str(path)) for path in sorted(both))
    assert (preview.width() // WIDTH, account.width() // BARE_WIDTH) == (3, 2)
    tones = [preview.pixelColor(WIDTH * n + WIDTH // 2, 200) for n in range(3)]
    assert tones[0].red() > 2 * tones[0].blue()
    assert tones[1].lightness() > 240
    assert tones[2].lightness() < 40


def test_a_state_whose_design_is_missing_makes_no_sheet(tmp_path: Path) -> None:
    tour = tmp_path / "tour"
    tour.mkdir()
    for scheme in ("light", "dark"):
        a_picture(tour / f"03a-scrub-scope-{scheme}.png", QSize(1440, 900), "#ffffff")
    with pytest.raises(FileNotFoundError, match="03a-scrub-scope"):
        make_sheets(tour, tmp_path, tmp_path / "sheets")
