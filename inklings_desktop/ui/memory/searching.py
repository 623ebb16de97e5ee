"""Joins the search field, the chips and the order of the list to what the list is asked for."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.search.search_operators import (
    Misuse,
    narrowed,
    typed_search,
    unfinished_at,
)
from inklings_desktop.ui.memory.list.content import ListContent, ListRequest, beside_line
from inklings_desktop.ui.memory.list.search_words import not_understood_text

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.ui.kit.controls.completions import Completion, Completions
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.memory.list.filter_bar import FilterWish
    from inklings_desktop.ui.memory.list.presenter import ListPresenter
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
