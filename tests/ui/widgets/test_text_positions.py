from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication

from inklings_desktop.ui.kit.look.hidden_marks import TextPositions, insert_exactly


def test_a_wide_character_counts_double_for_qt() -> None:
    positions = TextPositions("a\U0001f600b")
    assert [positions.to_qt(place) for place in range(4)] == [0, 1, 3, 4]
    assert [positions.from_qt(place) for place in (0, 1, 3, 4)] == [0, 1, 2, 3]


@given(st.text(alphabet="ab\U0001f600\u6d77", max_size=20))
def test_every_position_finds_its_way_back(text: str) -> None:
    positions = TextPositions(text)
    for place in range(len(text) + 1):
        assert positions.from_qt(positions.to_qt(place)) == place
    assert positions.to_qt(len(text)) == len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("text", ["\ufeff", "\ufeffa\nb", "\ufffea", "\ufeff\ufeff", "plain"])
def test_marks_of_an_encoding_are_not_swallowed(text: str, qapp: QApplication) -> None:
    document = QTextDocument()
    document.setPlainText("[here]")
    cursor = QTextCursor(document)
    cursor.setPosition(1)
    cursor.setPosition(5, QTextCursor.MoveMode.KeepAnchor)
    insert_exactly(cursor, text)
    cursor.insertText("|")
    assert document.toRawText() == f"[{text}|]".replace("\n", "\u2029")
    document.undo()
    document.undo()
    assert document.toRawText() == "[here]"
