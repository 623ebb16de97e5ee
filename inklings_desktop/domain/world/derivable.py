"""Whether a page says already, nearly word for word, what an agent would store.

Vectors have no say: a sentence with another name or number is .98 alike. Only a repeat is found;
whoever says the same in other words may store it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.grounding import (
    grammar_of,
    is_negation,
    sentences_of,
    without_ending,
)
from inklings_desktop.domain.likeness.sameness import tidied
from inklings_desktop.domain.words.query_text import bare, is_cjk
from inklings_desktop.domain.words.stemming import stem
from inklings_desktop.domain.world.folding import folded_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LEAST_WORDS = 4
"""A text with fewer different words of content says too little to be a repeat."""
N_PASSAGES = 12
"""Passages that are asked for, those that share the most words first."""

_ROOM = 1.25
_NOT = "not"
_DENYING_SIGNS = frozenset("\u4e0d\u6ca1\u6c92\u65e0\u7121\u672a\u975e\u5426")
"""Chinese and Japanese signs; there words stand without blanks, and each sign is a word."""


def words_to_find(text: str) -> tuple[str, ...]:
    """The words, each once, by which passages that may say this are found.

    Empty where the text says too little to be a repeat of anything.
    """
    plain = folded_words(text)
    grammar = grammar_of(plain)
    found = dict.fromkeys(word for word in plain if _stems(word, grammar))
    return tuple(found) if len(set(_content(text, grammar))) >= LEAST_WORDS else ()


def repeated_by(text: str, passages: Sequence[str]) -> int | None:
    """The first passage that says all of a text in the same order, close together.

    Args:
        text: What would be stored.
        passages: Of pages, each up to some 1,000 characters; the most likely first.
    """
    grammar = grammar_of(folded_words(text))
    wanted = _content(text, grammar)
    if len(set(wanted)) < LEAST_WORDS:
        return None
    n_negations = sum(map(_denies, wanted))
    # Every form of a word begins with all but the last letter of its stem.
    openings = {one[:-1] or one for one in wanted if not _denies(one)}
    for place, passage in enumerate(passages):
        plain = passage.lower() if passage.isascii() else bare(tidied(passage).casefold())
        if all(one in plain for one in openings) and _says(passage, wanted, n_negations, grammar):
            return place
    return None


def _says(passage: str, wanted: Sequence[str], n_negations: int, grammar: frozenset[str]) -> bool:
    """Whether a passage says these words, and its sentences there deny no more and no less."""
    there: list[str] = []
    sentences: list[list[str]] = []
    of_word: list[int] = []
    for sentence in sentences_of(passage):
        words = _content(sentence, grammar)
        of_word += [len(sentences)] * len(words)
        sentences.append(words)
        there += words
    for start, end in _windows(wanted, there):
        around = sentences[of_word[start] : of_word[end] + 1]
        if sum(_denies(word) for sentence in around for word in sentence) == n_negations:
            return True
    return False


def _windows(wanted: Sequence[str], there: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where all words stand in their order: first place and last, near enough to each other."""
    longest = int(_ROOM * len(wanted)) + 1
    for start, word in enumerate(there):
        if word != wanted[0]:
            continue
        place = start
        try:
            for one in wanted[1:]:
                place = there.index(one, place + 1, start + longest)
        except ValueError:
            continue
        yield start, place


def _content(text: str, grammar: frozenset[str]) -> list[str]:
    return [one for word in folded_words(text) for one in _stems(word, grammar)]


def _stems(word: str, grammar: frozenset[str]) -> list[str]:
    """The stem of a word that says something; none for others, each sign where words are joined."""
    if is_negation(word):
        return [_NOT if word.endswith("n't") or word == "cannot" else word]
    if is_cjk(word[0]):
        return list(word)
    return [stem(bare(part)) for part in without_ending(word) if part not in grammar]


def _denies(word: str) -> bool:
    return word in _DENYING_SIGNS or is_negation(word)
