"""Everything that a caller can be told, verb by verb, as text that can be searched for traces."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort, MemoryState
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.end2end.worlds import NOTE_KEY, SHARED_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memories.listing import MemoryPage
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.bundle import Inklings
    from tests.end2end.worlds import World

P = ParamSpec("P")
PAGE = 5
MANY = 1_000


def said(verb: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> str:
    """What a verb answers, or why it does not."""
    try:
        return repr(verb(*args, **kwargs))
    except InklingsError as error:
        return repr(error)


def readings(
    inklings: Inklings, caller: Caller, world: World, foreign_words: str
) -> Iterator[tuple[str, str]]:
    """Every read verb in every place of a workspace: its name and what it said.

    Args:
        inklings: The opened data root.
        caller: Who reads; what is closed to this caller is asked for all the same.
        world: Where.
        foreign_words: Searched for beside the words that all worlds share.
    """
    for tier in Tier:
        scopes = world.scopes(tier)
        groups = [scopes, *((scope,) for scope in scopes if len(scopes) > 1)]
        for group in groups:
            yield from _tier_readings(inklings, caller, group, foreign_words)
    yield from _room_readings(inklings, caller, world)
    for entry in world.memories:
        yield f"show {entry.id}", said(inklings.as_caller(caller).listing.show, entry.ref)
        yield (
            f"locate {entry.id}",
            said(inklings.as_caller(caller).listing.locate, entry.id[:8], world.id),
        )
        request = SearchRequest(SHARED_WORDS, limit=1)
        why = said(
            inklings.as_caller(caller).search.explain_missing, [entry.scope], request, entry.id
        )
        yield f"why not {entry.id}", why


def found_by(
    inklings: Inklings,
    caller: Caller,
    scopes: Sequence[ScopeKey],
    text: str,
    mode: SearchMode = SearchMode.HYBRID,
) -> dict[str, str]:
    """Id and text of every memory that a search finds."""
    request = SearchRequest(text, mode, MANY)
    result = inklings.as_caller(caller).search.find(scopes, request)
    return {hit.entry.id: hit.entry.content for hit in result.hits}


def pages(
    inklings: Inklings,
    caller: Caller,
    scopes: Sequence[ScopeKey],
    *,
    sort: MemorySort = MemorySort.NEWEST,
    state: MemoryState = MemoryState.ACTIVE,
    limit: int = PAGE,
) -> Iterator[MemoryPage]:
    """A whole list, page by page."""
    after = None
    while True:
        page = inklings.as_caller(caller).listing.browse(
            scopes, where=MemoryFilter(state=state), sort=sort, limit=limit, after=after
        )
        yield page
        if (after := page.next) is None:
            return


def listed(
    inklings: Inklings,
    caller: Caller,
    scopes: Sequence[ScopeKey],
    sort: MemorySort = MemorySort.NEWEST,
    state: MemoryState = MemoryState.ACTIVE,
) -> list[MemoryPage]:
    """A whole list at once."""
    return list(pages(inklings, caller, scopes, sort=sort, state=state))


def _tier_readings(
    inklings: Inklings, caller: Caller, scopes: Sequence[ScopeKey], foreign_words: str
) -> Iterator[tuple[str, str]]:
    place = scopes[0].tier.value
    for mode in SearchMode:
        for text in (SHARED_WORDS, foreign_words):
            hits = said(found_by, inklings, caller, scopes, text, mode)
            yield f"search {place} {mode.value} {text}", hits
    for sort in MemorySort:
        for state in MemoryState:
            rows = said(listed, inklings, caller, scopes, sort, state)
            yield f"browse {place} {sort.value} {state.value}", rows
    yield f"facets {place}", said(inklings.as_caller(caller).listing.facets, scopes)


def _room_readings(inklings: Inklings, caller: Caller, world: World) -> Iterator[tuple[str, str]]:
    yield "counts", said(inklings.as_caller(caller).listing.count, world.id)
    yield (
        "channels",
        said(inklings.as_caller(caller).places.channels, world.id, include_archived=True),
    )
    yield (
        "conversations",
        said(inklings.as_caller(caller).places.conversations, world.id, include_archived=True),
    )
    yield "notes", said(inklings.as_caller(caller).notes.list, world.scopes(Tier.CONVERSATION))
    for room in world.conversations:
        for key in (room.id, room.ref_code):
            yield (
                f"conversation {key}",
                said(inklings.as_caller(caller).conversations.get, world.id, key),
            )
            yield (
                f"note in {key}",
                said(inklings.as_caller(caller).notes.read, world.id, key, NOTE_KEY),
            )
