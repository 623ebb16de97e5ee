"""Whether a question names what a memory is about: its tags, a speaker or title among them."""

from __future__ import annotations

import functools
from itertools import chain
from typing import TYPE_CHECKING

from inklings_desktop.domain.words.function_words import STOP_WORDS
from inklings_desktop.domain.words.query_text import bare, folded, is_cjk, words_of
from inklings_desktop.domain.words.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.words.query_text import KeywordQuery


class SubjectTerms:
    """The words of one query, compared with tags as the index compares words."""

    def __init__(self, query: KeywordQuery) -> None:
        self._stems = frozenset(map(_compared, query.words))
        self._runs = tuple(word for word in query.words if any(map(is_cjk, word)))

    def shares_named(self, tags_of: Sequence[tuple[str, ...]]) -> list[float]:
        """Of each memory's tags, the share of the best-named tag's words that the query holds.

        Args:
            tags_of: The tags of each memory.

        Returns:
            0 to 1, in the same order.
        """
        tags = set(chain.from_iterable(tags_of))
        if not self._runs:  # of most tags no word is in the query, which is told at once
            is_other = self._stems.isdisjoint
            tags = {tag for tag in tags if not is_other(_words_of_tag(tag))}
        shares = {tag: share for tag in tags if (share := self._share(_words_of_tag(tag)))}
        if not shares:
            return [0.0] * len(tags_of)
        is_unnamed, of_tag = shares.keys().isdisjoint, shares.get
        return [
            0.0 if is_unnamed(own) else max([of_tag(tag, 0.0) for tag in own]) for own in tags_of
        ]

    def _share(self, words: frozenset[str]) -> float:
        n_named = len(words & self._stems)
        if self._runs:
            n_named += sum(
                any(word in run for run in self._runs)
                for word in words - self._stems
                if any(map(is_cjk, word))
            )
        return n_named / len(words) if n_named else 0.0


@functools.lru_cache(maxsize=4096)
def _words_of_tag(tag: str) -> frozenset[str]:
    """The stems of a tag's words; without its stop words, unless it has no others."""
    words = words_of(folded(tag))
    content = [word for word in words if word not in STOP_WORDS] or words
    return frozenset(map(_compared, content))


def _compared(word: str) -> str:
    return stem(word if word.isascii() else bare(word))
