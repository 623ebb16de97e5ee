"""Hand memories to an agent: what it finds, or what matters most, each counted as one read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import EVERYTHING, MemorySort
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.orientation import Framing, framing_of
from inklings_desktop.domain.search.explanation import NextStep
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.search_memories import (
    MAX_LIMIT,
    SearchMemories,
    SearchRequest,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.domain.search.explanation import RankedHit
    from inklings_desktop.usecases.ports.store import Clock, SettingsSource, Store
    from inklings_desktop.usecases.steps.counting_reads import ReadCounter

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


@dataclass(frozen=True, slots=True)
class ReadMemories:
    """Read one tier under one scope key; for agents, who name exactly one.

    Every match counts as a read, and so does what was read without a query; what is only near, or
    is handed over because nothing is near, does not: nobody asked for it.
    """

    store: Store
    search: SearchMemories
    clock: Clock
    settings: SettingsSource
    count_reads: ReadCounter

    def __call__(
        self,
        caller: Caller,
        scope: ScopeKey,
        *,
        query: str = "",
        mode: SearchMode = SearchMode.HYBRID,
        limit: int = 10,
        found_only: bool = False,
        n_before: int = 0,
        fitting: Callable[[Sequence[ReadMemory]], int] = len,
    ) -> ReadResult:
        """One page of the hits of a query; without one, or without hits, what matters most.

        Args:
            caller: Who asks.
            scope: Where.
            query: What to look for.
            mode: By words and meaning, or by words alone.
            limit: Most hits on the page.
            found_only: Whether to hand over what a person would be shown as found, and nothing
                where nothing matches.
            n_before: How many hits the pages before had.
            fitting: Tells how many of these hits the answer has room for; the others do not count.

        Raises:
            ScopeDeniedError: The scope is closed to the caller.
            InvalidValueError: The limit is not from 1 to 1,000, or the page lies further than a
                search goes.
        """
        if n_before and n_before + limit >= MAX_LIMIT:
            raise InvalidValueError("page", "unknown")
        n_looked = limit if limit >= MAX_LIMIT else n_before + limit + 1
        now, answered = self.clock(), SearchMode.KEYWORD
        matched = True
        steps: tuple[NextStep, ...] = ()
        if query.strip():
            request = SearchRequest(query, mode, n_looked, found_only=found_only)
            found = self.search.look(caller, [scope], request)
            every, answered, matched = tuple(map(read_of, found.hits)), found.mode, found.matched
            if not every and not found_only:
                instead = self._weightiest(caller, scope, n_looked, now)
                every = tuple(replace(one, matched=False) for one in instead)
            if not matched:
                steps = (NextStep.OTHER_WORDS, NextStep.WIDER_PLACE)
        else:
            authorize(caller, Action.READ, scope)
            every = self._weightiest(caller, scope, n_looked, now)
        page = every[n_before : n_before + limit]
        page = page[: fitting(page)]
        read = [one.entry.id for one in page if one.matched]
        if caller.is_agent and read:
            self.count_reads(caller, scope.workspace_id, read, now)
        end = n_before + len(page)
        return ReadResult(page, answered, matched, steps, end if end < len(every) else None)

    def _weightiest(
        self, caller: Caller, scope: ScopeKey, limit: int, now: datetime
    ) -> tuple[ReadMemory, ...]:
        """The most relevant memories of the scope that this caller may know of."""
        decay = self.settings().decay
        with self.store.read(scope.workspace_id) as view:
            page = view.memories.page(
                [scope],
                where=EVERYTHING,
                sort=MemorySort.RELEVANCE,
                limit=limit,
                after=None,
                decay=decay,
                as_of=now,
                visible_to=caller.sees_private_of,
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
