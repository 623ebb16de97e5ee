"""How sure it is that a memory answers a question, where no model reads either.

The score of a search orders the hits of one search and says nothing of the best of them: asked in a
world that knows nothing of it, 88 of 100 questions still got a hit with a score of 0.5 and more. So
the score is weighed by the share of the question's words that the memory holds. Measured on 600
questions with known answers over facts, dialogues and tales, and on the same asked where no answer
is (``benchmarks.agent_certainty``): from 0.45 on, 73 of 100 questions get a quote (54 the right one
among the first three; the search has it there for 81), and 9 of 100 that have no answer; from 0.3
on, 93 and 26.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.extraction import plain
from inklings_desktop.domain.likeness.grounding import content_words
from inklings_desktop.domain.words.query_text import bare, folded, words_of
from inklings_desktop.domain.words.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.mechanical.speech import Speech

QUOTED_FROM = 0.45
PERHAPS_FROM = 0.3
CLEAR_AHEAD = 0.15
"""So far ahead of the next one a memory is the one that is meant."""

_SHARED_BEGINNING = 5
_LONGEST_ENDING = 3
_MOST_FORMS = 30


def asked_words(question: str, speech: Speech) -> frozenset[str]:
    """The words of a question that say what is looked for, as they are compared."""
    weightless = {stem(bare(word)) for word in speech.weightless} | speech.weightless
    return content_words(question) - weightless


def query_of(question: str, speech: Speech) -> str:
    """A question as it is looked for: without its weightless words, with related ones behind."""
    words = words_of(folded(question))
    kept = [word for word in words if word not in speech.weightless]
    asked = asked_words(question, speech)
    related = {one for word in asked for one in speech.related.get(word, ())}
    forms = {form for word in kept if stem(bare(word)) in asked for form in speech.forms_of(word)}
    more = sorted((related | forms) - set(kept))
    return " ".join([*(kept if asked else words), *more[:_MOST_FORMS]])


def certainty(asked: frozenset[str], hit: Mapping[str, Any], speech: Speech) -> float:
    """How sure it is that a hit answers the question, 0 to 1."""
    score = hit.get("score")
    if not asked or score is None:
        return 0.0
    text = "\n".join((str(hit.get("content", "")), *hit.get("tags", ())))
    held = [speech.base_of(one) for one in content_words(text)]
    n_held = 0
    for word in asked:
        meant = [speech.base_of(one) for one in (word, *speech.related.get(word, ()))]
        n_held += any(_is_same(one, other) for one in meant for other in held)
    return float(score) * n_held / len(asked)


def said_words(text: str, speech: Speech) -> frozenset[str]:
    """The words that say what a text is about, each in its one form: to tell texts apart.

    Unlike those that a search compares they keep their accents: a market in French is no month.
    """
    return _kept_apart(text, content_words(text), speech)


def meant_words(question: str, speech: Speech) -> frozenset[str]:
    """The same of what was asked for, without the words that only ask."""
    return _kept_apart(question, asked_words(question, speech), speech)


def _kept_apart(text: str, stems: frozenset[str], speech: Speech) -> frozenset[str]:
    lower = unicodedata.normalize("NFC", plain(text).casefold())
    pieces = (piece for word in words_of(lower) for piece in (word, *word.split("'")))
    meant = {
        one for one in pieces if content_words(one) <= stems and stem(bare(folded(one))) in stems
    }
    if speech.endings:
        return frozenset(map(speech.base_of, meant))
    return frozenset(stem(one) if one.isascii() else one for one in meant)


def words_of_memory(memory: Mapping[str, Any], speech: Speech) -> frozenset[str]:
    """The same of a memory, its tags among them."""
    return said_words("\n".join((str(memory["content"]), *memory.get("tags", ()))), speech)


def _is_same(one: str, other: str) -> bool:
    """Whether two words are forms of one, or one is the last part of the other."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) < _SHARED_BEGINNING:
        return False
    if long.endswith(short):
        return True
    return short[:-1] == long[: len(short) - 1] and len(long) - len(short) <= _LONGEST_ENDING
