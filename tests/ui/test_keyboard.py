"""The keyboard map in the real window: every row of it is pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ui import (
    keyboard_knowledge,
    keyboard_memory,
    keyboard_pages,
    keyboard_talk,
    keyboard_window,
    keyboard_world,
)
from tests.ui.keyboard_hands import press_rows, together

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.keyboard_hands import MapRow

pytestmark = pytest.mark.usefixtures("qapp")


PARTS = (
    *(keyboard_window.MAP, keyboard_memory.MAP, keyboard_pages.MAP),
    *(keyboard_world.MAP, keyboard_knowledge.MAP, keyboard_talk.MAP),
)
MAP = tuple(row for part in PARTS for row in part)


@pytest.mark.parametrize(
    "rows",
    [rows for part in PARTS for rows in together(part)],
    ids=lambda rows: ", ".join(map(str, rows)),
)
def test_the_keys_do_what_the_map_says(tmp_path: Path, rows: tuple[MapRow, ...]) -> None:
    assert press_rows(rows, tmp_path) == len(rows)
