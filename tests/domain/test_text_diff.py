from __future__ import annotations

import random
from itertools import islice

import pytest

from inklings_desktop.domain.words.text_diff import RowKind, TextDiff, diff_lines
from tests.support.stopwatch import SLOWNESS, Stopwatch

OLD = """# How this book sounds

Near enough to hear Nerys breathe. Short sentences.

## Keep
- Smell before sight.
- The old agreement.
"""

NEW = """# How this book sounds

Near enough to hear Nerys breathe. Sentences may be long.

## Keep
- Smell before sight.
- The old agreement.
- Weather arrives late.
"""

WORDS = ["the", "sea", "does", "not", "want", "anything", "near", "old", "agreement", "bell"]


def picture(diff: TextDiff) -> list[str]:
    """Sign, both line numbers and the line with its changed words in brackets."""
    signs = {RowKind.SAME: " ", RowKind.REMOVED: "-", RowKind.ADDED: "+"}
    lines = []
    for row in diff.rows:
        text = row.text
        for start, length in reversed(row.changed):
            text = f"{text[:start]}[{text[start : start + length]}]{text[start + length :]}"
        numbers = f"{row.old_number or '.'}{row.new_number or '.'}"
        lines.append(f"{signs[row.kind]}{numbers} {text}".rstrip())
    return lines


def changed_lines(diff: TextDiff) -> list[str]:
    return [line for line in picture(diff) if not line.startswith(" ")]


def prose(n_characters: int, seed: int) -> str:
    source = random.Random(seed)  # noqa: S311  words of a test
    lines = (
        " ".join(source.choices(WORDS, k=source.choice([0, 6, 30, 80])))
        for _ in range(n_characters)
    )
    kept = []
    size = 0
    for line in lines:
        kept.append(line)
        size += len(line) + 1
        if size >= n_characters:
            break
    return "\n".join(kept)


def test_a_rewritten_line_stands_removed_above_added_with_its_new_words_marked() -> None:
    diff = diff_lines(OLD, NEW)
    assert picture(diff) == [
        " 11 # How this book sounds",
        " 22",
        "-3. Near enough to hear Nerys breathe. [Short sentences].",
        "+.3 Near enough to hear Nerys breathe. [Sentences may be long].",
        " 44",
        " 55 ## Keep",
        " 66 - Smell before sight.",
        " 77 - The old agreement.",
        "+.8 - Weather arrives late.",
    ]
    assert (diff.n_added, diff.n_removed) == (2, 1)
    assert diff.changes() == ((2, 4), (8, 9))


def test_identical_texts_have_no_changes() -> None:
    diff = diff_lines(NEW, NEW)
    assert not diff.has_changes
    assert diff.changes() == ()
    assert {row.kind for row in diff.rows} == {RowKind.SAME}


@pytest.mark.parametrize(
    ("old", "new", "ends"),
    [
        ("one\n", "one", ["\n", ""]),
        ("one\r\n", "one\n", ["\r\n", "\n"]),
        ("one\rtwo", "one\ntwo", ["\r", "\n"]),
    ],
)
def test_a_line_end_that_changed_is_said_so(old: str, new: str, ends: list[str]) -> None:
    changed = [row for row in diff_lines(old, new).rows if row.kind is not RowKind.SAME]
    assert [row.end for row in changed] == ends
    assert all(row.end_changed for row in changed)


def test_line_ends_that_stayed_are_not_marked() -> None:
    diff = diff_lines("one\r\ntwo\r\n", "one\r\nthree\r\n")
    assert not any(row.end_changed for row in diff.rows)


def test_lines_without_a_word_in_common_are_not_paired() -> None:
    assert changed_lines(diff_lines("glass harbour\n", "nine years later\n")) == [
        "-1. glass harbour",
        "+.1 nine years later",
    ]


def test_in_a_passage_of_unequal_length_each_line_finds_its_own() -> None:
    old = "the sea does not want anything\nevery custom costs somebody something\n"
    new = "an opening line of its own\nevery custom costs somebody a coin\n"
    assert changed_lines(diff_lines(old, "first of all\n" + new)) == [
        "-1. the sea does not want anything",
        "+.1 first of all",
        "+.2 an opening line of its own",
        "-2. every custom costs somebody [something]",
        "+.3 every custom costs somebody [a coin]",
    ]


def test_scripts_without_spaces_are_compared_by_character() -> None:
    old, new = diff_lines("ゆっくりなら読めます", "ゆっくりなら読めません").rows
    assert [old.text[start : start + length] for start, length in old.changed] == ["す"]
    assert [new.text[start : start + length] for start, length in new.changed] == ["せん"]


def test_two_prose_texts_of_sixty_thousand_characters_are_compared_in_a_moment() -> None:
    old = prose(60_000, seed=1)
    lines = old.split("\n")
    for number in islice(range(len(lines)), 0, None, 3):
        lines[number] = lines[number].replace("sea", "lake", 1) + " of late"
    watch = Stopwatch()
    diff = diff_lines(old, "\n".join(lines))
    assert watch.seconds < 0.6 * SLOWNESS
    assert diff.n_added == diff.n_removed == len(lines[::3])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a\nb\n" * 15_000, "b\na\na\n" * 10_000),
        ("\n" * 60_000, "\n" * 59_000 + "x"),
        ("a" * 60_000, "b" * 60_000),
        (".a" * 30_000, ",a" * 30_000),
        ("\n".join(map(str, range(11_000))), "\n".join(map(str, reversed(range(11_000))))),
    ],
    ids=["two lines only", "blank lines", "one word", "punctuation", "turned around"],
)
def test_no_text_makes_the_comparison_slow(old: str, new: str) -> None:
    watch = Stopwatch()
    diff = diff_lines(old, new)
    assert watch.seconds < 3 * SLOWNESS
    assert "".join(r.text + r.end for r in diff.rows if r.kind is not RowKind.REMOVED) == new


@pytest.mark.parametrize(("old", "new"), [("One.", "Other text"), ("", "One."), ("One.", "")])
def test_a_line_end_that_both_texts_lack_is_not_spoken_of(old: str, new: str) -> None:
    assert not any(row.end_changed for row in diff_lines(old, new).rows)


def test_a_line_end_that_only_one_text_lacks_is_spoken_of() -> None:
    rows = diff_lines("One.", "Other text\n").rows
    assert [row.end_changed for row in rows if not row.end] == [True]
