"""The memory list: loads pages, searches, filters and keeps up with changes."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memories.listing import MemoryState
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.lists.row_list_model import MOST_FAR_ROWS
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.memory_lines import FoundLine, found_lines, memory_row, note_row
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.memory.list.content import (
    ListContent,
    ListRequest,
)
from inklings_desktop.ui.memory.list.loading import (
    Loaded,
    far_rows,
    found_beside,
    loaded_answer,
    rows_around,
    span_of,
    without,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memories.listing import Facets
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef, ScopeKey
    from inklings_desktop.domain.rooms.conversation import WorkingNote
    from inklings_desktop.domain.words.query_text import KeywordQuery
    from inklings_desktop.ui.kit.lists.memory_row_layout import Row
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.why.facts import HitFacts

MOST_SPANS = 4
"""So many of the places that were looked at last are read anew with a list."""


class ListPresenter(QObject):
    """Keeps one list of memories true; knows no widgets.

    Attributes:
        request: What the list is asked to show now; ``ask`` changes it.

    Signals:
        content_read: ``ListContent`` after a new answer, before it is shown: what was checked or
            open in the rows that go is let go of.
        content_changed: The same, to be shown.
        rows_read: Rows of the tail by their places.
        waiting_changed: Whether an answer to a new question is awaited.
        facets_read: The ``ListContent`` on show, once its facets are known.
        found_beside: What stands ``Beside`` the hits of the search on show, once it is known.
        failed: No answer comes; with a ``Message`` where another place was on show before, else
            with None: it was said.
    """

    content_read = Signal(object)
    content_changed = Signal(object)
    rows_read = Signal(object)
    waiting_changed = Signal(bool)
    facets_read = Signal(object)
    found_beside = Signal(object)
    failed = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._background, self._inklings = context.background, context.inklings
        self._loading = Latest(context.background)
        self._far = Latest(context.background)
        self._aside = Latest(context.background)
        self._looked_at: tuple[range, ...] = ()
        self.request = ListRequest()
        self._loaded: Loaded | None = None
        self._facets: tuple[tuple[ScopeKey, ...], Facets] | None = None

    @property
    def is_reading(self) -> bool:
        """Whether an answer is under way."""
        return self._loading.is_running

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

    def loaded_entries(self) -> Iterator[MemoryEntry]:
        """Every memory that was read for the list."""
        if self._loaded is not None:
            yield from self._loaded.entries.values()
            yield from self._loaded.far.values()

    def note(self, row_id: str) -> WorkingNote | None:
        """A working note on show."""
        return self._loaded.notes.get(row_id) if self._loaded else None

    def aged(self, row: Row) -> Row:
        """A row on show as it reads by now; itself where nobody knows what it was made from."""
        loaded, now = self._loaded, self._inklings.clock()
        if loaded is None:
            return row
        if (note := loaded.notes.get(row.id)) is not None:
            return note_row(note, now)
        if (entry := self.entry(row.id)) is None:
            return row
        style = replace(loaded.style, as_of=now, tier=entry.scope.tier)
        return memory_row(entry, style, relevance_of(entry, style.decay, now))

    def why_of(self, memory_id: str) -> HitFacts | None:
        """Why the search found a memory on show; None while browsing and for any other."""
        loaded = self._loaded
        if loaded is None or not loaded.found:
            return None
        # Ranking comes with the first search, not with the first page.
        from inklings_desktop.ui.kit.why.facts import hit_facts

        facts = (hit_facts(one, memory_id, loaded.content.request.sought) for one in loaded.found)
        return next((one for one in facts if one is not None), None)

    def lines_of(self, memory_ids: AbstractSet[str]) -> tuple[FoundLine, ...]:
        """Why the search found these memories, a line each; none while browsing."""
        return found_lines(self._loaded.found if self._loaded is not None else (), memory_ids)

    @property
    def query(self) -> KeywordQuery | None:
        """The words of the search on show; None while browsing."""
        found = self._loaded.found if self._loaded is not None else ()
        return found[0].query if found else None

    @property
    def found_ids(self) -> frozenset[str]:
        """The memories that the search on show found; empty while browsing."""
        found = self._loaded.found if self._loaded is not None else ()
        return frozenset(hit.entry.id for one in found for hit in one.hits)

    def ask(self, request: ListRequest) -> None:
        """Show something else; an older question under way is dropped."""
        if request.is_search and request.where.state is MemoryState.FORGOTTEN:
            # No index holds the forgotten ones: they stand below what is found.
            where = replace(request.where, state=MemoryState.ACTIVE)
            request = replace(request, where=where, with_set_aside=True)
        if not request.is_search:
            request = replace(request, elsewhere=(), with_set_aside=False)
        self.request = request
        self._looked_at = ()
        self.waiting_changed.emit(True)
        self._loading.run(self._load())

    def refresh(self) -> None:
        """Ask again for as much as is on show."""
        self._loading.run(self._load())

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Refresh if the change touches what is on show."""
        request = self.request
        scopes = {*request.scopes, *chain.from_iterable(request.elsewhere)}
        if changes.workspace_id not in map(attrgetter("workspace_id"), scopes):
            return
        is_talk = request.tier is Tier.CONVERSATION
        if (
            changes.reload
            or changes.scopes.intersection(scopes)
            or (is_talk and changes.note_conversations & {scope.key for scope in request.scopes})
        ):
            before = self._loaded
            if before is not None and self._only_leave(changes):
                self._loading.run(self._leave_out(before, changes.forgotten))
                return
            self._facets = None
            self.refresh()

    def _only_leave(self, changes: MemoryChanges) -> bool:
        """Whether a commit took memories from the first page, and nobody looked beyond that."""
        is_under_way = self._loading.is_running or self._far.is_running
        if is_under_way or self._looked_at or self._inklings.caller.is_agent:
            return False
        others = changes.added or changes.updated or changes.note_conversations or changes.reload
        return bool(changes.forgotten) and not others

    async def _leave_out(self, loaded: Loaded, gone: tuple[str, ...]) -> None:
        left = await self._background.read(without, loaded, gone)
        if left is not None and self._loaded is loaded:
            self._show(left)
        else:
            self._facets = None
            await self._load()

    async def read_facets(self) -> None:
        """Read the values by which the first answer can be filtered, which came without them."""
        before = self._loaded
        if before is None or not before.content.lacks_facets:
            return
        scopes = before.content.request.scopes
        try:
            facets = await self._background.read(self._inklings.listing.facets, scopes)
        except InklingsError as error:
            self._context.refuse(error)
            return
        loaded = self._loaded
        if loaded is None or loaded.content.request.scopes != scopes:
            return
        if loaded.content.lacks_facets:  # else read again meanwhile
            self._facets = (scopes, facets)
            content = replace(loaded.content, facets=facets, lacks_facets=False)
            self._loaded = replace(loaded, content=content)
            self.facets_read.emit(content)

    async def settled(self) -> None:
        """Return once the latest question is answered."""
        await self._loading.settled()
        await self._aside.settled()

    @Slot(int, int)
    def load_rows(self, first: int, last: int) -> None:
        """Read the rows of a place below the first page.

        Args:
            first: First place that is looked at.
            last: Last one.
        """
        loaded = self._loaded
        if loaded is None or not loaded.content.headings:
            return
        span = span_of(loaded, first, last)
        others = [one for one in self._looked_at if one != span]
        self._looked_at = (*others[1 - MOST_SPANS :], span)
        self._far.run(self._read_far(loaded, span))

    async def entries_between(self, first: int, last: int) -> dict[int, MemoryEntry]:
        """The memories of a list whose whole length is known, by place, read if need be.

        Args:
            first: First place.
            last: Last one.

        Raises:
            InklingsError: They cannot be read.
        """
        loaded = self._loaded
        if loaded is None or not loaded.content.headings:
            return {}
        span = span_of(loaded, first, last)
        rows, entries = await self._background.read(
            far_rows, self._inklings, loaded.content, loaded.style, span
        )
        if self._loaded is None or self._loaded.style is not loaded.style:
            return {}  # the list changed meanwhile; what was pointed at is another stretch now
        return {place: entries[row.id] for place, row in rows.items() if first <= place <= last}

    async def read_around(self, ref: MemoryRef) -> None:
        """Read the rows around a memory that stands below the first page; nothing for others.

        Raises:
            NotFoundError: There is no such memory any more.
            InklingsError: They cannot be read.
        """
        loaded = self._loaded
        if loaded is not None and loaded.content.headings:
            found = await self._background.read(rows_around, self._inklings, loaded, ref)
            self._place_far(loaded, *found)

    async def _read_far(self, loaded: Loaded, span: range) -> None:
        found = await self._background.read(
            far_rows, self._inklings, loaded.content, loaded.style, span
        )
        self._place_far(loaded, *found)

    def _place_far(
        self, loaded: Loaded, rows: Mapping[int, Row], entries: Mapping[str, MemoryEntry]
    ) -> None:
        now = self._loaded
        if now is None or now.style is not loaded.style:
            return  # the list changed meanwhile; whoever looks asks again
        far = {**now.far, **entries}
        for gone in list(far)[: max(0, len(far) - MOST_FAR_ROWS)]:
            del far[gone]
        self._loaded = replace(now, far=far)
        self.rows_read.emit(rows)

    async def _load(self) -> None:
        self._far.cancel()
        self._aside.cancel()
        request = self.request
        try:
            loaded = await self._background.read(
                loaded_answer,
                self._inklings,
                request,
                self._known_facets(request),
                self._looked_at,
                reads_facets=self._loaded is not None,  # the first rows do not wait for them
            )
        except InklingsError as error:
            self.waiting_changed.emit(False)
            before = self._loaded
            is_elsewhere = before is None or before.content.request.scopes != request.scopes
            self.failed.emit(message_of(error) if is_elsewhere else None)
            if not is_elsewhere:
                self._context.refuse(error)
            return
        self._show(loaded)
        if request.is_search:
            self._aside.run(self._find_beside(request))

    def _show(self, loaded: Loaded) -> None:
        self._loaded = loaded
        if not loaded.content.lacks_facets:
            self._facets = (loaded.content.request.scopes, loaded.content.facets)
        self.waiting_changed.emit(False)
        self.content_read.emit(loaded.content)
        self.content_changed.emit(loaded.content)

    async def _find_beside(self, request: ListRequest) -> None:
        """Look for what no search finds, once the answer stands: it is compared one by one."""
        found = await self._background.read(found_beside, self._inklings, request)
        if request == self.request:
            self.found_beside.emit(found)

    def _known_facets(self, request: ListRequest) -> Facets | None:
        """The values in use, if they were read for these scopes and nothing changed since."""
        if self._facets is not None and self._facets[0] == request.scopes:
            return self._facets[1]
        return None
