"""Find memories of one tier by words and by meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.domain.access import Action, Caller, authorize
from inklings_desktop.domain.decay import relevance_of
from inklings_desktop.domain.errors import EmbeddingUnavailableError, InvalidValueError
from inklings_desktop.domain.listing import EVERYTHING, MemoryFilter, MemoryState
from inklings_desktop.domain.query_text import KeywordQuery, SearchMode, keyword_query
from inklings_desktop.domain.ranking import (
    MEANINGFUL_COSINE,
    RankedHit,
    SemanticHit,
    candidates,
    ranked,
)
from inklings_desktop.usecases.browse_memories import one_file_of
from inklings_desktop.usecases.overview import looked_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.decay import DecayConfig
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.vectors import FloatVector
    from inklings_desktop.usecases.ports import Clock, Embedder, Store, StoreView

DEFAULT_LIMIT = 10
MAX_LIMIT = 1_000
LIST_LENGTH = 60


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is looked for.

    Attributes:
        text: Anything a person or agent types.
        mode: Hybrid or keyword.
        limit: Most hits wanted, 1 to 1,000.
        where: What a memory must be; forgotten ones are never found.
        last_word_is_open: The last word may be unfinished (search as you type).

    Raises:
        InvalidValueError: The limit is out of range, or the filter asks for forgotten memories.
    """

    text: str
    mode: SearchMode = SearchMode.HYBRID
    limit: int = DEFAULT_LIMIT
    where: MemoryFilter = EVERYTHING
    last_word_is_open: bool = False

    def __post_init__(self) -> None:
        """Check the limit and the state."""
        if not 1 <= self.limit <= MAX_LIMIT:
            raise InvalidValueError("limit", "range", MAX_LIMIT)
        if self.where.state is not MemoryState.ACTIVE:
            raise InvalidValueError("state", "forgotten_never_found")


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


@dataclass(frozen=True, slots=True)
class SearchMemories:
    """Search one tier under one or more of its scope keys.

    A search by an agent counts as a read of every hit, exactly once; a person's never does.
    """

    store: Store
    embedder: Embedder
    clock: Clock
    decay: DecayConfig

    def __call__(
        self, caller: Caller, scopes: Sequence[ScopeKey], request: SearchRequest
    ) -> SearchResult:
        """Hits of this search; a text without any word finds nothing.

        Raises:
            ScopeDeniedError: A scope is closed to the caller.
            InvalidValueError: The scopes are of several tiers or files.
        """
        result = self.look(caller, scopes, request)
        if caller.is_agent and result.hits:
            ids = [hit.entry.id for hit in result.hits]
            with self.store.write(
                one_file_of(scopes), initiator=caller.name, durable=False
            ) as unit:
                unit.memories.count_reads(ids, self.clock())
                unit.commit()
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
        query = keyword_query(request.text, last_word_is_open=request.last_word_is_open)
        if query.is_empty or not scopes:
            return SearchResult((), query, request.mode)
        file = one_file_of(scopes)
        embedder = self.embedder.pinned()
        vector = _vector(embedder, request)  # before the transaction: it stays short
        mode = SearchMode.KEYWORD if vector is None else SearchMode.HYBRID
        with self.store.read(file) as view:
            hits = self._hits(
                view, caller, scopes, request, query, vector, model_id=embedder.model_id
            )
        return SearchResult(hits, query, mode)

    def _hits(
        self,
        view: StoreView,
        caller: Caller,
        scopes: Sequence[ScopeKey],
        request: SearchRequest,
        query: KeywordQuery,
        vector: FloatVector | None,
        *,
        model_id: str,
    ) -> tuple[RankedHit, ...]:
        length = max(LIST_LENGTH, request.limit)
        now = self.clock()
        where = looked_up(
            request.where,
            view,
            scopes,
            decay=self.decay,
            model_id=model_id,
            as_of=now,
        )
        by_words = view.full_text.search(
            scopes,
            query,
            where=where,
            visible_to=caller.sees_private_of,
            limit=length,
        )
        by_meaning: tuple[SemanticHit, ...] = ()
        if vector is not None:
            by_meaning = view.vectors.nearest(
                scopes,
                vector,
                model_id,
                where=where,
                visible_to=caller.sees_private_of,
                limit=length,
            )
        if not caller.is_agent:  # a person is shown what was found, an agent the best there is
            matched = {hit.id for hit in by_words}
            by_meaning = tuple(
                hit for hit in by_meaning if hit.cosine >= MEANINGFUL_COSINE or hit.id in matched
            )
        found = candidates(by_words, by_meaning)
        entries = {
            key: entry
            for key, entry in view.memories.get_many([one.id for one in found]).items()
            if entry.is_retrievable and entry.scope in scopes and caller.may_know_of(entry)
        }  # the indexes decided so already; nothing forgotten or foreign passes this line
        relevance = {key: relevance_of(entry, self.decay, now) for key, entry in entries.items()}
        return ranked(found, entries, relevance)[: request.limit]


def _vector(embedder: Embedder, request: SearchRequest) -> FloatVector | None:
    if request.mode is SearchMode.KEYWORD or not embedder.is_available:
        return None
    try:
        vector: FloatVector = embedder.embed([request.text])[0]
    except EmbeddingUnavailableError:
        return None
    return vector
