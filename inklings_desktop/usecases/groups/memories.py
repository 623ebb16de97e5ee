"""What is done to memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.memories import (
    copy_memory,
    edit_each,
    edit_memories,
    find_known,
    find_written,
    mark_memories,
    put_memory,
    replace_text,
    restore_version,
    revert_memories,
)

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Memories:
    """Writing, changing, forgetting.

    Attributes:
        put_outcome: As ``put``, and whether the memory was known.
        copy_outcome: As ``copy``, and whether the memory was known.
    """

    def __init__(self, parts: Parts, by: By) -> None:
        store, clock, new_id, settings = parts.store, parts.clock, parts.new_id, parts.settings
        put = put_memory.PutMemory(store, clock, new_id, settings)
        copy = copy_memory.CopyMemory(put)
        self.put = by(put)
        self.put_outcome = by(put.outcome)
        self.find_known = by(find_known.FindKnown(store, clock))
        self.copy = by(copy)
        self.copy_outcome = by(copy.outcome)
        self.update = by(edit_memories.UpdateMemory(store, clock, new_id))
        self.change = by(edit_memories.ChangeMemories(store, clock, new_id))
        self.forget = by(edit_memories.ForgetMemories(store, clock, new_id))
        self.restore = by(edit_memories.RestoreMemories(store, clock, settings))
        self.restore_own = by(edit_memories.RestoreOwn(store, clock, settings))
        self.confirm = by(edit_memories.ConfirmMemories(store, clock))
        self.mark = by(mark_memories.MarkMemories(store, clock))
        self.edit_each = by(edit_each.EditEach(store, clock))
        self.revert = by(revert_memories.RevertMemories(store, clock, settings))
        self.restore_version = by(restore_version.RestoreVersion(store, clock))
        self.find_written = by(find_written.FindWritten(store))
        self.preview_replacement = by(replace_text.PreviewReplacement(store))
