"""Which words of a question say nothing, by the language that the question is in.

The language is that of which most words are found that no other one uses: a question in English
stays one, whatever else a word of it may be elsewhere.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from inklings_desktop.domain.words.function_words import BY_LANGUAGE
from inklings_desktop.domain.words.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_LANGUAGES = ("de", "fr", "es", "pt", "it", "ru")
_ENGLISH_TOO = (
    "a al also art as au aux bald bin che chi com come comment como con cosa da dans das de del "
    "dem den der des di die do dos dove du e ein el elle em er era es est esta este eu fast foi "
    "gift ha han hat i im io la las le lei les lo los ma mais man me mit most na no non nos o on "
    "os par para per plus por pour rot sale sans se sem si sin son sous su sur tem ton tra um un "
    "una van vom von war y yo"
)
"""Words of other languages that are English, or parts of names in an English text (Los Angeles,
Des Moines, van der Berg): one alone says nothing of the language a question is in."""


def stop_words_for(words: Sequence[str], bare: Callable[[str], str]) -> frozenset[str]:
    """The words that say nothing in a question, as ``bare`` writes them.

    Args:
        words: Of the question, folded.
        bare: Takes away the accents that a person may leave out.

    Returns:
        Those of English, and those of another language that the question is in; of several where
        it may be in each.
    """
    plain = {bare(word) for word in words}
    most, meant = 1, list[frozenset[str]]()
    for known in _lists(bare):
        # What English and the other language both say, as "in", speaks for neither.
        n_english = len((plain & STOP_WORDS) - known)
        found = (plain & known) - STOP_WORDS
        weight = 2 * len(found) - len(found & _english_too())
        if weight > max(1, 4 * n_english) and weight >= most:
            meant = [*(meant if weight == most else ()), known]
            most = weight
    return STOP_WORDS.union(*meant)


@functools.cache
def _lists(bare: Callable[[str], str]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(bare, BY_LANGUAGE[code])) for code in _LANGUAGES)


@functools.cache
def _english_too() -> frozenset[str]:
    return frozenset(_ENGLISH_TOO.split())
