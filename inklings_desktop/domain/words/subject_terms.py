"""Whether a question names what a memory is about: its tags, a speaker or title among them."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from inklings_desktop.domain.words.query_text import bare, folded, is_cjk, words_of
from inklings_desktop.domain.words.stemming import stem
from inklings_desktop.domain.words.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from inklings_desktop.domain.words.query_text import KeywordQuery


class SubjectTerms:
    """The words of one query, compared with tags as the index compares words."""

    def __init__(self, query: KeywordQuery) -> None:
        """Take the query's content words."""
        self._stems = frozenset(map(_compared, query.words))
        self._runs = tuple(word for word in query.words if any(map(is_cjk, word)))

    def share_named(self, tags: tuple[str, ...]) -> float:
        """The share of the best-named tag's words that the query holds, 0 to 1."""
        if not self._runs and self._stems.isdisjoint(_words_of_tags(tags)):
            return 0.0
        most = 0.0
        for tag in tags:
            words = _words_of_tag(tag)
            if self._runs or not self._stems.isdisjoint(words):
                most = max(most, self._share(words))
        return most

    def _share(self, words: frozenset[str]) -> float:
        if not words:
            return 0.0
        n_named = len(words & self._stems)
        if self._runs:
            n_named += sum(
                any(word in run for run in self._runs)
                for word in words - self._stems
                if any(map(is_cjk, word))
            )
        return n_named / len(words)


@functools.lru_cache(maxsize=4096)
def _words_of_tag(tag: str) -> frozenset[str]:
    """The stems of a tag's words; without its stop words, unless it has no others."""
    words = words_of(folded(tag))
    content = [word for word in words if word not in STOP_WORDS] or words
    return frozenset(map(_compared, content))


@functools.lru_cache(maxsize=4096)
def _words_of_tags(tags: tuple[str, ...]) -> frozenset[str]:
    """The stems of the words of all of them: most memories are told apart by a look at these."""
    return frozenset().union(*map(_words_of_tag, tags))


def _compared(word: str) -> str:
    return stem(word if word.isascii() else bare(word))
