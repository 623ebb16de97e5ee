"""What the agent will see at the start of the next turn, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry, Tier
    from inklings_desktop.domain.rooms.orientation import Orientation
    from inklings_desktop.ui.kit.marks.meters import MeterShare
    from inklings_desktop.ui.kit.why.facts import WhyFacts
    from inklings_desktop.ui.turn.rows import CandidateRow, EntryRow


@dataclass(frozen=True, slots=True)
class PreviewRequest:
    """What the document is built for.

    Attributes:
        workspace_id: The open workspace; empty before one is open.
        conversation: Id; None before any conversation.
        message: What the turn asks; empty without a message.
    """

    workspace_id: str = ""
    conversation: str | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class BudgetFacts:
    """How much of the budget is taken, and by what.

    Attributes:
        title: ``7,874 of 8,000 characters``.
        detail: The same in tokens, and what is left.
        shares: Named entries and every tier, in the order of the document.
        limit: Characters of the budget.
        notice: What is left out because the named entries take everything; usually empty.
    """

    title: str
    detail: str
    shares: tuple[MeterShare, ...]
    limit: int
    notice: str


@dataclass(frozen=True, slots=True)
class SectionFacts:
    """One tier of the document.

    Attributes:
        tier: The tier.
        title: Its name.
        detail: Its ranking rule and how much of it is sent.
        candidates: Sent and left out, in order.
        n_matched: How many of them the message found; the others follow by relevance.
        n_sent: How many the agent gets.
        n_not_sent: How many of the tier it does not get, looked at or not.
        remark: Said of those that are not among the candidates; may be empty.
        empty: Said where there are none at all; else empty.
    """

    tier: Tier
    title: str
    detail: str
    candidates: tuple[CandidateRow, ...]
    n_matched: int
    n_sent: int
    n_not_sent: int
    remark: str
    empty: str


@dataclass(frozen=True, slots=True)
class PreviewContent:
    """The document and everything said about it.

    Attributes:
        request: What it was built for.
        budget: How much of the budget it takes.
        entries: The standing slice, folded.
        bodies: The text of each of its entries, by id.
        sections: The tiers that are read.
        markdown: The exact text that is sent.
        document: What the engine returned.
        is_empty: Whether there is nothing at all to send.
    """

    request: PreviewRequest
    budget: BudgetFacts
    entries: tuple[EntryRow, ...]
    bodies: dict[str, str]
    sections: tuple[SectionFacts, ...]
    markdown: str
    document: Orientation = field(repr=False)
    is_empty: bool = False


@dataclass(frozen=True, slots=True)
class PlaceFacts:
    """Why one memory stands where it stands in the document.

    Attributes:
        entry: The memory.
        badge: Tier and place: ``workspace, 1st``.
        content: Its text.
        why: How it was found, how strong it is, what put it there.
        sent: Whether the agent gets it, and if not, why not.
        is_sent: The same as a flag.
        phrase: How it is introduced.
        phrasing: Why that phrase.
    """

    entry: MemoryEntry
    badge: str
    content: str
    why: WhyFacts
    sent: str
    is_sent: bool
    phrase: str
    phrasing: str


@dataclass(frozen=True, slots=True)
class StandingFacts:
    """Why a named entry is in the document.

    Attributes:
        name: Of the entry.
        badge: Its tier.
        text: Why it is sent.
    """

    name: str
    badge: str
    text: str
