"""In what two texts that are almost alike say something else: a number, a date, a no, an opposite.

Mechanical, and made for texts that share nearly all of their words: of two others it says nothing
worth knowing. It never says which of the two is right.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.grounding import is_negation
from inklings_desktop.domain.words.function_words import STOP_WORDS
from inklings_desktop.domain.words.query_text import bare, folded, is_cjk, words_of
from inklings_desktop.domain.words.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Iterable


class Difference(StrEnum):
    """Why two texts that look alike may contradict each other."""

    NUMBERS = "numbers"
    DATES = "dates"
    NEGATION = "negation"
    OPPOSITES = "opposites"
    ORDER = "order"
    NAME = "name"
    """One name in another's place; only who knows the names of a world can tell."""


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_UNITS = _listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = _listed("twenty thirty forty fifty sixty seventy eighty ninety")
_NUMBER_WORDS = {
    **{word: str(value) for value, word in enumerate(_UNITS)},
    **{word: str(10 * value) for value, word in enumerate(_TENS, start=2)},
    "dozen": "12", "score": "20", "hundred": "100", "thousand": "1000", "million": "1000000",
    "half": "1/2", "quarter": "1/4", "once": "1", "twice": "2", "thrice": "3", "both": "2",
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6",
    "seventh": "7", "eighth": "8", "ninth": "9", "tenth": "10", "single": "1", "double": "2",
    "triple": "3", "couple": "2", "pair": "2",
}  # fmt: skip
_DATE_WORDS = frozenset(_listed(
    "january february march april june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter "
    "yesterday today tomorrow dawn noon dusk midnight morning evening night"
))  # fmt: skip
_DENIES_TOO = frozenset(_listed(
    "hardly barely lacks lack lacking refuses refuse refused denies deny denied"
))  # fmt: skip
_OPPOSITES = frozenset(_listed(
    "left right north south east west up down above below before after inside outside alive "
    "dead living mother father brother sister son daughter husband wife king queen friend "
    "enemy ally foe always rarely sometimes more less fewer greater smaller older younger "
    "elder last true false guilty innocent rich poor open closed locked unlocked loves hates "
    "love hate trusts distrusts male female man woman boy girl begins ends began ended start "
    "end allow forbid allowed forbidden win lose won lost buys sells bought sold black white"
))  # fmt: skip
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def differences(one: str, other: str) -> tuple[Difference, ...]:
    """What these texts tell differently, in the order of the enum; empty if nothing was found.

    Numbers count as figures and as words ("5", "five", "fifth"); dates by month, weekday, season
    and time of day; negations by how many there are; a small list of opposites; and the same words
    in another order, because "A betrayed B" is not "B betrayed A". Names are not looked at.
    """
    left, right = _plain_words(one), _plain_words(other)
    found = []
    if _numbers(one, left) != _numbers(other, right):
        found.append(Difference.NUMBERS)
    if _those(left, _DATE_WORDS) != _those(right, _DATE_WORDS):
        found.append(Difference.DATES)
    if sum(map(_denies, left)) != sum(map(_denies, right)):
        found.append(Difference.NEGATION)
    opposed, others_opposed = set(left) & _OPPOSITES, set(right) & _OPPOSITES
    if opposed - others_opposed and others_opposed - opposed:  # one word in place of another
        found.append(Difference.OPPOSITES)
    stems, others = _content_stems(left), _content_stems(right)
    if stems != others and sorted(stems) == sorted(others):
        found.append(Difference.ORDER)
    return tuple(found)


def _plain_words(text: str) -> list[str]:
    """Folded words; where no blanks part them, each sign counts for itself."""
    tidy = folded(text)
    return words_of(tidy if tidy.isascii() else "".join(f" {s} " if is_cjk(s) else s for s in tidy))


def _numbers(text: str, words: Iterable[str]) -> list[str]:
    """Every number that is said, in figures or words, in order of size as text."""
    figures = _THOUSANDS.sub("", unicodedata.normalize("NFKC", text))
    found = [one.replace(",", ".") for one in _NUMBER.findall(figures)]
    found += [_NUMBER_WORDS[word] for word in words if word in _NUMBER_WORDS]
    return sorted(found)


def _those(words: Iterable[str], wanted: frozenset[str]) -> list[str]:
    return sorted(word for word in words if word in wanted)


def _denies(word: str) -> bool:
    return is_negation(word) or word in _DENIES_TOO


def _content_stems(words: Iterable[str]) -> list[str]:
    return [stem(bare(word)) for word in words if word not in STOP_WORDS]
