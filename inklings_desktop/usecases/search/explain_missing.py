"""Say why a search did not find a certain memory."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.hits import NO_HITS
from inklings_desktop.usecases.search.one_file import one_file_of
from inklings_desktop.usecases.search.search_memories import retrieved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.domain.search.explanation import Explanation
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView
    from inklings_desktop.usecases.search.search_memories import Found, SearchRequest

DEEP_LOOK = 100_000
"""How far down both lists the memory is looked for."""


class Stage(StrEnum):
    """Where on its way a memory fell out of a search."""

    NOT_HERE = "not_here"
    FORGOTTEN = "forgotten"
    PAUSED = "paused"
    FILTERED = "filtered"
    NO_WORDS = "no_words"
    NO_MATCH = "no_match"
    BELOW_LISTS = "below_lists"
    FOLDED = "folded"
    BELOW_LIMIT = "below_limit"
    FOUND = "found"


@dataclass(frozen=True, slots=True)
class Missing:
    """What became of one memory in one search.

    Attributes:
        stage: Where it fell out; ``NO_WORDS`` when the search itself held nothing to look for,
            ``FOUND`` when it is among the hits after all.
        entry: The memory; None when there is none here.
        position: Its place among the hits that stand for themselves, from 1, if it has one.
        folded_into: Id of the better hit that it stands behind.
        keyword_rank: Its place among the matches of its scope key, if any word matched.
        semantic_rank: Its place in likeness of meaning, if that was compared.
        cosine: Likeness to the query.
        has_vector: Whether it could be compared by meaning at all.
        explanation: Its figures, if it was a candidate.
        shown_from: Which likeness alone says that a memory has to do with the query, on the scale
            of the model; None where it has none.
    """

    stage: Stage
    entry: MemoryEntry | None = None
    position: int | None = None
    folded_into: str | None = None
    keyword_rank: int | None = None
    semantic_rank: int | None = None
    cosine: float | None = None
    has_vector: bool = False
    explanation: Explanation | None = None
    shown_from: float | None = None


def missing(
    asked: Asked, scopes: Sequence[ScopeKey], request: SearchRequest, memory_id: str
) -> Missing:
    """The stage at which a memory fell out of a search."""
    caller = asked.caller
    authorize(caller, Action.READ, *scopes)
    if not scopes:
        return Missing(Stage.NOT_HERE)
    with asked.store.read(one_file_of(scopes)) as view:
        entry = view.memories.get_many([memory_id]).get(memory_id)
    if entry is None or entry.scope not in scopes or not caller.may_know_of(entry):
        return Missing(Stage.NOT_HERE)
    if caller.is_agent and not entry.is_retrievable:
        return Missing(Stage.NOT_HERE)
    if entry.is_forgotten:
        return Missing(Stage.FORGOTTEN, entry)
    if entry.paused:
        return Missing(Stage.PAUSED, entry)
    if not request.where.admits(entry):
        return Missing(Stage.FILTERED, entry)
    found = retrieved(asked, scopes, request)
    if found.where.sequences is not None and entry.sequence not in found.where.sequences:
        return Missing(Stage.FILTERED, entry)
    if found.query.is_empty:
        return Missing(Stage.NO_WORDS, entry)
    placed = _placed(found, entry)
    if placed is not None:
        return placed
    with asked.store.read(one_file_of(scopes)) as view:
        return _sunk(view, caller, found, entry)


def _placed(found: Found, entry: MemoryEntry) -> Missing | None:
    """The answer for a candidate; None when the memory was none."""
    position = 0
    for one in found.placings:
        position += one.folded_into is None
        if one.id != entry.id:
            continue
        if one.folded_into is not None:
            stage = Stage.FOLDED
        elif entry.id in found.entries:
            stage = Stage.FOUND
        else:
            stage = Stage.BELOW_LIMIT
        return Missing(
            stage,
            entry,
            position=None if one.folded_into is not None else position,
            folded_into=one.folded_into,
            keyword_rank=one.explanation.keyword_rank,
            semantic_rank=one.explanation.semantic_rank,
            cosine=one.explanation.cosine,
            has_vector=entry.embedding_model == found.model_id,
            explanation=one.explanation,
        )
    return None


def _sunk(view: StoreView, caller: Caller, found: Found, entry: MemoryEntry) -> Missing:
    """The answer for a memory that is too far down both lists, or in none."""
    by_words = view.full_text.search(
        [entry.scope],
        found.query,
        where=found.where,
        visible_to=caller.walls,
        limit=DEEP_LOOK,
    ).get(entry.scope, NO_HITS)
    keyword_rank = 1 + by_words.ids.index(entry.id) if entry.id in by_words.ids else None
    semantic_rank = cosine = None
    if found.vector is not None:
        by_meaning = view.vectors.nearest(
            [entry.scope],
            found.vector,
            found.model_id,
            where=found.where,
            visible_to=caller.walls,
            limit=DEEP_LOOK,
        ).get(entry.scope, NO_HITS)
        if entry.id in by_meaning.ids:
            place = by_meaning.ids.index(entry.id)
            semantic_rank, cosine = 1 + place, by_meaning.figures[place]
    is_like = cosine is not None and (caller.is_agent or found.calibration.is_about(cosine))
    return Missing(
        Stage.BELOW_LISTS if keyword_rank is not None or is_like else Stage.NO_MATCH,
        entry,
        keyword_rank=keyword_rank,
        semantic_rank=semantic_rank,
        cosine=cosine,
        has_vector=entry.embedding_model == found.model_id,
        shown_from=found.calibration.shown,
    )
