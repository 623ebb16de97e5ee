"""What happens in the inspector: one memory, a new one, or a working note at a time.

Text that a person typed is replaced only when that person asks for it: news from outside never
touches an unsaved draft, and a save that fails leaves it where it is.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.errors import (
    InklingsError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.memory import DEFAULT_IMPORTANCE, Curator, own_lifetime
from inklings_desktop.ui.kit.look.text_layout import editor_text
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.messages import choose_first, message_of
from inklings_desktop.ui.kit.words.places import place_name
from inklings_desktop.ui.memory.subject.facts import history_lines, values_of
from inklings_desktop.ui.memory.subject.saving import (
    SavingPresenter,
    memory_to_show,
    seen_again,
    take_edit,
    touches_memory,
    touches_note,
)
from inklings_desktop.ui.memory.subject.state import DraftValues, MemoryEdit
from inklings_desktop.ui.memory.subject.subject import (
    NewMemory,
    OpenMemory,
    OpenNote,
    lies_in,
    opened,
    typing_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memories.memory_typing import MemoryTyping
    from inklings_desktop.domain.memory import (
        Lifetime,
        MemoryEntry,
        MemoryRef,
        ScopeKey,
    )
    from inklings_desktop.domain.rooms.conversation import Conversation, WorkingNote
    from inklings_desktop.domain.world.derivations import SourceStanding
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.memory.subject.state import (
        HistoryLine,
    )
    from inklings_desktop.ui.memory.subject.subject import Subject
    from inklings_desktop.usecases.search.browse_memories import MemoryWithHistory


class InspectorPresenter(SavingPresenter):
    """Shows and edits one thing at a time.

    Showing something else drops an unsaved draft: whoever asks for that looks at
    ``has_unsaved`` first and lets the person choose. Opening the memory that is already shown
    never drops anything.
    """

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._n_requests = 0
        self._awaited: MemoryRef | None = None
        self._naming = Latest(context.background)
        self._storing = asyncio.Lock()

    # -- what is shown ------------------------------------------------------------------

    @property
    def is_saving(self) -> bool:
        """Whether what stands in the fields is on its way to the disk."""
        return isinstance(self._shown, OpenMemory | NewMemory) and self._shown.is_saving

    @property
    def current_entry(self) -> MemoryEntry | None:
        """The stored memory that is shown, as it was last read."""
        return self._shown.entry if isinstance(self._shown, OpenMemory) else None

    @property
    def current_ref(self) -> MemoryRef | None:
        """Scope and id of the stored memory that is shown."""
        return self._shown.entry.ref if isinstance(self._shown, OpenMemory) else None

    @property
    def asked_ref(self) -> MemoryRef | None:
        """Scope and id of the stored memory that was asked for last, shown by now or not yet."""
        return self._awaited or self.current_ref

    def show_nothing(self) -> None:
        """Show what the tiers are for."""
        self._show(None)

    def leave_for(self, scopes: Collection[ScopeKey]) -> bool:
        """Show nothing where what is shown, or being read for it, lies elsewhere.

        What is typed and not saved stays on show: nobody asked to leave it.

        Args:
            scopes: The scope keys of the place that is looked at now.

        Returns:
            Whether nothing is shown, and nothing is on its way.
        """
        awaited = self._awaited
        is_here = lies_in(self._shown, scopes) if awaited is None else awaited.scope in scopes
        if not is_here and not self.has_unsaved:
            self.show_nothing()
        return self._shown is None and self._awaited is None

    async def open_memory(self, ref: MemoryRef) -> None:
        """Show a stored memory, forgotten or not; any later request overtakes this one."""
        if isinstance(self._shown, OpenMemory) and self._shown.entry.ref == ref:
            await self.look_again(self._shown)
            return
        self._n_requests += 1
        request, was_unsaved = self._n_requests, self.has_unsaved
        self._awaited = ref
        found, refused = None, None
        try:
            found = await self._background.read(memory_to_show, self._inklings, ref)
        except InklingsError as error:
            refused = error
        finally:
            is_latest = request == self._n_requests
            if is_latest:  # also where somebody went on and this was dropped
                self._awaited = None
        if not is_latest:
            return
        if was_unsaved or not self.has_unsaved:  # else somebody typed meanwhile
            self._show(opened(found, self._inklings.clock()) if found is not None else None)
        if refused is not None:
            self._context.refuse(refused)

    def open_at_once(self, entry: MemoryEntry) -> None:
        """Show a memory as the list knows it, before anything is typed; the rest is read after.

        Whoever is quicker with the keys than the disk must not type into the memory before.
        """
        shown = OpenMemory(entry, (), "", values_of(entry))
        self._show(shown)
        self._background.spawn(self._complete(shown))

    async def _complete(self, shown: OpenMemory) -> None:
        found = await self._background.read(memory_to_show, self._inklings, shown.entry.ref)
        if self._shown is not shown:
            return
        if shown.is_unsaved:
            shown.room = found.room
            self._take_news(shown, found.memory, found.standings)
        else:
            self._show(opened(found, self._inklings.clock()))

    def open_note(self, note: WorkingNote, conversation: Conversation | None) -> None:
        """Show a working note; it cannot be edited."""
        self._show(OpenNote(note, conversation))

    def start_new(
        self, scope: ScopeKey, content: str = "", *, offered: MemoryTyping | None = None
    ) -> None:
        """Show the fields of a memory that is yet to be written.

        Args:
            scope: Where it will belong.
            content: What it begins with.
            offered: What an earlier run had not saved; it is decided on first.
        """
        lifetime = own_lifetime(scope.tier, Curator.AUTHOR)
        shown = NewMemory(
            scope,
            DraftValues(editor_text(content), DEFAULT_IMPORTANCE, lifetime, ()),
            offered=offered,
        )
        self._show(shown)
        self._naming.run(self._name_place(shown))

    # -- typing of an earlier run -----------------------------------------------------------

    @property
    def unsaved_typing(self) -> MemoryTyping | None:
        """What stands in the fields and would be lost; None if nothing."""
        return typing_of(self._shown, self._inklings.clock()) if self.has_unsaved else None

    def continue_typing(self) -> MemoryTyping | None:
        """Go on with what an earlier run had not saved; what that was."""
        shown = self._shown
        if not isinstance(shown, OpenMemory | NewMemory) or shown.offered is None:
            return None
        typing = shown.offered
        shown.take_typing(typing)
        self._emit()
        return typing

    def discard_typing(self) -> MemoryTyping | None:
        """Let go of what an earlier run had not saved; what that was."""
        shown = self._shown
        if not isinstance(shown, OpenMemory | NewMemory) or shown.offered is None:
            return None
        typing, shown.offered = shown.offered, None
        self._emit()
        return typing

    def warn_unkept(self, error: InvalidValueError) -> None:
        """Say beside the text that it cannot even be kept as a draft, before a save says so."""
        shown = self._shown
        if not isinstance(shown, OpenMemory | NewMemory) or shown.is_saving or not shown.is_unsaved:
            return
        if error.field == "content":
            why = message_of(error).title
            warning = tr("{why} Until then it is not saved as a draft.").format(why=why)
            shown.errors = replace(shown.errors, content=warning)
            self._emit()

    # -- editing ------------------------------------------------------------------------

    def edit(
        self,
        *,
        content: str | None = None,
        importance: float | None = None,
        lifetime: Lifetime | None = None,
        tags: tuple[str, ...] | None = None,
    ) -> None:
        """Take over what a person changed in the fields; None leaves a value as it is."""
        self.apply_edit(MemoryEdit(content, importance, lifetime, tags))

    @Slot(object)
    def apply_edit(self, edit: MemoryEdit) -> None:
        """Take over one change as the view hands it out."""
        shown = self._shown
        if not isinstance(shown, OpenMemory | NewMemory) or not shown.is_editable:
            return
        if not self._inklings.is_read_only:
            take_edit(shown, edit)
            self._emit()

    @Slot()
    def revert(self) -> None:
        """Drop what was typed: back to the stored version, or to nothing for a new memory."""
        shown = self._shown
        if isinstance(shown, OpenMemory) and not shown.is_gone:
            shown.entry = shown.newer or shown.entry
            shown.newer = None
            shown.draft = values_of(shown.entry)
            shown.errors = type(shown.errors)()
            self._emit()
        elif isinstance(shown, OpenMemory | NewMemory):
            self.show_nothing()

    async def save(self) -> bool:
        """Store what was typed, after a save that is under way: more may be typed since.

        Returns:
            Whether nothing is left unsaved. After a refusal the text is still in the fields and
            the state says what is wrong, or a message was raised.
        """
        async with self._storing:
            shown = self._shown
            if isinstance(shown, NewMemory):
                return await self._save_new(shown)
            if isinstance(shown, OpenMemory) and shown.is_unsaved:
                if shown.in_conflict:
                    self._context.say(choose_first())
                    return False
                return await self._save_over(shown, shown.entry)
            return not self.has_unsaved

    async def saved(self) -> None:
        """Return once no save is under way."""
        async with self._storing:
            return

    async def take_theirs(self) -> None:
        """Settle a conflict for the stored version, read afresh."""
        self.revert()
        if isinstance(self._shown, OpenMemory):
            await self.look_again(self._shown)

    async def keep_mine(self) -> bool:
        """Settle a conflict for the editor: save what was changed here over the newer version.

        What was not touched here stays as the newer version has it. A forgotten memory is
        restored first; a removed one is written anew.

        Returns:
            Whether nothing is left unsaved.
        """
        async with self._storing:
            shown = self._shown
            if not isinstance(shown, OpenMemory) or not shown.in_conflict:
                return False
            if shown.newer is not None:
                return await self._save_over(shown, shown.newer)
            new = NewMemory(shown.entry.scope, shown.draft, shown.room)
            self._show(new)
            return await self._save_new(new)

    # -- news from outside --------------------------------------------------------------

    async def on_changes(self, changes: MemoryChanges) -> None:
        """Look again if a commit, of this process or another, touched what is shown."""
        match self._shown:
            case OpenMemory() as shown if touches_memory(changes, shown.entry.ref):
                await self.look_again(shown)
            case OpenNote() as shown if touches_note(changes, shown.note):
                await self._read_note_again(shown, str(changes.workspace_id))
            case _:
                return

    async def look_again(self, shown: OpenMemory) -> None:
        """Read the shown memory again and take the news, never over an unsaved draft."""
        shown.n_looks += 1
        look = shown.n_looks
        found = None
        try:
            found = await self._background.read(seen_again, self._inklings, shown.entry.ref)
        except NotFoundError:
            pass
        except InklingsError as error:
            self._context.refuse(error)
            return
        if self._shown is not shown or look != shown.n_looks:
            return
        if shown.is_saving:
            shown.is_stale = True
        elif found is not None:
            self._take_news(shown, *found)
        elif shown.is_unsaved:
            shown.newer, shown.is_gone = None, True
            self._emit()
        else:
            self.show_nothing()

    def _take_news(
        self,
        shown: OpenMemory,
        found: MemoryWithHistory,
        standings: tuple[SourceStanding, ...],
    ) -> None:
        if shown.take_news(found):
            shown.standings = standings
            shown.lines = self._lines(found)
            self._emit()

    async def _read_note_again(self, shown: OpenNote, workspace_id: str) -> None:
        note = shown.note
        try:
            fresh = await self._background.read(
                self._inklings.notes.read, workspace_id, note.conversation_id, note.key
            )
        except NotFoundError:
            fresh = None
        if self._shown is shown:
            self._show(OpenNote(fresh, shown.conversation) if fresh else None)

    # -- inside -------------------------------------------------------------------------

    def _show(self, subject: Subject) -> None:
        self._n_requests += 1
        self._awaited = None
        self._naming.cancel()
        super()._show(subject)

    def _lines(self, found: MemoryWithHistory) -> tuple[HistoryLine, ...]:
        return history_lines(found.entry, found.history, self._inklings.clock())

    async def _name_place(self, shown: NewMemory) -> None:
        shown.place = await self._background.read(place_name, self._inklings, shown.scope)
        if self._shown is shown:
            self._emit()
