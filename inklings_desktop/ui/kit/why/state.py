"""Why a memory stands where it stands, as finished texts and figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.marks.bar_list import Bar


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One line of the table that says how a memory was found.

    Attributes:
        icon: Of the kind of search.
        name: Which search.
        detail: What it went by, such as the words that matched.
        rank: Its place in that list, or why it has none.
        figure: What the search measured; may be empty.
    """

    icon: str
    name: str
    detail: str
    rank: str
    figure: str


@dataclass(frozen=True, slots=True)
class StrengthFacts:
    """How relevant a memory is now, and what that is made of.

    Attributes:
        figure: Its relevance.
        bars: Importance, decay, reads.
    """

    figure: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class OrderFacts:
    """The arithmetic of the engine that put a memory in its place.

    Attributes:
        bars: The named factors of the blend, as the engine returned them.
        formula: How they become the score.
        spoken: The same for a screen reader.
        note: What the formula leaves unsaid.
    """

    bars: tuple[Bar, ...]
    formula: str
    spoken: str
    note: str


@dataclass(frozen=True, slots=True)
class HitFacts:
    """Why one hit of a search stands where it stands.

    Attributes:
        title: Names the search.
        place: ``2nd of 6``.
        why: How it was found and what put it there.
    """

    title: str
    place: str
    why: WhyFacts


@dataclass(frozen=True, slots=True)
class WhyFacts:
    """Everything about one place in one list.

    Attributes:
        found: Which searches found it; empty when it was not found by any.
        fused: Fused rank score; empty likewise.
        found_note: What the table leaves unsaid, or why there is none.
        strength: How relevant the memory is now.
        order: The arithmetic of its place; None when no score put it there.
        order_note: What put it there instead of a score; empty with one.
        folded: Ids of the memories behind it that say the same, best first.
    """

    found: tuple[FoundRow, ...]
    fused: str
    found_note: str
    strength: StrengthFacts
    order: OrderFacts | None
    order_note: str = ""
    folded: tuple[str, ...] = ()
