"""What of a supplied summary is worth keeping when a conversation rests."""

from __future__ import annotations

import re

MIN_WORDS = 3
_BULLET = re.compile(r"^\s*(?:[-*+\u2022\u2013]|\d{1,3}[.)])\s+")


def summary_points(summary: str) -> tuple[str, ...]:
    """Each line or bullet of at least three words, without its bullet mark, in order, once."""
    lines = (_BULLET.sub("", line).strip() for line in summary.splitlines())
    return tuple(dict.fromkeys(line for line in lines if len(line.split()) >= MIN_WORDS))
