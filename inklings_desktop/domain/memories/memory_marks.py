"""What a person can set on a memory besides its values: pin, pause and lock."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import MemoryAction

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from inklings_desktop.domain.memory import MemoryEntry


class MemoryMark(StrEnum):
    """A state of one memory that only a person sets and lifts."""

    PINNED = "pinned"
    """Never decays, and no background work forgets it."""
    PAUSED = "paused"
    """Kept, but never retrieved until it is resumed."""
    LOCKED = "locked"
    """Agents may only propose changes."""


_ACTIONS = {
    (MemoryMark.PINNED, True): MemoryAction.PINNED,
    (MemoryMark.PINNED, False): MemoryAction.UNPINNED,
    (MemoryMark.PAUSED, True): MemoryAction.PAUSED,
    (MemoryMark.PAUSED, False): MemoryAction.RESUMED,
    (MemoryMark.LOCKED, True): MemoryAction.LOCKED,
    (MemoryMark.LOCKED, False): MemoryAction.UNLOCKED,
}


_MARKS = {action: mark for mark, action in _ACTIONS.items()}


def has_mark(entry: MemoryEntry, mark: MemoryMark) -> bool:
    """Whether the memory carries the mark."""
    match mark:
        case MemoryMark.PINNED:
            return entry.pinned
        case MemoryMark.PAUSED:
            return entry.paused
        case MemoryMark.LOCKED:
            return entry.locked


def marks_of(entry: MemoryEntry) -> frozenset[MemoryMark]:
    """Every mark that the memory carries."""
    return frozenset(mark for mark in MemoryMark if has_mark(entry, mark))


def with_mark(entry: MemoryEntry, mark: MemoryMark, *, on: bool) -> MemoryEntry:
    """The memory with the mark set or lifted; version and times are the store's."""
    match mark:
        case MemoryMark.PINNED:
            return replace(entry, pinned=on)
        case MemoryMark.PAUSED:
            return replace(entry, paused=on)
        case MemoryMark.LOCKED:
            return replace(entry, locked=on)


def mark_action(mark: MemoryMark, *, on: bool) -> MemoryAction:
    """What setting or lifting the mark is called in the history."""
    return _ACTIONS[mark, on]


def marks_before(marks: AbstractSet[MemoryMark], action: MemoryAction) -> frozenset[MemoryMark]:
    """Which marks a memory carried before this change, given those that it carried after it."""
    mark, on = _MARKS.get(action, (None, False))
    changed = frozenset(() if mark is None else (mark,))
    return frozenset(marks - changed if on else marks | changed)
