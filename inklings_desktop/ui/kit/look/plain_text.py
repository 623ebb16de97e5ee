"""Text of memories for places where Qt would take markup for formatting, and for the clipboard."""

from __future__ import annotations

import unicodedata
from html import escape

from PySide6.QtCore import QMimeData, QStringListModel

from inklings_desktop.domain.words.hidden_text import spelled_out

_JOINERS = "\u200d\ufe0e\ufe0f"


def shortened(text: str, most: int) -> str:
    """A name of at most so many characters, a longer one with an ellipsis for its rest.

    What belongs to the character before it, as an accent or half an emoji, does not begin the rest.
    """
    if len(text) <= most:
        return text
    cut = most - 1
    while cut > 1 and (_belongs_before(text[cut]) or text[cut - 1] == _JOINERS[0]):
        cut -= 1
    return f"{text[:cut].rstrip()}\u2026"


def _belongs_before(character: str) -> bool:
    return character in _JOINERS or unicodedata.category(character).startswith("M")


def plain_tool_tip(text: str) -> str:
    """The text as a tool tip that shows it letter by letter, whatever it holds.

    Characters that do not show are spelled out.

    Qt takes a tool tip that looks like markup for rich text and would load what it names.
    """
    if not text:
        return ""
    lines = escape(spelled_out(text)).replace("\n", "<br>")
    return f"<div style='white-space: pre-wrap'>{lines}</div>"


def editor_text(content: str) -> str:
    """A text as an editor hands it back: every kind of line break is one newline."""
    for line_break in ("\r\n", "\r", "\u2028", "\u2029"):
        content = content.replace(line_break, "\n")
    return content


def plain_copy(text: str) -> QMimeData:
    """A text as what it is, to be handed to the clipboard.

    The clipboard outlives the interpreter, and an object made by Python ends the program with a
    crash when it goes then. So Qt makes this one, on the pretext of copying an item.
    """
    model = QStringListModel([""])
    copied = model.mimeData([model.index(0, 0)])
    copied.clear()
    copied.setText(text)
    return copied
