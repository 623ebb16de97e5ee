"""Remember something: the one road for every door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    authorize_person,
    authorize_write,
)
from inklings_desktop.domain.errors import HeldForReviewError, ScopeDeniedError
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.changing_memories import (
    refuse_imitation,
    require_open,
    require_room,
)
from inklings_desktop.usecases.steps.putting import Putting, Waiting
from inklings_desktop.usecases.steps.refusals import Attempt, refusals_recorded

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryDraft, MemoryEntry
    from inklings_desktop.usecases.ports.store import Clock, IdSource, SettingsSource, Store
    from inklings_desktop.usecases.steps.remembering import Remembered


@dataclass(frozen=True, slots=True)
class PutMemory:
    """Remember something new."""

    store: Store
    clock: Clock
    new_id: IdSource
    settings: SettingsSource

    def __call__(
        self, caller: Caller, draft: MemoryDraft, *, settles_typing: bool = False
    ) -> MemoryEntry:
        """The memory that says it now, as ``outcome`` has it."""
        return self.outcome(caller, draft, settles_typing=settles_typing).memory

    def outcome(
        self,
        caller: Caller,
        draft: MemoryDraft,
        *,
        replaces: str | None = None,
        settles_typing: bool = False,
    ) -> Remembered:
        """The memory as it was stored, or the one of the scope that says the same already.

        What is said already is confirmed as still true, and gets the new tags if the caller may
        change it; nothing is added. At the cap, the least relevant memory that may be forgotten
        makes room in the same transaction.

        Args:
            caller: Who writes.
            draft: What is to be remembered.
            replaces: Id of the memory of the scope that is no longer true: it is forgotten, and
                knows what took its place.
            settles_typing: Whether this is what the person typed as the new memory of the scope:
                what is kept of that typing goes in the same transaction, so that nothing which
                ends the program in between has it offered, and saved, twice.

        Raises:
            ScopeDeniedError: The caller may not write there, or an agent would settle what the
                person typed.
            HeldForReviewError: An agent may only propose there, would replace a locked or
                author-made memory, its text looks like a key or a password, or the author forgot
                what it says; now the author decides.
            InvalidValueError: An agent's memory claims to come from the person, VOICE or SOUL, or
                the conversation is over.
            NotFoundError: The conversation or channel does not exist, or the conversation it is
                said to come from, or the memory that it replaces.
            CapReachedError: The scope is full of protected memories.
        """
        scope, whole = draft.scope, draft.completed(caller.curator)
        attempt = Attempt("memory.put", scope.tier, scope.workspace_id)
        with refusals_recorded(self.store, self.clock, caller, attempt):
            authorize_write(caller, scope)
            if settles_typing:
                authorize_person(caller, Action.WRITE, scope.tier)
            if not caller.may_keep_for(draft.private_to):
                raise ScopeDeniedError(Action.WRITE.value, scope.tier.value)
            refuse_imitation(caller, whole.source or "")
            return self._remembered(caller, whole, replaces, settles_typing=settles_typing)

    def _remembered(
        self, caller: Caller, draft: MemoryDraft, replaces: str | None, *, settles_typing: bool
    ) -> Remembered:
        scope, now = draft.scope, self.clock()
        with self.store.write(scope.workspace_id, initiator=caller.name) as unit:
            require_open(unit, scope, now)
            if draft.source_conversation is not None:
                require_room(unit, Tier.CONVERSATION, draft.source_conversation)
            put = Putting(unit, caller, self.new_id, self.settings(), now)
            remembered = put(draft, replaces)
            if isinstance(remembered, Waiting):
                unit.commit()
                raise HeldForReviewError(remembered.proposal.id, reason=remembered.why.value)
            if settles_typing:
                unit.drafts.drop_typing(scope, NEW_MEMORY)
            unit.commit()
        return remembered
