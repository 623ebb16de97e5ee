"""Whatever may be stored is on show at once: no text makes the window stand still."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument, QTextOption
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.domain.text_diff import diff_lines
from inklings_desktop.ui.presenters.proposal_state import ProposalView
from inklings_desktop.ui.views.proposal_pane import ProposalPane
from inklings_desktop.ui.widgets.diff_view import DiffView
from inklings_desktop.ui.widgets.growing_text_edit import GrowingTextEdit
from inklings_desktop.ui.widgets.lazy_layout import block_at
from inklings_desktop.ui.widgets.markdown_editor import MarkdownEditor
from inklings_desktop.ui.widgets.markdown_highlighter import is_styled
from inklings_desktop.ui.widgets.markdown_preview import MarkdownPreview
from inklings_desktop.ui.widgets.marked_text import MOST_DEAR, MOST_SHOWN, MarkedText
from tests.support.stopwatch import SLOWNESS

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inklings_desktop.ui.theme import Theme

MOST = MAX_CONTENT_BYTES - 1
TEXTS = {
    "words": "The bell of Wend. " * 4_000,
    "one word": "x" * MOST,
    "markup": "<b>" * 20_000,
    "quotes": ">" * 60_000,
    "stars and backticks": "*`" * 30_000,
    "no blanks between words": "鐘" * 20_000,
    "lines": "a\n" * 30_000,
}
AT_ONCE_SECONDS = 0.1


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_of_any_shape_is_on_show_at_once(name: str, theme: Theme, qtbot: QtBot) -> None:
    text = TEXTS[name][:MOST]
    field = GrowingTextEdit(theme)
    qtbot.addWidget(field)
    field.resize(420, 300)
    field.set_room(700)
    field.show()
    QApplication.processEvents()

    began = time.process_time()
    field.set_plain_text(text)
    field.repaint()
    took = time.process_time() - began

    assert took < AT_ONCE_SECONDS * SLOWNESS
    assert field.toPlainText() == text
    assert field.textCursor().position() == 0
    assert not field.document().isUndoAvailable()
    assert field.height() == round(0.4 * 700)


@pytest.mark.parametrize(
    "text",
    [
        "x" * MOST,
        "<b>" * 20_000,
        "*`" * 30_000,
        "**a*" * 16_000,
        "[a](" * 16_000,
        "&amp;" * 13_000,
        "\n" * MOST,
        "a\r" * 32_000,
        "# a\n" * 16_000,
    ],
    ids=[
        "one word",
        "markup",
        "stars and backticks",
        "emphasis",
        "links",
        "signs",
        "empty lines",
        "lines of another system",
        "headings",
    ],
)
def test_an_entry_of_any_shape_is_on_show_at_once(text: str, theme: Theme, qtbot: QtBot) -> None:
    editor, preview = MarkdownEditor(theme), MarkdownPreview(theme)
    for one in (editor, preview):
        qtbot.addWidget(one)
        one.resize(560, 700)
        one.show()
    QApplication.processEvents()

    began = time.process_time()
    editor.set_text(text)
    editor.repaint()
    set_at = time.process_time()
    preview.show_markdown(text)
    preview.repaint()

    assert set_at - began < AT_ONCE_SECONDS * SLOWNESS
    assert time.process_time() - set_at < AT_ONCE_SECONDS * SLOWNESS
    assert editor.text() == text


@pytest.mark.parametrize("kind", [GrowingTextEdit, MarkdownEditor])
def test_a_key_before_all_is_laid_out_leaves_nothing_blank(
    kind: type[GrowingTextEdit | MarkdownEditor], theme: Theme, qtbot: QtBot
) -> None:
    field = kind(theme)
    qtbot.addWidget(field)
    field.resize(420, 300)
    field.show()
    if isinstance(field, GrowingTextEdit):
        field.set_plain_text(TEXTS["lines"])
    else:
        field.set_text(TEXTS["lines"])
    field.repaint()
    document = field.document()
    assert not document.lastBlock().layout().lineCount()

    QTest.keyClick(field, Qt.Key.Key_X)

    assert not document.lastBlock().layout().lineCount()
    qtbot.waitUntil(
        lambda: all(
            document.findBlockByNumber(number).layout().lineCount()
            for number in range(0, document.blockCount(), 100)
        )
    )


def test_the_line_at_any_height_is_found() -> None:
    document = QTextDocument("\n".join(f"Line {number}." for number in range(300)))
    layout = document.documentLayout()

    for number in (0, 1, 2, 3, 63, 64, 65, 298, 299):
        top = layout.blockBoundingRect(document.findBlockByNumber(number)).top()
        assert block_at(document, top + 1).blockNumber() == number
    assert block_at(document, -5).blockNumber() == 0
    assert block_at(document, 1e6).blockNumber() == 299


@pytest.mark.parametrize("mark", ["\U000e0041", "\u202e", "\u200b"])
def test_a_difference_full_of_hidden_characters_is_on_show_at_once(
    mark: str, theme: Theme, qtbot: QtBot
) -> None:
    diff = diff_lines("", mark * 16_000)
    view = DiffView(theme)
    qtbot.addWidget(view)
    view.resize(560, 700)
    view.show()
    QApplication.processEvents()

    began = time.process_time()
    view.show_diff(diff)
    view.repaint()

    assert time.process_time() - began < AT_ONCE_SECONDS * SLOWNESS


@pytest.mark.parametrize("letters", ["a\u202e", "\U000e0041b", "a\n"])
def test_of_a_marked_text_that_is_slow_to_lay_out_less_is_shown(
    letters: str, theme: Theme, qtbot: QtBot
) -> None:
    text = MarkedText(theme)
    qtbot.addWidget(text)

    text.show_text(letters * 10_000)
    assert text.text().count(letters[0] if letters[0] == "a" else "b") < MOST_DEAR + 10
    text.show_text("bell " * 10_000)
    assert text.text().count("bell") == MOST_SHOWN // 5


def test_a_memory_that_an_agent_would_forget_is_shown_to_its_end(
    theme: Theme, qtbot: QtBot
) -> None:
    pane = ProposalPane(theme)
    qtbot.addWidget(pane)
    pane.resize(800, 700)
    pane.show()
    QApplication.processEvents()

    began = time.process_time()
    pane.show_view(ProposalView(text=TEXTS["lines"] + "end\u202e"))
    pane.repaint()

    assert time.process_time() - began < AT_ONCE_SECONDS * SLOWNESS
    field = pane.findChild(QPlainTextEdit, "proposalText")
    assert isinstance(field, QPlainTextEdit)
    assert field.isReadOnly()
    assert field.toPlainText().endswith("a\nend\u2039U+202E\u203a")


def test_a_long_entry_of_ordinary_prose_is_styled_and_one_all_of_marks_is_not() -> None:
    assert is_styled("The bell of *Wend* is never rung at **noon**.\n" * 700)
    assert not is_styled("*`" * 30_000)
    assert not is_styled("a\n" * 30_000)


def test_lines_break_at_words_again_in_the_next_text(theme: Theme, qtbot: QtBot) -> None:
    field = GrowingTextEdit(theme)
    qtbot.addWidget(field)

    field.set_plain_text(TEXTS["one word"][:MOST])
    assert field.wordWrapMode() is QTextOption.WrapMode.WrapAnywhere
    field.set_plain_text("The bell of Wend is never rung at noon.")
    assert field.wordWrapMode() is QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
