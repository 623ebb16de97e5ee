"""Pin, pause and lock memories, and lift that again: what only a person decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_person
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.changing_memories import save_marked
from inklings_desktop.usecases.steps.recording import record_memories
from inklings_desktop.usecases.steps.refusals import refusals_recorded
from inklings_desktop.usecases.steps.several_memories import (
    attempt_on,
    authorize_all,
    one_file,
    reachable_all,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memories.memory_marks import MemoryMark
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.usecases.ports.store import Clock, Store


@dataclass(frozen=True, slots=True)
class MarkMemories:
    """Set or lift one mark on memories of one file, all or none."""

    store: Store
    clock: Clock

    def __call__(
        self,
        caller: Caller,
        refs: Sequence[MemoryRef],
        mark: MemoryMark,
        *,
        on: bool,
        expected: Mapping[str, int] | None = None,
    ) -> tuple[MemoryEntry, ...]:
        """The memories that changed.

        Args:
            caller: Who asks.
            refs: The memories.
            mark: Pinned, paused or locked.
            on: Whether it is set or lifted.
            expected: By id, the version that the caller has seen.

        Raises:
            ScopeDeniedError: The caller is not a person, or may not write one of them.
            InvalidValueError: The memories lie in different files, or one that is to be resumed
                cannot be read.
            NotFoundError: One of them is not in its scope, or is forgotten.
            ConflictError: Somebody saved a newer version of one of them first.
        """
        with refusals_recorded(self.store, self.clock, caller, attempt_on("memory.mark", refs)):
            authorize_all(caller, refs)
            authorize_person(caller, Action.WRITE, refs[0].scope.tier)
        now = self.clock()
        with self.store.write(one_file(refs), initiator=caller.name) as unit:
            found = reachable_all(unit, caller, refs, expected)
            for entry in found:
                if entry.is_forgotten:
                    raise NotFoundError("memory", entry.id)
            saved = [(one, save_marked(unit, caller, one, mark, now, on=on)) for one in found]
            changed = [after for before, after in saved if after is not before]
            if changed:
                record_memories(unit, caller, EventKind.MEMORY_EDITED, changed, now)
                unit.commit()
        return tuple(changed)
