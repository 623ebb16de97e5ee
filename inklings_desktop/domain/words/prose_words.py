"""The words of a text that are prose: what a spelling checker looks at."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_PROSE = re.compile(
    r"^[ ]{0,3}(?P<fence>`{3,}|~{3,}).*?(?:^[ ]{0,3}(?P=fence)[`~]*[ \t]*$|\Z)"  # code in fences
    r"|(?P<ticks>`+)[^\n]*?(?P=ticks)"
    r"|\]\([^()\n]*\)"  # where a link leads
    r"|<[^<>\n]*>"
    r"|(?:[A-Za-z][A-Za-z0-9+.-]*://|www\.|mailto:)\S+"
    r"|\S+@\S+"
    r"|(?<!\w)[#@/\\]\w[\w/.-]*"  # a tag, a name, a path
    r"|\b\w+(?:[._/\\]\w+)+",  # a file
    re.MULTILINE | re.DOTALL,
)
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['\u2019][^\W\d_]+)*(?!\w)")


class ProseWord(NamedTuple):
    """A word and where it begins."""

    start: int
    text: str


def prose_words(text: str) -> Iterator[ProseWord]:
    """Words of Markdown in order, without code, addresses, abbreviations and single letters."""
    prose = _NO_PROSE.sub(lambda found: " " * len(found[0]), text)
    for found in _WORD.finditer(prose):
        word = found[0]
        if len(word) > 1 and not word.isupper() and not _has_hump(word):
            yield ProseWord(found.start(), word)


def _has_hump(word: str) -> bool:
    """Whether a small letter stands before a capital one, as in the name of a program."""
    return any(one.islower() and after.isupper() for one, after in pairwise(word))
