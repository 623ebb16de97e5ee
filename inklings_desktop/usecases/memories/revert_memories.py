"""Bring memories from one of their versions to another: what is taken back, and done again."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import ConflictError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.memory_history import MemoryMark, Standing, standing_at
from inklings_desktop.usecases.steps.caps import refuse_full
from inklings_desktop.usecases.steps.changing_memories import (
    reachable,
    save_forgotten,
    save_marked,
    save_restored,
    save_values,
)
from inklings_desktop.usecases.steps.recording import record_memories

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import ForgottenAs, MemoryEntry
    from inklings_desktop.usecases.memories.values import Reversion
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork


def reverted(asked: Asked, wanted: Sequence[Reversion]) -> tuple[MemoryEntry, ...]:
    """Brings memories to an earlier or later version, file by file; as they are then."""
    files = [(file, list(group)) for file, group in groupby(sorted(wanted, key=_file), key=_file)]
    if len(files) > 1:  # each file is written for itself: what would fail is found before
        for file, group in files:
            with asked.store.read(file or None) as view:
                for one in group:
                    _looked_at(view, asked.caller, one)
    now = asked.clock()
    done: tuple[MemoryEntry, ...] = ()
    for file, group in files:
        with asked.writing(file or None) as unit:
            pairs = [_looked_at(unit, asked.caller, one) for one in group]
            saved = [
                _moved(asked, unit, entry, target, one.forgotten_as, now)
                for one, (entry, target) in zip(group, pairs, strict=True)
            ]
            for kind, entries in _kinds([entry for entry, _ in pairs], saved):
                record_memories(unit, asked.caller, kind, entries, now)
            unit.commit()
        done += tuple(saved)
    return done


def _moved(
    asked: Asked,
    unit: UnitOfWork,
    entry: MemoryEntry,
    target: Standing,
    forgotten_as: ForgottenAs,
    now: datetime,
) -> MemoryEntry:
    caller = asked.caller
    if entry.is_forgotten and not target.is_forgotten:
        refuse_full(unit, entry, asked.parts.settings().cap)
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
