from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.words.text_diff import RowKind, diff_lines

lines = st.sampled_from(["", "glass", "the sea", "the old sea", "- *item*", "\u2028", "\U0001f600"])
ends = st.sampled_from(["\n", "\r\n", "\r"])
written = st.lists(st.tuples(lines, ends).map("".join), max_size=12).map("".join)
texts = st.one_of(written, st.text(max_size=60), st.builds(str.__add__, written, lines))


@given(texts, texts)
def test_either_text_can_be_read_off_the_rows(old: str, new: str) -> None:
    rows = diff_lines(old, new).rows
    assert "".join(row.text + row.end for row in rows if row.kind is not RowKind.ADDED) == old
    assert "".join(row.text + row.end for row in rows if row.kind is not RowKind.REMOVED) == new


@given(texts)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert not diff_lines(text, text).has_changes


@given(texts, texts)
def test_texts_that_differ_have_changes(old: str, new: str) -> None:
    assert diff_lines(old, new).has_changes == (old != new)


@given(texts, texts)
def test_lines_are_numbered_without_gaps_on_both_sides(old: str, new: str) -> None:
    rows = diff_lines(old, new).rows
    for numbers in (
        [row.old_number for row in rows if row.old_number is not None],
        [row.new_number for row in rows if row.new_number is not None],
    ):
        assert numbers == list(range(1, len(numbers) + 1))


@given(texts, texts)
def test_marks_lie_inside_their_line_and_apart_from_each_other(old: str, new: str) -> None:
    for row in diff_lines(old, new).rows:
        reached = 0
        for start, length in row.changed:
            assert start >= reached
            assert length > 0
            reached = start + length
        assert reached <= len(row.text)


@given(texts, texts)
def test_counts_are_those_of_the_rows(old: str, new: str) -> None:
    diff = diff_lines(old, new)
    assert diff.n_added == sum(row.kind is RowKind.ADDED for row in diff.rows)
    assert diff.n_removed == sum(row.kind is RowKind.REMOVED for row in diff.rows)
    changed = {number for number, row in enumerate(diff.rows) if row.kind is not RowKind.SAME}
    assert changed == {number for run in diff.changes() for number in range(*run)}
