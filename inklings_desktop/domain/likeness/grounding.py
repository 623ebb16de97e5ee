"""Whether a text rests on what a person said: on their words, and on the same yes or no.

Words are no meaning. So a text that holds a negation which the nearest of the person's sentences
lacks, or the reverse, is not taken for theirs, however many words they share.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.sameness import languages_of
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.function_words import ENGLISH, EVERY_LANGUAGE
from inklings_desktop.domain.words.query_text import bare, folded, is_cjk, words_of
from inklings_desktop.domain.words.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GROUNDED_FROM = 0.6
"""Share of content words. Measured over spoken sentences: what was near the person's words had
0.83 and more, free paraphrases 0.40 to 0.43, inferences and orders hidden in a page 0 to 0.33."""

_SENTENCE_END = re.compile(r"(?<=[.!?\u2026\u3002])\s+|[;\n]+|\s[\u2013\u2014]\s")
_CLAUSE_END = re.compile(r",\s+(?=(?:and|but|yet|und|aber|doch|et|mais)\b)", re.IGNORECASE)
NEGATIONS = frozenset([
    "not", "no", "never", "without", "none", "neither", "nor", "nothing", "nobody", "nowhere",
    "cannot", "nicht", "nie", "niemals", "kein", "keine", "keinen", "keinem", "keiner", "keines",
    "ohne", "nichts", "niemand", "weder", "pas", "jamais", "sans", "aucun", "aucune",
])  # fmt: skip
"""Folded; English short forms ("don't") are further ones: ``is_negation``."""
_NO_DENIAL = re.compile(
    r"\b(?:don['\u2019]?t|do not|never|nicht)\s+forget\b|\bvergiss\s+(?:das\s+|bitte\s+)?nicht\b"
    r"|^\W*(?:no|nein|non)\s*[,.!:\u2013\u2014]|\bnot only\b|\bnicht nur\b",
    re.IGNORECASE,
)
"""Phrases with a negation in them that deny nothing."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """How a text stands to what was said.

    Attributes:
        share: Share of its content words that were said, 0 to 1.
        is_denied: Whether it says no where the nearest sentence says yes, or the reverse.
    """

    share: float
    is_denied: bool

    @property
    def holds(self) -> bool:
        """Whether it may pass for the person's own."""
        return self.share >= GROUNDED_FROM and not self.is_denied


def grounding_of(text: str, said: Iterable[str]) -> Grounding:
    """How far a text rests on what a person said.

    Args:
        text: What is to be written.
        said: The person's messages, in any order.
    """
    sentences = [one for message in said for one in _clauses_of(message)]
    words = content_words(text)
    known: set[str] = set().union(*(content_words(one) for one in sentences))
    if not words:
        told = {" ".join(words_of(folded(one))) for one in sentences}
        return Grounding(float(" ".join(words_of(folded(text))) in told), is_denied=False)
    share = len(words & known) / len(words)
    return Grounding(share, any(_is_denied(one, sentences) for one in _clauses_of(text)))


def share_said(text: str, other: str) -> float:
    """The share of a text's content words that another holds; 0 where it has none."""
    words = content_words(text)
    return len(words & content_words(other)) / len(words) if words else 0.0


def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences and lines of a text, without blank ones."""
    return tuple(one.strip() for one in _SENTENCE_END.split(text) if one and one.strip())


@lru_cache(maxsize=1024)
def content_words(text: str) -> frozenset[str]:
    """The stems of the words that say what a text is about; of signs without blanks, the pairs."""
    plain = [one for word in words_of(folded(text)) for one in without_ending(word)]
    grammar = grammar_of(plain)
    found: set[str] = set()
    for word in plain:
        if is_cjk(word[0]):
            found.update(word[at : at + 2] for at in range(max(len(word) - 1, 1)))
        elif not (word in grammar or word in NEGATIONS or (len(word) == 1 and word.isalpha())):
            found.add(stem(bare(word)))
    return frozenset(found)


def negates(text: str) -> bool:
    """Whether a sentence holds a negation; "don't forget" is none."""
    words = words_of(folded(_NO_DENIAL.sub(" ", text)))
    return any(map(is_negation, words))


def is_negation(word: str) -> bool:
    """Whether a folded word denies something."""
    return word in NEGATIONS or word.replace("\u2019", "'").endswith("n't")


def grammar_of(words: Sequence[str]) -> frozenset[str]:
    """The words that say nothing in a text of these folded words: English, or of any language."""
    return ENGLISH if languages_of(words) == ("en",) else EVERY_LANGUAGE


def without_ending(word: str) -> tuple[str, ...]:
    """A word without its possessive or short form."""
    base, _, ending = word.replace("\u2019", "'").rpartition("'")
    if not base:
        return (word,)
    return (base,) if len(ending) <= 2 else (base, ending)  # noqa: PLR2004 - 's, 'll, n't


def _clauses_of(text: str) -> list[str]:
    """Sentences, cut where "and" or "but" begins another one: a no in one is none in the other."""
    return [one for sentence in sentences_of(text) for one in _CLAUSE_END.split(sentence)]


def _is_denied(sentence: str, said: Sequence[str]) -> bool:
    words = content_words(sentence)
    shared = [len(words & content_words(one)) for one in said]
    most = max(shared, default=0)
    nearest = [one for one, n_shared in zip(said, shared, strict=True) if n_shared == most]
    return most > 0 and all(negates(one) != negates(sentence) for one in nearest)
