"""Hand memories to an agent: what it finds, or what matters most, each counted as one read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import EVERYTHING, MemorySort
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.orientation import Framing, framing_of
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.search_memories import SearchMemories, SearchRequest

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
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
    """

    entry: MemoryEntry
    framing: Framing
    relevance: float
    score: float | None
    repeats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What was handed over, best first.

    Attributes:
        memories: The hits; what matters most where nothing was asked for or nothing matched.
        mode: The mode of search that answered.
        matched: False where something was asked for and nothing matched.
    """

    memories: tuple[ReadMemory, ...]
    mode: SearchMode
    matched: bool = True


@dataclass(frozen=True, slots=True)
class ReadMemories:
    """Read one tier under one scope key; for agents, who name exactly one.

    Every hit counts as a read, and so does what was read without a query; what is handed over
    because nothing matched does not: nobody asked for it.
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

        With ``found_only`` what a person would be shown as found, and nothing in its place.

        Raises:
            ScopeDeniedError: The scope is closed to the caller.
            InvalidValueError: The limit is not from 1 to 1,000.
        """
        request = SearchRequest(query, mode, limit, found_only=found_only)
        now = self.clock()
        if query.strip():
            found = self.search(caller, [scope], request)
            if not found.hits:
                if found_only:
                    return ReadResult((), found.mode, matched=False)
                return ReadResult(
                    self._weightiest(caller, scope, limit, now), found.mode, matched=False
                )
            return ReadResult(
                tuple(
                    _read(
                        hit.entry,
                        hit.explanation.relevance,
                        hit.score,
                        hit.explanation.folded,
                    )
                    for hit in found.hits
                ),
                found.mode,
            )
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
            _read(one, relevance_of(one, decay, now), None)
            for one in page.entries
            if one.is_retrievable
        )


def _read(
    entry: MemoryEntry, relevance: float, score: float | None, also: tuple[str, ...] = ()
) -> ReadMemory:
    return ReadMemory(entry, framing_of(entry), relevance, score, also)
