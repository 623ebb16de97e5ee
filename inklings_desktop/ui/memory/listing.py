"""Joins the list of the Memory view to what is asked for: place, filters, order, search.

The first part of a window that is at work. It knows of no inspector and of nothing that acts on a
memory: those are built once the first rows are on show.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError, NotFoundError
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter, MemorySort
from inklings_desktop.domain.memory import MemoryEntry, MemoryRef, Tier
from inklings_desktop.domain.search.search_operators import (
    Misuse,
    narrowed,
    typed_search,
    unfinished_at,
)
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.places import ShellPresenter
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.words.places import BEGINNING, Place, Surroundings, copy_code, place_of
from inklings_desktop.ui.memory.list.content import ListContent, ListRequest, beside_line
from inklings_desktop.ui.memory.list.presenter import ListPresenter
from inklings_desktop.ui.memory.list.search_words import not_understood_text

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.ui.kit.controls.completions import Completion, Completions
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.memory.list.filter_bar import FilterWish
    from inklings_desktop.ui.memory.view import MemoryView


class Searching(QObject):
    """Asks the list for what is typed, ticked and sorted above it.

    Signals:
        ended: The same place is about to be shown without a search.
    """

    ended = Signal()

    def __init__(
        self, context: Context, found: ListPresenter, page: MemoryView, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._list = found
        self._page = page
        self._entered_for = ""
        self._impossible = ""
        self._is_entering = False
        header = page.header
        header.search.query_changed.connect(self._on_search_changed)
        header.search.submitted.connect(self._on_search_submitted)
        header.search.leave_requested.connect(self._on_list_requested)
        header.search.edit.textEdited.connect(self._on_typed)
        header.mode_chosen.connect(lambda mode: self.ask(replace(self._list.request, mode=mode)))
        header.sort_chosen.connect(lambda sort: self.ask(replace(self._list.request, sort=sort)))
        page.filters.filter_changed.connect(self._on_filter_changed)
        page.clear_filters_requested.connect(self._on_clear_filters_requested)
        page.foot.set_aside_toggled.connect(
            lambda on: self.ask(replace(self._list.request, with_set_aside=on))
        )
        found.found_beside.connect(lambda found: self._page.foot.show_set_aside(beside_line(found)))

    def ask(self, request: ListRequest) -> None:
        """Show something else; a slow search shows that it is under way."""
        before = self._list.request
        if before.is_search and not request.is_search and before.scopes == request.scopes:
            self.ended.emit()
        self._list.ask(request)
        if request.is_search:
            self._page.header.search.set_waiting()

    def show_set_aside(self, text: str, elsewhere: tuple[tuple[ScopeKey, ...], ...]) -> None:
        """Search this place and others, unfiltered, with what is never retrieved below the hits.

        Args:
            text: What is looked for.
            elsewhere: Scope keys of the other tiers, a tuple for each.
        """
        self._page.filters.clear()
        self._page.header.search.put_text(text)
        before = self._list.request
        self.ask(
            ListRequest(
                before.scopes,
                sort=before.sort,
                text=text,
                mode=before.mode,
                elsewhere=elsewhere,
                with_set_aside=True,
            )
        )

    def take_up(self) -> None:
        """Look for what was typed before there was anything to look in."""
        self._on_search_changed(self._page.header.search.text())

    @Slot(object)
    def on_answered(self, content: ListContent) -> None:
        """The rows that were asked for are on show: whoever went to the list stands at the best."""
        if self._is_entering and content.request == self._list.request:
            self._is_entering = False
            self._on_list_requested()

    @Slot()
    def on_failed(self) -> None:
        """They cannot be read, and that is said."""
        self._is_entering = False

    @cached_property
    def completions(self) -> Completions:
        """What may follow in the search field; imported with the first letter that is typed."""
        from inklings_desktop.ui.kit.controls.completions import Completions

        return Completions(self._context.theme, self._page.header.search.edit, self._completions_at)

    @Slot()
    def _on_typed(self) -> None:
        self.completions.offer()

    def _completions_at(self, text: str, caret: int) -> tuple[Completion, ...]:
        from inklings_desktop.ui.memory.list.search_completion import completions_at

        content = self._list.content
        facets = content.facets if content is not None else None
        return completions_at(text, caret, facets, self._context.inklings.clock())

    def clear(self) -> None:
        """Empty the search field without asking for anything."""
        self._page.header.search.put_text("")

    @Slot(str)
    def _on_search_changed(self, text: str) -> None:
        # Operators take effect with Enter; until then they are no words to look for either.
        typed = typed_search(text)
        impossible = [one for one in typed.not_understood if one.why is Misuse.NO_SUCH_DAY]
        if (said := not_understood_text(impossible)) != self._impossible:
            self._impossible = said  # once, not with every letter behind it
            self._page.show_search_note(said)
        typing = unfinished_at(text, len(text))
        if typing is not None and typing.operator is not None:  # so is one that is being typed
            text = text[: typing.start].rstrip()
            typed = typed_search(text)
        sought = typed.sought if typed.has_operators else text
        if sought != self._list.request.text:
            self.ask(replace(self._list.request, text=sought))

    @Slot(str)
    def _on_search_submitted(self, text: str) -> None:
        typed = typed_search(text)
        self._page.show_search_note(not_understood_text(typed.not_understood))
        request = self._list.request
        if not typed.has_operators:
            if request.text.strip() != text.strip():
                self.ask(replace(request, text=text))
            return
        try:
            where = narrowed(request.where, typed.where)
        except InklingsError as error:
            self._context.refuse(error)
            return
        self._page.header.search.put_text(typed.text)
        self.ask(replace(request, text=typed.text, where=where))

    @Slot()
    def _on_list_requested(self) -> None:
        """Stand at the best of what was found, once for each search, when the list is gone to."""
        content, sought = self._list.content, self._list.request.sought
        if content is None or content.request.sought != sought:
            if content is not None and not self._list.is_reading:
                return  # nothing could be read, and that was said
            self._is_entering = True  # the answer is still to come
            return
        if sought and sought != self._entered_for and content.emptiness is None:
            self._page.list_cursor.select_first()
        self._entered_for = sought

    @Slot(object)
    def _on_filter_changed(self, wish: FilterWish) -> None:
        self.ask(
            replace(
                self._list.request,
                where=wish.where,
                with_notes=wish.with_notes,
                with_memories=wish.with_memories,
            )
        )

    @Slot()
    def _on_clear_filters_requested(self) -> None:
        self._page.filters.clear()
        self.clear()
        request = self._list.request
        self.ask(ListRequest(request.scopes, sort=request.sort, mode=request.mode))


AGES_MS = 30_000
"""An age is told in whole minutes at the finest."""


class Listing(QObject):
    """The list of one opened data root, and where in it a person looks.

    Attributes:
        shell: Which workspace is open, what it holds, and the place on show.
        list: What the list shows.
        page: Shows it.
        search: Asks the list for what is typed and ticked above it.

    Signals:
        surroundings_changed: ``Surroundings``, for window title and whoever needs to know.
        place_left: The scope keys of the place that is left, before another one is asked for.
    """

    surroundings_changed = Signal(object)
    place_left = Signal(object)

    def __init__(self, context: Context, page: MemoryView, parent: QObject) -> None:
        super().__init__(parent)
        self._inklings = context.inklings
        self.page = page
        self._follow: MemoryRef | None = None
        self._going_far = Latest(context.background)
        self.shell = ShellPresenter(context.background, context.inklings, self)
        self.shell.message_raised.connect(context.say)
        self.list = ListPresenter(context, self)
        self.search = Searching(context, self.list, page, self)
        self.shell.workspace_switched.connect(self._on_workspace_switched)
        self.shell.surroundings_changed.connect(self._on_surroundings_changed)
        self.shell.counted.connect(lambda here: page.header.show_counts(here, self.shell.place))
        self.shell.place_changed.connect(self._on_place_changed)
        self.list.content_changed.connect(self._on_content_changed)
        self.list.facets_read.connect(page.filters.show_facets)
        self.list.rows_read.connect(page.place_rows)
        self.list.waiting_changed.connect(page.set_waiting)
        self.list.failed.connect(page.show_failure)
        self.list.content_changed.connect(self.search.on_answered)
        self.list.failed.connect(self.search.on_failed)
        page.empty_acts |= {"retry": self.list.refresh, "code": self._on_code_requested}
        page.header.code.clicked.connect(self._on_code_requested)
        page.list_cursor.tail.rows_looked_at.connect(self.list.load_rows)
        page.list_cursor.row_chosen.connect(self._on_row_chosen)
        page.header.tier_chosen.connect(self._on_tier_chosen)
        page.header.scope.scope_chosen.connect(
            lambda room: self.shell.go(Place(self.shell.place.tier, room))
        )
        page.foot.everywhere_toggled.connect(self._on_everywhere_toggled)
        timer(self, self._move_ages, AGES_MS, again=True).start()
        page.table.came_into_view.connect(self._move_ages)
        context.hear(self.shell.on_changes)
        context.hear(self.list.on_changes)

    _is_sought_far = False

    @Slot()
    def _move_ages(self) -> None:
        """Word the rows on show anew."""
        if self.page.table.isVisible():
            self.page.table.word_anew(self.list.aged)

    async def open(self, workspace_id: str = "", place: Place = BEGINNING) -> None:
        """Show the workspace that was asked for, or the first; return once it is there.

        Args:
            workspace_id: The one that was open last, if none was asked for; empty for none.
            place: Where in that one to look.

        Raises:
            InklingsError: No workspace can be read.
        """
        chosen = self._inklings.workspace
        await self.shell.open_first(chosen.id if chosen else workspace_id, place)
        await self.list.settled()

    def show_place(self, place: Place, where: MemoryFilter) -> None:
        """Look at a place through a filter; what was searched for and filtered before is lifted."""
        here = self.shell.surroundings
        if here is None:
            return
        self.search.clear()
        self.shell.go(place)
        mode = self.list.request.mode
        asked = ListRequest(here.scopes(place), where=where, sort=_sort_of(place), mode=mode)
        # Who is led to certain memories looks for no notes among them.
        self.search.ask(replace(asked, with_notes=where.sequences is None))
        self.page.focus_list()

    def show_place_of(self, entry: MemoryEntry) -> None:
        """Look where a memory is kept, and stand at it; search and filters are lifted."""
        self.page.filters.clear()
        self.show_place(place_of(entry.scope), EVERYTHING)
        self.follow(entry.ref)

    def follow(self, ref: MemoryRef) -> None:
        """Stand at this memory as soon as the list shows it, unless one goes to another before."""
        self._follow = ref
        self._is_sought_far = False

    @Slot(object)
    def _on_workspace_switched(self, here: Surroundings) -> None:
        is_first = not self.list.request.scopes
        if not is_first:
            self.search.clear()
        self.page.filters.clear()
        self._show_surroundings(here)
        place = self.shell.place
        self.page.filters.set_tier(place.tier)
        self.search.ask(ListRequest(scopes=here.scopes(place), sort=_sort_of(place)))
        if is_first:
            self.search.take_up()

    @Slot(object)
    def _on_surroundings_changed(self, here: Surroundings) -> None:
        self._show_surroundings(here)
        scopes = here.scopes(self.shell.place)
        if scopes != self.list.request.scopes:
            self.search.ask(replace(self.list.request, scopes=scopes))

    @Slot(object)
    def _on_place_changed(self, place: Place) -> None:
        here = self.shell.surroundings
        if here is None:
            return
        self._show_surroundings(here)
        before = self.list.request
        scopes = here.scopes(place)
        if before.tier is not place.tier:
            self.page.filters.clear()
            request = ListRequest(scopes, sort=_sort_of(place), text=before.text, mode=before.mode)
        else:
            request = replace(before, scopes=scopes)
        self.page.filters.set_tier(place.tier)
        self.place_left.emit(before.scopes)
        self.search.ask(request)

    @Slot(object)
    def _on_content_changed(self, content: ListContent) -> None:
        here = self.shell.surroundings
        if here is None:
            return
        self.page.filters.show_facets(content)
        ref = self._follow
        self.page.show_content(content, here, self.shell.place)
        self._follow = ref  # what becomes current with the answer was nobody's choice
        if ref is None:
            return
        if self.page.list_cursor.select(ref.id):
            self._follow = None
        elif content.headings and not self._is_sought_far:
            self._is_sought_far = True  # once: it may not be in this list at all
            self._going_far.run(self._go_far(ref))

    @Slot(str)
    def _on_row_chosen(self, row_id: str) -> None:
        if self._follow is not None and self._follow.id != row_id:
            self._follow = None  # whoever goes on is not fetched back

    async def _go_far(self, ref: MemoryRef) -> None:
        try:
            await self.list.read_around(ref)
        except NotFoundError:
            return  # gone meanwhile
        if self._follow is ref and self.page.list_cursor.select(ref.id):
            self._follow = None

    @Slot()
    def _on_code_requested(self) -> None:
        here = self.shell.surroundings
        talk = here.talk_at(self.shell.place) if here is not None else None
        if talk is not None:
            self.page.tell(copy_code(talk), icon="copy")

    @Slot(object)
    def _on_tier_chosen(self, tier: Tier) -> None:
        if tier is not self.shell.place.tier:
            self.shell.go(Place(tier))

    @Slot(bool)
    def _on_everywhere_toggled(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        here = self.shell.surroundings
        if here is None:
            return
        elsewhere = here.other_tiers(self.shell.place) if on else ()
        self.search.ask(replace(self.list.request, elsewhere=elsewhere))

    def _show_surroundings(self, here: Surroundings) -> None:
        place = self.shell.place
        self.page.header.show_place(here, place)
        self.page.show_tier_line(place.tier, self._inklings.settings.decay)
        self.surroundings_changed.emit(here)


def _sort_of(place: Place) -> MemorySort:
    """The order that a place begins with."""
    return MemorySort.LAST_READ if place.tier is Tier.CONVERSATION else MemorySort.NEWEST
