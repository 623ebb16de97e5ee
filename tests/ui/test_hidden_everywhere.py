"""Characters that do not show have a mark wherever a memory is read; what is stored stays."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.words.hidden_text import hidden_characters, spelled_out
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.kit.lists.memory_row_layout import lay_excerpt
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.labels import ReadingLabel
from inklings_desktop.ui.kit.panes.memory_card import MarkedText
from inklings_desktop.ui.kit.words.memory_lines import excerpt
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.markdown.writing_text_edit import GrowingTextEdit

OVERRIDE, TAG, ZERO_WIDTH = "\u202e", "\U000e0041", "\u200b"
PLAIN = "Keep the gate shut."
HIDDEN = {
    "override": f"Keep the {OVERRIDE}gate shut.",
    "tag": f"Keep the {TAG}gate shut.",
    "zero width": f"Keep the {ZERO_WIDTH}gate shut.",
}


def n_ochre(image: QImage, theme: Theme) -> int:
    """How many points have exactly the colour of the marks."""
    wanted = theme.color("ochre").rgb()
    return sum(
        image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height())
    )


def shown(widget: QWidget, qtbot: QtBot, width: int = 360) -> QImage:
    qtbot.addWidget(widget)
    widget.resize(width, 120)
    widget.show()
    return widget.grab().toImage()


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_the_editor_marks_them_and_names_them_under_the_mouse(
    text: str, theme: Theme, qtbot: QtBot
) -> None:
    editor = GrowingTextEdit(theme)
    editor.set_plain_text(text)
    image = shown(editor, qtbot)
    assert n_ochre(image, theme) >= 2 * theme.line("editor") // 2
    named = {
        names
        for x in range(0, editor.viewport().width(), 3)
        if (names := editor._hidden_marks.names_at(QPoint(x, 15), editor._visible_blocks()))
    }
    assert named == {tuple(one.name for one in hidden_characters(text))}
    assert editor.toPlainText() == text

    clean = GrowingTextEdit(theme)
    clean.set_plain_text(PLAIN)
    assert n_ochre(shown(clean, qtbot), theme) == 0


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_a_row_of_the_list_knows_where_they_stand(text: str, theme: Theme) -> None:
    def laid(content: str) -> int:
        row = lay_excerpt(
            excerpt(content), font=theme.font("reading"), line_px=22.0, width=400, max_lines=2
        )
        return len(row.hidden)

    assert laid(text) == 1
    assert laid(PLAIN) == 0


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_a_difference_marks_them(text: str, theme: Theme, qtbot: QtBot) -> None:
    view = DiffView(theme, compact=True)
    view.resize(360, 100)
    view.show_diff(diff_lines(PLAIN, text))
    assert n_ochre(shown(view, qtbot), theme) >= theme.line("editor")
    view.show_diff(diff_lines(PLAIN, f"{PLAIN} More."))
    assert n_ochre(view.grab().toImage(), theme) == 0


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_what_is_only_read_spells_them_out(text: str, theme: Theme, qtbot: QtBot) -> None:
    code = f"\u2039U+{ord(text[9]):04X}\u203a"
    assert spelled_out(text) == f"Keep the {code}gate shut."
    assert spelled_out(PLAIN) == PLAIN
    label = ReadingLabel(theme, text)
    qtbot.addWidget(label)
    assert label.text() == spelled_out(text)
    label.setText(text + ZERO_WIDTH * 3)
    assert label.text() == f"{spelled_out(text)}\u2039U+200B \u00d73\u203a"
    marked = MarkedText(theme)
    qtbot.addWidget(marked)
    marked.show_text(text, ((5, 3),))
    assert code in marked.text()
    assert marked.accessibleName() == text
    assert code in plain_tool_tip(text)
