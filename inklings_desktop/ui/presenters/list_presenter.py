"""The memory list: loads pages, searches, filters and keeps up with changes."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.decay import relevance_of
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.listing import (
    EVERYTHING,
    PAGE_LIMIT,
    MemoryFilter,
    MemorySort,
    MemoryState,
    PageOffset,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.query_text import SearchMode
from inklings_desktop.ui.background import Background, Latest
from inklings_desktop.ui.messages import message_of
from inklings_desktop.ui.models.memory_rows import HeadingRow, MemoryRow, NoteRow, Row
from inklings_desktop.ui.models.tailed_list_model import MOST_FAR_ROWS
from inklings_desktop.ui.presenters.found_lines import FoundLine, found_lines
from inklings_desktop.ui.presenters.list_rows import (
    RowStyle,
    heading_places,
    memory_row,
    memory_rows,
    note_id,
    note_rows,
    tier_heading,
)
from inklings_desktop.ui.presenters.why_facts import hit_facts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from inklings_desktop.domain.changes import MemoryChanges
    from inklings_desktop.domain.conversation import WorkingNote
    from inklings_desktop.domain.listing import Facets, PageCursor
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.ui.presenters.why_state import HitFacts
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.search_memories import SearchRequest, SearchResult

SEARCH_LIMIT = 200
MOST_HEAD = 5 * PAGE_LIMIT
"""Memories from the top that are read anew at once, of a list whose length is known."""


class Emptiness(Enum):
    """Why a list shows nothing."""

    NOTHING_HERE = "nothing_here"
    NO_MATCH = "no_match"


@dataclass(frozen=True, slots=True)
class ListRequest:
    """What the list is asked to show.

    Attributes:
        scopes: Scope keys of one tier.
        where: Filters.
        sort: Order while browsing.
        text: What is searched for; empty means browsing.
        mode: By words and meaning, or by words alone.
        with_notes: Whether working notes are shown (conversation tier).
        with_memories: Whether learned memories are shown beside them.
        elsewhere: Scope keys of the other tiers, a tuple for each, that a search looks through as
            well; every tier is a list of its own. Empty while one tier is searched, and while
            browsing.
    """

    scopes: tuple[ScopeKey, ...] = ()
    where: MemoryFilter = EVERYTHING
    sort: MemorySort = MemorySort.NEWEST
    text: str = ""
    mode: SearchMode = SearchMode.HYBRID
    with_notes: bool = True
    with_memories: bool = True
    elsewhere: tuple[tuple[ScopeKey, ...], ...] = ()

    @property
    def tier(self) -> Tier:
        """Tier of the list; workspace while nothing is asked for."""
        return self.scopes[0].tier if self.scopes else Tier.WORKSPACE

    @property
    def is_search(self) -> bool:
        """Whether a text is looked for."""
        return bool(self.sought)

    @property
    def sought(self) -> str:
        """What is looked for: the text, and the words of the phrases that are asked for."""
        return " ".join((*filter(None, [self.text.strip()]), *sorted(self.where.phrases)))


@dataclass(frozen=True, slots=True)
class ListContent:
    """What the list shows.

    Attributes:
        rows: From the top; more may follow page by page.
        has_more: Whether further pages exist.
        n_memories: Memories in the whole list, or found.
        n_notes: Working notes of the place.
        emptiness: Why nothing is shown; None while something is.
        answered_by: Search mode that answered; None while browsing.
        facets: Values by which this place can be filtered.
        request: What was asked for.
        n_rows: How long the whole list is, headings included; 0 where only its head is known.
        headings: The headings of the whole list by their places; empty where it is not known.
        far: Rows below the head that were looked at before, read anew, by their places.
    """

    rows: tuple[Row, ...]
    has_more: bool
    n_memories: int
    n_notes: int
    emptiness: Emptiness | None
    answered_by: SearchMode | None
    facets: Facets
    request: ListRequest
    n_rows: int = 0
    headings: Mapping[int, Row] = field(default_factory=dict)
    far: Mapping[int, Row] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Loaded:
    content: ListContent
    entries: dict[str, MemoryEntry]
    notes: dict[str, WorkingNote]
    cursor: PageCursor | None
    style: RowStyle
    last_group: str | None
    found: tuple[SearchResult, ...] = ()
    n_head: int = 0
    """Memories from the top without a gap."""
    far: dict[str, MemoryEntry] = field(default_factory=dict)
    """Memories that were jumped to, the latest last."""


class ListPresenter(QObject):
    """Keeps one list of memories true; knows no widgets.

    Signals:
        content_changed: ``ListContent`` after a new answer.
        page_appended: The further rows and whether more follow, as a tuple.
        rows_read: Rows of the tail by their places.
        waiting_changed: Whether an answer to a new question is awaited.
        failed: A ``Message``: a place that was not on show before cannot be read.
        message_raised: A ``Message`` when an answer failed.
    """

    content_changed = Signal(object)
    page_appended = Signal(object)
    rows_read = Signal(object)
    waiting_changed = Signal(bool)
    failed = Signal(object)
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._loading = Latest(background)
        self._more = Latest(background)
        self._far = Latest(background)
        self._looked_at: range | None = None
        self._request = ListRequest()
        self._loaded: _Loaded | None = None
        self._facets: tuple[tuple[ScopeKey, ...], Facets] | None = None

    @property
    def request(self) -> ListRequest:
        """What the list is asked to show now."""
        return self._request

    @property
    def content(self) -> ListContent | None:
        """What the list shows; None before its first answer."""
        return self._loaded.content if self._loaded else None

    def entry(self, memory_id: str) -> MemoryEntry | None:
        """A memory on show, as it was loaded."""
        loaded = self._loaded
        if loaded is None:
            return None
        return loaded.entries.get(memory_id) or loaded.far.get(memory_id)

    def note(self, row_id: str) -> WorkingNote | None:
        """A working note on show."""
        return self._loaded.notes.get(row_id) if self._loaded else None

    def why_of(self, memory_id: str) -> HitFacts | None:
        """Why the search found a memory on show; None while browsing and for any other."""
        loaded = self._loaded
        if loaded is None:
            return None
        facts = (hit_facts(one, memory_id, loaded.content.request.sought) for one in loaded.found)
        return next((one for one in facts if one is not None), None)

    def lines_of(self, memory_ids: AbstractSet[str]) -> tuple[FoundLine, ...]:
        """Why the search found these memories, a line each; none while browsing."""
        return found_lines(self._loaded.found if self._loaded is not None else (), memory_ids)

    @property
    def found_ids(self) -> frozenset[str]:
        """The memories that the search on show found; empty while browsing."""
        found = self._loaded.found if self._loaded is not None else ()
        return frozenset(hit.entry.id for one in found for hit in one.hits)

    def ask(self, request: ListRequest) -> None:
        """Show something else; an older question under way is dropped."""
        if request.is_search and request.where.state is MemoryState.FORGOTTEN:
            request = replace(request, where=replace(request.where, state=MemoryState.ACTIVE))
        if request.elsewhere and not request.is_search:
            request = replace(request, elsewhere=())
        self._request = request
        self._looked_at = None
        self.waiting_changed.emit(True)
        self._loading.run(self._load(PAGE_LIMIT))

    def refresh(self) -> None:
        """Ask again for as much as is on show."""
        loaded = self._loaded
        n_shown = loaded.n_head if loaded else 0
        if loaded is not None and loaded.content.headings:
            n_shown = min(n_shown, MOST_HEAD)  # the rest is read where somebody looks
        self._loading.run(self._load(max(PAGE_LIMIT, n_shown), self._looked_at))

    def on_changes(self, changes: MemoryChanges) -> None:
        """Refresh if the change touches what is on show."""
        request = self._request
        scopes = {*request.scopes, *(one for tier in request.elsewhere for one in tier)}
        if all(changes.workspace_id != scope.workspace_id for scope in scopes):
            return
        keys = {scope.key for scope in request.scopes}
        if (
            changes.reload
            or changes.scopes.intersection(scopes)
            or (request.tier is Tier.CONVERSATION and changes.note_conversations & keys)
        ):
            self._facets = None
            self.refresh()

    async def settled(self) -> None:
        """Return once the latest question is answered."""
        await self._loading.settled()

    @Slot()
    def load_more(self) -> None:
        """Append the next page, if there is one."""
        if self._loaded is not None and self._loaded.cursor is not None:
            self._more.run(self._append(self._loaded, self._loaded.cursor))

    @Slot(int, int)
    def load_rows(self, first: int, last: int) -> None:
        """Read the rows of a place far down the list, or the next page where they follow it.

        Args:
            first: First place that is looked at.
            last: Last one.
        """
        loaded = self._loaded
        if loaded is None or not loaded.content.headings:
            return
        span = self._looked_at = _span_of(loaded, first, last)
        if span.stop <= loaded.n_head:
            return
        if span.start <= loaded.n_head and loaded.cursor is not None:
            if not self._more.is_running:
                self._more.run(self._append(loaded, loaded.cursor))
            return
        self._far.run(self._read_far(loaded, span))

    async def entries_between(self, first: int, last: int) -> tuple[MemoryEntry, ...]:
        """The memories between two places of a list whose whole length is known, read if need be.

        Raises:
            InklingsError: They cannot be read.
        """
        loaded = self._loaded
        if loaded is None or not loaded.content.headings:
            return ()
        span = _span_of(loaded, first, last)
        rows, entries = await self._background.read(
            _far_rows, self._inklings, loaded.content, loaded.style, span
        )
        if self._loaded is None or self._loaded.content is not loaded.content:
            return ()  # the list changed meanwhile; what was pointed at is another stretch now
        return tuple(entries[row.id] for place, row in rows.items() if first <= place <= last)

    async def _read_far(self, loaded: _Loaded, span: range) -> None:
        request = loaded.content.request
        try:
            rows, entries = await self._background.read(
                _far_rows, self._inklings, loaded.content, loaded.style, span
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        now = self._loaded
        if now is None or now.content is not loaded.content or now.content.request != request:
            return  # the list changed meanwhile; whoever looks asks again
        far = now.far | entries
        for gone in list(far)[: max(0, len(far) - MOST_FAR_ROWS)]:
            del far[gone]
        self._loaded = replace(now, far=far)
        self.rows_read.emit(rows)

    async def _load(self, limit: int, span: range | None = None) -> None:
        self._more.cancel()
        self._far.cancel()
        request = self._request
        try:
            loaded = await self._background.read(
                _answer, self._inklings, request, limit, self._known_facets(request), span
            )
        except InklingsError as error:
            self.waiting_changed.emit(False)
            before = self._loaded
            is_elsewhere = before is None or before.content.request.scopes != request.scopes
            (self.failed if is_elsewhere else self.message_raised).emit(message_of(error))
            return
        self._loaded = loaded
        self._facets = (request.scopes, loaded.content.facets)
        self.waiting_changed.emit(False)
        self.content_changed.emit(loaded.content)

    def _known_facets(self, request: ListRequest) -> Facets | None:
        """The values in use, if they were read for these scopes and nothing changed since."""
        if self._facets is not None and self._facets[0] == request.scopes:
            return self._facets[1]
        return None

    async def _append(self, loaded: _Loaded, cursor: PageCursor) -> None:
        request = loaded.content.request
        try:
            page = await self._background.read(
                self._inklings.browse_memories,
                self._inklings.caller,
                request.scopes,
                where=request.where,
                sort=request.sort,
                after=cursor,
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        rows, last_group = memory_rows(page.entries, loaded.style, last_group=loaded.last_group)
        entries = loaded.entries | {entry.id: entry for entry in page.entries}
        self._loaded = replace(
            self._loaded or loaded,
            entries=entries,
            cursor=page.next,
            last_group=last_group,
            n_head=loaded.n_head + len(page.entries),
        )
        self.page_appended.emit((rows, page.next is not None))


def _answer(
    inklings: Inklings,
    request: ListRequest,
    limit: int,
    facets: Facets | None,
    span: range | None,
) -> _Loaded:
    """Everything the list shows for one request; runs on a reader.

    Args:
        inklings: The opened data root.
        request: What is asked for.
        limit: Memories from the top.
        facets: Values in use, where they are known.
        span: Memories far down that were looked at last and are to be read as well.
    """
    if facets is None:
        facets = inklings.list_facets(inklings.caller, request.scopes)
    notes: tuple[WorkingNote, ...] = ()
    if request.tier is Tier.CONVERSATION and not request.is_search:
        notes = inklings.list_notes(inklings.caller, request.scopes)
    if request.is_search:
        return _searched(inklings, request, facets)
    loaded = _browsed(inklings, request, facets, notes, limit)
    if span is None or not loaded.content.headings or span.stop <= loaded.n_head:
        return loaded
    rows, entries = _far_rows(inklings, loaded.content, loaded.style, span)
    return replace(loaded, content=replace(loaded.content, far=rows), far=entries)


def search_request(request: ListRequest) -> SearchRequest:
    """What the search behind a list looks for."""
    from inklings_desktop.usecases.search_memories import SearchRequest

    return SearchRequest(
        _sought_text(request), request.mode, SEARCH_LIMIT, request.where, last_word_is_open=True
    )


def _sought_text(request: ListRequest) -> str:
    """What is looked for; a blank after the last word closes it, unless phrases follow."""
    return request.sought if request.where.phrases else request.text


def _searched(inklings: Inklings, request: ListRequest, facets: Facets) -> _Loaded:
    """One list, or one for every tier, ranked for itself: scores of two tiers do not compare."""
    order = list(Tier)
    lists = sorted((request.scopes, *request.elsewhere), key=lambda one: order.index(_tier_of(one)))
    results = [
        inklings.search_memories(inklings.caller, scopes, search_request(request))
        for scopes in lists
    ]
    now, decay = inklings.clock(), inklings.settings.decay
    rows: tuple[Row, ...] = ()
    entries: list[MemoryEntry] = []
    for scopes, result in zip(lists, results, strict=True):
        here = [hit.entry for hit in result.hits]
        style = RowStyle(request.sort, decay, now, _tier_of(scopes), query=result.query)
        if request.elsewhere:
            rows += (tier_heading(style.tier, len(here), captions=not rows),)
        rows += memory_rows(here, style)[0]
        entries += here
    content = ListContent(
        rows if entries else (),
        has_more=False,
        n_memories=len(entries),
        n_notes=0,
        emptiness=None if entries else Emptiness.NO_MATCH,
        answered_by=results[0].mode,
        facets=facets,
        request=request,
    )
    by_id = {entry.id: entry for entry in entries}
    style = RowStyle(request.sort, decay, now, request.tier, query=results[0].query)
    return _Loaded(content, by_id, {}, None, style, None, found=tuple(results))


def _tier_of(scopes: Sequence[ScopeKey]) -> Tier:
    return scopes[0].tier if scopes else Tier.WORKSPACE


def _browsed(
    inklings: Inklings,
    request: ListRequest,
    facets: Facets,
    notes: tuple[WorkingNote, ...],
    limit: int,
) -> _Loaded:
    page = inklings.browse_memories(
        inklings.caller, request.scopes, where=request.where, sort=request.sort, limit=limit
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
    rows, last_group = memory_rows(shown, style)
    shown_notes = notes if request.with_notes else ()
    above = note_rows(shown_notes, page.as_of)
    headings = heading_places(style, page.groups, len(above)) if page.next is not None else {}
    rows = (*above, *rows)
    cursor = page.next if request.with_memories else None
    if cursor is None or not _agree(rows, headings, len(above)):
        headings = {}
    content = ListContent(
        rows,
        has_more=cursor is not None,
        n_memories=page.total or 0,
        n_notes=len(notes),
        emptiness=None if rows else _emptiness(request, facets, notes),
        answered_by=None,
        facets=facets,
        request=request,
        n_rows=len(above) + len(headings) + (page.total or 0) if headings else 0,
        headings=headings,
    )
    return _Loaded(
        content,
        {entry.id: entry for entry in shown},
        {note_id(note): note for note in shown_notes},
        cursor,
        style,
        last_group,
        n_head=len(shown),
    )


def _agree(rows: Sequence[Row], headings: Mapping[int, Row], n_above: int) -> bool:
    """Whether the headings of the loaded head stand where the counts put them."""
    found = {
        place: row.id
        for place, row in enumerate(rows)
        if place >= n_above and isinstance(row, HeadingRow)
    }
    return found == {place: row.id for place, row in headings.items() if place < len(rows)}


def _span_of(loaded: _Loaded, first: int, last: int) -> range:
    """The memories behind two places of the list, widened to whole pages."""
    places = sorted(loaded.content.headings)
    n_above = places[0]
    start = max(0, first - n_above - bisect_right(places, first))
    end = max(start, last - n_above - bisect_right(places, last))
    start -= start % PAGE_LIMIT
    return range(start, end - end % PAGE_LIMIT + PAGE_LIMIT)


def _far_rows(
    inklings: Inklings, content: ListContent, style: RowStyle, span: range
) -> tuple[dict[int, Row], dict[str, MemoryEntry]]:
    """The rows of these memories by their places, and the memories; runs on a reader."""
    request = content.request
    page = inklings.browse_memories(
        inklings.caller,
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


def _emptiness(request: ListRequest, facets: Facets, notes: tuple[WorkingNote, ...]) -> Emptiness:
    holds_something = bool(facets.curators or notes)
    filtered = request.where.selects_by_value or request.where.state is MemoryState.FORGOTTEN
    hidden = not (request.with_notes and request.with_memories)
    if filtered or (holds_something and hidden):
        return Emptiness.NO_MATCH
    return Emptiness.NOTHING_HERE


def selectable_ids(rows: tuple[Row, ...]) -> tuple[str, ...]:
    """Ids of the rows that can be opened, top to bottom."""
    return tuple(row.id for row in rows if isinstance(row, MemoryRow | NoteRow))
