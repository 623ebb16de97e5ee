"""What a memory said and weighed in each of its versions, put together from its history."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import Lifetime, MemoryEntry, MemoryVersion


@dataclass(frozen=True, slots=True)
class VersionState:
    """Everything of one version that an edit can change; it can be brought back.

    Attributes:
        number: The version.
        content: Its text.
        importance: 0 to 1.
        lifetime: Its lifetime.
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
        entry: The memory as it is stored.
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
