"""Hand memories to an agent: what it finds, or what matters most, each counted as one read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.domain.access import Action, Caller, authorize
from inklings_desktop.domain.decay import relevance_of
from inklings_desktop.domain.listing import EVERYTHING, MemorySort
from inklings_desktop.domain.orientation import Framing, framing_of
from inklings_desktop.domain.query_text import SearchMode
from inklings_desktop.usecases.search_memories import SearchMemories, SearchRequest

if TYPE_CHECKING:
    from inklings_desktop.domain.decay import DecayConfig
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.usecases.ports import Clock, Store

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
    """

    entry: MemoryEntry
    framing: Framing
    relevance: float
    score: float | None
    repeats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What was handed over, best first, and by which mode of search."""

    memories: tuple[ReadMemory, ...]
    mode: SearchMode


@dataclass(frozen=True, slots=True)
class ReadMemories:
    """Read one tier under one scope key; for agents, who name exactly one."""

    store: Store
    search: SearchMemories
    clock: Clock
    decay: DecayConfig

    def __call__(
        self,
        caller: Caller,
        scope: ScopeKey,
        *,
        query: str = "",
        mode: SearchMode = SearchMode.HYBRID,
        limit: int = 10,
    ) -> ReadResult:
        """The hits of a query; without one, the most relevant memories of the scope.

        Raises:
            ScopeDeniedError: The scope is closed to the caller.
            InvalidValueError: The limit is not from 1 to 1,000.
        """
        request = SearchRequest(query, mode, limit)
        if query.strip():
            found = self.search(caller, [scope], request)
            hits = (
                ReadMemory(
                    hit.entry,
                    framing_of(hit.entry),
                    hit.explanation.relevance,
                    hit.score,
                    hit.explanation.folded,
                )
                for hit in found.hits
            )
            return ReadResult(tuple(hits), found.mode)
        authorize(caller, Action.READ, scope)
        now = self.clock()
        with self.store.read(scope.workspace_id) as view:
            page = view.memories.page(
                [scope],
                where=EVERYTHING,
                sort=MemorySort.RELEVANCE,
                limit=limit,
                after=None,
                decay=self.decay,
                as_of=now,
                visible_to=caller.sees_private_of,
            )
        entries = [one for one in page.entries if one.is_retrievable]
        if caller.is_agent and entries:
            with self.store.write(scope.workspace_id, initiator=caller.name, durable=False) as unit:
                unit.memories.count_reads([one.id for one in entries], now)
                unit.commit()
        read = (
            ReadMemory(one, framing_of(one), relevance_of(one, self.decay, now), None)
            for one in entries
        )
        return ReadResult(tuple(read), SearchMode.KEYWORD)
