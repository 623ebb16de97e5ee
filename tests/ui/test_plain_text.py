"""Text of memories never becomes markup."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument

from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip, shortened


@pytest.mark.parametrize(
    "text",
    [
        "<img src='file:///etc/passwd'>",
        "<b>bold</b> & <script>x</script>",
        "a < b > c",
        "two\nlines   and blanks",
        "&amp; stays",
    ],
)
def test_a_tool_tip_shows_the_text_letter_by_letter(text: str) -> None:
    document = QTextDocument()
    document.setHtml(plain_tool_tip(text))
    assert document.toPlainText().replace("\u2028", "\n") == text


def test_no_text_no_tool_tip() -> None:
    assert plain_tool_tip("") == ""


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("salt", 4, "salt"),
        ("salty", 4, "sal\u2026"),
        ("salt roads", 6, "salt\u2026"),
        ("abe\u0301def", 4, "ab\u2026"),
        ("a\U0001f468\u200d\U0001f469\u200d\U0001f467", 4, "a\u2026"),
        ("", 4, ""),
    ],
)
def test_a_long_name_is_cut_between_characters(text: str, most: int, shown: str) -> None:
    assert shortened(text, most) == shown
