"""Markdown on a terminal: the stars of emphasis are left out, in whatever pieces a text comes."""

from __future__ import annotations

import re
from typing import Final

MOST_HELD: Final = 900
"""So much of a line waits for the star or the backquote that ends it."""
# Both are bounded: what an agent sends may be long, and full of stars that nothing closes.
_CODE = r"(?P<ticks>`+)(?!`)[^\n]{0,900}?(?<!`)(?P=ticks)(?!`)"
_EMPHASIS = (
    r"(?P<stars>\*{1,3})(?=[^\s*])(?P<words>(?:[^\n\\*]++|\\.|\*++){1,60}?)"
    r"(?<=[^\s*])(?P=stars)(?!\*)"
)
_WHOLE = re.compile(rf"\\.|{_CODE}|{_EMPHASIS}")
_PIECES = re.compile(rf"{_WHOLE.pattern}|(?P<open>`+|\*+(?=[^\s*]|\Z)|\\\Z)")


def fences(line: str) -> bool:
    """Whether a line begins or ends a block of code."""
    return line.lstrip().startswith("```") and "`" not in line.lstrip(" `")


def plain(text: str) -> str:
    """The text without the stars of emphasis; code keeps its own."""
    return _WHOLE.sub(lambda one: plain(one["words"]) if one["words"] else one[0], text)


def n_whole(text: str) -> int:
    """How much of the beginning of a text is the same whatever comes next."""
    begins = text.rfind("\n") + 1
    for one in _PIECES.finditer(text, begins):
        may_grow = one.end() == len(text) and text.endswith(("*", "`"))
        if one["open"] or may_grow:
            return one.start() if len(text) - one.start() <= MOST_HELD else len(text)
    return len(text)
