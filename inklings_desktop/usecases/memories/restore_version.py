"""Bring an earlier version of a memory back, as a new version of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_person
from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.memory_history import version_state
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.changing_memories import reachable, save_version
from inklings_desktop.usecases.steps.recording import record_memories
from inklings_desktop.usecases.steps.refusals import refusals_recorded
from inklings_desktop.usecases.steps.several_memories import attempt_on

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.usecases.ports.store import Clock, Store


@dataclass(frozen=True, slots=True)
class VersionChange:
    """A memory before and after an earlier version of it came back.

    Restoring ``before.version`` while the memory still has ``after.version`` takes the step back;
    restoring the number that was asked for then takes it again.
    """

    before: MemoryEntry
    after: MemoryEntry

    @property
    def is_change(self) -> bool:
        """Whether anything was stored: a version that reads as the present one changes nothing."""
        return self.after.version != self.before.version


@dataclass(frozen=True, slots=True)
class RestoreVersion:
    """Make what one version said and weighed the newest version; for the person."""

    store: Store
    clock: Clock

    def __call__(
        self, caller: Caller, ref: MemoryRef, number: int, *, expected_version: int
    ) -> VersionChange:
        """The memory as it was and as it is now; the same if it reads so already.

        Raises:
            ScopeDeniedError: The caller is not a person.
            NotFoundError: The memory is not in this scope, is forgotten, or has no such version.
            ConflictError: Somebody saved a newer version first.
        """
        with refusals_recorded(self.store, self.clock, caller, attempt_on("memory.update", [ref])):
            authorize(caller, Action.WRITE, ref.scope)
            authorize_person(caller, Action.WRITE, ref.scope.tier)
        now = self.clock()
        with self.store.write(ref.scope.workspace_id, initiator=caller.name) as unit:
            before = reachable(unit, caller, ref)
            if before.is_forgotten:
                raise NotFoundError("memory", ref.id)
            if before.version != expected_version:
                raise ConflictError("memory", ref.id, expected_version, before.version)
            state = version_state(before, unit.memories.history(ref.id), number)
            after = save_version(unit, caller, before, state, now)
            if after is not before:
                record_memories(unit, caller, EventKind.MEMORY_EDITED, [after], now)
                unit.commit()
        return VersionChange(before, after)
