"""What the memory in the inspector was made from, and what it became, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import MERGED_SOURCE
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.memory_facts import curator_label, relative_age
from inklings_desktop.ui.kit.words.memory_lines import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.usecases.consolidation.lineage import Ancestor, Lineage

_LONGEST = 280


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One memory that went into the one on show.

    Attributes:
        ref: Its address.
        text: What it says, on one line.
        left_out: What of it the merged memory does not say word for word, as a sentence.
        state: Whether it is forgotten, who vouched for it, and since when.
        depth: Generations between; 0 for a direct source.
        can_return: Whether it can be brought back.
    """

    ref: MemoryRef
    text: str
    left_out: str
    state: str
    depth: int
    can_return: bool


@dataclass(frozen=True, slots=True)
class FamilyState:
    """The family of the memory on show; empty for most.

    Attributes:
        sources: What it was made from, each followed by its own sources.
        is_replacing: Whether it was not made from these, but took their place.
        successor: Address of the memory that took its place.
        successor_text: What that one says.
        is_replaced: Whether this was not merged into it, but gave way to it.
    """

    sources: tuple[SourceLine, ...] = ()
    is_replacing: bool = False
    successor: MemoryRef | None = None
    successor_text: str = ""
    is_replaced: bool = False


def family_state(entry: MemoryEntry, lineage: Lineage, now: datetime) -> FamilyState:
    """A lineage as the inspector shows it."""
    from inklings_desktop.usecases.steps.putting import REPLACED_REASON

    later = lineage.merged_into
    return FamilyState(
        tuple(_lines(lineage.made_from, now, 0)),
        bool(lineage.made_from) and entry.source != MERGED_SOURCE,
        None if later is None else later.ref,
        "" if later is None else _shortened(later.content),
        entry.forgotten_reason == REPLACED_REASON,
    )


def _lines(ancestors: Iterable[Ancestor], now: datetime, depth: int) -> list[SourceLine]:
    lines = []
    for one in ancestors:
        entry = one.entry
        lines.append(
            SourceLine(
                entry.ref,
                _shortened(entry.content),
                _left_out(one),
                _state(entry, now),
                depth,
                entry.is_forgotten,
            )
        )
        lines += _lines(one.made_from, now, depth + 1)
    return lines


def _state(entry: MemoryEntry, now: datetime) -> str:
    by = curator_label(entry.curator)
    if entry.forgotten_at is None:
        return tr("{curator}, active again").format(curator=by)
    age = relative_age(now - entry.forgotten_at)
    return tr("{curator}, forgotten {age} ago").format(curator=by, age=age)


def _left_out(ancestor: Ancestor) -> str:
    said = excerpt(" ".join(ancestor.left_out))
    if not said:
        return ""
    if said == excerpt(ancestor.entry.content):
        return tr("This wording was left out.")
    return tr("Left out: {text}").format(text=_shortened(said))


def _shortened(content: str) -> str:
    text = excerpt(content)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}\u2026"
