from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.ui.markdown.formatting import (
    FormatEdit,
    MarkdownFormat,
    format_edit,
)

HEADING, STRONG, EMPHASIS = MarkdownFormat.HEADING, MarkdownFormat.STRONG, MarkdownFormat.EMPHASIS
QUOTE, BULLETS, NUMBERS = MarkdownFormat.QUOTE, MarkdownFormat.BULLETS, MarkdownFormat.NUMBERS
LINK, CODE = MarkdownFormat.LINK, MarkdownFormat.CODE


def applied(text: str, edit: FormatEdit) -> str:
    for change in reversed(edit.changes):
        text = text[: change.start] + change.text + text[change.stop :]
    return text


def formatted(marked: str, kind: MarkdownFormat) -> str:
    """What an action makes of a text whose selection, or caret, is between bars."""
    start = marked.index("|")
    stop = marked.rindex("|")
    text = marked.replace("|", "")
    edit = format_edit(text, start, stop - 1 if stop > start else start, kind)
    text = applied(text, edit)
    if edit.select_from == edit.select_to:
        return f"{text[: edit.select_from]}|{text[edit.select_from :]}"
    inside = text[edit.select_from : edit.select_to]
    return f"{text[: edit.select_from]}|{inside}|{text[edit.select_to :]}"


@pytest.mark.parametrize(
    ("before", "kind", "after"),
    [
        ("a |word| b", STRONG, "a **|word|** b"),
        ("a **|word|** b", STRONG, "a |word| b"),
        ("a |**word**| b", STRONG, "a |word| b"),
        ("a wo|rd b", STRONG, "a **wo|rd** b"),
        ("a **wo|rd** b", STRONG, "a wo|rd b"),
        ("a |word| b", EMPHASIS, "a *|word|* b"),
        ("a **|word|** b", EMPHASIS, "a ***|word|*** b"),
        ("a ***|word|*** b", STRONG, "a *|word|* b"),
        ("a ***|word|*** b", EMPHASIS, "a **|word|** b"),
        ("a | b", STRONG, "a **|** b"),
        ("a **|** b", STRONG, "a | b"),
        ("a |word | b", EMPHASIS, "a |*word* | b"),
        ("|- one\n- two|", STRONG, "|- **one**\n- **two**|"),
        ("a |word| b", CODE, "a `|word|` b"),
        ("a `|word|` b", CODE, "a |word| b"),
    ],
)
def test_inline_marks_go_around_words_and_away_again(
    before: str, kind: MarkdownFormat, after: str
) -> None:
    assert formatted(before, kind) == after


@pytest.mark.parametrize(
    ("before", "kind", "after"),
    [
        ("Ti|tle", HEADING, "# Ti|tle"),
        ("# Ti|tle", HEADING, "## Ti|tle"),
        ("### Ti|tle", HEADING, "Ti|tle"),
        ("a\n|", HEADING, "a\n# |"),
        ("sa|id", QUOTE, "> sa|id"),
        ("> sa|id", QUOTE, "sa|id"),
        ("one\n\ntw|o", BULLETS, "one\n\n- tw|o"),
        ("  - tw|o", BULLETS, "  tw|o"),
        ("- tw|o", NUMBERS, "1. tw|o"),
    ],
)
def test_a_line_takes_a_mark_and_loses_it(before: str, kind: MarkdownFormat, after: str) -> None:
    assert formatted(before, kind) == after


def test_every_line_of_a_selection_is_marked_and_numbers_count() -> None:
    text = "one\n\ntwo\nthree\nafter"
    edit = format_edit(text, 1, text.index("after"), NUMBERS)
    numbered = applied(text, edit)
    assert numbered == "1. one\n\n2. two\n3. three\nafter"
    assert applied(numbered, format_edit(numbered, 1, numbered.index("after"), NUMBERS)) == text
    quoted = applied(text, format_edit(text, 0, 10, QUOTE))
    assert quoted == "> one\n>\n> two\n> three\nafter"
    assert applied(quoted, format_edit(quoted, 0, quoted.index("after"), QUOTE)) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("see |this| there", "see [this](|) there"),
        ("see | there", "see [|]() there"),
        ("see |https://a.example| there", "see [|](https://a.example) there"),
        ("see [th|is](https://a.example) there", "see th|is there"),
    ],
)
def test_a_link_is_made_and_unmade(before: str, after: str) -> None:
    assert formatted(before, LINK) == after


def test_several_lines_of_code_are_fenced_and_freed() -> None:
    text = "before\none\ntwo\nafter"
    edit = format_edit(text, 8, 13, CODE)
    fenced = applied(text, edit)
    assert fenced == "before\n```\none\ntwo\n```\nafter"
    back = format_edit(fenced, edit.select_from, edit.select_to, CODE)
    assert applied(fenced, back) == text


@given(
    st.text(alphabet="ab *_`#->1.[]()\n\U0001f600", max_size=30),
    st.integers(0, 30),
    st.integers(0, 30),
    st.sampled_from(MarkdownFormat),
)
def test_changes_are_in_order_and_the_selection_lies_in_the_text(
    text: str, start: int, length: int, kind: MarkdownFormat
) -> None:
    start = min(start, len(text))
    stop = min(start + length, len(text))
    edit = format_edit(text, start, stop, kind)
    reached = 0
    for change in edit.changes:
        assert reached <= change.start <= change.stop <= len(text)
        reached = change.stop
    assert 0 <= edit.select_from <= edit.select_to <= len(applied(text, edit))


@given(
    st.text(alphabet="ab .\n", max_size=30),
    st.integers(0, 30),
    st.integers(1, 30),
    st.sampled_from([STRONG, EMPHASIS, QUOTE, BULLETS, NUMBERS]),
)
def test_an_action_takes_itself_back(
    text: str, start: int, length: int, kind: MarkdownFormat
) -> None:
    start = min(start, len(text))
    stop = min(start + length, len(text))
    if not text[start:stop].strip():
        return
    edit = format_edit(text, start, stop, kind)
    marked = applied(text, edit)
    back = format_edit(marked, edit.select_from, edit.select_to, kind)
    assert applied(marked, back) == text
