"""What was searched for is marked in the memory that is open, however long it is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.ui.markdown.writing_text_edit import Layer
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

LONG = "\U0001f30a The sea keeps its own counsel. " * 300 + "Here stands the harbour glass."


def long_and_short(bench: Bench) -> None:
    bench.put("A glass of the harbour, and more glasses.")
    bench.put(LONG)


def marked(bench: WindowBench) -> list[str]:
    """The words that are marked in the inspector."""
    marks = bench.window.inspector.editor.marks
    return [one.selectedText() for one in marks.cursors(Layer.SOUGHT)]


async def searched(bench: WindowBench, text: str, n_found: int) -> None:
    await bench.until(lambda: len(bench.texts()) > 0)
    bench.window.page.header.search.set_text(text)
    await bench.until(lambda: len(bench.texts()) == n_found)
    QTest.keyClick(bench.window.page.header.search.edit, Qt.Key.Key_Down)


@scene(drive, long_and_short)
async def test_the_words_are_marked_and_the_first_is_in_view(bench: WindowBench, /) -> None:
    await searched(bench, "stands", 1)
    await bench.until(lambda: marked(bench) == ["stands"])
    editor = bench.window.inspector.editor
    (first,) = editor.marks.cursors(Layer.SOUGHT)
    assert editor.viewport().rect().contains(editor.cursorRect(first))
    assert editor.textCursor().position() == 0, "the caret is the author's"


@scene(drive, long_and_short)
async def test_other_words_and_no_search_mark_something_else(bench: WindowBench, /) -> None:
    await searched(bench, "more glass", 2)
    await bench.until(lambda: "glasses" in marked(bench) or "glass" in marked(bench))
    bench.window.page.theme.set_text_scale(1.1)
    await bench.until(lambda: "glass" in marked(bench))
    bench.window.page.header.search.clear()
    await bench.until(lambda: marked(bench) == [])


@scene(drive, long_and_short)
async def test_marks_move_with_what_is_typed_before_them(bench: WindowBench, /) -> None:
    await searched(bench, "stands", 1)
    await bench.until(lambda: marked(bench) == ["stands"])
    editor = bench.window.inspector.editor
    editor.setFocus()
    QTest.keyClicks(editor, "New words. ")
    assert marked(bench) == ["stands"]
