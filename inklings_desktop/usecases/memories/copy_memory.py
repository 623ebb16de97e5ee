"""Copy a memory into another tier: a new entry of its own, and at most a reference back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_person
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.memory import (
    MAX_DERIVATIONS,
    Derivation,
    Lifetime,
    MemoryDraft,
    Tier,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.refusals import refusals_recorded
from inklings_desktop.usecases.steps.several_memories import attempt_on

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef, ScopeKey
    from inklings_desktop.usecases.memories.put_memory import PutMemory
    from inklings_desktop.usecases.steps.remembering import Remembered

COPIED_FROM = "memory"
"""Block of a reference whose target is the id of a memory in the same file."""


@dataclass(frozen=True, slots=True)
class CopyMemory:
    """Write what a memory says into another scope; the memory itself stays as it is."""

    put: PutMemory

    def __call__(self, caller: Caller, ref: MemoryRef, target: ScopeKey) -> MemoryEntry:
        """The memory that says it there, as ``outcome`` has it."""
        return self.outcome(caller, ref, target).memory

    def outcome(self, caller: Caller, ref: MemoryRef, target: ScopeKey) -> Remembered:
        """The new memory, written by the caller, or the one that says the same there already.

        It refers to the one it was copied from where both lie in one file. Nothing in the
        account refers to a workspace, and nothing in a workspace to the account.

        Raises:
            ScopeDeniedError: The caller is not a person.
            InvalidValueError: The target is the scope that it is in.
            NotFoundError: No such memory in its scope, it is forgotten, or the target's
                conversation or channel does not exist.
            CapReachedError: The target is full of protected memories.
        """
        store, clock = self.put.store, self.put.clock
        with refusals_recorded(store, clock, caller, attempt_on("memory.copy", [ref])):
            authorize(caller, Action.READ, ref.scope)
            authorize_person(caller, Action.WRITE, target.tier)
        if target == ref.scope:
            raise InvalidValueError("scope", "same")
        with store.read(ref.scope.workspace_id) as view:
            entry = view.memories.get(ref, caller.sees_private_of)
        if entry.is_forgotten:
            raise NotFoundError("memory", ref.id)
        return self.put.outcome(caller, draft_of_copy(entry, target))


def draft_of_copy(entry: MemoryEntry, target: ScopeKey) -> MemoryDraft:
    """What is written when a memory is copied into a scope; private to whom the memory is."""
    lifetime = None if entry.lifetime is Lifetime.CONVERSATION else entry.lifetime
    is_one_file = target.workspace_id == entry.scope.workspace_id
    back = (Derivation(entry.id, COPIED_FROM),) if is_one_file else ()
    kept = entry.derived_from[: MAX_DERIVATIONS - 1] if is_one_file else ()
    return MemoryDraft(
        target,
        entry.content,
        entry.importance,
        lifetime=None if target.tier is Tier.CONVERSATION else lifetime,
        tags=entry.tags,
        derived_from=(*back, *kept),
        private_to=entry.agent_id,
    )
