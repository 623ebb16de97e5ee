from __future__ import annotations

import pytest

from inklings_desktop.ui.kit.lists.memory_row_layout import CurveNumbers
from inklings_desktop.ui.kit.look.text_layout import reads_right_to_left


@pytest.mark.parametrize(
    ("text", "rtl"),
    [
        ("The tide", False),
        ("הגאות", True),
        ("المدّ", True),
        ("12, “הגאות”", True),
        ("Stitched: المدّ", False),
        ("123 !?", False),
        ("", False),
    ],
)
def test_direction_is_that_of_the_first_strong_character(text: str, *, rtl: bool) -> None:
    assert reads_right_to_left(text) is rtl


def test_a_rate_of_one_is_a_level_curve() -> None:
    assert CurveNumbers(3.0, 0.5, 1.0).level
    assert not CurveNumbers(3.0, 0.5, 0.999).level
