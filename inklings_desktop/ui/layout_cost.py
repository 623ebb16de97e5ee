"""How much of a text can be laid out in a blink.

Qt lays out lines as far as they are seen, but a line only as a whole: one of 256 KiB that turns
from left to right and back takes 0.6 seconds, with every key that is typed in it. It also takes
its time to make a hundred thousand lines.
"""

from __future__ import annotations

import re

BLINK_US = 64_000
"""Microseconds that a window may take for a text; so that a slower machine stays near 0.1 s."""

LONG_LINE = 2_000
"""Characters from which the layout of a line counts when only what is seen is laid out."""

_LINE_ENDS = "\r\n\u2029\ufdd0\ufdd1"
_LINE = re.compile(f"[^{_LINE_ENDS}]*(?:[{_LINE_ENDS}]|\\Z)")
_PIECE = 500
_LINE_US, _CHARACTER_US = 2.0, 0.5
_MORE_US = (
    (re.compile("[\x00-\x1f]"), 1.0),
    (re.compile("[\x80-\u07ff]"), 3.0),
    (re.compile("[\u0800-\uffff]"), 2.0),
    (re.compile("[\U00010000-\U0010ffff]"), 4.0),
    (re.compile("[\x00-\x7f](?=[^\x00-\x7f])"), 6.0),
)
"""What a character takes beyond that, measured: most where one script stands beside another."""


def head_length(text: str, *, most_us: float = BLINK_US, longest: int = LONG_LINE) -> int:
    """How many characters of a text, from its beginning, can be laid out at once.

    Args:
        text: Any.
        most_us: What they may take, in microseconds.
        longest: A shorter line counts as one line, whatever it holds.

    Returns:
        The length of the text if all of it can.
    """
    left = most_us
    for line in _LINE.finditer(text):
        start, stop = line.span()
        left -= _LINE_US
        if left < 0:
            return start
        if stop - start < longest:
            continue
        for at in range(start, stop, _PIECE):
            left -= _cost(text[at : min(at + _PIECE, stop)])
            if left < 0:
                return at
    return len(text)


def _cost(piece: str) -> float:
    cost = _CHARACTER_US * len(piece)
    if not (piece.isascii() and piece.isprintable()):
        cost += sum(us * len(sign.findall(piece)) for sign, us in _MORE_US)
    return cost
