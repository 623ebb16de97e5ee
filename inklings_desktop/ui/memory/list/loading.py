"""What the memory list reads: one answer of the use cases, made ready to be shown."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import field, replace
from itertools import starmap
from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import (
    PAGE_LIMIT,
    Facets,
    GroupCount,
    MemoryFilter,
    MemoryState,
    PageOffset,
    facets_among,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.memory_row_layout import HeadingRow, Row
from inklings_desktop.ui.kit.words.memory_lines import (
    RowStyle,
    group_of,
    heading_places,
    memory_row,
    memory_rows,
    note_id,
    note_rows,
    regrouped,
    tier_heading,
)
from inklings_desktop.ui.memory.list.content import (
    SEARCH_LIMIT,
    Beside,
    Emptiness,
    ListContent,
    ListRequest,
    beside_of,
    beside_rows,
)
from inklings_desktop.usecases.search.browse_memories import MAX_PAGE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef, ScopeKey
    from inklings_desktop.domain.rooms.conversation import WorkingNote
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.search.search_memories import SearchRequest, SearchResult


@dataclass(frozen=True, slots=True)
class Loaded:
    """One answer: what the list shows, and what it has to know to go on from there.

    Its ``style`` is made for it alone: as long as that is the same, so are the places of its rows.
    """

    content: ListContent
    entries: dict[str, MemoryEntry]
    notes: dict[str, WorkingNote]
    style: RowStyle
    found: tuple[SearchResult, ...] = ()
    far: dict[str, MemoryEntry] = field(default_factory=dict)
    """Memories below the first page, the latest read last."""


def loaded_answer(
    inklings: Inklings,
    request: ListRequest,
    facets: Facets | None,
    spans: Iterable[range],
    *,
    reads_facets: bool,
) -> Loaded:
    """Everything the list shows for one request; runs on a reader.

    Args:
        request: What is asked for.
        facets: Values in use, where they are known.
        spans: Memories below the first page that are to be read as well.
        reads_facets: Whether values in use that are not known are read before the answer, which
            counts every memory of the place, or later.
    """
    lacks_facets = facets is None and not reads_facets
    if facets is None:
        read = _facets_of_first_rows if lacks_facets else _all_facets
        facets = read(inklings, request)
    notes: tuple[WorkingNote, ...] = ()
    if request.tier is Tier.CONVERSATION and not request.is_search:
        notes = inklings.notes.list(request.scopes)
    if request.is_search:
        loaded = _searched(inklings, request, facets)
    else:
        loaded = _browsed(inklings, request, facets, notes)
    if lacks_facets:
        loaded = replace(loaded, content=replace(loaded.content, lacks_facets=True))
    rows: dict[int, Row] = {}
    far: dict[str, MemoryEntry] = {}
    for span in spans if loaded.content.headings else ():
        more, entries = far_rows(inklings, loaded.content, loaded.style, span)
        rows, far = rows | more, far | entries
    return replace(loaded, content=replace(loaded.content, far=rows), far=far)


def _all_facets(inklings: Inklings, request: ListRequest) -> Facets:
    return inklings.listing.facets(request.scopes)


def _facets_of_first_rows(inklings: Inklings, request: ListRequest) -> Facets:
    """What decides which filters are on show; all that can be chosen in them takes far longer."""
    if inklings.caller.is_agent:  # what is forgotten is in no agent's count
        return Facets((), (), (), (), (), 0, 0)
    forgotten = inklings.listing.browse(
        request.scopes, where=MemoryFilter(state=MemoryState.FORGOTTEN), limit=1
    )
    return Facets((), (), (), (), (), 0, forgotten.total or len(forgotten.entries))


def found_beside(inklings: Inklings, request: ListRequest) -> Beside:
    """What says what a search looks for and is no hit of it; runs on a reader."""
    return beside_of(inklings, _lists_of(request), search_request(request))


def search_request(request: ListRequest) -> SearchRequest:
    """What the search behind a list looks for."""
    from inklings_desktop.usecases.search.search_memories import SearchRequest

    return SearchRequest(
        _sought_text(request), request.mode, SEARCH_LIMIT, request.where, last_word_is_open=True
    )


def _sought_text(request: ListRequest) -> str:
    """What is looked for; a blank after the last word closes it, unless phrases follow."""
    return request.sought if request.where.phrases else request.text


def _searched(inklings: Inklings, request: ListRequest, facets: Facets) -> Loaded:
    """One list, or one for every tier, ranked for itself: scores of two tiers do not compare."""
    lists = _lists_of(request)
    results = [inklings.search.find(scopes, search_request(request)) for scopes in lists]
    now, decay = inklings.clock(), inklings.settings.decay
    rows: tuple[Row, ...] = ()
    entries: list[MemoryEntry] = []
    for scopes, result in zip(lists, results, strict=True):
        here = [hit.entry for hit in result.hits]
        style = RowStyle(request.sort, decay, now, _tier_of(scopes), query=result.query)
        if request.elsewhere:
            rows += (tier_heading(style.tier, len(here), captions=not rows),)
        rows += memory_rows(here, style)
        entries += here
    n_found = len(entries)
    style = RowStyle(request.sort, decay, now, request.tier, query=results[0].query)
    rows = rows if entries else ()
    if request.with_set_aside:
        aside = beside_of(inklings, lists, search_request(request))
        rows += beside_rows(aside, style)
        entries += aside.entries
    content = ListContent(
        rows,
        n_memories=n_found,
        is_cut=any(len(one.hits) >= SEARCH_LIMIT for one in results),
        n_notes=0,
        emptiness=None if entries else Emptiness.NO_MATCH,
        answered_by=results[0].mode,
        facets=facets,
        request=request,
        set_aside=len(entries) - n_found,
        counted=_facets_of_found(inklings, request, lists, results),
    )
    by_id = {entry.id: entry for entry in entries}
    return Loaded(content, by_id, {}, style, found=tuple(results))


def _facets_of_found(
    inklings: Inklings,
    request: ListRequest,
    lists: Sequence[tuple[ScopeKey, ...]],
    results: Sequence[SearchResult],
) -> Facets:
    """How many of the hits carry each value; a value that is ticked hides none of its kind."""
    where = request.where
    if where.without_values != where:
        asked = search_request(replace(request, where=where.without_values))
        results = [inklings.search.find(scopes, asked) for scopes in lists]
    return facets_among([hit.entry for one in results for hit in one.hits], where)


def _lists_of(request: ListRequest) -> list[tuple[ScopeKey, ...]]:
    """The scope keys of each list that a search makes, in the order of the tiers."""
    order = list(Tier)
    return sorted((request.scopes, *request.elsewhere), key=lambda one: order.index(_tier_of(one)))


def _tier_of(scopes: Sequence[ScopeKey]) -> Tier:
    return scopes[0].tier if scopes else Tier.WORKSPACE


def _browsed(
    inklings: Inklings,
    request: ListRequest,
    facets: Facets,
    notes: tuple[WorkingNote, ...],
    limit: int = PAGE_LIMIT,
) -> Loaded:
    page = inklings.listing.browse(
        request.scopes, where=request.where, sort=request.sort, limit=limit
    )
    counts = {group.key: group.count for group in page.groups}
    style = RowStyle(
        request.sort,
        inklings.settings.decay,
        page.as_of,
        request.tier,
        group_counts=counts,
    )
    shown = page.entries if request.with_memories else ()
    rows = memory_rows(shown, style)
    shown_notes = notes if request.with_notes else ()
    above = note_rows(shown_notes, page.as_of)
    rows = (*above, *rows)
    goes_on = page.next is not None and request.with_memories
    headings = heading_places(style, page.groups, len(above)) if goes_on else {}
    if not _agree(rows, headings, len(above)):
        if limit < MAX_PAGE_LIMIT:  # over more than 200 years no count tells where a month begins
            return _browsed(inklings, request, facets, notes, MAX_PAGE_LIMIT)
        headings = {}
    content = ListContent(
        rows,
        n_memories=page.total or 0,
        n_notes=len(notes),
        emptiness=None if rows else _emptiness(request, facets, notes),
        answered_by=None,
        facets=facets,
        request=request,
        n_rows=len(above) + len(headings) + (page.total or 0) if headings else 0,
        headings=headings,
    )
    return Loaded(
        content,
        {entry.id: entry for entry in shown},
        {note_id(note): note for note in shown_notes},
        style,
    )


def _agree(rows: Sequence[Row], headings: Mapping[int, Row], n_above: int) -> bool:
    """Whether the headings of the first page stand where the counts put them, where they count."""
    if not headings:
        return True
    found = {
        place: row.id
        for place, row in enumerate(rows)
        if place >= n_above and isinstance(row, HeadingRow)
    }
    return found == {place: row.id for place, row in headings.items() if place < len(rows)}


def without(loaded: Loaded, gone: Sequence[str]) -> Loaded | None:
    """The list once some of its memories are forgotten; None where it has to be read for that.

    Computed on a reader: a long list takes a while.

    Args:
        loaded: Its first page.
        gone: Ids of memories.
    """
    before, where = loaded.content, loaded.content.request.where
    is_known = loaded.entries.keys() >= set(gone) and not before.lacks_facets
    # What is worth a look hangs on other memories; so does what a search shows.
    if not is_known or loaded.found or where.attention is not None or where.sequences is not None:
        return None
    entries, counts = dict(loaded.entries), Counter(loaded.style.group_counts)
    leaving = list(map(entries.pop, gone))
    for entry in leaving:
        counts[group_of(entry, loaded.style)] -= 1
    if not entries or min(counts.values()) < 0:
        return None
    style = replace(loaded.style, group_counts=+counts)
    rows = regrouped(before.rows, style, frozenset(gone))
    n_above = min(before.headings, default=0)
    groups = starmap(GroupCount, style.group_counts.items())
    headings = heading_places(style, list(groups), n_above) if before.headings else {}
    content = replace(
        before,
        rows=rows,
        n_memories=before.n_memories - len(gone),
        facets=before.facets.without(leaving),
        n_rows=before.n_rows and n_above + len(headings) + before.n_memories - len(gone),
        headings=headings,
    )
    return replace(loaded, content=content, entries=entries, style=style)


def span_of(loaded: Loaded, first: int, last: int) -> range:
    """The memories behind two places of the list, widened to whole pages."""
    places = sorted(loaded.content.headings)
    n_above = places[0]
    start = max(0, first - n_above - bisect_right(places, first))
    end = max(start, last - n_above - bisect_right(places, last))
    start -= start % PAGE_LIMIT
    return range(start, end - end % PAGE_LIMIT + PAGE_LIMIT)


def far_rows(
    inklings: Inklings, content: ListContent, style: RowStyle, span: range
) -> tuple[dict[int, Row], dict[str, MemoryEntry]]:
    """The rows of these memories by their places, and the memories; runs on a reader."""
    request = content.request
    page = inklings.listing.browse(
        request.scopes,
        where=request.where,
        sort=request.sort,
        limit=len(span),
        after=PageOffset(span.start, style.as_of),
    )
    headings = sorted(content.headings)
    # The place of the first memory: below every heading that stands above it.
    place, passed = span.start + headings[0], 0
    while passed < len(headings) and headings[passed] <= place:
        place += 1
        passed += 1
    rows: dict[int, Row] = {}
    for entry in page.entries:
        while passed < len(headings) and headings[passed] == place:
            place += 1
            passed += 1
        rows[place] = memory_row(entry, style, relevance_of(entry, style.decay, style.as_of))
        place += 1
    return rows, {entry.id: entry for entry in page.entries}


def rows_around(
    inklings: Inklings, loaded: Loaded, ref: MemoryRef
) -> tuple[dict[int, Row], dict[str, MemoryEntry]]:
    """The rows among which a memory stands in a list that goes on; none where it does not.

    Its heading says where it must be; runs on a reader.

    Raises:
        NotFoundError: There is no such memory.
    """
    entry = inklings.listing.show(ref).entry
    style, wanted, n_before = loaded.style, group_of(entry, loaded.style), 0
    for group, count in style.group_counts.items():
        if group == wanted:
            for start in range(n_before - n_before % PAGE_LIMIT, n_before + count, PAGE_LIMIT):
                span = range(start, start + PAGE_LIMIT)
                rows, entries = far_rows(inklings, loaded.content, style, span)
                if entry.id in entries:
                    return rows, entries
        n_before += count
    return {}, {}


def _emptiness(request: ListRequest, facets: Facets, notes: tuple[WorkingNote, ...]) -> Emptiness:
    holds_something = bool(facets.curators or notes)
    filtered = request.where.selects_by_value or request.where.state is MemoryState.FORGOTTEN
    hidden = not (request.with_notes and request.with_memories)
    if filtered or (holds_something and hidden):
        return Emptiness.NO_MATCH
    return Emptiness.NOTHING_HERE
