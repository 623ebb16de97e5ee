"""The steps by which something is remembered inside a transaction, once and not twice.

Putting at a door and accepting a proposal take the same ones.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.likeness.sameness import says_the_same
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import AUTHOR
from inklings_desktop.domain.memory_values import MAX_TAGS
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.changing_memories import (
    memory_of,
    reachable,
    save_confirmed,
    save_forgotten,
)
from inklings_desktop.usecases.steps.making_room import make_room
from inklings_desktop.usecases.steps.recording import record_memories

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import Curator, MemoryDraft, MemoryEntry, MemoryRef
    from inklings_desktop.settings import Settings
    from inklings_desktop.usecases.ports.store import IdSource, StoreView, UnitOfWork

REPLACED_REASON = "replaced"


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of something that was to be remembered.

    Attributes:
        memory: The memory that says it now.
        was_known: Whether it said so before: then nothing was added.
        replaced: The memory whose place it took, forgotten now; None if it took none.
    """

    memory: MemoryEntry
    was_known: bool = False
    replaced: MemoryEntry | None = None


@dataclass(frozen=True, slots=True)
class Remembering:
    """One caller that has something remembered, inside a transaction."""

    unit: UnitOfWork
    caller: Caller
    new_id: IdSource
    settings: Settings
    now: datetime

    def __call__(
        self,
        draft: MemoryDraft,
        curator: Curator,
        *,
        written_by: str,
        known: MemoryEntry | None,
        stale: MemoryEntry | None,
    ) -> Remembered:
        """What became of the draft.

        Args:
            draft: What is to be remembered.
            curator: Who vouches for it.
            written_by: Whose text it is.
            known: The memory that says it already; None if none does.
            stale: The memory whose place it takes; None if it takes none.

        Raises:
            CapReachedError: The scope is full of protected memories.
        """
        memory_id = self.new_id() if known is None else known.id
        replaced = None
        if stale is not None:
            replaced = save_forgotten(
                self.unit, self.caller, stale, REPLACED_REASON, self.now, successor_id=memory_id
            )
            self._record(EventKind.MEMORY_FORGOTTEN, replaced)
        if known is not None:
            if written_by == AUTHOR:  # what the author says as well is no agent's to change
                known = replace(known, written_by=AUTHOR)
            return Remembered(self._confirmed(known, draft), was_known=True, replaced=replaced)
        make_room(self.unit, self.caller, draft.scope, 1, settings=self.settings, now=self.now)
        written = memory_of(draft, memory_id, curator, written_by, self.now)
        (stored,) = self.unit.memories.add([written])
        self._record(EventKind.MEMORY_CREATED, stored)
        return Remembered(stored, replaced=replaced)

    def _confirmed(self, known: MemoryEntry, draft: MemoryDraft) -> MemoryEntry:
        """The known memory, whose hours count from now; with the new tags if the caller may."""
        if self.caller.has_to_ask_before_adding(known.scope):
            return known
        tags = known.tags
        if not self.caller.has_to_ask_before_changing(known):
            tags = tuple(dict.fromkeys((*tags, *draft.tags)))[:MAX_TAGS]
        confirmed = save_confirmed(self.unit, self.caller, known, self.now, tags=tags)
        self._record(EventKind.MEMORY_CONFIRMED, confirmed)
        return confirmed

    def _record(self, kind: EventKind, memory: MemoryEntry) -> None:
        record_memories(self.unit, self.caller, kind, [memory], self.now)


def known_as(view: StoreView, caller: Caller, draft: MemoryDraft) -> MemoryEntry | None:
    """The memory that says already what a draft says, if this caller can know of it.

    One that fewer agents may find than the draft does not say it to all of them.
    """
    if not caller.may(Action.READ, draft.scope):
        return None
    for one in view.memories.said_like(draft.scope, draft.content):
        is_found = one.is_retrievable or not caller.is_agent
        is_for_all = one.agent_id in {None, draft.private_to}
        if is_found and is_for_all and says_the_same(one.content, draft.content):
            return one
    return None


def stale_memory(view: StoreView, caller: Caller, ref: MemoryRef) -> MemoryEntry:
    """The memory whose place another one is to take, if this caller can know of it.

    Raises:
        NotFoundError: It is not in this scope, not for this agent, or forgotten.
        ScopeDeniedError: An agent named a named entry instead of a memory.
    """
    stale = reachable(view, caller, ref)
    if stale.is_forgotten:
        raise NotFoundError("memory", ref.id)
    return stale
