"""Take an import back in one database: what it added goes, what it replaced returns."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import EntryAction
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import (
    ACCOUNT_KEY,
    Curator,
    MemoryAction,
    MemoryEntry,
    Tier,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL, ConversationState
from inklings_desktop.domain.transfer.document import WITHDRAWN_REASON
from inklings_desktop.domain.transfer.import_plan import (
    ImportStep,
    StepKind,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.usecases.ports.transfer import TransferStore, TransferUnit


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What taking an import back did.

    Attributes:
        run_id: Of the import.
        n_removed: Memories that it added and that are forgotten now.
        n_returned: Memories and named entries that are again what they were.
        n_left: Left as they are, because they were changed since or are built in.
    """

    run_id: str
    n_removed: int
    n_returned: int
    n_left: int


def take_back(
    store: TransferStore, caller: Caller, workspace_id: str | None, run_id: str, now: datetime
) -> Withdrawn:
    """Take an import back in one database, in one transaction."""
    with store.write(workspace_id, initiator=caller.name) as unit:
        taking = _Taking(unit, caller, now)
        steps = unit.transfers.import_steps(run_id)
        for step in steps:
            taking.undo(step)
        taking.close_rooms(steps)
        (run,) = [one for one in unit.transfers.imports() if one.id == run_id]
        unit.transfers.put_import(replace(run, is_withdrawn=True))
        is_account = workspace_id is None
        unit.events.append(
            EventDraft(
                EventKind.IMPORT_WITHDRAWN,
                caller.name,
                caller.kind.value,
                caller.door.value,
                (Tier.ACCOUNT if is_account else Tier.WORKSPACE).value,
                ACCOUNT_KEY if is_account else workspace_id,
                (),
                {
                    "removed": taking.n_removed,
                    "returned": taking.n_returned,
                    "left": taking.n_left,
                },
                {"run": run_id},
            ),
            now,
        )
        unit.transfers.reload()
        unit.commit()
    return Withdrawn(run_id, taking.n_removed, taking.n_returned, taking.n_left)


class _Taking:
    """Undoes steps inside one transaction."""

    def __init__(self, unit: TransferUnit, caller: Caller, now: datetime) -> None:
        self._unit = unit
        self._caller = caller
        self._now = now
        self.n_removed = self.n_returned = self.n_left = 0

    def undo(self, step: ImportStep) -> None:
        match step.kind:
            case StepKind.ADDED:
                self._remove(step)
            case StepKind.TAKEN:
                self._return(step)
            case StepKind.ENTRY_ADDED | StepKind.ENTRY_TAKEN | StepKind.ENTRY_RESTORED:
                self._entry(step)

    def close_rooms(self, steps: Sequence[ImportStep]) -> None:
        """Put away the rooms that were made and hold nothing any more.

        What is left in one that is closed would be forgotten by the clock.
        """
        held = {scope.key for scope in self._unit.memories.active_counts()}
        for step in reversed(steps):  # a conversation was made after its channel
            if step.kind is StepKind.CHANNEL and step.id not in held:
                self._close_channel(step)
            elif step.kind is StepKind.CONVERSATION:
                room = self._unit.conversations.get(step.id)
                if room.id in held:
                    held.add(room.channel_id)
                else:
                    self._close_conversation(room)

    def _remove(self, step: ImportStep) -> None:
        entry = self._unchanged(step)
        if entry is None or entry.is_forgotten:
            # What came in forgotten and still is leaves nothing to take back.
            self.n_left += entry is None
            return
        gone = replace(entry, forgotten_at=self._now, forgotten_reason=WITHDRAWN_REASON)
        self._save(gone, MemoryAction.FORGOTTEN)
        self.n_removed += 1

    def _return(self, step: ImportStep) -> None:
        entry = self._unchanged(step)
        earlier = next(
            (
                one
                for one in (self._unit.memories.history(step.id) if entry else ())
                if one.version == step.version - 1
            ),
            None,
        )
        if entry is None or earlier is None:
            self.n_left += 1
            return
        marks = json.loads(step.before)
        at, curator = marks["imported_at"], marks["imported_curator"]
        before = replace(
            entry,
            content=entry.content if earlier.content is None else earlier.content,
            importance=earlier.importance,
            lifetime=earlier.lifetime,
            tags=earlier.tags,
            written_by=earlier.written_by,
            source=marks["source"],
            curator=Curator(marks["curator"]),
            imported_at=None if at is None else datetime.fromisoformat(at),
            imported_curator=None if curator is None else Curator(curator),
            run_id=marks["run_id"],
        )
        self._save(before, MemoryAction.EDITED)
        self.n_returned += 1

    def _entry(self, step: ImportStep) -> None:
        entry = self._unit.entries.get(step.id)
        if entry.version != step.version or entry.is_deleted:
            self.n_left += not entry.is_deleted
            return
        if step.kind is StepKind.ENTRY_TAKEN:
            earlier = self._unit.entries.revision(step.id, step.version - 1)
            after = replace(
                entry,
                body=earlier.body,
                curator=earlier.curator,
                edited_at=self._now,
                is_template=earlier.action is EntryAction.SHIPPED,
            )
            action = EntryAction.RESTORED
        elif entry.is_built_in:
            self.n_left += 1  # there is no other one that could take its place
            return
        else:
            after = replace(entry, deleted_at=self._now)
            action = EntryAction.DELETED
        self._unit.entries.save(
            after,
            expected_version=entry.version,
            action=action,
            saved_by=self._caller.name,
            door=self._caller.door.value,
            saved_at=self._now,
        )
        self.n_returned += 1

    def _close_channel(self, step: ImportStep) -> None:
        channel = self._unit.conversations.get_channel(step.id)
        if channel.name != DEFAULT_CHANNEL and channel.archived_at is None:
            self._unit.conversations.save_channel(replace(channel, archived_at=self._now))

    def _close_conversation(self, conversation: Conversation) -> None:
        if conversation.state is not ConversationState.ARCHIVED:
            self._unit.conversations.save(
                replace(conversation, state=ConversationState.ARCHIVED, ended_at=self._now)
            )

    def _unchanged(self, step: ImportStep) -> MemoryEntry | None:
        entry = self._unit.memories.get_many([step.id]).get(step.id)
        return entry if entry is not None and entry.version == step.version else None

    def _save(self, after: MemoryEntry, action: MemoryAction) -> None:
        self._unit.memories.save(
            after,
            expected_version=after.version,
            action=action,
            changed_by=self._caller.name,
            door=self._caller.door.value,
            changed_at=self._now,
        )
