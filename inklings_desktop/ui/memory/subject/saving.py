"""Reads what the inspector shows, stores what stands in it, and takes over what became of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.errors import (
    ConflictError,
    DatabaseFullError,
    InklingsError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.memories.memory_history import entry_at
from inklings_desktop.domain.memory import MemoryDraft, MemoryEntry, MemoryPatch, MemoryRef, Tier
from inklings_desktop.domain.world.derivations import NO_SOURCES
from inklings_desktop.ui.kit.words.memory_facts import author_caution
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.kit.words.places import place_name
from inklings_desktop.ui.memory.subject.facts import history_lines, values_of
from inklings_desktop.ui.memory.subject.subject import (
    FoundMemory,
    NewMemory,
    OpenMemory,
    Subject,
    carried_over,
    state_of,
)

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.rooms.conversation import WorkingNote
    from inklings_desktop.domain.world.derivations import SourceStanding
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.memory.subject.state import InspectorState, MemoryEdit
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.search.browse_memories import MemoryWithHistory
    from inklings_desktop.usecases.steps.putting import Remembered


def memory_to_show(inklings: Inklings, ref: MemoryRef) -> FoundMemory:
    """The memory with all that the inspector says of it.

    Raises:
        NotFoundError: No such memory in this scope.
    """
    found = inklings.listing.show(ref)
    has_room = ref.scope.tier in {Tier.CHANNEL, Tier.CONVERSATION}
    room = place_name(inklings, ref.scope) if has_room else ""
    standings = _standings(inklings, found.entry)
    if inklings.caller.is_agent:
        return FoundMemory(found, room, None, None, standings)  # typing is the author's alone
    typing = inklings.drafts.find_typing(ref)
    base = None
    if typing is not None:
        try:
            base = entry_at(found.entry, found.history, typing.base_version)
        except NotFoundError:
            base = found.entry
    return FoundMemory(found, room, typing, base, standings)


def seen_again(
    inklings: Inklings, ref: MemoryRef
) -> tuple[MemoryWithHistory, tuple[SourceStanding, ...]]:
    """A memory that is on show, as it is now, and how its sources stand; runs on a reader.

    Raises:
        NotFoundError: No such memory in this scope.
    """
    found = inklings.listing.show(ref)
    return found, _standings(inklings, found.entry)


def _standings(inklings: Inklings, entry: MemoryEntry) -> tuple[SourceStanding, ...]:
    told = inklings.derivations.told(entry) if entry.derived_from else NO_SOURCES
    return told.standings


def touches_memory(changes: MemoryChanges, ref: MemoryRef) -> bool:
    """Whether a commit may have changed what is known of a memory."""
    if changes.workspace_id != ref.scope.workspace_id:
        return False
    touched = chain(changes.added, changes.updated, changes.forgotten)
    return changes.reload or ref.id in touched


def touches_note(changes: MemoryChanges, note: WorkingNote) -> bool:
    """Whether a commit may have changed a working note."""
    if changes.workspace_id is None:
        return False
    return changes.reload or note.conversation_id in changes.note_conversations


def stored_over(inklings: Inklings, over: MemoryEntry, patch: MemoryPatch) -> MemoryWithHistory:
    """The memory after the patch was saved over a known version, restored first if need be.

    What is kept of the typing goes with the save.

    Raises:
        ConflictError: Somebody saved a newer version first.
        NotFoundError: It is not there any more, or was forgotten meanwhile.
    """
    version = over.version
    if over.is_forgotten:
        for restored in inklings.memories.restore([over.ref]):
            version = restored.version
    inklings.memories.update(over.ref, patch, expected_version=version, settles_typing=True)
    return inklings.listing.show(over.ref)


def stored_new(inklings: Inklings, draft: MemoryDraft) -> Remembered:
    """What became of a new memory; what is kept of the typing goes with it.

    Raises:
        NotFoundError: Its channel or conversation is not there.
        CapReachedError: Its scope is full.
    """
    return inklings.memories.put_outcome(draft, settles_typing=True)


def take_edit(shown: OpenMemory | NewMemory, edit: MemoryEdit) -> None:
    """Put what was changed into the draft; what was wrong with it may be right now."""
    draft, errors = shown.draft, shown.errors
    if edit.content is not None:
        draft, errors = replace(draft, content=edit.content), replace(errors, content="")
    if edit.importance is not None:
        draft, errors = replace(draft, importance=edit.importance), replace(errors, importance="")
    if edit.lifetime is not None:
        draft = replace(draft, lifetime=edit.lifetime)
    if edit.tags is not None:
        draft, errors = replace(draft, tags=edit.tags), replace(errors, tags="")
    shown.draft, shown.errors = draft, errors


def take_refusal(shown: OpenMemory | NewMemory, error: InklingsError) -> Message | None:
    """Say why nothing was stored beside the field where there is one; else what is to be said."""
    message = message_of(error)
    match error:
        case DatabaseFullError():
            shown.is_disk_full = True
        case InvalidValueError(field="content"):
            shown.errors = replace(shown.errors, content=message.title)
        case InvalidValueError(field="importance"):
            shown.errors = replace(shown.errors, importance=message.title)
        case InvalidValueError(field="tags"):
            shown.errors = replace(shown.errors, tags=message.title)
        case _:
            return message
    return None


class SavingPresenter(QObject):
    """One thing on show, and its way to the disk: one save at a time, which the caller sees to.

    A refused text stays as typed.

    Signals:
        state_changed: The ``InspectorState`` to show.
        memory_stored: The ``MemoryEntry`` that was saved over, None for a new one, and the stored.
        memory_known: The ``MemoryEntry`` that said already what was to be stored as a new one.
    """

    state_changed = Signal(object)
    memory_stored = Signal(object, object)
    memory_known = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._background, self._inklings = context.background, context.inklings
        self._shown: Subject = None

    @property
    def state(self) -> InspectorState:
        """What is to be shown now."""
        return state_of(self._shown, self._inklings)

    @property
    def has_unsaved(self) -> bool:
        """Whether showing something else would lose what a person typed."""
        return isinstance(self._shown, OpenMemory | NewMemory) and self._shown.is_unsaved

    async def look_again(self, shown: OpenMemory) -> None:
        """Read the shown memory again and take the news, never over an unsaved draft."""
        raise NotImplementedError

    async def _save_over(
        self, shown: OpenMemory, over: MemoryEntry, *, is_second_try: bool = False
    ) -> bool:
        """Save what was changed over a version of its memory; whether nothing is left unsaved."""
        sent = shown.draft
        shown.is_saving, shown.is_disk_full = True, False
        self._show_anew(shown)
        try:
            found = await self._background.write(stored_over, self._inklings, over, shown.patch())
        except (ConflictError, NotFoundError):
            shown.is_saving = False
            await self.look_again(shown)
            if self._shown is not shown or shown.in_conflict or is_second_try:
                return not shown.is_unsaved
            return await self._save_over(shown, shown.entry, is_second_try=True)
        except InklingsError as error:
            self._refuse(shown, error)
            await self._look_at_news(shown)
            return False
        finally:
            shown.is_saving = False
        shown.draft = carried_over(sent, shown.draft, values_of(found.entry))
        if found.entry.content != shown.entry.content:
            shown.caution = ""  # it was said of the text before
        shown.entry, shown.newer, shown.is_gone = found.entry, None, False
        shown.lines = history_lines(found.entry, found.history, self._inklings.clock())
        self._show_anew(shown)
        self._background.spawn(self._look_for_secrets(shown))
        self.memory_stored.emit(over, found.entry)
        await self._look_at_news(shown)
        return not shown.is_unsaved

    async def _look_at_news(self, shown: OpenMemory) -> None:
        """Look at what came from outside during a save, stored or refused."""
        if shown.is_stale:
            shown.is_stale = False
            await self.look_again(shown)

    async def _save_new(self, shown: NewMemory) -> bool:
        """Store a memory that was never stored; whether nothing is left unsaved."""
        sent = shown.draft
        shown.is_saving, shown.is_disk_full = True, False
        self._show_anew(shown)
        try:
            draft = shown.memory_draft()
            outcome = await self._background.write(stored_new, self._inklings, draft)
        except InklingsError as error:
            shown.is_saving = False
            self._refuse(shown, error)
            return False
        finally:
            shown.is_saving = False
        entry = outcome.memory
        if self._shown is shown:
            typed = carried_over(sent, shown.draft, values_of(entry))
            lines = history_lines(entry, (), self._inklings.clock())
            stored = OpenMemory(entry, lines, shown.place, typed)
            self._show(stored)
            self._background.spawn(self._look_for_secrets(stored))
            if outcome.was_known:
                self._background.spawn(self.look_again(stored))  # it has a history
        if outcome.was_known:
            self.memory_known.emit(entry)
        else:
            self.memory_stored.emit(None, entry)
        return not self.has_unsaved

    async def _look_for_secrets(self, shown: OpenMemory) -> None:
        """Warn of a text that looks like a key; it stays as it was typed."""
        entry = shown.entry
        caution = await self._background.read(author_caution, entry.content)
        if caution != shown.caution and shown.entry is entry:
            shown.caution = caution
            self._show_anew(shown)

    def _refuse(self, shown: OpenMemory | NewMemory, error: InklingsError) -> None:
        shown.is_saving = False
        message = take_refusal(shown, error)
        if message is not None:
            self._context.say(message)
        self._show_anew(shown)

    def _show(self, subject: Subject) -> None:
        self._shown = subject
        self._emit()

    def _show_anew(self, subject: Subject) -> None:
        """Show what became of something, if nothing else came to be shown meanwhile."""
        if self._shown is subject:
            self._emit()

    def _emit(self) -> None:
        self.state_changed.emit(self.state)
