from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.domain.merging import Difference, differences, merged_text


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("She ruled for five years.", "She ruled for six years.", [Difference.NUMBERS]),
        ("The toll is 5 marks", "The toll is 7 marks", [Difference.NUMBERS]),
        ("The toll is 5 marks", "The toll is five marks", []),
        ("Built in 1,200 days", "Built in 1200 days", []),
        ("The third gate", "The fourth gate", [Difference.NUMBERS]),
        ("The gate at dawn", "The gate at dusk", [Difference.DATES]),
        ("They met on Monday", "They met on Friday", [Difference.DATES]),
        ("She trusts the Provost", "She does not trust the Provost", [Difference.NEGATION]),
        ("She can't swim", "She can swim", [Difference.NEGATION]),
        ("She can\u2019t swim", "She can't swim", []),
        ("Nerys turns left", "Nerys turns right", [Difference.OPPOSITES]),
        ("His brother waits", "His sister waits", [Difference.OPPOSITES]),
        ("Orsa betrayed Nerys", "Nerys betrayed Orsa", [Difference.ORDER]),
        ("The sea frightens her", "The sea is what frightens her", []),
        ("龍は五歳", "龍は五歳", []),
    ],
)
def test_what_may_be_a_contradiction_is_named(
    one: str, other: str, expected: list[Difference]
) -> None:
    found = differences(one, other)
    for difference in expected:
        assert difference in found
    if not expected:
        assert found == ()
    assert differences(other, one) == differences(one, other)


@given(st.text(max_size=80))
def test_a_text_never_contradicts_itself(text: str) -> None:
    assert differences(text, text) == ()


def test_the_best_text_stays_whole_and_the_others_add_what_is_new() -> None:
    merged = merged_text(
        [
            "The queen fears the sea.",
            "The queen fears the sea. She tells nobody.",
            "The sea: the queen fears it.",
        ]
    )
    assert merged == "The queen fears the sea. She tells nobody."


@pytest.mark.parametrize(
    ("best", "other", "expected"),
    [
        (
            "Each harbour smells of tar, rope and old salt before you see a gull or a wall.",
            "Each harbour smells of tar, rope and old salt before you see a gull, mast or wall.",
            "\u2026 see a gull, mast or wall.",
        ),
        (
            "The Provost of Wend Gate keeps the toll book under lock at night.",
            "The old Provost of Wend Gate keeps the toll book under lock and seal at night.",
            "The old Provost of \u2026 under lock and seal at night.",
        ),
        (
            "Nerys reads the maps of the guild at noon in the tower.",
            "Nerys reads the maps of the guild at noon in the tower beside Orsa.",
            "\u2026 in the tower beside Orsa.",
        ),
        ("The queen fears the sea.", "The queen fears the gull.", "The queen fears the gull."),
    ],
)
def test_of_a_near_copy_only_what_it_adds_is_appended(best: str, other: str, expected: str) -> None:
    merged = merged_text([best, other])
    assert merged == f"{best} {expected}"
    assert merged_text([merged, best, other]) == merged
    assert merged_text([best, other, other]) == merged


def test_copies_add_nothing() -> None:
    assert merged_text(["A grey cat.", "A grey cat.", "a  GREY cat"]) == "A grey cat."


def test_lines_stay_lines() -> None:
    assert merged_text(["One gate.\nTwo keys.", "Three locks."]) == (
        "One gate.\nTwo keys.\nThree locks."
    )


def test_what_no_longer_fits_is_left_out() -> None:
    long = "tide " * (MAX_CONTENT_BYTES // 5)
    assert merged_text([long, "A wholly different harbour."]) == long


@given(st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=5))
def test_a_merged_text_begins_with_the_best_one_and_says_it_again_unchanged(
    texts: list[str],
) -> None:
    merged = merged_text(texts)
    assert merged.startswith(texts[0].rstrip())
    assert merged_text([merged, *texts]) == merged
