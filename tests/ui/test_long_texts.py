"""Whatever may be stored is on show at once: no text makes the window stand still."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QApplication

from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.ui.widgets.growing_text_edit import GrowingTextEdit
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


def test_lines_break_at_words_again_in_the_next_text(theme: Theme, qtbot: QtBot) -> None:
    field = GrowingTextEdit(theme)
    qtbot.addWidget(field)

    field.set_plain_text(TEXTS["one word"][:MOST])
    assert field.wordWrapMode() is QTextOption.WrapMode.WrapAnywhere
    field.set_plain_text("The bell of Wend is never rung at noon.")
    assert field.wordWrapMode() is QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
