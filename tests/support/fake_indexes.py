"""Keyword and meaning search in the simplest way that keeps the ports' promises."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DimensionMismatchError
from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.memories.decay import touched_at
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryState
from inklings_desktop.domain.search.hits import Hits, Trait, Traits
from inklings_desktop.domain.words.query_text import folded, is_cjk, words_of
from tests.support.fake_file import FakeFile, answering, is_visible, matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import (
        MemoryEntry,
        ScopeKey,
    )
    from inklings_desktop.domain.search.hits import Candidates
    from inklings_desktop.domain.words.query_text import KeywordQuery


class FakeFullTextIndex:
    """Keyword search by comparing words; its scores only order, they are no BM25."""

    def __init__(self, file: FakeFile) -> None:
        self._file = file

    def search(
        self,
        scopes: Sequence[ScopeKey],
        query: KeywordQuery,
        *,
        where: MemoryFilter,
        visible_to: str | None,
        limit: int,
    ) -> dict[ScopeKey, Hits]:
        """Each scope key's matches, best first; ties by id."""
        found = {}
        for scope in scopes:
            hits = [
                (entry.id, score, entry.sequence)
                for entry in _searchable(self._file, [scope], where, visible_to)
                if (score := _word_score(entry, query)) > 0
            ]
            hits.sort(key=lambda hit: (-hit[1], hit[0]))
            found[scope] = Hits.of(hits[:limit])
        return found


class FakeVectorIndex:
    """Nearest neighbours by plain arithmetic."""

    def __init__(self, file: FakeFile) -> None:
        self._file = file

    def answering(self) -> str:
        """The model of all its vectors."""
        return answering(self._file)

    def nearest(
        self,
        scopes: Sequence[ScopeKey],
        vector: FloatVector,
        model_id: str,
        *,
        where: MemoryFilter,
        visible_to: str | None,
        limit: int,
    ) -> dict[ScopeKey, Hits]:
        """The memories of the scope keys, each key's most similar first; ties by id."""
        found = {}
        for scope in scopes:
            hits = []
            for entry in _searchable(self._file, [scope], where, visible_to):
                stored = vector_of(self._file, entry.id, model_id)
                if stored is None:
                    continue
                if len(stored) != len(vector):
                    raise DimensionMismatchError(len(stored), len(vector))
                cosine = sum(float(a) * float(b) for a, b in zip(stored, vector, strict=True))
                if math.isfinite(cosine):
                    hits.append((entry.id, _rounded(cosine), entry.sequence))
            hits.sort(key=lambda hit: (-hit[1], hit[0]))
            found[scope] = Hits.of(hits[:limit])
        cosines = sorted((one for hits in found.values() for one in hits.figures), reverse=True)
        least = cosines[limit - 1] if len(cosines) > limit else -1.0
        return {
            scope: Hits.of(hit for hit in hits if hit.figure >= least)
            for scope, hits in found.items()
        }

    def prepare(self, scopes: Sequence[ScopeKey], model_id: str, where: MemoryFilter) -> None:
        """Nothing has to be made ready."""


class FakeTraitsReader:
    """Traits of whole memories."""

    def __init__(self, file: FakeFile) -> None:
        self._file = file

    def of(
        self,
        scope: ScopeKey,
        found: Candidates,
        model_id: str,
        vector: FloatVector | None,
    ) -> Traits:
        """Traits of a scope key's retrievable memories."""
        traits = {
            entry.id: Trait(
                entry.scope,
                entry.tags,
                entry.source_conversation,
                entry.importance,
                round(touched_at(entry).timestamp() * 1000),
                entry.access_count,
                entry.pinned,
                key_of(entry.content),
                None if vector is None else self._cosine(entry.id, model_id, vector),
            )
            for entry in _searchable(self._file, [scope], EVERYTHING, None)
            if entry.id in found.ids
        }
        return Traits.of(traits)

    def _cosine(self, memory_id: str, model_id: str, vector: FloatVector) -> float | None:
        stored = vector_of(self._file, memory_id, model_id)
        if stored is None or len(stored) != len(vector):
            return None
        return _rounded(sum(float(a) * float(b) for a, b in zip(stored, vector, strict=True)))

    def texts_of_repeats(self, ids: Sequence[str]) -> dict[str, str]:
        """What those say that may say the same as another."""
        wanted = [one for id_ in dict.fromkeys(ids) if (one := self._file.memories.get(id_))]
        said = Counter((one.scope, key_of(one.content)) for one in wanted)
        return {one.id: one.content for one in wanted if said[one.scope, key_of(one.content)] > 1}


def vector_of(file: FakeFile, memory_id: str, model_id: str) -> FloatVector | None:
    """A memory's vector, if this model made it."""
    model, stored = file.vectors.get(memory_id, ("", None))
    return stored if model == model_id else None


def _searchable(
    file: FakeFile, scopes: Sequence[ScopeKey], where: MemoryFilter, visible_to: str | None
) -> Iterator[MemoryEntry]:
    if where.state is not MemoryState.ACTIVE:
        return
    for entry in file.memories.values():
        if (
            entry.scope in scopes
            and entry.is_retrievable
            and is_visible(entry, visible_to)
            and matches(entry, where)
        ):
            yield entry


def _rounded(cosine: float) -> float:
    return round(max(-1.0, min(1.0, cosine)), 9)


def _word_score(entry: MemoryEntry, query: KeywordQuery) -> float:
    text = _plain(" ".join((entry.content, *entry.tags, *entry.origin)))
    whole = words_of(text)
    parts = [part for word in whole for part in (word.removesuffix("'s"), *word.split("'"))]
    words = whole + [part for part in parts if part not in whole]
    score = 0.0
    for word in map(_plain, query.words):
        if any(map(is_cjk, word)):
            score += any(pair in text for pair in _pairs(word))
        else:
            score += words.count(word)
    if query.prefix is not None:
        score += 0.5 * sum(word.startswith(_plain(query.prefix)) for word in words)
    return score


def _pairs(word: str) -> list[str]:
    return [word[i : i + 2] for i in range(len(word) - 1)] or [word]


def _plain(text: str) -> str:
    """Folded, and without the accents of composed letters."""
    parts = unicodedata.normalize("NFD", folded(text))
    bare = "".join(c for c in parts if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", bare)
