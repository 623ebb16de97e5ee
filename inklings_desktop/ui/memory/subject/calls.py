"""What the inspector asks of the use cases; called on readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memories.memory_history import entry_at
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.words.places import place_name

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memories.memory_typing import MemoryTyping
    from inklings_desktop.domain.memory import (
        MemoryDraft,
        MemoryEntry,
        MemoryPatch,
        MemoryRef,
    )
    from inklings_desktop.domain.rooms.conversation import WorkingNote
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.search.browse_memories import MemoryWithHistory
    from inklings_desktop.usecases.steps.remembering import Remembered


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """A memory, ready to be shown.

    Attributes:
        memory: With its history.
        room: Name of its channel or conversation; may be empty.
        typing: What an earlier run had not saved of it.
        base: The memory in the version on which that typing began.
    """

    memory: MemoryWithHistory
    room: str
    typing: MemoryTyping | None
    base: MemoryEntry | None


def memory_to_show(inklings: Inklings, ref: MemoryRef) -> FoundMemory:
    """The memory with all that the inspector says of it.

    Raises:
        NotFoundError: No such memory in this scope.
    """
    found = inklings.show_memory(inklings.caller, ref)
    has_room = ref.scope.tier in {Tier.CHANNEL, Tier.CONVERSATION}
    room = place_name(inklings, ref.scope) if has_room else ""
    if inklings.caller.is_agent:
        return FoundMemory(found, room, None, None)  # what was typed is the author's alone
    workspace_id = ref.scope.workspace_id
    typings = inklings.find_typings(inklings.caller, workspace_id, with_account=False)
    typing = next((one for one in typings if one.memory_id == ref.id), None)
    base = None
    if typing is not None:
        try:
            base = entry_at(found.entry, found.history, typing.base_version)
        except NotFoundError:
            base = found.entry
    return FoundMemory(found, room, typing, base)


def touches_memory(changes: MemoryChanges, ref: MemoryRef) -> bool:
    """Whether a commit may have changed what is known of a memory."""
    if changes.workspace_id != ref.scope.workspace_id:
        return False
    touched = (changes.added, changes.updated, changes.forgotten)
    return changes.reload or any(ref.id in ids for ids in touched)


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
        for restored in inklings.restore_memories(inklings.caller, [over.ref]):
            version = restored.version
    inklings.update_memory(
        inklings.caller, over.ref, patch, expected_version=version, settles_typing=True
    )
    return inklings.show_memory(inklings.caller, over.ref)


def stored_new(inklings: Inklings, draft: MemoryDraft) -> Remembered:
    """What became of a new memory; what is kept of the typing goes with it.

    Raises:
        NotFoundError: Its channel or conversation is not there.
        CapReachedError: Its scope is full.
    """
    return inklings.put_memory.outcome(inklings.caller, draft, settles_typing=True)
