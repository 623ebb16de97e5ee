"""Finds memories by words and by meaning: both indexes asked under every scope key, and ranked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Self

from inklings_desktop.domain.access.access import Action, authorize
from inklings_desktop.domain.errors import DimensionMismatchError, InvalidValueError
from inklings_desktop.domain.likeness.calibration import UNMEASURED, Calibration
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter, MemoryState
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search import explanation
from inklings_desktop.domain.search.explanation import RankedHit
from inklings_desktop.domain.search.hits import (
    LIST_LENGTH,
    NO_HITS,
    WORDS_LENGTH,
    best_of_all,
    candidates,
    joined,
)
from inklings_desktop.domain.search.ranking import Meaning, Ranking, ranked
from inklings_desktop.domain.words.query_text import KeywordQuery, SearchMode, keyword_query
from inklings_desktop.usecases.search.attention_filter import looked_up
from inklings_desktop.usecases.search.one_file import one_file_of
from inklings_desktop.usecases.steps.query_vectors import no_vector

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.domain.search.hits import Hits, Traits
    from inklings_desktop.domain.search.ranking import Nearness
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import FindView, Store
    from inklings_desktop.usecases.steps.query_vectors import Asked as Meant
    from inklings_desktop.usecases.steps.query_vectors import PendingVector

DEFAULT_LIMIT = 10
MAX_LIMIT = 1_000
MAX_LIST_LENGTH = 4_000
"""How far the lists are followed at most when duplicates leave too few hits."""


def list_length(limit: int) -> int:
    """How many of the nearest are looked at first, for a search that wants this many hits."""
    return max(LIST_LENGTH, limit + limit // 2)


def words_length(length: int) -> int:
    """How many matches are looked at beside this many of the nearest."""
    return WORDS_LENGTH * length // LIST_LENGTH


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is looked for.

    Attributes:
        text: Anything a person or agent types.
        mode: Hybrid or keyword.
        limit: Most hits wanted, 1 to 1,000.
        where: What a memory must be; forgotten ones are never found.
        last_word_is_open: The last word may be unfinished (search as you type).
        found_only: Whether an agent too is shown only what was found, and nothing without a match.

    Raises:
        InvalidValueError: The limit is out of range, or the filter asks for forgotten memories.
    """

    text: str
    mode: SearchMode = SearchMode.HYBRID
    limit: int = DEFAULT_LIMIT
    where: MemoryFilter = EVERYTHING
    last_word_is_open: bool = False
    found_only: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MAX_LIMIT:
            raise InvalidValueError("limit", "range", MAX_LIMIT)
        if self.where.state is not MemoryState.ACTIVE:
            raise InvalidValueError("state", "forgotten_never_found")


@dataclass(frozen=True, slots=True)
class Found:
    """What one search found, as far as it was ranked.

    Attributes:
        placings: Every candidate in final order, folded ones included.
        entries: The memories of those that stand for themselves and are within the limit.
        query: The terms that were looked for.
        mode: The mode that answered: keyword when no model could embed the text.
        vector: The query's; None when meaning was not compared.
        model_id: The model that made it.
        calibration: What that model's cosines say.
        where: The filter with its list of things worth a look, if it named one.
    """

    placings: Ranking
    entries: Mapping[str, MemoryEntry]
    query: KeywordQuery
    mode: SearchMode
    vector: FloatVector | None
    model_id: str
    calibration: Calibration
    where: MemoryFilter


@dataclass(frozen=True, slots=True)
class _Lists:
    """What both indexes found under each scope key, to some length.

    Of what is near in meaning only what the caller is shown; ``are_cut`` says whether longer
    lists may hold more.
    """

    keyword: Mapping[ScopeKey, Hits]
    semantic: Mapping[ScopeKey, Hits]
    length: int
    are_cut: bool


def retrieved(asked: Asked, scopes: Sequence[ScopeKey], request: SearchRequest) -> Found:
    """What a search finds, as far as it was ranked; the rights of the caller have been checked."""
    query = keyword_query(request.text, last_word_is_open=request.last_word_is_open)
    if query.is_empty or not scopes:
        model_id = asked.parts.query_vectors.model_id
        return Found(Ranking(), {}, query, request.mode, None, model_id, UNMEASURED, request.where)
    file = one_file_of(scopes)
    if request.mode is SearchMode.KEYWORD:
        pending = no_vector(asked.parts.query_vectors.model_id)
    else:
        pending = asked.parts.query_vectors.begin(request.text)
    length = list_length(request.limit)
    decay, unique = asked.parts.settings().decay, tuple(dict.fromkeys(scopes))
    search = _Search(
        asked.caller,
        unique,
        request,
        query,
        asked.clock(),
        decay,
        pending.model_id,
        pending.calibration,
    ).looked_up(asked.store, file)
    with asked.store.find(file) as view:
        words = search.by_words(view, length)  # while the text is embedded, if it has to be
        if request.mode is SearchMode.HYBRID:
            answering = view.vectors.answering()
            pending = asked.parts.query_vectors.answering(pending, request.text, answering)
            search = search.with_model(pending)
        if pending.is_ready():
            return search.found(view, words, length, pending.wait())
        view.vectors.prepare(scopes, pending.model_id, search.request.where)
    meant = pending.wait()  # no view stays open meanwhile
    with asked.store.find(file) as view:
        return search.found(view, words, length, meant)


@dataclass(frozen=True, slots=True)
class _Search:
    """One search on its way."""

    caller: Caller
    scopes: tuple[ScopeKey, ...]
    request: SearchRequest
    query: KeywordQuery
    now: datetime
    decay: DecayConfig
    model_id: str
    calibration: Calibration

    def looked_up(self, store: Store, file: str | None) -> Self:
        """This search with the memories of the list of things worth a look, if it names one."""
        if self.request.where.attention is None:
            return self
        with store.read(file) as view:
            where = looked_up(
                self.request.where,
                view,
                self.scopes,
                decay=self.decay,
                model_id=self.model_id,
                as_of=self.now,
            )
        return replace(self, request=replace(self.request, where=where))

    def with_model(self, pending: PendingVector) -> Self:
        """This search with the model that made the vectors of the file."""
        if pending.model_id == self.model_id:
            return self
        return replace(self, model_id=pending.model_id, calibration=pending.calibration)

    def by_words(self, view: FindView, length: int) -> Mapping[ScopeKey, Hits]:
        """Each scope key's best matches."""
        return view.full_text.search(
            self.scopes,
            self.query,
            where=self.request.where,
            visible_to=self.caller.walls,
            limit=words_length(length),
        )

    def found(
        self,
        view: FindView,
        words: Mapping[ScopeKey, Hits],
        length: int,
        asked: Meant,
    ) -> Found:
        """The ranked answer; the lists are followed further where duplicates left too little."""
        vector = asked.vector
        while True:
            lists, vector = self._with_meaning(view, words, length, vector)
            placings = self._ranked(view, lists, asked._replace(vector=vector))
            wanted = [one for one in placings.ids if one not in placings.folded_into]
            is_enough = len(wanted) >= self.request.limit or not lists.are_cut
            if is_enough or length >= MAX_LIST_LENGTH:
                break
            length *= 4
            words = self.by_words(view, length)
        entries = {
            key: entry
            for key, entry in view.found(wanted[: self.request.limit]).items()
            if entry.is_retrievable and entry.scope in self.scopes
            if self.caller.may_know_of(entry)
        }  # the indexes decided so already; nothing forgotten or foreign passes this line
        mode = SearchMode.KEYWORD if vector is None else SearchMode.HYBRID
        return Found(
            placings,
            entries,
            self.query,
            mode,
            vector,
            self.model_id,
            self.calibration,
            self.request.where,
        )

    def _with_meaning(
        self,
        view: FindView,
        words: Mapping[ScopeKey, Hits],
        length: int,
        vector: FloatVector | None,
    ) -> tuple[_Lists, FloatVector | None]:
        """Both lists, and the vector unless nothing here can be compared with it."""
        near: Mapping[ScopeKey, Hits] = {}
        if vector is not None:
            try:
                near = view.vectors.nearest(
                    self.scopes,
                    vector,
                    self.model_id,
                    where=self.request.where,
                    visible_to=self.caller.walls,
                    limit=length,
                )
            except DimensionMismatchError:  # a damaged file; words still answer
                vector = None
        meant = {
            scope: self._shown(hits, words.get(scope, NO_HITS)) for scope, hits in near.items()
        }
        n_words, n_near = sum(map(len, words.values())), sum(map(len, meant.values()))
        are_cut = n_words >= words_length(length) or n_near >= length
        return _Lists(words, meant, length, are_cut), vector

    def _shown(self, near: Hits, words: Hits) -> Hits:
        """A person is shown what was found, an agent the best there is unless it wants the same."""
        if self.caller.is_agent and not self.request.found_only:
            return near
        is_about, matched = self.calibration.is_about, frozenset(words.ids)
        rows = enumerate(zip(near.ids, near.figures, strict=True))
        places = [at for at, (id_, cosine) in rows if is_about(cosine) or id_ in matched]
        return near if len(places) == len(near) else near.at(places)

    def _ranked(self, view: FindView, lists: _Lists, asked: Meant) -> Ranking:
        found = [
            candidates(lists.keyword.get(scope, NO_HITS), lists.semantic.get(scope, NO_HITS))
            for scope in self.scopes
        ]
        if len(found) > 1:
            found = best_of_all(found, words_length(lists.length))
        parts = [(scope, one) for scope, one in zip(self.scopes, found, strict=True) if one.ids]
        if not parts:
            return Ranking()
        traits = joined(
            [view.traits.of(scope, one, self.model_id, asked.vector) for scope, one in parts]
        )
        repeated = traits.repeating()
        texts = view.traits.texts_of_repeats(repeated) if repeated else {}
        return ranked(
            joined([one for _, one in parts]),
            traits,
            texts,
            self.query,
            Meaning(
                UNMEASURED if asked.vector is None else self.calibration,
                self._nearness(view, asked, traits),
            ),
            decay=self.decay,
            now=self.now,
        )

    @staticmethod
    def _nearness(view: FindView, asked: Meant, traits: Traits) -> Nearness | None:
        if asked.vector is None or not asked.words:
            return None
        # The first answer by words alone does without.
        from inklings_desktop.usecases.search.word_by_word import word_by_word

        return partial(word_by_word, view.tokens, asked, traits)


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
