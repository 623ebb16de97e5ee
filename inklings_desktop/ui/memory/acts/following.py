"""Carries an act out on memories whose figures somebody else changed a moment ago.

A person who checked a thousand memories acts on what they say. While an agent writes, one of
them always has a newer version than the list knows; as long as the texts are the ones that were
seen, the act is about these memories still. Where a text changed, nothing is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import ConflictError
from inklings_desktop.domain.memories.memory_history import version_states

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.usecases.bundle import Inklings

    Action = Callable[[Sequence[MemoryRef], Mapping[str, int]], Sequence[MemoryEntry]]

MOST_TRIES = 5
READ_AT_ONCE = 1_000


def following_on(
    inklings: Inklings,
    action: Action,
    refs: Sequence[MemoryRef],
    expected: Mapping[str, int],
) -> Sequence[MemoryEntry]:
    """What the action changed, if need be in the versions of now; called on a writer.

    Args:
        inklings: The opened data root.
        action: Changes memories of one file, all or none, with the versions expected.
        refs: The memories.
        expected: Their versions as the person saw them.

    Raises:
        ConflictError: The text of one of them is another by now, or they never stood still.
        NotFoundError: One of them is gone or forgotten.
    """
    versions = dict(expected)
    for _ in range(MOST_TRIES - 1):
        try:
            return action(refs, versions)
        except ConflictError:
            for entry in _moved_on(inklings, refs, versions):
                _require_same_text(inklings, entry, expected[entry.id])
                versions[entry.id] = entry.version
    return action(refs, versions)


def _moved_on(
    inklings: Inklings, refs: Sequence[MemoryRef], versions: Mapping[str, int]
) -> list[MemoryEntry]:
    """The memories that somebody saved since, as they are now."""
    return [
        entry
        for start in range(0, len(refs), READ_AT_ONCE)
        for entry in inklings.listing.show_all(refs[start : start + READ_AT_ONCE])
        if entry.version != versions[entry.id]
    ]


def _require_same_text(inklings: Inklings, entry: MemoryEntry, seen_version: int) -> None:
    """Return only if a memory says what it said.

    Raises:
        ConflictError: It does not.
        NotFoundError: It is gone.
    """
    shown = inklings.listing.show(entry.ref)
    states = version_states(shown.entry, shown.history)
    before = next((state for state in states if state.number == seen_version), None)
    if before is None or before.content != shown.entry.content:
        raise ConflictError("memory", entry.id, seen_version, entry.version)
