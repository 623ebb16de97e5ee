"""Give many memories each its own change: replaced words, and steps that are taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_person
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.changing_memories import save_patch
from inklings_desktop.usecases.steps.recording import record_memories
from inklings_desktop.usecases.steps.refusals import refusals_recorded
from inklings_desktop.usecases.steps.several_memories import (
    attempt_on,
    authorize_all,
    one_file,
    reachable_all,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry, MemoryPatch, MemoryRef
    from inklings_desktop.usecases.ports.store import Clock, Store


@dataclass(frozen=True, slots=True)
class Edit:
    """One change to one memory in the version that its editor saw."""

    ref: MemoryRef
    patch: MemoryPatch
    expected_version: int


@dataclass(frozen=True, slots=True)
class EditEach:
    """Apply edits to memories of one file, all or none; for the person."""

    store: Store
    clock: Clock

    def __call__(self, caller: Caller, edits: Sequence[Edit]) -> tuple[MemoryEntry, ...]:
        """The memories that changed, in the order of their edits.

        Raises:
            ScopeDeniedError: The caller is not a person.
            InvalidValueError: There are no edits, the memories lie in different files, or a
                lifetime does not fit its tier.
            NotFoundError: One of them is not in its scope, or is forgotten.
            ConflictError: Somebody saved a newer version of one of them first.
        """
        refs = [edit.ref for edit in edits]
        with refusals_recorded(self.store, self.clock, caller, attempt_on("memory.update", refs)):
            authorize_all(caller, refs)
            authorize_person(caller, Action.WRITE, refs[0].scope.tier)
        expected = {edit.ref.id: edit.expected_version for edit in edits}
        patches = {edit.ref.id: edit.patch for edit in edits}
        now = self.clock()
        changed = []
        with self.store.write(one_file(refs), initiator=caller.name) as unit:
            for before in reachable_all(unit, caller, refs, expected):
                if before.is_forgotten:
                    raise NotFoundError("memory", before.id)
                after = save_patch(unit, caller, before, patches[before.id], now)
                if after is not before:
                    changed.append(after)
            if changed:
                record_memories(unit, caller, EventKind.MEMORY_EDITED, changed, now)
                unit.commit()
        return tuple(changed)
