"""What of a supplied summary is worth keeping when a conversation rests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.words.query_text import is_cjk, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_WORDS = 3
MAX_SUMMARY_BYTES = 64 * 1024
MAX_SUMMARY_POINTS = 200
"""One call keeps no more memories than this: a summary is no way around a limit of writes."""
_BULLET = re.compile(r"^\s*(?:[-*+\u2022\u2013]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})")
_HEADING = re.compile(
    r"#{1,6}\s|.*[:\uff1a][*_]{0,3}$|(?:\*\*|__)[^*_]+(?<![.!?\u2026\u3002])(?:\*\*|__)$"
)
_CODE = re.compile(
    r"""
    (?:\$|>>>|\.\.\.|@@|[-+]{3}|diff\ --git)\s          # a prompt, a difference
    | `[^`]+`$ | </?\w[^<>]*>$                            # nothing but code, or a tag
    | .*[=(){}<>].*[{};]$ | [{}()\[\];,\s]+$              # it ends as statements do
    | (?:async\ )?(?:def|class|func|fn|function)\s+\w+\s*[(:{<]
    | from\s+[\w.]+\s+import\s | import\s.+\sfrom\s+["'] | import\s+\w+\.\w | \#include\s
    | (?:SELECT|INSERT|UPDATE|DELETE)\s.*\b(?:FROM|INTO|SET)\s
    | (?:(?:const|let|var|final|static|export)\s+)?[a-z_][\w.\[\]]*\s*[-+*/|&:]?=\s*
      (?:["'`\[({\d]|\w+[.(\[]|(?:new|await|True|False|None|null|true|false)\b)
    | \w[\w.]*\([^()]*\)(?:\.\w+\([^()]*\))*;?$           # a call and nothing else
    """,
    re.VERBOSE,
)
_CHARACTERS_PER_WORD = 2  # in scripts that put no spaces between words


def summary_points(summary: str) -> tuple[str, ...]:
    """Each line or bullet of at least three words, without its bullet mark, in order, once.

    Headings and code are none: a line that ends with a colon, one behind ``#``, one that is bold
    from end to end, and what stands between fences or reads as a statement of a program.

    Raises:
        InvalidValueError: Over 64 KiB of text, or over 200 such lines.
    """
    if len(summary.encode("utf-8", "replace")) > MAX_SUMMARY_BYTES:
        raise InvalidValueError("summary", "too_long", MAX_SUMMARY_BYTES)
    lines = (_BULLET.sub("", line).strip() for line in _prose(summary))
    points = tuple(dict.fromkeys(line for line in lines if _is_point(line)))
    if len(points) > MAX_SUMMARY_POINTS:
        raise InvalidValueError("summary", "too_many", MAX_SUMMARY_POINTS)
    return points


def _prose(summary: str) -> Iterator[str]:
    """The lines outside fences; a fence that nothing closes is none."""
    lines = summary.splitlines()
    fences = [number for number, line in enumerate(lines) if _FENCE.match(line)]
    fenced = {
        number
        for first, last in zip(fences[::2], fences[1::2], strict=False)
        for number in range(first, last + 1)
    }
    return (line for number, line in enumerate(lines) if number not in fenced)


def _is_point(line: str) -> bool:
    return _n_words(line) >= MIN_WORDS and not _HEADING.match(line) and not _CODE.match(line)


def _n_words(line: str) -> int:
    n_words = 0
    for blank_free in line.split():
        spaceless = sum(map(is_cjk, blank_free))
        if spaceless:
            n_words += -(-spaceless // _CHARACTERS_PER_WORD)
        elif words_of(blank_free):
            n_words += 1
    return n_words
