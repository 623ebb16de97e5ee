"""What the inspector asks of the use cases; called on the threads of ``ui.background``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import Tier

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import (
        MemoryDraft,
        MemoryEntry,
        MemoryPatch,
        MemoryRef,
        ScopeKey,
    )
    from inklings_desktop.usecases.browse_memories import MemoryWithHistory
    from inklings_desktop.usecases.bundle import Inklings


def memory_with_room(inklings: Inklings, ref: MemoryRef) -> tuple[MemoryWithHistory, str]:
    """The memory and the name of its channel or conversation.

    Raises:
        NotFoundError: No such memory in this scope.
    """
    found = inklings.show_memory(inklings.caller, ref)
    has_room = ref.scope.tier in {Tier.CHANNEL, Tier.CONVERSATION}
    return found, place_name(inklings, ref.scope) if has_room else ""


def place_name(inklings: Inklings, scope: ScopeKey) -> str:
    """What the person calls a scope; empty if it cannot be told."""
    workspace_id = scope.workspace_id
    if workspace_id is None:
        return QCoreApplication.translate("inspector", "Every workspace")
    try:
        if scope.tier is Tier.CONVERSATION:
            room = inklings.get_conversation(inklings.caller, workspace_id, scope.key)
            return room.title or room.ref_code
        if scope.tier is Tier.WORKSPACE:
            return inklings.find_workspace(inklings.caller, workspace_id).name
        channels = inklings.list_channels(inklings.caller, workspace_id, include_archived=True)
    except InklingsError:
        return ""
    return next((f"#{channel.name}" for channel in channels if channel.id == scope.key), "")


def stored_over(inklings: Inklings, over: MemoryEntry, patch: MemoryPatch) -> MemoryWithHistory:
    """The memory after the patch was saved over a known version, restored first if need be.

    Raises:
        ConflictError: Somebody saved a newer version first.
        NotFoundError: It is not there any more, or was forgotten meanwhile.
    """
    version = over.version
    if over.is_forgotten:
        for restored in inklings.restore_memories(inklings.caller, [over.ref]):
            version = restored.version
    inklings.update_memory(inklings.caller, over.ref, patch, expected_version=version)
    return inklings.show_memory(inklings.caller, over.ref)


def stored_new(inklings: Inklings, draft: MemoryDraft) -> MemoryEntry:
    """The new memory as stored.

    Raises:
        NotFoundError: Its channel or conversation is not there.
        CapReachedError: Its scope is full.
    """
    return inklings.put_memory(inklings.caller, draft)
