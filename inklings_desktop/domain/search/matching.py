"""When a text matches a message: they share a word that says what the message is about.

This decides which places of an orientation count as reads. Words are compared as the keyword index
compares them: folded, without accents, by their stem, and in pairs of signs where no blanks stand
between words. Function words say nothing about a message, nor does a lone letter, nor a number
below a thousand: it counts or orders things, and names none.

Likeness of meaning has no say: unrelated memories reach any cosine that a related one may have.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.sameness import languages_of
from inklings_desktop.domain.words.function_words import (
    ENGLISH,
    EVERY_LANGUAGE,
    GRAMMAR_WITHOUT_BLANKS,
)
from inklings_desktop.domain.words.query_text import (
    KeywordQuery,
    folded,
    forms_of,
    holds_any,
    is_cjk,
    keyword_query,
    match_spans,
    n_said,
    openings_of,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORT_NUMBER = 3
_GRAMMAR = re.compile(f"[{GRAMMAR_WITHOUT_BLANKS}]+")


def matching(message: str, texts: Iterable[str]) -> list[bool]:
    """Whether each text matches a message; one that says nothing matches none."""
    query = _telling(message)
    openings = openings_of(query)
    return [
        not query.is_empty and holds_any(text, openings) and bool(match_spans(text, query))
        for text in texts
    ]


class Asked:
    """What a message asks about, to tell how much of it a text says."""

    def __init__(self, message: str) -> None:
        self._message = message
        self._forms: tuple[frozenset[str], ...] | None = None

    def said(self, text: str) -> tuple[int, int]:
        """How many of the telling words stand in a text, and how many there are."""
        if self._forms is None:
            self._forms = tuple(map(forms_of, _telling(self._message).words))
        return n_said(text, self._forms), len(self._forms)


def _telling(message: str) -> KeywordQuery:
    """The words of a message that say what it is about."""
    tidy = folded(message)
    # "War" and "die" are grammar in German, and no reason to miss an English war.
    is_english = "en" in languages_of(words_of(tidy))
    grammar = ENGLISH if is_english else EVERY_LANGUAGE
    # Folded, katakana would read like grammar.
    words = keyword_query(_GRAMMAR.sub(" ", message)).words
    parts = (part for word in words for part in word.replace("\u2019", "'").split("'"))
    return KeywordQuery(tuple(dict.fromkeys(one for one in parts if _tells(one, grammar))))


def _tells(word: str, grammar: frozenset[str]) -> bool:
    if word.isdecimal():
        return len(word) > _SHORT_NUMBER
    is_letter = len(word) == 1 and word.isalpha() and not is_cjk(word)
    return bool(word) and not is_letter and word not in grammar
