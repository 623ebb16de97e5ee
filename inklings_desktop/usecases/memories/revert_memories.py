"""Bring memories from one of their versions to another: what is taken back, and done again."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_person
from inklings_desktop.domain.errors import CapReachedError, ConflictError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.memory_history import Standing, standing_at
from inklings_desktop.domain.memories.memory_marks import MemoryMark
from inklings_desktop.domain.memory import JUST_FORGOTTEN, ForgottenAs
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.steps.changing_memories import (
    reachable,
    save_forgotten,
    save_marked,
    save_restored,
    save_values,
)
from inklings_desktop.usecases.steps.recording import record_memories
from inklings_desktop.usecases.steps.refusals import refusals_recorded
from inklings_desktop.usecases.steps.several_memories import attempt_on, authorize_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.usecases.ports.store import (
        Clock,
        SettingsSource,
        Store,
        StoreView,
        UnitOfWork,
    )


@dataclass(frozen=True, slots=True)
class Reversion:
    """One memory that goes from one of its versions to another.

    Attributes:
        ref: The memory.
        held: The version as which it has to stand now, whatever its number is by now.
        to: The version as which it stands then; 0 is before it was written: forgotten.
        forgotten_as: What its history does not hold of a version that was forgotten.
    """

    ref: MemoryRef
    held: int
    to: int
    forgotten_as: ForgottenAs = JUST_FORGOTTEN


@dataclass(frozen=True, slots=True)
class RevertMemories:
    """Bring memories to an earlier or later version, all or none; for the person."""

    store: Store
    clock: Clock
    settings: SettingsSource

    def __call__(self, caller: Caller, wanted: Sequence[Reversion]) -> tuple[MemoryEntry, ...]:
        """The memories as they are then, each one as a new version of itself.

        Raises:
            ScopeDeniedError: The caller is not a person.
            InvalidValueError: None is named.
            NotFoundError: One of them, or a version of it, is not there.
            ConflictError: One of them does not stand any more as it is held to.
            CapReachedError: A scope is full.
        """
        refs = [one.ref for one in wanted]
        with refusals_recorded(self.store, self.clock, caller, attempt_on("memory.update", refs)):
            authorize_all(caller, refs)
            authorize_person(caller, Action.WRITE, refs[0].scope.tier)
        files = [
            (file, list(group)) for file, group in groupby(sorted(wanted, key=_file), key=_file)
        ]
        if len(files) > 1:  # each file is written for itself: what would fail is found before
            for file, group in files:
                with self.store.read(file or None) as view:
                    for one in group:
                        _looked_at(view, caller, one)
        now = self.clock()
        done: tuple[MemoryEntry, ...] = ()
        for file, group in files:
            with self.store.write(file or None, initiator=caller.name) as unit:
                pairs = [_looked_at(unit, caller, one) for one in group]
                saved = [
                    self._moved(unit, caller, entry, target, one.forgotten_as, now)
                    for one, (entry, target) in zip(group, pairs, strict=True)
                ]
                for kind, entries in _kinds([entry for entry, _ in pairs], saved):
                    record_memories(unit, caller, kind, entries, now)
                unit.commit()
            done += tuple(saved)
        return done

    def _moved(
        self,
        unit: UnitOfWork,
        caller: Caller,
        entry: MemoryEntry,
        target: Standing,
        forgotten_as: ForgottenAs,
        now: datetime,
    ) -> MemoryEntry:
        if entry.is_forgotten and not target.is_forgotten:
            cap = self.settings().cap
            if unit.memories.active_count(entry.scope) >= cap:
                raise CapReachedError(entry.scope.tier.value, cap)
            entry = save_restored(unit, caller, entry, now)
        entry = save_values(unit, caller, entry, target.state, now)
        for mark in MemoryMark:
            entry = save_marked(unit, caller, entry, mark, now, on=mark in target.marks)
        if target.is_forgotten and not entry.is_forgotten:
            reason, successor_id = forgotten_as.reason, forgotten_as.successor_id
            entry = save_forgotten(unit, caller, entry, reason, now, successor_id=successor_id)
        return entry


def _file(one: Reversion) -> str:
    return one.ref.scope.workspace_id or ""


def _looked_at(view: StoreView, caller: Caller, wanted: Reversion) -> tuple[MemoryEntry, Standing]:
    """The memory as it is, and how it is to stand.

    Raises:
        NotFoundError: It, or that version of it, is not there.
        ConflictError: It does not stand as it is held to.
    """
    entry = reachable(view, caller, wanted.ref)
    history = view.memories.history(entry.id)
    standing = standing_at(entry, history, entry.version)
    if not standing.is_as(standing_at(entry, history, wanted.held)):
        raise ConflictError("memory", entry.id, wanted.held, entry.version)
    return entry, standing_at(entry, history, wanted.to)


def _kinds(
    before: Sequence[MemoryEntry], after: Sequence[MemoryEntry]
) -> Iterator[tuple[EventKind, list[MemoryEntry]]]:
    """What the log says of them."""
    found: dict[EventKind, list[MemoryEntry]] = {}
    for one, other in zip(before, after, strict=True):
        if one.is_forgotten is not other.is_forgotten:
            is_gone = other.is_forgotten
            kind = EventKind.MEMORY_FORGOTTEN if is_gone else EventKind.MEMORY_RESTORED
            found.setdefault(kind, []).append(other)
        elif one.version != other.version:
            found.setdefault(EventKind.MEMORY_EDITED, []).append(other)
    yield from found.items()
