"""The stem of an English word, as the full-text index takes it.

The index finds "walked" for "walks"; whoever marks what was found needs the same stems.
Source: Porter, "An algorithm for suffix stripping" (1980), own implementation.
"""

from __future__ import annotations

import functools
import re

MIN_LENGTH = 3
MAX_LENGTH = 64

_VOWEL = r"(?:[aeiou]|(?<=[^aeiou])y)"
_CONSONANT = r"(?:[^aeiouy]|(?<![^aeiou])y)"
_HAS_VOWEL = re.compile(_VOWEL)
_RUNS = re.compile(rf"{_VOWEL}+{_CONSONANT}+")
_SHORT_END = re.compile(rf"{_CONSONANT}{_VOWEL}[^aeiouwxy]$")

_AFTER_ONE_RUN = (
    {
        "ational": "ate",
        "tional": "tion",
        "enci": "ence",
        "anci": "ance",
        "izer": "ize",
        "logi": "log",
        "bli": "ble",
        "alli": "al",
        "entli": "ent",
        "eli": "e",
        "ousli": "ous",
        "ization": "ize",
        "ation": "ate",
        "ator": "ate",
        "alism": "al",
        "iveness": "ive",
        "fulness": "ful",
        "ousness": "ous",
        "aliti": "al",
        "iviti": "ive",
        "biliti": "ble",
    },
    {
        "icate": "ic",
        "ative": "",
        "alize": "al",
        "iciti": "ic",
        "ical": "ic",
        "ful": "",
        "ness": "",
    },
)
_AFTER_TWO_RUNS = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


@functools.lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The stem of a word in lower case; other scripts and very short or long words stay as is."""
    if not (word.isascii() and MIN_LENGTH <= len(word) <= MAX_LENGTH):
        return word
    word = _without_past(_without_plural(word))
    if word.endswith("y") and _HAS_VOWEL.search(word[:-1]):
        word = f"{word[:-1]}i"
    for endings in _AFTER_ONE_RUN:
        word = _with_ending_replaced(word, endings)
    return _without_silent_letters(_without_last_ending(word))


def _without_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _n_runs(word[:-3]) else word
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if rest != word and _HAS_VOWEL.search(rest):
            break
    else:
        return word
    if rest.endswith(("at", "bl", "iz")):
        return f"{rest}e"
    if rest[-2:-1] == rest[-1:] and rest[-1] not in "aeioulsz":
        return rest[:-1]
    return f"{rest}e" if _n_runs(rest) == 1 and _SHORT_END.search(rest) else rest


def _with_ending_replaced(word: str, endings: dict[str, str]) -> str:
    for ending in _longest_first(tuple(endings)):
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            return rest + endings[ending] if _n_runs(rest) else word
    return word


def _without_last_ending(word: str) -> str:
    for ending in _longest_first(_AFTER_TWO_RUNS):
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            fits = ending != "ion" or rest.endswith(("s", "t"))
            return rest if fits and _n_runs(rest) > 1 else word
    return word


def _without_silent_letters(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        n_runs = _n_runs(rest)
        if n_runs > 1 or (n_runs == 1 and not _SHORT_END.search(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _n_runs(word[:-1]) > 1 else word


def _n_runs(text: str) -> int:
    """How often vowels are followed by consonants: Porter's measure."""
    return len(_RUNS.findall(text))


@functools.cache
def _longest_first(endings: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(endings, key=len, reverse=True))
