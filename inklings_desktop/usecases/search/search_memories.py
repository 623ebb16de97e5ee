"""Find memories of one tier by words and by meaning."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search import explanation
from inklings_desktop.domain.search.explanation import RankedHit
from inklings_desktop.usecases.search.one_file import one_file_of
from inklings_desktop.usecases.search.retrieval import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    SearchRequest,
    retrieved,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.words.query_text import KeywordQuery, SearchMode
    from inklings_desktop.usecases.parts import Asked

__all__ = ["DEFAULT_LIMIT", "MAX_LIMIT", "SearchRequest", "SearchResult", "found", "looked"]


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


def found(asked: Asked, scopes: Sequence[ScopeKey], request: SearchRequest) -> SearchResult:
    """The hits of a search; those of an agent count as read."""
    caller = asked.caller
    result = looked(asked, scopes, request)
    if caller.is_agent and result.matched:
        ids = [hit.entry.id for hit in result.hits if hit.is_match]
        asked.parts.count_reads(caller, one_file_of(scopes), ids, asked.clock())
    return result


def looked(asked: Asked, scopes: Sequence[ScopeKey], request: SearchRequest) -> SearchResult:
    """The same hits without counting a read."""
    caller = asked.caller
    authorize(caller, Action.READ, *scopes)
    found = retrieved(asked, scopes, request)
    shown = [found.placings.of(key) for key in found.placings.ids if key in found.entries]
    typed = explanation.Asked(request.text)
    hits = tuple(
        RankedHit(found.entries[one.id], one.explanation.score, one.explanation, typed)
        for one in shown
    )
    result = SearchResult(hits, found.query, found.mode)
    is_miss = request.found_only and not result.matched
    return replace(result, hits=()) if is_miss else result
