"""Which names a few typed letters mean, and which come first."""

from __future__ import annotations

import pytest

from inklings_desktop.ui.window.palette.rows import likeness

NAMES = (
    "New memory",
    "New named entry\u2026",
    "Next memory",
    "Named entries",
    "court-of-tides",
    "drafting-desk",
    "Theme: Dark",
    "Keyboard",
    "Save this filter\u2026",
    "Saved filters\u2026",
)


def named_by(typed: str) -> list[str]:
    found = [(how.score, name) for name in NAMES if (how := likeness(typed, name)) is not None]
    return [name for _, name in sorted(found, key=lambda one: -one[0])]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("nm", "New memory"),
        ("new mem", "New memory"),
        ("nne", "New named entry\u2026"),
        ("tide", "court-of-tides"),
        ("dark", "Theme: Dark"),
        ("KEYB", "Keyboard"),
        ("saved", "Saved filters\u2026"),
        ("stf", "Save this filter\u2026"),
        ("dd", "drafting-desk"),
        ("kybrd", "Keyboard"),
        ("dark theme", "Theme: Dark"),
        ("entry new", "New named entry\u2026"),
    ],
)
def test_what_is_meant_comes_first(typed: str, first: str) -> None:
    assert named_by(typed)[0] == first


@pytest.mark.parametrize("typed", ["xyz", "edirc", "nmx", "tz", "memory new zz"])
def test_scattered_letters_name_nothing(typed: str) -> None:
    assert named_by(typed) == []


def test_letters_here_and_there_in_a_long_name_are_no_match() -> None:
    assert likeness("canary", "Channel: consolidated after minutes without you") is None


def test_a_name_in_the_middle_of_words_needs_its_letters_together() -> None:
    assert likeness("tide", "drafting-desk") is None
    found = likeness("ides", "court-of-tides")
    assert found is not None
    assert found.spans == ((10, 4),)


def test_the_marks_stand_under_the_letters_that_were_found() -> None:
    found = likeness("nmem", "New memory")
    assert found is not None
    assert found.spans == ((0, 1), (4, 3))


def test_nothing_typed_names_everything() -> None:
    assert named_by("  ") == list(NAMES)


def test_long_nonsense_is_answered_at_once() -> None:
    assert likeness("n" * 10_000, "n" * 200) is not None
    assert likeness("nm" * 5_000, "nm" * 100 + "x") is not None
