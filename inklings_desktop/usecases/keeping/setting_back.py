"""Compares a backup with what is there now, and sets back what a person chose of that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import EntryAction, NamedEntry, require_distinct
from inklings_desktop.domain.errors import (
    CapReachedError,
    ConflictError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.log.backup_comparison import (
    MOST_LISTED,
    SET_BACK_REASON,
    Comparison,
    Difference,
    ScrubbedSince,
    SetBackDone,
    Side,
    is_there,
)
from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memories.memory_history import MemoryMark, current_state, has_mark
from inklings_desktop.domain.memory import MemoryEntry, Tier
from inklings_desktop.usecases.entries.named_entries import bring_back, take_away, write_body
from inklings_desktop.usecases.steps.backing_up import recorded
from inklings_desktop.usecases.steps.caps import refuse_full
from inklings_desktop.usecases.steps.changing_memories import (
    save_forgotten,
    save_marked,
    save_restored,
    save_values,
)
from inklings_desktop.usecases.steps.recording import MAX_IDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.log.backup import Backup
    from inklings_desktop.usecases.parts import Parts
    from inklings_desktop.usecases.ports.keeping import BackupShelf, KeptRows
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Store, StoreView
    from inklings_desktop.usecases.ports.transfer import TransferUnit

AT_ONCE = 500
_MOST_SCRUBS = 100
"""Scrubs that are named; nobody reads a longer list."""
_SCRUBS = EventFilter(kinds=frozenset({EventKind.SCRUB_EXECUTED}))


def compared(store: Store, keeper: BackupShelf, backup: Backup, progress: Progress) -> Comparison:
    """Memories and named entries that are not the same in a backup and now."""
    progress.report("verify", 0, 0)
    with (
        keeper.beside(backup.name) as kept,
        store.read(backup.workspace_id) as view,
    ):
        listed = kept.memory_ids[: max(0, MOST_LISTED - len(kept.entry_ids))]
        then = entries_of(kept)
        found = [Difference(entry_here(view, one), then.get(one)) for one in kept.entry_ids]
        for start in range(0, len(listed), AT_ONCE):
            progress.require_wanted()
            progress.report("compare", start, len(listed))
            some = listed[start : start + AT_ONCE]
            now, old = view.memories.get_many(some), memories_of(kept, some)
            found += [Difference(now.get(one), old.get(one)) for one in some]
        scrubs = scrubs_since(view, kept)
    return Comparison(
        backup,
        tuple(
            one
            for one in found
            if (is_there(one.now) or is_there(one.then)) and not is_scrubbed(one, scrubs)
        ),
        len(kept.memory_ids) - len(listed),
        kept.n_same_memories,
        kept.n_same_entries,
        scrubs,
    )


def scrubs_since(view: StoreView, kept: KeptRows) -> tuple[ScrubbedSince, ...]:
    """The latest scrubs that the backup knows nothing of."""
    return tuple(
        ScrubbedSince(
            one.number,
            one.at,
            one.tier or "",
            one.scope_key or "",
            one.counts.get("removed", 0),
            one.ids,
        )
        for one in view.events.latest(_MOST_SCRUBS, where=_SCRUBS)
        if one.number > kept.n_events
    )


def is_scrubbed(one: Difference, scrubs: Sequence[ScrubbedSince]) -> bool:
    """Whether only the backup still holds it because it came from elsewhere after a scrub."""
    scope = one.shown.scope
    return one.now is None and any(
        one.id in scrub.ids
        if scrub.ids
        else (scope.tier.value, scope.key) == (scrub.tier, scrub.scope_key)
        for scrub in scrubs
    )


def memories_of(kept: KeptRows, ids: Sequence[str]) -> Mapping[str, MemoryEntry]:
    """Memories as a backup holds them; those it does not hold are left out."""
    records = kept.transfers.memories(scopes=None, ids=ids, forgotten=True, after=0, limit=len(ids))
    return {one.entry.id: one.entry for one in records}


def entries_of(kept: KeptRows) -> Mapping[str, NamedEntry]:
    """Named entries as a backup holds them."""
    return {one.entry.id: one.entry for one in kept.transfers.entries()}


def entry_here(view: StoreView, entry_id: str) -> NamedEntry | None:
    """A named entry as it is now; None when nothing has this id."""
    try:
        return view.entries.get(entry_id)
    except NotFoundError:
        return None


def put_back(
    parts: Parts,
    caller: Caller,
    backup: Backup,
    safety: Backup,
    wanted: Sequence[Difference],
    progress: Progress,
) -> SetBackDone:
    """Set differences back to what a backup holds; ``safety`` holds what is there now."""
    number = None
    with (
        parts.adapters().keeper.beside(backup.name) as kept,
        parts.store.write(backup.workspace_id, initiator=caller.name) as unit,
    ):
        at_work = _SettingBack(unit, kept, caller, parts.clock(), parts.settings().cap)
        for start in range(0, len(wanted), AT_ONCE):
            progress.require_wanted()
            progress.report("restore", start, len(wanted))
            at_work.set_back(wanted[start : start + AT_ONCE])
        if at_work.done:
            draft = replace(
                recorded(caller, EventKind.BACKUP_RESTORED, backup.workspace_id),
                ids=tuple(one.id for one in at_work.done[:MAX_IDS]),
                counts={"set_back": len(at_work.done)},
                marks={"backup": _stem(backup), "kept": _stem(safety)},
            )
            number = unit.events.append(draft, at_work.now).number
            unit.commit()
    return SetBackDone(
        backup,
        safety,
        at_work.count(Side.ONLY_NOW),
        at_work.count(Side.ONLY_THEN),
        at_work.count(Side.DIFFERS),
        tuple(at_work.left),
        number,
    )


class _SettingBack:
    """Differences on their way back, in one transaction."""

    def __init__(
        self, unit: TransferUnit, kept: KeptRows, caller: Caller, now: datetime, cap: int
    ) -> None:
        self._unit = unit
        self._kept = kept
        self._caller = caller
        self._cap = cap
        self._entries = entries_of(kept)
        self._scrubs = scrubs_since(unit, kept)
        self.now = now
        self.done: list[Difference] = []
        self.left: list[str] = []

    def count(self, side: Side) -> int:
        """How many of those that are done stood there."""
        return sum(one.side is side for one in self.done)

    def set_back(self, some: Sequence[Difference]) -> None:
        """Do it, each one whole or not at all."""
        ids = [one.id for one in some if not one.is_entry]
        here, then = self._unit.memories.get_many(ids), memories_of(self._kept, ids)
        for one in some:
            try:
                if one.is_entry:
                    self._entry(one, entry_here(self._unit, one.id), self._entries.get(one.id))
                else:
                    self._memory(one, here.get(one.id), then.get(one.id))
            except (ConflictError, NotFoundError, InvalidValueError, CapReachedError):
                self.left.append(one.id)
            else:
                self.done.append(one)

    def _memory(self, one: Difference, here: MemoryEntry | None, then: MemoryEntry | None) -> None:
        _require_unchanged("memory", one, here)
        unit, caller, now = self._unit, self._caller, self.now
        if one.side is Side.ONLY_NOW and here is not None:
            save_forgotten(unit, caller, here, SET_BACK_REASON, now)
            return
        if then is None or is_scrubbed(one, self._scrubs):
            raise NotFoundError("memory", one.id)
        if one.side is Side.ONLY_THEN:
            self._require_place(then)
        if here is None:
            unit.memories.add([then])
            unit.memories.add_history(self._kept.transfers.histories([then.id]).get(then.id, ()))
            return
        after = save_restored(unit, caller, here, now) if here.is_forgotten else here
        after = save_values(unit, caller, after, current_state(then), now)
        for mark in MemoryMark:
            after = save_marked(unit, caller, after, mark, now, on=has_mark(then, mark))

    def _entry(self, one: Difference, here: NamedEntry | None, then: NamedEntry | None) -> None:
        _require_unchanged("named_entry", one, here)
        unit, caller, now = self._unit, self._caller, self.now
        if one.side is Side.ONLY_NOW and here is not None:
            take_away(unit, caller, here, now)
            return
        if then is None or is_scrubbed(one, self._scrubs):
            raise NotFoundError("named_entry", one.id)
        if here is None:
            require_distinct(then.name, [other.name for other in unit.entries.entries()])
            record = next(
                each for each in self._kept.transfers.entries() if each.entry.id == one.id
            )
            unit.transfers.restore_entry(record)
            unit.transfers.reload()  # a row that is put there as it was tells nobody
            return
        after = bring_back(unit, caller, here, now) if here.is_deleted else here
        write_body(unit, caller, after, then.body, EntryAction.RESTORED, now)

    def _require_place(self, entry: MemoryEntry) -> None:
        """Return only if a memory may come back to its place.

        Raises:
            NotFoundError: Its channel or conversation is gone.
            CapReachedError: Its scope is full.
        """
        scope = entry.scope
        if scope.tier is Tier.CHANNEL:
            self._unit.conversations.get_channel(scope.key)
        elif scope.tier is Tier.CONVERSATION:
            self._unit.conversations.get(scope.key)
        refuse_full(self._unit, entry, self._cap)


def _require_unchanged(kind: str, one: Difference, here: MemoryEntry | NamedEntry | None) -> None:
    """Return only if it still is as it was compared.

    Raises:
        ConflictError: Somebody changed it since.
    """
    expected = None if one.now is None else one.now.version
    actual = None if here is None else here.version
    if expected != actual:
        raise ConflictError(kind, one.id, expected, actual)


def _stem(backup: Backup) -> str:
    return PurePosixPath(backup.name).stem
