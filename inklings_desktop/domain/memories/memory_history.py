"""What a memory said and weighed in each version, and what is set on it: pin, pause, lock."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory import MemoryAction
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from inklings_desktop.domain.memory import Lifetime, MemoryEntry, MemoryVersion


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


NOT_WRITTEN = 0
"""The version of a memory before it was written."""


@dataclass(frozen=True, slots=True)
class VersionState:
    """Everything of one version that an edit can change; it can be brought back.

    Attributes:
        tags: Its tags, in order.
        written_by: Who wrote its text.
    """

    number: int
    content: str
    importance: float
    lifetime: Lifetime
    tags: tuple[str, ...]
    written_by: str

    def reads_as(self, other: VersionState) -> bool:
        """Whether bringing back the one would show the other: all but the number is the same."""
        return (
            self.content == other.content
            and self.importance == other.importance
            and self.lifetime is other.lifetime
            and self.tags == other.tags
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """All of one version that a person can change.

    Attributes:
        state: What it said and weighed.
        marks: Whether it was pinned, paused, locked.
        is_forgotten: Whether it was forgotten.
    """

    state: VersionState
    marks: frozenset[MemoryMark]
    is_forgotten: bool

    def is_as(self, other: Standing) -> bool:
        """Whether both are the same but for their numbers."""
        same = (self.marks, self.is_forgotten) == (other.marks, other.is_forgotten)
        return same and self.state.reads_as(other.state)


def current_state(entry: MemoryEntry) -> VersionState:
    """The version that is stored now."""
    return VersionState(
        entry.version,
        entry.content,
        entry.importance,
        entry.lifetime,
        entry.tags,
        entry.written_by,
    )


def version_states(
    entry: MemoryEntry, history: Sequence[MemoryVersion]
) -> tuple[VersionState, ...]:
    """Every version that is known of, the current one first.

    A step that left the text alone did not keep it a second time: its text is that of the version
    after it.

    Args:
        history: Its earlier states, newest first.
    """
    states = [current_state(entry)]
    for one in history:
        content = states[-1].content if one.content is None else one.content
        states.append(
            VersionState(
                one.version, content, one.importance, one.lifetime, one.tags, one.written_by
            )
        )
    return tuple(states)


def version_state(
    entry: MemoryEntry, history: Sequence[MemoryVersion], number: int
) -> VersionState:
    """One version.

    Raises:
        NotFoundError: The memory has no version with this number.
    """
    for state in version_states(entry, history):
        if state.number == number:
            return state
    raise NotFoundError("version", str(number))


def standing_at(entry: MemoryEntry, history: Sequence[MemoryVersion], number: int) -> Standing:
    """How a memory stood in one version; before it was written it stood nowhere: forgotten.

    Args:
        history: Its earlier states, newest first.
        number: The version; ``NOT_WRITTEN`` for before the first.

    Raises:
        NotFoundError: The memory has no version with this number.
    """
    first = max(number, NOT_WRITTEN + 1)
    marks, is_forgotten = marks_of(entry), entry.is_forgotten
    for one in history:
        if one.version < first:
            break
        marks = marks_before(marks, one.action)
        if one.action in {MemoryAction.FORGOTTEN, MemoryAction.RESTORED}:
            is_forgotten = one.action is MemoryAction.RESTORED
    state = version_state(entry, history, first)
    return Standing(state, marks, is_forgotten or number == NOT_WRITTEN)


def entry_at(entry: MemoryEntry, history: Sequence[MemoryVersion], number: int) -> MemoryEntry:
    """The memory with what it said and weighed in one version; all else as it is now.

    Raises:
        NotFoundError: The memory has no version with this number.
    """
    state = version_state(entry, history, number)
    return replace(
        entry,
        version=state.number,
        content=state.content,
        importance=state.importance,
        lifetime=state.lifetime,
        tags=state.tags,
        written_by=state.written_by,
    )
