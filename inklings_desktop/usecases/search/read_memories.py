"""Hands memories to an agent: what it finds, what matters most, or those it names by id."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import EVERYTHING, MemorySort
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.orientation import Framing, framing_of
from inklings_desktop.domain.search.explanation import NextStep
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.domain.world.derivations import NO_SOURCES
from inklings_desktop.usecases.search.search_memories import (
    MAX_LIMIT,
    SearchRequest,
    looked,
)
from inklings_desktop.usecases.steps.standings import changed_last

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.domain.search.explanation import RankedHit
    from inklings_desktop.domain.world.derivations import ToldSources
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView

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
        sources: What the agent is told of the pages that it comes from.
    """

    entry: MemoryEntry
    framing: Framing
    relevance: float
    score: float | None
    repeats: tuple[str, ...] = ()
    matched: bool = True
    sources: ToldSources = NO_SOURCES


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
    every = best_first(with_sources(asked, scope.workspace_id, every))
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
            visible_to=asked.caller.walls,
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


def with_sources(
    asked: Asked, workspace_id: str | None, found: Sequence[ReadMemory]
) -> tuple[ReadMemory, ...]:
    """Memories with what the caller is told of their pages.

    Args:
        asked: By whom.
        workspace_id: Where the pages are; None for the account.
        found: Of the workspace and the account.
    """
    told = asked.told_sources(workspace_id, [one.entry for one in found])
    if not told:
        return tuple(found)
    return tuple(
        replace(one, sources=sources, framing=framing_of(one.entry, sources))
        if (sources := told.get(one.entry.id)) is not None
        else one
        for one in found
    )


def best_first(found: Sequence[ReadMemory]) -> tuple[ReadMemory, ...]:
    """In their order; of those that weigh the same the ones whose page changed come last."""
    return tuple(changed_last(found, _weight, lambda one: one.sources))


def _weight(read: ReadMemory) -> tuple[bool, float]:
    return read.matched, round(read.relevance if read.score is None else read.score, 2)


WHOLE_ID = 36
SHORT_ID = 8
"""Characters by which a memory is named to agents: one in four billion is another's."""
MAX_GOTTEN = 50
_LOOKED_AT = 20
"""Memories with one beginning that are looked through for the one that is meant."""


def gotten(
    asked: Asked,
    workspace_id: str,
    ids: Sequence[str],
    hand_over: Callable[[Sequence[ReadMemory]], Sequence[ReadMemory]] = tuple,
) -> tuple[ReadMemory, ...]:
    """The memories in the order of their ids, each counted as one read of an agent's."""
    caller = asked.caller
    if not 1 <= len(ids) <= MAX_GOTTEN:
        raise InvalidValueError("ids", "range", MAX_GOTTEN)

    found: dict[str, MemoryEntry] = {}
    for file in (workspace_id, None):
        with asked.store.read(file) as view:
            for beginning in dict.fromkeys(ids):
                entry = only_one(
                    view, caller, beginning, lambda one: caller.may(Action.READ, one.scope)
                )
                if entry is not None:
                    found.setdefault(beginning, entry)
    if not found:
        raise NotFoundError("memory", ids[0])
    entries = {found[one].id: found[one] for one in ids if one in found}.values()
    now, decay = asked.clock(), asked.parts.settings().decay
    told = asked.told_sources(workspace_id, entries)
    every = tuple(
        ReadMemory(
            one, framing_of(one, sources), relevance_of(one, decay, now), None, sources=sources
        )
        for one in entries
        for sources in [told.get(one.id, NO_SOURCES)]
    )
    handed = [one.entry for one in hand_over(every)]
    if caller.is_agent:
        for file in (workspace_id, None):
            read = [one.id for one in handed if one.scope.workspace_id == file]
            asked.parts.count_reads(caller, file, read, now)
    return every


def named(
    asked: Asked, scope: ScopeKey, beginning: str, *, also_forgotten: bool = False
) -> MemoryRef:
    """A reference to the memory of one scope that the first characters of an id mean."""
    caller = asked.caller
    if len(beginning) >= WHOLE_ID:
        return MemoryRef(scope, beginning)
    if not any(caller.may(action, scope) for action in Action):
        raise NotFoundError("memory", beginning)
    with asked.store.read(scope.workspace_id) as view:
        entry = only_one(view, caller, beginning, lambda one: one.scope == scope, also_forgotten)
    if entry is None:
        raise NotFoundError("memory", beginning)
    return entry.ref


def only_one(
    view: StoreView,
    caller: Caller,
    beginning: str,
    is_meant: Callable[[MemoryEntry], bool],
    also_forgotten: bool = False,  # noqa: FBT001, FBT002 - of this module alone
) -> MemoryEntry | None:
    """The one memory that begins so among those that the caller can know of.

    Raises:
        InvalidValueError: Several begin so, or too little of the id was given.
    """
    if len(beginning) < SHORT_ID:
        raise InvalidValueError("id", "too_short", SHORT_ID)
    found = [
        one
        for one in view.memories.beginning_with(beginning.lower(), limit=_LOOKED_AT)
        if is_meant(one)
        and (not caller.is_agent or also_forgotten or one.is_retrievable)
        and caller.may_know_of(one)
    ]
    if len(found) > 1:
        raise InvalidValueError("id", "ambiguous")
    return found[0] if found else None
