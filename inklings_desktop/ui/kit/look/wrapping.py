"""How long lines are broken: at words, or anywhere where there are none.

Qt looks for the end of a word from the beginning of every line: of 64 KiB without a blank that is
a second, and a hundredth of it where a line may break anywhere (measured).
"""

from __future__ import annotations

import re

from PySide6.QtGui import QTextOption

_ENDLESS = re.compile(
    "(?:[^\\s\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]|[\u00a0\u2007\u202f]){1000}"
)
"""No word; where no blanks stand between words every sign may begin a line anyway. A blank that
does not break is none."""


def wrap_mode(text: str) -> QTextOption.WrapMode:
    """The mode in which this text is laid out in no time."""
    if _ENDLESS.search(text):
        return QTextOption.WrapMode.WrapAnywhere
    return QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
