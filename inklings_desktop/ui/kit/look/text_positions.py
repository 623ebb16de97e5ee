"""Positions in a text as Python counts them and as Qt does.

Qt counts a character beyond the first 65,536, an emoji say, as two. Two characters at the head of
a text would also be taken for marks of its encoding on the way into Qt, and swallowed.
"""

import re
from bisect import bisect_left

from PySide6.QtGui import QTextCursor

_WIDE = re.compile("[\U00010000-\U0010ffff]")
_ENCODING_MARKS = ("\ufeff", "\ufffe")
_SHIELD = "\u00b7"


class TextPositions:
    """Translates positions of one text; costs next to nothing where none counts double."""

    def __init__(self, text: str) -> None:
        self._wide = [match.start() for match in _WIDE.finditer(text)]
        self._wide_qt = [start + number for number, start in enumerate(self._wide)]

    def to_qt(self, position: int) -> int:
        """Qt's count for a position in characters."""
        return position + bisect_left(self._wide, position)

    def from_qt(self, position: int) -> int:
        """The position in characters for Qt's count."""
        return position - bisect_left(self._wide_qt, position)


def insert_exactly(cursor: QTextCursor, text: str) -> None:
    """Put a text in the place of the selection; not a character of it is lost.

    Line feeds become blocks that look like the block of the cursor.
    """
    if not text.startswith(_ENCODING_MARKS):
        cursor.insertText(text)
        return
    cursor.beginEditBlock()
    cursor.removeSelectedText()
    start = cursor.position()
    cursor.insertText(_SHIELD + text)
    end = cursor.position()
    cursor.setPosition(start)
    cursor.deleteChar()
    cursor.setPosition(end - 1)
    cursor.endEditBlock()
