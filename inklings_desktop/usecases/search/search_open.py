"""Look in every scope that is open to a caller at once: what an agent asks that names none."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.errors import InvalidValueError, ScopeDeniedError
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import MemorySort
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.orientation import framing_of
from inklings_desktop.domain.search.explanation import NextStep
from inklings_desktop.domain.search.search_operators import typed_search
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.browse_memories import Listing
from inklings_desktop.usecases.search.read_memories import (
    MAX_READ,
    ReadMemory,
    best_first,
    read_of,
    with_sources,
)
from inklings_desktop.usecases.search.search_memories import MAX_LIMIT, SearchRequest, looked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.search.search_operators import NotUnderstood, TypedSearch
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import Store

Ordered = tuple[float, ReadMemory]


def open_places(store: Store, caller: Caller, workspace_id: str) -> dict[ScopeKey, str]:
    """Every scope key that a caller may read, the narrowest tier first, and how to name it.

    A conversation goes by its ref code, a channel by ``#name``; the other tiers have no name.

    Raises:
        ScopeDeniedError: None is open to it.
    """
    with store.read(workspace_id) as view:
        rooms = view.conversations.conversations(channel_id=None, include_archived=True)
        channels = view.conversations.channels(include_archived=True)
    every = {
        **{ScopeKey.conversation(workspace_id, one.id): one.ref_code for one in rooms},
        **{ScopeKey.channel(workspace_id, one.id): f"#{one.name}" for one in channels},
        ScopeKey.workspace(workspace_id): "",
        ScopeKey.account(): "",
    }
    places = {scope: name for scope, name in every.items() if caller.may(Action.READ, scope)}
    if not places:
        raise ScopeDeniedError(Action.READ.value, Tier.WORKSPACE.value)
    return places


@dataclass(frozen=True, slots=True)
class OpenHits:
    """What was found in every open scope together.

    Attributes:
        memories: Best first; without words to look for, the latest written first.
        places: How to name the scope of each; empty for the tiers that have one scope only.
        mode: Hybrid when any tier was also searched by meaning.
        not_understood: Operators that were taken for words.
        n_next: How many hits stand before the next page; None at the end.
        matched: False where words were looked for and nothing on any page matched.
        next_steps: What may help then.
    """

    memories: tuple[ReadMemory, ...]
    places: Mapping[ScopeKey, str]
    mode: SearchMode
    not_understood: tuple[NotUnderstood, ...]
    n_next: int | None
    matched: bool = True
    next_steps: tuple[NextStep, ...] = ()


def found_open(
    asked: Asked,
    workspace_id: str,
    query: str,
    *,
    mode: SearchMode = SearchMode.HYBRID,
    limit: int = 10,
    n_before: int = 0,
    found_only: bool = False,
    fitting: Callable[[Sequence[ReadMemory], Mapping[ScopeKey, str]], int],
) -> OpenHits:
    """One page of hits in all that is open to the caller."""
    caller = asked.caller
    if not 1 <= limit <= MAX_READ:
        raise InvalidValueError("limit", "range", MAX_READ)
    if not 0 <= n_before < MAX_LIMIT - limit:
        raise InvalidValueError("page", "unknown")
    typed = _as_known(caller, typed_search(query))
    if not typed.sought and not typed.has_operators:
        raise InvalidValueError("query", "empty")
    places = open_places(asked.store, caller, workspace_id)
    tiers = [tuple(group) for _, group in groupby(places, key=lambda scope: scope.tier)]
    n_looked = n_before + limit + 1  # one more says whether there is a next page
    if typed.sought:
        request = SearchRequest(typed.sought, mode, n_looked, typed.where, found_only=found_only)
        found, mode = _found(asked, tiers, request)
    else:
        found, mode = _listed(asked, tiers, typed.where, n_looked), SearchMode.KEYWORD
    found.sort(key=lambda one: one[0], reverse=True)
    reads = with_sources(asked, workspace_id, [read for _, read in found])
    reads = best_first(reads) if typed.sought else reads
    page = reads[n_before : n_before + limit]
    page = page[: fitting(page, places)]
    _count(asked, page)
    n_next = n_before + len(page) if len(found) > n_before + len(page) else None
    if n_next is not None and n_next >= MAX_LIMIT - limit:
        n_next = None
    matched = any(read.matched for _, read in found) or not typed.sought
    steps = () if matched else _next_steps(typed)
    return OpenHits(page, places, mode, typed.not_understood, n_next, matched, steps)


def _found(
    asked: Asked, tiers: Sequence[Sequence[ScopeKey]], request: SearchRequest
) -> tuple[list[Ordered], SearchMode]:
    results = [looked(asked, scopes, request) for scopes in tiers]
    found = [(hit.score, read_of(hit)) for result in results for hit in result.hits]
    is_hybrid = any(result.mode is SearchMode.HYBRID for result in results)
    return found, SearchMode.HYBRID if is_hybrid else SearchMode.KEYWORD


def _listed(
    asked: Asked, tiers: Sequence[Sequence[ScopeKey]], where: MemoryFilter, limit: int
) -> list[Ordered]:
    now, decay = asked.clock(), asked.parts.settings().decay
    return [
        (
            one.created_at.timestamp(),
            ReadMemory(one, framing_of(one), relevance_of(one, decay, now), None),
        )
        for scopes in tiers
        for one in Listing(asked.parts, asked.caller)
        .browse(scopes, where=where, sort=MemorySort.NEWEST, limit=limit)
        .entries
    ]


def _count(asked: Asked, page: Sequence[ReadMemory]) -> None:
    caller = asked.caller
    if not caller.is_agent:
        return
    files: defaultdict[str | None, list[str]] = defaultdict(list)
    for one in page:
        if one.matched:
            files[one.entry.scope.workspace_id].append(one.entry.id)
    for file, ids in files.items():
        asked.parts.count_reads(caller, file, ids, asked.clock())


def _as_known(caller: Caller, typed: TypedSearch) -> TypedSearch:
    """The search without names that the caller does not know: nobody wrote under the other one."""
    writers = frozenset(map(caller.known_name, typed.where.writers))
    return replace(typed, where=replace(typed.where, writers=writers))


def _next_steps(typed: TypedSearch) -> tuple[NextStep, ...]:
    other = (NextStep.OTHER_WORDS,)
    return (*other, NextStep.FEWER_FILTERS) if typed.has_operators else other
