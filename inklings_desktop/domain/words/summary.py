"""What of a supplied summary is worth keeping when a conversation rests."""

from __future__ import annotations

import re

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.words.query_text import is_cjk, words_of

MIN_WORDS = 3
MAX_SUMMARY_BYTES = 64 * 1024
MAX_SUMMARY_POINTS = 200
"""One call keeps no more memories than this: a summary is no way around a limit of writes."""
_BULLET = re.compile(r"^\s*(?:[-*+\u2022\u2013]|\d{1,3}[.)])\s+")
_CHARACTERS_PER_WORD = 2  # in scripts that put no spaces between words


def summary_points(summary: str) -> tuple[str, ...]:
    """Each line or bullet of at least three words, without its bullet mark, in order, once.

    Raises:
        InvalidValueError: Over 64 KiB of text, or over 200 such lines.
    """
    if len(summary.encode("utf-8", "replace")) > MAX_SUMMARY_BYTES:
        raise InvalidValueError("summary", "too_long", MAX_SUMMARY_BYTES)
    lines = (_BULLET.sub("", line).strip() for line in summary.splitlines())
    points = tuple(dict.fromkeys(line for line in lines if _n_words(line) >= MIN_WORDS))
    if len(points) > MAX_SUMMARY_POINTS:
        raise InvalidValueError("summary", "too_many", MAX_SUMMARY_POINTS)
    return points


def _n_words(line: str) -> int:
    n_words = 0
    for blank_free in line.split():
        spaceless = sum(map(is_cjk, blank_free))
        if spaceless:
            n_words += -(-spaceless // _CHARACTERS_PER_WORD)
        elif words_of(blank_free):
            n_words += 1
    return n_words
