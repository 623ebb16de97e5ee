"""Hand memories to an agent: what it finds, or what matters most, each counted as one read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import EVERYTHING, MemorySort
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.orientation import Framing, framing_of
from inklings_desktop.domain.search.explanation import NextStep
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.search_memories import SearchMemories, SearchRequest

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.domain.search.explanation import RankedHit
    from inklings_desktop.usecases.ports.store import Clock, SettingsSource, Store
    from inklings_desktop.usecases.search.counting_reads import ReadCounter

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
    """

    memories: tuple[ReadMemory, ...]
    mode: SearchMode
    matched: bool = True
    next_steps: tuple[NextStep, ...] = ()


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
    ) -> ReadResult:
        """The hits of a query; without one, or without hits, what matters most in the scope.

        With ``found_only`` only matches, and nothing in their place.

        Raises:
            ScopeDeniedError: The scope is closed to the caller.
            InvalidValueError: The limit is not from 1 to 1,000.
        """
        request = SearchRequest(query, mode, limit, found_only=found_only)
        now = self.clock()
        if query.strip():
            found = self.search(caller, [scope], request)
            hits = tuple(map(read_of, found.hits))
            if not hits and not found_only:
                instead = self._weightiest(caller, scope, limit, now)
                hits = tuple(replace(one, matched=False) for one in instead)
            steps = () if found.matched else (NextStep.OTHER_WORDS, NextStep.WIDER_PLACE)
            return ReadResult(hits, found.mode, found.matched, steps)
        authorize(caller, Action.READ, scope)
        read = self._weightiest(caller, scope, limit, now)
        if caller.is_agent:
            ids = [one.entry.id for one in read]
            self.count_reads(caller, scope.workspace_id, ids, now)
        return ReadResult(read, SearchMode.KEYWORD)

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
    return ReadMemory(hit.entry, framing, why.relevance, hit.score, why.folded, why.is_match)
