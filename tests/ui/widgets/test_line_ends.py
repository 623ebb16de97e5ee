from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication

from inklings_desktop.ui.markdown.editor import LineEnds

anything = st.text(
    st.one_of(
        st.sampled_from("ab\n\r\u2028\u2029\ufdd0\ufdd1\ufffc\ufeff\ufffe\u00a0\x00\U0001f600"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=40,
)
written = st.lists(st.sampled_from(["a", "bc", "\n", "\r\n", "\r"]), max_size=10).map("".join)


@dataclass(frozen=True)
class Edit:
    """A stretch, which begins at a share of the text's length, gives way to other words."""

    start: float
    length: int
    text: str


edits = st.lists(
    st.builds(Edit, st.floats(0, 1), st.integers(0, 4), st.sampled_from(["", "x", "yz"])),
    max_size=6,
)


def loaded(text: str) -> tuple[QTextDocument, LineEnds]:
    document = QTextDocument()
    ends = LineEnds(document)
    ends.load(text, QTextBlockFormat())
    return document, ends


def select(document: QTextDocument, start: int, stop: int) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
    return cursor


@given(anything)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_text_comes_back_as_it_was_set(qapp: QApplication, text: str) -> None:
    document, ends = loaded(text)
    assert ends.text() == text
    assert not document.isModified()
    assert not document.isUndoAvailable()


@given(written, edits)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_line_ends_survive_edits_around_them_and_the_way_back(
    qapp: QApplication, text: str, done: list[Edit]
) -> None:
    document, ends = loaded(text)
    # One character per line end, so that places match the document's.
    expected = text.replace("\r\n", "\u2029").replace("\r", "\u2028")
    for edit in done:
        start = int(edit.start * len(expected))
        stop = min(len(expected), start + edit.length)
        select(document, start, stop).insertText(edit.text)
        expected = expected[:start] + edit.text + expected[stop:]
        assert ends.text() == expected.replace("\u2029", "\r\n").replace("\u2028", "\r")
    after = ends.text()
    while document.isUndoAvailable():
        document.undo()
    assert ends.text() == text
    while document.isRedoAvailable():
        document.redo()
    assert ends.text() == after


@given(written, edits)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_edits_after_a_step_back_are_told_apart_from_steps(
    qapp: QApplication, text: str, done: list[Edit]
) -> None:
    document, ends = loaded(text)
    for edit in done:
        end = document.characterCount() - 1
        start = int(edit.start * end)
        select(document, start, min(end, start + edit.length)).insertText(edit.text)
        select(document, 0, 0).insertText("\n")
        before = ends.text()
        document.undo()
        document.redo()
        assert ends.text() == before
        document.undo()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_new_line_ends_like_the_others(end: str, qapp: QApplication) -> None:
    document, ends = loaded(f"one{end}two{end}")
    cursor = QTextCursor(document)
    cursor.setPosition(3)
    cursor.insertBlock()
    assert ends.text() == f"one{end}{end}two{end}"


def test_deleting_a_line_leaves_the_break_above_it_alone(qapp: QApplication) -> None:
    document, ends = loaded("one\rtwo\r\nthree\n")
    select(document, 4, 8).removeSelectedText()
    assert ends.text() == "one\rthree\n"
    document.undo()
    assert ends.text() == "one\rtwo\r\nthree\n"
    document.redo()
    assert ends.text() == "one\rthree\n"


def test_another_text_forgets_the_breaks_of_the_one_before(qapp: QApplication) -> None:
    _, ends = loaded("one\rtwo\r\nthree\n")
    ends.load("plain\nlines\n", QTextBlockFormat())
    assert ends.text() == "plain\nlines\n"
