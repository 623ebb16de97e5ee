"""Find memories of one tier by words and by meaning."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.explanation import RankedHit
from inklings_desktop.domain.search.matching import Asked
from inklings_desktop.usecases.search.one_file import one_file_of
from inklings_desktop.usecases.search.retrieval import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    Retrieval,
    SearchRequest,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.words.query_text import KeywordQuery, SearchMode
    from inklings_desktop.usecases.parts import Parts
    from inklings_desktop.usecases.ports.store import Clock
    from inklings_desktop.usecases.steps.counting_reads import ReadCounter

__all__ = ["DEFAULT_LIMIT", "MAX_LIMIT", "SearchMemories", "SearchRequest", "SearchResult"]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first.

    Attributes:
        hits: At most ``limit`` of them.
        query: The terms that were looked for, for marking them.
        mode: The mode that answered: keyword when no model could embed the text.
    """

    hits: tuple[RankedHit, ...]
    query: KeywordQuery
    mode: SearchMode

    @property
    def matched(self) -> bool:
        """Whether any hit is a match; else they are the nearest of what is there."""
        return any(hit.is_match for hit in self.hits)


@dataclass(frozen=True, slots=True)
class SearchMemories:
    """Search one tier under one or more of its scope keys.

    A search by an agent counts as a read of every match, exactly once; a person's never does, nor
    one by somebody who only looks through an agent's eyes.
    """

    retrieval: Retrieval
    clock: Clock
    count_reads: ReadCounter

    def __call__(
        self, caller: Caller, scopes: Sequence[ScopeKey], request: SearchRequest
    ) -> SearchResult:
        """Hits of this search; a text without any word finds nothing.

        Raises:
            ScopeDeniedError: A scope is closed to the caller.
            InvalidValueError: The scopes are of several tiers or files.
        """
        result = self.look(caller, scopes, request)
        if caller.is_agent and result.matched:
            ids = [hit.entry.id for hit in result.hits if hit.is_match]
            self.count_reads(caller, one_file_of(scopes), ids, self.clock())
        return result

    def look(
        self, caller: Caller, scopes: Sequence[ScopeKey], request: SearchRequest
    ) -> SearchResult:
        """The same hits without counting a read: for whoever decides later what is handed on.

        Raises:
            ScopeDeniedError: A scope is closed to the caller.
            InvalidValueError: The scopes are of several tiers or files.
        """
        authorize(caller, Action.READ, *scopes)
        found = self.retrieval(caller, scopes, request)
        shown = [found.placings.of(key) for key in found.placings.ids if key in found.entries]
        asked = Asked(request.text)
        hits = tuple(
            RankedHit(found.entries[one.id], one.explanation.score, one.explanation, asked)
            for one in shown
        )
        result = SearchResult(hits, found.query, found.mode)
        is_miss = request.found_only and not result.matched
        return replace(result, hits=()) if is_miss else result


def search_of(parts: Parts) -> SearchMemories:
    """The search that others build on."""
    ranked = Retrieval(parts.store, parts.query_vectors, parts.clock, parts.settings)
    return SearchMemories(ranked, parts.clock, parts.count_reads)
