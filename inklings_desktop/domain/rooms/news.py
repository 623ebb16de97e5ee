"""What changed in an agent's memory since its last turn, while others worked on it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import MemoryAction, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.hidden_text import spelled_out

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry, MemoryVersion

MAX_LINES = 10
SAID_CHARACTERS = 80
HEADING = "\n## Since your last turn\n"


class Change(StrEnum):
    """What somebody else did."""

    ADDED = "added"
    EDITED = "edited"
    RESTORED = "restored"
    FORGOTTEN = "forgotten"


_CHANGES = {
    MemoryAction.EDITED: Change.EDITED,
    MemoryAction.REVERTED: Change.EDITED,
    MemoryAction.RETAGGED: Change.EDITED,
    MemoryAction.REWEIGHTED: Change.EDITED,
    MemoryAction.RELABELLED: Change.EDITED,
    MemoryAction.RESTORED: Change.RESTORED,
}
"""What an agent is told of an active memory; pins, pauses and locks are the author's own."""


@dataclass(frozen=True, slots=True)
class ChangedMemory:
    """One memory that is not what it was.

    Attributes:
        change: What became of it.
        said: How it begins now; empty when it is forgotten.
    """

    id: str
    tier: Tier
    change: Change
    said: str


@dataclass(frozen=True, slots=True)
class News:
    """What changed, for one client in one conversation.

    Attributes:
        since: When the client was told last.
        memories: The latest change first.
        entries: Names of the author's entries that were written meanwhile.
    """

    since: datetime
    memories: tuple[ChangedMemory, ...]
    entries: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many memories became what; changes that did not happen are left out."""
        kinds = [one.change for one in self.memories]
        return {kind.value: kinds.count(kind) for kind in Change if kind in kinds}

    def markdown(self, room: int) -> str:
        """The news as lines of the document, as many as fit; empty when there are none."""
        lines = [f"\n- {name} was written by the author.\n" for name in self.entries]
        lines += [_line(one) for one in self.memories[:MAX_LINES]]
        if len(self.memories) > MAX_LINES:
            figures = ", ".join(f"{n} {kind}" for kind, n in self.counts.items())
            lines.insert(len(self.entries), f"\n- Memories changed by others: {figures}.\n")
        text = HEADING
        for line in lines:
            if len(text) + len(line) > room:
                break
            text += line
        return text if text != HEADING else ""


def change_of(
    entry: MemoryEntry,
    history: Sequence[MemoryVersion],
    *,
    since: datetime,
    name: str,
    added: frozenset[str],
) -> ChangedMemory | None:
    """What others made of a memory after an instant; None if nothing that an agent is told.

    Args:
        entry: The memory as it is.
        history: Its earlier states, newest first.
        name: Of the client; what it did itself is no news to it.
        added: Ids of memories that the client added itself.
    """
    actions = [one.action for one in history if one.changed_at > since and one.changed_by != name]
    is_new = max(entry.created_at, entry.imported_at or entry.created_at) > since
    is_own = entry.id in added
    change = None
    if entry.is_forgotten:
        is_known = is_own or not is_new
        if is_known and MemoryAction.FORGOTTEN in actions:
            change = Change.FORGOTTEN
    elif is_new and not is_own:
        change = Change.ADDED
    else:
        change = next((_CHANGES[one] for one in actions if one in _CHANGES), None)
    if change is None:
        return None
    said = "" if entry.is_forgotten else _beginning(entry.content)
    return ChangedMemory(entry.id, entry.scope.tier, change, said)


def _line(one: ChangedMemory) -> str:
    quoted = f"  > {one.said}\n" if one.said else ""
    return f"\n- {one.change.value.capitalize()} ({one.tier.value}, id {one.id})\n{quoted}"


def _beginning(content: str) -> str:
    words = spelled_out(" ".join(content[: 4 * SAID_CHARACTERS].split()))
    return words if len(words) <= SAID_CHARACTERS else f"{words[: SAID_CHARACTERS - 1]}\u2026"
