"""Patterns of strangers: they find what they say, and none takes longer than its text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.skills.linear_pattern import MAX_PATTERN, LinearPattern


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("", ""),
        ("ab", "xaby"),
        ("^ab$", "ab"),
        ("^(?:chapter|scene) \\d+$", "scene 12"),
        ("[^a-c]+d{2,3}", "xddd"),
        ("(a|b)*c?", ""),
        ("a{3}", "aaa"),
        ("a{2,}b", "aaab"),
        ("\\.\\w\\s", ".x "),
        ("[]x]y", "]y"),
        ("a+?b", "aab"),
        (".", "\n"),
    ],
)
def test_it_finds_what_is_there(pattern: str, text: str) -> None:
    assert LinearPattern(pattern).is_in(text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("^b", "ab"), ("a$", "ab"), ("a{3}", "aab"), ("[^a]", "aa"), ("(ab){2}", "abba")],
)
def test_it_finds_nothing_else(pattern: str, text: str) -> None:
    assert not LinearPattern(pattern).is_in(text)


@pytest.mark.parametrize(
    "pattern",
    [
        "(", ")", "a)", "*", "a**", "[a", "\\", "(?=a)", "(?<!a)b", "(?P<n>a)", "(a)\\1", "\\b",
        "a{3,2}", "[z-a]", "(a{99}){99}", "x" * (MAX_PATTERN + 1), "(" * 30 + ")" * 30, "{2}",
    ],
)  # fmt: skip
def test_whatever_looks_back_or_grows_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidValueError):
        LinearPattern(pattern)


@pytest.mark.parametrize("pattern", ["(a*)*b", "(a|aa)+$", "(a+)+$", "a*a*a*a*a*b"])
def test_what_hangs_other_engines_ends(pattern: str) -> None:
    steps = 0

    class Counted(str):
        __slots__ = ()

        def __getitem__(self, place: object) -> str:
            nonlocal steps
            steps += 1
            return super().__getitem__(place)  # type: ignore[index]

    assert not LinearPattern(pattern).is_in(Counted("a" * 3_000 + "c"))
    assert steps == 3_001  # each character is looked at once


_ATOMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "\\w", "(?:ab|c)", "(?:a|b)"])
_PARTS = st.tuples(_ATOMS, st.sampled_from(["", "*", "+", "?", "{2}", "{1,2}"]))


@given(
    st.lists(_PARTS, max_size=4).map(lambda parts: "".join(map("".join, parts))),
    st.sampled_from(["", "^"]),
    st.sampled_from(["", "$"]),
    st.text("abc ", max_size=8),
)
def test_it_agrees_with_the_usual_engine(body: str, first: str, last: str, text: str) -> None:
    pattern = first + body + last
    expected = re.search(pattern, text, re.DOTALL) is not None
    assert LinearPattern(pattern).is_in(text) == expected
