"""The one road by which something new comes to be remembered, inside a transaction.

A put at a door and the lines of a summary take it: what is said already is confirmed, what an
agent may not decide waits for the author.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.proposals import HeldReason
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.holding import Asking, seems_secret, why_held
from inklings_desktop.usecases.steps.put_away import forgotten_before
from inklings_desktop.usecases.steps.remembering import Remembering, known_as, stale_memory

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.memory import MemoryDraft, MemoryEntry
    from inklings_desktop.settings import Settings
    from inklings_desktop.usecases.ports.store import IdSource, UnitOfWork
    from inklings_desktop.usecases.steps.remembering import Remembered


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for the author, and why."""

    proposal: Proposal
    why: HeldReason


@dataclass(frozen=True, slots=True)
class Putting:
    """One caller that puts something, inside a transaction."""

    unit: UnitOfWork
    caller: Caller
    new_id: IdSource
    settings: Settings
    now: datetime

    def __call__(self, draft: MemoryDraft, replaces: str | None = None) -> Remembered | Waiting:
        """What became of a complete draft.

        Args:
            draft: What is to be remembered.
            replaces: Id of the memory of the scope whose place it takes; None if it takes none.

        Raises:
            NotFoundError: There is no memory that it could replace.
            CapReachedError: The scope is full of protected memories.
            InvalidValueError: The caller has too many proposals that are undecided.
        """
        unit, caller = self.unit, self.caller
        is_secret = seems_secret(caller, *_texts_of(draft))
        known = None if is_secret else known_as(unit, caller, draft)
        stale = None
        if replaces is not None and (known is None or known.id != replaces):
            stale = stale_memory(unit, caller, MemoryRef(draft.scope, replaces))
        gone = None if known else forgotten_before(unit, caller, draft.scope, draft.content)
        if why := self._why_held(draft, known, stale, gone, is_secret=is_secret):
            asking = Asking(unit, caller, self.new_id, self.now)
            if stale is None:
                return Waiting(asking.for_memory(draft, gone), why)
            return Waiting(asking.for_replacing(stale, draft, gone), why)
        remember = Remembering(unit, caller, self.new_id, self.settings, self.now)
        return remember(draft, caller.curator, written_by=caller.signs_as, known=known, stale=stale)

    def _why_held(
        self,
        draft: MemoryDraft,
        known: MemoryEntry | None,
        stale: MemoryEntry | None,
        gone: MemoryEntry | None,
        *,
        is_secret: bool,
    ) -> HeldReason | None:
        """Why this waits for the author; None when it does not."""
        if is_secret:
            return HeldReason.SECRET
        if stale is not None and (why := why_held(self.caller, stale)):
            return why
        if gone is not None:
            return HeldReason.FORGOTTEN
        if known is None and self.caller.has_to_ask_before_adding(draft.scope):
            return HeldReason.ACCOUNT
        return None


def _texts_of(draft: MemoryDraft) -> tuple[str, ...]:
    """Everything in a draft that an agent words itself."""
    derived = (text for one in draft.derived_from for text in (one.target, one.block) if text)
    return (draft.content, draft.source or "", *draft.tags, *derived)
