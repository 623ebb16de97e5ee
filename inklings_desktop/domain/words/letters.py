"""What people write in several ways, as one: for the index, for queries and for marking.

Source: the folding of Lucene's analyzers for Arabic, Turkish and the letters of Northern Europe.
"""

# ruff: noqa: RUF001 - other scripts are the point here

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_KATAKANA, _HIRAGANA = range(0x30A1, 0x30F7), 0x3041
LETTERS = str.maketrans({
    **dict(zip("ıøłđðħŧё", "iolddhtе", strict=True)),
    **dict.fromkeys("أإآٱ", "ا"), **dict.fromkeys("ىی", "ي"), **dict.fromkeys("ةہ", "ه"), "ک": "ك",
    "æ": "ae", "œ": "oe", "þ": "th", "ʼ": "'", "ـ": "",
    **{chr(one): chr(_HIRAGANA + place) for place, one in enumerate(_KATAKANA)},
})  # fmt: skip
"""Letters that stand for one another, after case folding."""

APOSTROPHES = "'\u2018\u2019\u02bb\u02bc\u00b4\uff07"
_GAPS = ".,\\s" + APOSTROPHES
_IN_PARTS = re.compile(
    rf"(?<![^\W_])(?:\d{{1,3}}([{_GAPS}])\d{{3}}(?:\1\d{{3}})*|[^\W_]+(?:[{APOSTROPHES}][^\W_]+)+)"
    r"(?![^\W_])"
)
_PARTING = re.compile(f"[{_GAPS}]")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_SPELLED_UMLAUT = re.compile("(?<!q)([aou])e")
_LONG_ENOUGH = 5
"""A shorter word with ``ue`` in it is another word (poet, duel) more often than an umlaut."""


def signs_apart(text: str) -> str:
    """The text with a blank on both sides of every symbol, as emoji are; private signs are none."""
    kinds = {one: unicodedata.category(one) for one in set(text) if not one.isascii()}
    if private := [one for one, kind in kinds.items() if kind == "Co"]:
        text = text.translate(dict.fromkeys(map(ord, private), " "))
    if signs := "".join(re.escape(one) for one, kind in kinds.items() if kind == "So"):
        text = re.sub(rf"(?<=\S)(?=[{signs}])|(?<=[{signs}])(?=\S)", " ", text)
    return text


def in_parts(text: str) -> Iterator[tuple[int, int]]:
    """Where something stands that may be written in one as well: ``K'thar``, ``1,000``."""
    return (match.span() for match in _IN_PARTS.finditer(text))


def in_one(word: str) -> str:
    """Such a word in one: ``Kthar``, ``1000``."""
    return _PARTING.sub("", word)


def umlaut_forms(word: str) -> tuple[str, ...]:
    """How a folded word is written otherwise: "sueden" for "süden", and the other way round."""
    if not word.isascii() and (spelled := word.translate(_UMLAUTS)) != word:
        return (spelled,)
    if len(word) < _LONG_ENOUGH or "e" not in word:
        return ()
    short = _SPELLED_UMLAUT.sub(r"\1", word)
    return () if short == word else (short,)
