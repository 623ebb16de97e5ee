"""Hand memories to an agent: what it finds, or what matters most, each counted as one read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import EVERYTHING, MemorySort
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.orientation import Framing, framing_of
from inklings_desktop.domain.search.explanation import NextStep
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.search_memories import (
    MAX_LIMIT,
    SearchRequest,
    looked,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.domain.search.explanation import RankedHit
    from inklings_desktop.usecases.parts import Asked

MAX_READ = 100


@dataclass(frozen=True, slots=True)
class ReadMemory:
    """One memory as an agent gets it: a candidate, never a fact.

    Attributes:
        entry: The memory.
        framing: How it is to be introduced.
        relevance: Importance after decay and reads, before this read.
        score: What ordered the hits of a search; None without a query.
        repeats: Ids of the memories that say the same and stand behind this one, the best first.
        matched: False for one that stands in for a match; it never counts as read.
    """

    entry: MemoryEntry
    framing: Framing
    relevance: float
    score: float | None
    repeats: tuple[str, ...] = ()
    matched: bool = True


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What was handed over, best first.

    Attributes:
        memories: The hits, what is merely near among them; what matters most where nothing was
            asked for or nothing is near.
        mode: The mode of search that answered.
        matched: False where something was asked for and nothing matched.
        next_steps: What may help then.
        n_next: How many hits stand before the next page; None at the end.
    """

    memories: tuple[ReadMemory, ...]
    mode: SearchMode
    matched: bool = True
    next_steps: tuple[NextStep, ...] = ()
    n_next: int | None = None


def read(
    asked: Asked,
    scope: ScopeKey,
    *,
    query: str = "",
    mode: SearchMode = SearchMode.HYBRID,
    limit: int = 10,
    found_only: bool = False,
    n_before: int = 0,
    fitting: Callable[[Sequence[ReadMemory]], int] = len,
) -> ReadResult:
    """One page of the hits of a query; without one, or without hits, what matters most."""
    caller = asked.caller
    if n_before and n_before + limit >= MAX_LIMIT:
        raise InvalidValueError("page", "unknown")
    n_looked = limit if limit >= MAX_LIMIT else n_before + limit + 1
    now, answered = asked.clock(), SearchMode.KEYWORD
    matched = True
    steps: tuple[NextStep, ...] = ()
    if query.strip():
        request = SearchRequest(query, mode, n_looked, found_only=found_only)
        found = looked(asked, [scope], request)
        every, answered, matched = tuple(map(read_of, found.hits)), found.mode, found.matched
        if not every and not found_only:
            instead = _weightiest(asked, scope, n_looked, now)
            every = tuple(replace(one, matched=False) for one in instead)
        if not matched:
            steps = (NextStep.OTHER_WORDS, NextStep.WIDER_PLACE)
    else:
        authorize(caller, Action.READ, scope)
        every = _weightiest(asked, scope, n_looked, now)
    page = every[n_before : n_before + limit]
    page = page[: fitting(page)]
    matches = [one.entry.id for one in page if one.matched]
    if caller.is_agent and matches:
        asked.parts.count_reads(caller, scope.workspace_id, matches, now)
    end = n_before + len(page)
    return ReadResult(page, answered, matched, steps, end if end < len(every) else None)


def _weightiest(asked: Asked, scope: ScopeKey, limit: int, now: datetime) -> tuple[ReadMemory, ...]:
    """The most relevant memories of the scope that this caller may know of."""
    decay = asked.parts.settings().decay
    with asked.store.read(scope.workspace_id) as view:
        page = view.memories.page(
            [scope],
            where=EVERYTHING,
            sort=MemorySort.RELEVANCE,
            limit=limit,
            after=None,
            decay=decay,
            as_of=now,
            visible_to=asked.caller.sees_private_of,
        )
    return tuple(
        ReadMemory(one, framing_of(one), relevance_of(one, decay, now), None)
        for one in page.entries
        if one.is_retrievable
    )


def read_of(hit: RankedHit) -> ReadMemory:
    """A hit of a search as an agent gets it."""
    why = hit.explanation
    framing = framing_of(hit.entry)
    return ReadMemory(hit.entry, framing, why.relevance, hit.score, why.folded, hit.is_match)
