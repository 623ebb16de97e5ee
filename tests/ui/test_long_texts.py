"""Whatever may be stored is on show at once: no text makes the window stand still."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument, QTextOption
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.entries.named_entry import MAX_BODY_BYTES
from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.consolidation.review_rows import GroupPane
from inklings_desktop.ui.consolidation.review_state import ItemKind, ReviewItem
from inklings_desktop.ui.inbox.deciding import ProposalView
from inklings_desktop.ui.inbox.view import proposal_pane
from inklings_desktop.ui.kit.look.layouts import vbox
from inklings_desktop.ui.kit.look.text_layout import block_at, head_length
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.labels import ElidedLabel
from inklings_desktop.ui.kit.page.declared import Place
from inklings_desktop.ui.kit.panes.memory_card import MOST_SHOWN, MarkedText
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.markdown.editor import MarkdownEditor
from inklings_desktop.ui.markdown.highlighter import is_styled
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit
from inklings_desktop.ui.markdown.preview import MarkdownPreview
from inklings_desktop.ui.markdown.writing_text_edit import GrowingTextEdit
from inklings_desktop.ui.memory.inspector.panes import JsonWell
from tests.support.builders import NOON, a_memory
from tests.support.stopwatch import SLOWNESS
from tests.support.wide import mostly_wide

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

UNITS = (
    "a\u05d0",
    "a\n",
    "\u00a0",
    "a\u202e",
    "\n",
    "a\u03b1",
    "x",
    "a\u2028",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a\u05d0" * 500 + "\n",
    "<b>",
    "*`",
    "\u2028",
    ">",
    "a\u0301",
    "鐘",
    "\ue000",
    "\u0628",
    "bell \u05e9\u05dc ",
    "a\u2029",
    "a\u0e01\u0e34",
    "\t",
    "\r\n",
    "The bell of Wend. ",
)
"""A text is one of these again and again, up to the most bytes that may be stored; what was slow
in most views comes first."""
N_UNITS = 8


def filled(unit: str, most: int) -> str:
    return unit * (most // len(unit.encode()))


def shown_memory(theme: Theme) -> tuple[QWidget, Callable[[str], object]]:
    field = GrowingTextEdit(theme)
    field.set_room(700)
    return field, lambda text: field.set_plain_text(text[:MOST])


def shown_note(theme: Theme) -> tuple[QWidget, Callable[[str], object]]:
    well = JsonWell(theme)
    return well, lambda text: well.show_json(text[:MOST])


def shown_markdown(theme: Theme) -> tuple[QWidget, Callable[[str], object]]:
    field = LongTextEdit(theme)
    return field, field.set_plain_text


def shown_entry(theme: Theme) -> tuple[QWidget, Callable[[str], object]]:
    editor = MarkdownEditor(theme)
    return editor, editor.set_plain_text


def shown_preview(theme: Theme) -> tuple[QWidget, Callable[[str], object]]:
    preview = MarkdownPreview(theme)
    return preview, preview.show_markdown


def shown_proposal(theme: Theme) -> tuple[QWidget, Callable[[str], object]]:
    pane = QWidget()
    place = Place(theme, pane, vbox(pane, margins=0))
    nothing = dict.fromkeys(("accept", "edit", "reject", "typed"), list)

    def show(text: str) -> None:
        view = ProposalView(text=text[:MOST])
        place.show(proposal_pane(view, wording=None, width=800, is_wide=False, **nothing))

    show("")
    return pane, show


def shown_group(theme: Theme) -> tuple[QWidget, Callable[[str], object]]:
    area, pane = QScrollArea(), GroupPane(theme)
    area.setWidgetResizable(True)
    area.setWidget(pane)

    def show(text: str) -> None:
        members = tuple(a_memory(content=f"{number} {text[: MOST - 9]}") for number in range(8))
        item = ReviewItem(text[:9], ItemKind.MERGE, members, proposed=members[0].content)
        pane.show_item(item, None, DecayConfig(), NOON)
        QApplication.processEvents()

    return area, show


def shown_row(_theme: Theme) -> tuple[QWidget, Callable[[str], object]]:
    row = ElidedLabel()
    return row, lambda text: row.setText(excerpt(text))


VIEWS = (
    shown_memory,
    shown_note,
    shown_markdown,
    shown_entry,
    shown_preview,
    shown_proposal,
    shown_group,
    shown_row,
)


@pytest.mark.endurance
@pytest.mark.parametrize(
    "view", mostly_wide(VIEWS, every_day=lambda view: view in {shown_memory, shown_entry})
)
def test_no_text_that_may_be_stored_stops_the_window(
    view: Callable[[Theme], tuple[QWidget, Callable[[str], object]]],
    theme: Theme,
    qtbot: QtBot,
    reduced_or_full: Callable[[int, int], int],
) -> None:
    widget, show = view(theme)
    qtbot.addWidget(widget)
    widget.resize(560, 700)
    widget.show()
    QApplication.processEvents()
    slow = {}
    for unit in UNITS[: reduced_or_full(N_UNITS, len(UNITS))]:
        text = filled(unit, MAX_BODY_BYTES)
        took: list[float] = []
        while len(took) < 3 and min(took, default=1.0) > AT_ONCE_SECONDS:
            show("")
            began = time.process_time()
            show(text)
            widget.repaint()
            took.append(time.process_time() - began)
        if min(took) > AT_ONCE_SECONDS * SLOWNESS:
            slow[unit[:8]] = min(took)

    assert not slow


@pytest.mark.parametrize("unit", ["a\n", "a\u05d0" * 500 + "\n", "The bell of Wend.\n"])
def test_a_difference_of_any_length_is_on_show_at_once_and_shows_all_when_asked(
    unit: str, theme: Theme, qtbot: QtBot
) -> None:
    diff = diff_lines("", filled(unit, MAX_BODY_BYTES) + "end\n")
    view = DiffView(theme)
    qtbot.addWidget(view)
    view.resize(560, 700)
    view.show()
    QApplication.processEvents()

    began = time.process_time()
    view.show_diff(diff)
    view.repaint()
    assert time.process_time() - began < AT_ONCE_SECONDS * SLOWNESS

    for _ in range(40):
        before = view.verticalScrollBar().maximum()
        QTest.keyClick(view, Qt.Key.Key_End)
        QTest.keyClick(view, Qt.Key.Key_Return)
        if view.verticalScrollBar().maximum() == before:
            break
    assert view._shown == diff.rows


@pytest.mark.parametrize("kind", [LongTextEdit, GrowingTextEdit, MarkdownEditor])
def test_of_a_text_that_is_slow_to_lay_out_the_head_is_shown_and_all_when_asked(
    kind: type[LongTextEdit], theme: Theme, qtbot: QtBot
) -> None:
    text = "\ufeff" + filled("a\u05d0", MOST - 9) + "\r\nend"
    field = kind(theme)
    qtbot.addWidget(field)
    field.resize(560, 700)
    field.show()
    field.set_plain_text(text)

    assert field.is_cut
    assert field.document().characterCount() < len(text) / 2
    assert field.text() == text
    field.setReadOnly(False)
    assert field.isReadOnly()
    QTest.keyClick(field, Qt.Key.Key_X)
    assert field.text() == text
    assert field.show_rest.isVisible()

    QTest.keyClick(field, Qt.Key.Key_Return)

    assert field.document().characterCount() > len(text) - 2
    assert field.text().replace("\r\n", "\n") == text.replace("\r\n", "\n")
    assert not field.document().isModified()
    assert not field.show_rest.isVisible()
    QTest.keyClick(field, Qt.Key.Key_X)
    assert field.text().startswith("x\ufeffa")


def test_ordinary_prose_of_the_longest_entry_is_shown_whole() -> None:
    for sentence in ("The bell of Wend is never rung. ", "Колокол Венда. ", "鐘は鳴らない。"):
        text = filled(sentence * 8 + "\n", MAX_BODY_BYTES // 2)
        assert head_length(text) == len(text)


@pytest.mark.parametrize("name", mostly_wide(TEXTS, every_day=lambda name: name in list(TEXTS)[:2]))
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
    assert field.text() == text
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
    editor.set_plain_text(text)
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
    field.set_plain_text(TEXTS["lines"])
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
    assert text.text().count(letters[0] if letters[0] == "a" else "b") < MOST_SHOWN // 3
    text.show_text("bell " * 10_000)
    assert text.text().count("bell") == MOST_SHOWN // 5


def test_a_memory_that_an_agent_would_forget_is_shown_to_its_end(
    theme: Theme, qtbot: QtBot
) -> None:
    pane, show = shown_proposal(theme)
    qtbot.addWidget(pane)
    pane.resize(800, 700)
    pane.show()
    QApplication.processEvents()

    began = time.process_time()
    show(TEXTS["lines"] + "end\u202e")
    pane.repaint()

    assert time.process_time() - began < AT_ONCE_SECONDS * SLOWNESS
    field = pane.findChild(LongTextEdit, "proposalText")
    assert isinstance(field, LongTextEdit)
    assert field.isReadOnly()
    assert field.text().endswith("a\nend\u2039U+202E\u203a")


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
