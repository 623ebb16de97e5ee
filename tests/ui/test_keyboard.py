"""The keyboard map in the real window: every row of it is pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ui import keyboard_memory, keyboard_pages, keyboard_talk, keyboard_window
from tests.ui.keyboard_hands import press_row

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.keyboard_hands import MapRow

pytestmark = pytest.mark.usefixtures("qapp")

MAP = (*keyboard_window.MAP, *keyboard_memory.MAP, *keyboard_pages.MAP, *keyboard_talk.MAP)


@pytest.mark.parametrize("row", MAP, ids=lambda row: f"{row.keys} ({row.where})")
def test_the_keys_do_what_the_map_says(tmp_path: Path, row: MapRow) -> None:
    press_row(row, tmp_path)
