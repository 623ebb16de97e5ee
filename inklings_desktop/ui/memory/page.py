"""Joins presenters and views of the Memory view: who says what to whom."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QApplication

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.links import Link, LinkKind
from inklings_desktop.domain.memories.listing import EVERYTHING
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.dialogs.ask import answered
from inklings_desktop.ui.kit.dialogs.ask_dialog import UnsavedAnswer, UnsavedDialog
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.page.destinations import (
    ToMemories,
    ToMemory,
    ToNewMemory,
    ToRoom,
    ToWorld,
)
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.markdown.spelling import SpellingMarks
from inklings_desktop.ui.memory.acting import Acting
from inklings_desktop.ui.memory.acts.undo import Step
from inklings_desktop.ui.memory.explain.explaining import Explanations, SoughtMarks
from inklings_desktop.ui.memory.join import Parts
from inklings_desktop.ui.memory.list.list_cursor import PlaceMoves
from inklings_desktop.ui.memory.list.search_words import begin_of, by_agents_since
from inklings_desktop.ui.memory.past import Relatives, Versions
from inklings_desktop.ui.memory.rescue import Rescue
from inklings_desktop.ui.memory.saved_filters import SavedFilters
from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter
from inklings_desktop.ui.memory.typing import Typings

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from PySide6.QtCore import Qt

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.memory.acts.undo import Undoable
    from inklings_desktop.ui.memory.inspector.view import InspectorView
    from inklings_desktop.ui.memory.list.content import ListContent
    from inklings_desktop.ui.memory.list.search_words import Since
    from inklings_desktop.ui.memory.listing import Listing
    from inklings_desktop.ui.memory.subject.state import InspectorState
    from inklings_desktop.ui.memory.view import MemoryView
    from inklings_desktop.usecases.memories.values import VersionChange

_NOWHERE = (None,)
"""What has the keyboard in a window that was never active."""


class MemoryPage(Page[None]):
    """One opened data root behind the three panes of the Memory view.

    Attributes:
        is_beside: Whether the inspector stands beside another page: its steps lead there.
    """

    view: MemoryView

    def __init__(
        self, context: Context, *, listed: Listing, inspector: InspectorView, parent: QObject
    ) -> None:
        """Join everything else to a list, whose first page may be on show already.

        Args:
            listed: The list and its place.
            inspector: Shows one memory.
        """
        super().__init__(context, listed.page, parent)
        self.is_beside = False
        self._read_before: MemoryRef | None = None  # what was read when a search found nothing
        self._had_unsaved: bool | None = None
        self._listed, self._inspector = listed, inspector
        page = listed.page
        self._opening, self._offering = Latest(context.background), Latest(context.background)
        self.shell, self.list, self.search = listed.shell, listed.list, listed.search
        self.subject = InspectorPresenter(context, self)
        parts = Parts(context, listed, self.subject, inspector, self.may_leave)
        self.acts = Acting(parts, self)
        self.undo = self.acts.undo
        self.undo.taken_back.connect(self._on_taken_back)
        self.relatives = Relatives(parts, self.acts.note_restored, self)
        self.versions = Versions(parts, self._note_version_restored, self)
        self.typings, self.rescue = Typings(parts, self), Rescue(parts, self)
        self._connect_list()
        self._connect_inspector()
        moves = PlaceMoves(self.list, self.subject, page.list_cursor, self)
        listed.place_left.connect(moves.leave)
        self.acts.here = self.shell.surroundings
        if self.list.content is not None:
            self._show_known_tags(self.list.content)
        self.why = Explanations(parts, self.relatives.show, self)
        if not context.inklings.caller.is_agent:
            self.spelling = SpellingMarks(context, inspector.body.content, self)
        self.sought, self.filters = SoughtMarks(parts, self), SavedFilters(parts, self)

    async def begin(self, reading: str = "") -> None:
        """Make what the first page did without, and begin where the person was reading.

        Args:
            reading: Id of the memory that was read last, at which the keyboard begins, however far
                down it is. Whoever has gone to another one already stays there.
        """
        window, page = self.view.window(), self.view
        before = window.focusWidget()
        # The first page is on show. What it did without is made now, not at the first click.
        await self.list.read_facets()
        await self.background.read(self.inklings.complete)
        chosen = page.list_cursor.current_id()
        reads_on = False
        if chosen is None:
            is_listed = not reading or page.list_cursor.select(reading)
            reads_on = not is_listed and await self._read_on(reading)
        else:  # perhaps before anybody was there to hear of it
            self._on_row_chosen(chosen)
        stays = window.focusWidget() is before and not page.isAncestorOf(before)
        if stays or before in _NOWHERE:  # a window that is activated begins at its rail
            bring = page.table.setFocus if reads_on else page.focus_list  # which takes a row
            bring()
        self.shell.workspace_switched.connect(lambda: self._offering.run(self._offer_typing()))
        self._offering.run(self._offer_typing())
        await self._offering.settled()

    async def _read_on(self, memory_id: str) -> bool:
        """Stand at a memory, however far down; whether it is still there."""
        here = self.shell.surroundings
        if here is None:
            return False
        locate = self.inklings.listing.locate
        try:
            found = await self.background.read(locate, memory_id, here.workspace.id)
            await self.list.read_around(found.ref)
        except InklingsError:
            return False
        if not self.view.list_cursor.select(found.id):
            await self.subject.open_memory(found.ref)  # it is kept in another place
        return True

    async def _offer_typing(self) -> None:
        """Show what an earlier run had not saved, its memory chosen in the list if it is there."""
        await self.list.settled()
        here = self.shell.surroundings
        if here is None:
            return
        offered = await self.typings.offer_latest(here.workspace.id)
        if offered is not None and not offered.is_new:
            self.view.list_cursor.select(offered.memory_id)

    # -- as a page ------------------------------------------------------------------------------

    async def open(self, workspace_id: str) -> None:
        """Know which workspace is open; the list follows the place by itself."""
        self.workspace_id = workspace_id

    def on_shown(self, *, is_shown: bool) -> None:
        """Nothing: the list is kept up whether somebody looks or not."""

    @Slot(object)
    def show_surroundings(self, here: Surroundings) -> None:
        self.acts.here = here

    def show_linked(self, is_linked: bool) -> None:  # noqa: FBT001 - a signal's payload
        """Offer what is about pages only where a folder of them is linked."""
        self.view.table.actions_of.show_linked(is_linked=is_linked)
        self._inspector.header.has_pages = is_linked

    def bring_focus(self, _reason: Qt.FocusReason) -> None:
        self.view.focus_list()

    def link(self) -> Link | None:
        """What leads back to the memory on show, or else to the conversation that is listed."""
        here, room = self.shell.surroundings, self.shell.place.room or ""
        if (memory := self.subject.current_ref) is not None:
            return Link(LinkKind.MEMORY, memory.id)
        if here is not None and here.conversation(room) is not None:
            return Link(LinkKind.CONVERSATION, room)
        return None

    def arrive(self, where: Destination) -> None:
        match where:
            case ToMemory(entry):
                self.show_memory(entry)
            case ToNewMemory(text):
                self.new_memory(text)
            case ToRoom(conversation_id):
                self.show_list(Place(Tier.CONVERSATION, conversation_id), EVERYTHING)
            case ToMemories(tier, filter_):
                self.show_list(Place(tier), filter_ or EVERYTHING)

    @property
    def has_unsaved(self) -> bool:
        return self.subject.has_unsaved

    @property
    def asks_before_closing(self) -> bool:
        return self.has_unsaved or self._inspector.body.details.has_typed_tag

    async def may_leave(self) -> bool:
        self._inspector.body.details.take_typed_tag()  # a key that leads on leaves it in its field
        await self.subject.saved()  # what is being saved already needs no question
        if not self.subject.has_unsaved:
            return True
        answer = await answered(UnsavedDialog(self.view.window()))
        may_leave = False
        if answer == UnsavedAnswer.SAVE:
            # To the end, even if somebody goes on to yet another row meanwhile.
            may_leave = await asyncio.shield(self.background.spawn(self.subject.save()))
        elif answer == UnsavedAnswer.DISCARD:
            self.subject.revert()
            may_leave = True
        await self.typings.settled()
        return may_leave

    # -- wishes -------------------------------------------------------------------------

    @Slot()
    def new_memory(self, content: str = "") -> None:
        """Begin a new memory where the person is looking."""
        self._lead(self._start_new(content, self.shell.place))

    def show_list(self, place: Place, where: MemoryFilter) -> None:
        """Look at a place through a filter; what was searched for and filtered before is lifted."""
        self._listed.show_place(place, where)

    def show_memory(self, entry: MemoryEntry) -> None:
        """Look at one memory where it is kept; search and filters are lifted."""
        self._lead(self._show_memory(entry))

    async def show_beside(self, ref: MemoryRef) -> bool:
        """Open a memory in the inspector while another page is on show; whether it may.

        What is done there is about it alone: nothing is checked or current in the list any more.
        """
        if not await self.may_leave():
            return False
        self.acts.selection.clear()
        self.is_beside = True
        self.view.list_cursor.clear()
        await self.subject.open_memory(ref)
        return True

    async def _show_memory(self, entry: MemoryEntry) -> bool:
        if not await self.may_leave():
            return False
        self._listed.show_place_of(entry)
        await self.subject.open_memory(entry.ref)
        return True

    def save(self) -> None:
        """Store what was typed."""
        self.undo.begin(self._save())

    # -- joins --------------------------------------------------------------------------

    def _connect_list(self) -> None:
        page = self.view
        self.shell.workspace_switched.connect(self._on_workspace_switched)
        self.search.ended.connect(self._on_search_ended)
        for moved in (self.shell.place_changed, self.shell.workspace_switched):
            moved.connect(self.acts.selection.clear)
        self._listed.surroundings_changed.connect(self.show_surroundings)
        self.list.content_read.connect(self._leave_what_is_not_found)
        for read in (self.list.content_read, self.list.facets_read):
            read.connect(self._show_known_tags)
        page.header.new.clicked.connect(lambda _checked=False: self.new_memory())
        page.empty_acts["write"] = self.new_memory
        page.list_cursor.row_chosen.connect(self._on_row_chosen)
        page.list_cursor.row_followed.connect(self._on_row_followed)
        page.list_cursor.steps_changed.connect(self._on_steps_changed)
        self._on_steps_changed(*page.list_cursor.steps)
        page.filters.agents_since_chosen.connect(self._on_agents_since_chosen)
        page.filters.forget_these.clicked.connect(self.acts.forget_listed)

    def _connect_inspector(self) -> None:
        page, view, subject = self.view, self._inspector, self.subject
        subject.state_changed.connect(self._on_state_changed)
        subject.memory_stored.connect(self._on_memory_stored)
        subject.memory_known.connect(self._on_memory_known)
        view.body.edited.connect(subject.apply_edit)
        view.body.sources.page_wanted.connect(
            lambda page_id, block_id: self.context.go(ToWorld(page_id, block_id))
        )
        view.save_requested.connect(self.save)
        view.revert_requested.connect(subject.revert)
        view.header.previous.clicked.connect(lambda: self._step(page.list_cursor.select_previous))
        view.header.next.clicked.connect(lambda: self._step(page.list_cursor.select_next))
        view.body.conflict.take.clicked.connect(self.starts(subject.take_theirs))
        view.body.conflict.keep.clicked.connect(self.starts(subject.keep_mine))
        view.note.write_from_note_requested.connect(self._on_write_from_note_requested)
        view.leave_requested.connect(page.focus_list)

    def _lead(self, action: Coroutine[Any, Any, bool]) -> None:
        """Do what leads the keyboard elsewhere: what is typed meanwhile is meant for there."""
        held_keys(self.view).until(self.background.spawn(action))

    # -- what became of it ------------------------------------------------------------------

    @Slot()
    def _on_workspace_switched(self) -> None:
        typing = self.subject.unsaved_typing
        if typing is None or typing.scope.tier is not Tier.ACCOUNT:  # that outlives a workspace
            self.subject.show_nothing()

    @Slot()
    def _on_search_ended(self) -> None:
        chosen = self.view.list_cursor.current_id()  # may be about to be opened
        entry = self.list.entry(chosen) if chosen is not None else None
        ref = entry.ref if entry is not None else self.subject.asked_ref or self._read_before
        self._read_before = None
        if ref is not None:
            self._listed.follow(ref)  # what was found is read on among its neighbours

    @Slot(object)
    def _leave_what_is_not_found(self, content: ListContent) -> None:
        """Nothing stays beside a search that found nothing; what is being typed does."""
        is_bare = content.request.is_search and not content.n_memories
        shown = self.subject.asked_ref
        if is_bare and shown is not None and not (self.is_beside or self.subject.has_unsaved):
            self._read_before = shown
            self.subject.show_nothing()

    @Slot(object)
    def _show_known_tags(self, content: ListContent) -> None:
        self._inspector.known_tags.show_tags(content.facets.tags)

    @Slot(object)
    def _on_state_changed(self, state: InspectorState) -> None:
        self._inspector.show_state(state)
        if (has_unsaved := self.subject.has_unsaved) is not self._had_unsaved:
            self._had_unsaved = has_unsaved
            self.told.emit()

    @Slot(object, object)
    def _on_memory_stored(self, _before: MemoryEntry | None, entry: MemoryEntry) -> None:
        if self.view.list_cursor.current_id() in {None, entry.id}:
            self._listed.follow(entry.ref)  # whoever went on to another one is not fetched back
        self.view.motion.glow(entry.id)

    @Slot(object)
    def _on_memory_known(self, entry: MemoryEntry) -> None:
        self.view.toast.show_lead(
            tr("You already have this memory"),
            tr("Show"),
            partial(self.show_memory, entry),
            icon="info",
        )

    @Slot(object)
    def _on_taken_back(self, step: Undoable) -> None:
        """What was forgotten by mistake is stood at again; the first one, where it was many."""
        if isinstance(step, Step) and step.forgets and not self.subject.has_unsaved:
            came_back = step.changes[0].ref
            if not self.view.list_cursor.select(came_back.id):
                self._listed.follow(came_back)

    def _note_version_restored(self, change: VersionChange) -> None:
        after = change.after
        self._listed.follow(after.ref)
        self.acts.note_version(change)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        self.background.spawn(self.subject.on_changes(changes))
        self.typings.on_changes(changes)
        self.relatives.on_changes(changes)
        self.acts.selection.on_changes(changes)
        if changes.scrubbed:
            self.drop_undo()

    @Slot()
    def drop_undo(self) -> None:
        """Forget what could be taken back or asked again: its memories may be gone for good."""
        self.undo.drop()
        self.acts.typed.clear()
        self.acts.selection.clear()

    # -- from the views -------------------------------------------------------------------

    @Slot(str)
    def _on_row_chosen(self, row_id: str) -> None:
        way = self._opening.run(self._open_row(row_id))
        focus = QApplication.focusWidget()
        if focus is not None and self._inspector.isAncestorOf(focus):
            held_keys(self.view).until(way)  # what is typed on is meant for that memory

    @Slot(str)
    def _on_row_followed(self, row_id: str) -> None:
        if not self.subject.has_unsaved:  # nobody asked to leave what is being typed
            self._opening.run(self._open_row(row_id))

    @Slot(str)
    def _on_write_from_note_requested(self, content: str) -> None:
        # It should outlive the conversation, so it begins in the conversation's channel.
        here, place = self.shell.surroundings, self.shell.place
        channel = here.channel_of(place) if here is not None else None
        self._lead(self._start_new(content, Place(Tier.CHANNEL, channel) if channel else place))

    def _step(self, select: Callable[[], object]) -> None:
        if not self.is_beside:
            select()

    @Slot(bool, bool)
    def _on_steps_changed(self, has_previous: bool, has_next: bool) -> None:  # noqa: FBT001 - Qt
        if not self.is_beside:
            self._inspector.header.enable_steps(has_previous=has_previous, has_next=has_next)

    @Slot(object)
    def _on_agents_since_chosen(self, since: Since) -> None:
        request = self.list.request
        begin = begin_of(since, self.inklings.clock())
        self.search.ask(replace(request, where=by_agents_since(request.where, begin)))

    # -- actions --------------------------------------------------------------------------

    async def _open_row(self, row_id: str) -> None:
        shown = self.subject.current_ref
        if shown is not None and shown.id == row_id:
            return
        if not await self.may_leave():
            if shown is not None:
                self.view.list_cursor.select(shown.id)
            return
        entry, note = self.list.entry(row_id), self.list.note(row_id)
        if entry is not None:
            await self.subject.open_memory(entry.ref)
        elif note is not None and (here := self.shell.surroundings) is not None:
            self.subject.open_note(note, here.conversation(note.conversation_id))

    async def _start_new(self, content: str, place: Place) -> bool:
        here = self.shell.surroundings
        if here is None or here.is_looking or not await self.may_leave():
            return False
        scope = here.writing_scope(place)
        if scope is None:
            scope = here.scopes(Place(Tier.WORKSPACE))[0]
        offered = await self.typings.of_new(scope)
        self.view.list_cursor.clear()
        self.subject.start_new(scope, content, offered=offered)
        self._inspector.focus_editor()
        return True

    async def _save(self) -> None:
        async with self.undo.order:
            await self.subject.save()
