"""When two texts that mean almost the same must not become one, and how they become one.

Deterministic throughout: a language model may take this place later, behind the ``Consolidator``
port. What decides is conservative: whatever may be a contradiction goes to a person.
"""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.domain.query_text import folded, is_cjk, words_of
from inklings_desktop.domain.stemming import stem
from inklings_desktop.domain.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


NEAR_COPY_SHARE = 0.6
"""Two sentences that have this share of their words in common are copies of each other."""
MIN_STEMS = 4
"""A sentence of fewer words that carry meaning is never taken for a copy."""
CONTEXT = 2
"""Words that are kept on each side of what a copy adds."""
MAX_COMPARED = 400
"""Longest sentence, in words, that is compared word by word."""


class Difference(StrEnum):
    """Why two texts that look alike may contradict each other."""

    NUMBERS = "numbers"
    DATES = "dates"
    NEGATION = "negation"
    OPPOSITES = "opposites"
    ORDER = "order"


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
_DATE_WORDS = frozenset(
    _listed(
        "january february march april june july august september october november december "
        "monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter "
        "yesterday today tomorrow dawn noon dusk midnight morning evening night"
    )
)
_NEGATIONS = frozenset(
    _listed(
        "not no never none nothing nobody nowhere neither nor without cannot cant dont doesnt "
        "didnt isnt arent wasnt werent wont wouldnt shouldnt couldnt hasnt havent hadnt aint "
        "hardly barely lacks lack lacking refuses refuse refused denies deny denied"
    )
)
_OPPOSITES = frozenset(
    _listed(
        "left right north south east west up down above below before after inside outside alive "
        "dead living mother father brother sister son daughter husband wife king queen friend "
        "enemy ally foe always rarely sometimes more less fewer greater smaller older younger "
        "elder last true false guilty innocent rich poor open closed locked unlocked loves hates "
        "love hate trusts distrusts male female man woman boy girl begins ends began ended start "
        "end allow forbid allowed forbidden win lose won lost buys sells bought sold black white"
    )
)
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_MARKS = re.compile(r"['\u2019]")
_SENTENCE_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n+")
_WORD_OR_SIGN = re.compile(
    r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def differences(one: str, other: str) -> tuple[Difference, ...]:
    """Why these texts may contradict each other, in the order of the enum; empty if nothing does.

    Numbers count as figures and as words ("5", "five", "fifth"); dates by month, weekday and
    time of day; negation by its words; a small list of opposites; and the same words in another
    order, because "A betrayed B" is not "B betrayed A".
    """
    left, right = _plain_words(one), _plain_words(other)
    found = []
    if _numbers(one, left) != _numbers(other, right):
        found.append(Difference.NUMBERS)
    for difference, words in (
        (Difference.DATES, _DATE_WORDS),
        (Difference.NEGATION, _NEGATIONS),
    ):
        if _those(left, words) != _those(right, words):
            found.append(difference)
    opposed, others_opposed = set(left) & _OPPOSITES, set(right) & _OPPOSITES
    if opposed - others_opposed and others_opposed - opposed:  # one word in place of another
        found.append(Difference.OPPOSITES)
    stems, others = _content_stems(left), _content_stems(right)
    if stems != others and sorted(stems) == sorted(others):
        found.append(Difference.ORDER)
    return tuple(found)


def merged_text(texts: Sequence[str]) -> str:
    """The first text whole, then what the others say that it does not.

    A sentence that is new is appended whole. Of a near-copy of one that is there only the words
    around what it adds are: "... a gull, a mast or a wall."

    Args:
        texts: At least one; the best first. Each fits into a memory.

    Returns:
        At most 64 KiB in UTF-8; sentences that no longer fit are left out (their memories stay
        restorable).
    """
    result = texts[0]
    said = _meaning(result)
    there = [_Sentence(one, _meaning(one)) for one in _sentences(result)]
    separator = "\n" if "\n" in result.strip() else " "
    for text in texts[1:]:
        for words in _sentences(text):
            sentence = _Sentence(words, _meaning(words))
            adds = sentence.meaning - said
            if not adds:
                continue
            known = _near_copy(sentence, there)
            added = words if known is None else _difference(words, known.text, adds)
            longer = f"{result.rstrip()}{separator}{added}"
            if len(longer.encode("utf-8")) > MAX_CONTENT_BYTES:
                continue
            result = longer
            said |= adds
            there.append(sentence)
    return result


class _Sentence(NamedTuple):
    text: str
    meaning: frozenset[str]


def _near_copy(sentence: _Sentence, there: Iterable[_Sentence]) -> _Sentence | None:
    """The sentence that says nearly all of this one, the closest first; None without one."""
    if len(sentence.meaning) < MIN_STEMS:
        return None
    best, most = None, 0.0
    for one in there:
        common = len(sentence.meaning & one.meaning)
        share = common / len(sentence.meaning | one.meaning)
        if share > most:
            best, most = one, share
    return best if most >= NEAR_COPY_SHARE else None


def _difference(text: str, known: str, adds: frozenset[str]) -> str:
    """The passages of a text that hold what it adds, with two words around each.

    The whole text where they would be no shorter, or do not say all of it.
    """
    words, others = _passages(text), [one.group() for one in _passages(known)]
    if len(words) > MAX_COMPARED or len(others) > MAX_COMPARED:
        return text
    matcher = SequenceMatcher(None, [one.group() for one in words], others, autojunk=False)
    kept: set[int] = set()
    for kind, start, end, _, _ in matcher.get_opcodes():
        if kind == "equal" or start == end:
            continue
        if _meaning(text[words[start].start() : words[end - 1].end()]) & adds:
            kept |= set(range(max(0, start - CONTEXT), min(len(words), end + _reach(words, end))))
    ends = [-1, *sorted(kept), len(words)]
    for one, following in pairwise(ends):
        if following - one <= CONTEXT + 1:  # what an ellipsis would hide is no longer than it
            kept |= set(range(one + 1, following))
    parts: list[str] = []
    for place in sorted(kept):
        if place - 1 not in kept:
            parts.append("\u2026 " if place else "")
            begin = words[place].start()
        if place + 1 not in kept:
            parts[-1] += text[begin : words[place].end()]
    if kept and max(kept) < len(words) - 1:
        parts.append("\u2026")
    found = " ".join(parts)
    return found if len(found) < len(text) and adds <= _meaning(found) else text


def _reach(words: Sequence[re.Match[str]], end: int) -> int:
    """How many words after a passage go with it: up to a mark that is near, else a fixed number."""
    for n_words, word in enumerate(words[end : end + CONTEXT + 1], start=1):
        if unicodedata.category(word.group()[-1]).startswith("P"):
            return n_words
    return CONTEXT


def _passages(text: str) -> list[re.Match[str]]:
    """Words with the marks at them; signs that no blanks part count one by one."""
    return list(_WORD_OR_SIGN.finditer(text))


def _sentences(text: str) -> Iterable[str]:
    return (part.strip() for part in _SENTENCE_END.split(text) if part.strip())


def _plain_words(text: str) -> list[str]:
    """Words without apostrophes, so that every spelling of "don't" is one word."""
    bare = _MARKS.sub("", folded(text))
    # Where no blanks part the words, each sign counts for itself.
    spaced = "".join(f" {sign} " if is_cjk(sign) else sign for sign in bare)
    return words_of(spaced)


def _numbers(text: str, words: Iterable[str]) -> list[str]:
    """Every number that is said, in figures or words, in order of size as text."""
    figures = _THOUSANDS.sub("", unicodedata.normalize("NFKC", text))
    found = [one.replace(",", ".") for one in _NUMBER.findall(figures)]
    found += [_NUMBER_WORDS[word] for word in words if word in _NUMBER_WORDS]
    return sorted(found)


def _those(words: Iterable[str], wanted: frozenset[str]) -> list[str]:
    return sorted(word for word in words if word in wanted)


def _content_stems(words: Iterable[str]) -> list[str]:
    return [stem(word) for word in words if word not in STOP_WORDS]


def _meaning(text: str) -> frozenset[str]:
    return frozenset(_content_stems(_plain_words(text)))
