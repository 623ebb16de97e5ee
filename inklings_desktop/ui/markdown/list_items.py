"""What Enter does at the end of a Markdown list item: the next item, or the end of the list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from inklings_desktop.ui.markdown.highlighter import fence_after

if TYPE_CHECKING:
    from PySide6.QtGui import QTextBlock

_ITEM = re.compile(
    r"(?P<before>(?:[ ]{0,3}>[ ]?)*[ \t]*)"
    r"(?:(?P<bullet>[-*+])|(?P<number>\d{1,9})(?P<stop>[.)]))"
    r"(?P<blanks>[ \t]+)(?P<box>\[[ xX]\][ \t]+)?"
)
_RULE = re.compile(r"[ ]{0,3}([-*])[ \t]*(?:\1[ \t]*){2,}")
_HIGHEST = 999_999_999


def go_on_with_list(cursor: QTextCursor) -> bool:
    """Begin the next item where the cursor stands in one, or end the list where that is empty.

    One step of the way back. Nothing happens elsewhere, nor where code is fenced.

    Args:
        cursor: Of the editor; it moves.

    Returns:
        Whether anything was done.
    """
    first = QTextCursor(cursor)
    first.setPosition(cursor.selectionStart())
    block = first.block()
    line = block.text()
    item = _ITEM.match(line)
    # A mark is of letters that Qt counts as Python does.
    if item is None or first.positionInBlock() < item.end() or _RULE.fullmatch(line):
        return False
    if _is_code(block):
        return False
    cursor.beginEditBlock()
    if line[item.end() :].strip() or cursor.hasSelection():
        cursor.removeSelectedText()
        cursor.insertBlock()
        cursor.insertText(_next_mark(item))
    else:
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
    cursor.endEditBlock()
    return True


def _next_mark(item: re.Match[str]) -> str:
    mark = item["bullet"] or f"{min(int(item['number']) + 1, _HIGHEST)}{item['stop']}"
    box = item["box"]
    return item["before"] + mark + item["blanks"] + (f"[ ]{box[3:]}" if box else "")


def _is_code(block: QTextBlock) -> bool:
    """Whether a line stands in a fence that was opened above it."""
    fence, line = 0, block.document().firstBlock()
    while line != block:
        fence = fence_after(line.text(), fence)
        line = line.next()
    return fence != 0
