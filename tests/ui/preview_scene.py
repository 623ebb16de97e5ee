"""Documents of a next turn for tests of what is shown of them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import Curator, ScopeKey, Tier
from inklings_desktop.domain.rooms.orientation import Candidates, Order, Ranked, composed
from inklings_desktop.domain.search.explanation import Blend, Explanation, Fading
from inklings_desktop.ui.turn.facts import preview_content
from inklings_desktop.ui.turn.rows import PreviewContent, PreviewRequest
from tests.support.builders import NOON, WORKSPACE_ID, a_companion, a_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.orientation import Orientation

NOW = NOON + timedelta(days=1)
VOICE = a_companion("VOICE", "# Voice\n\nClose third, past tense.\n", entry_id="voice")
IN_CONVERSATION = ScopeKey.conversation(WORKSPACE_ID, "talk")
IN_CHANNEL = ScopeKey.channel(WORKSPACE_ID, "desk")
IN_WORKSPACE = ScopeKey.workspace(WORKSPACE_ID)


def an_explanation(
    *, score_words: float = 0.3, folded: tuple[str, ...] = (), semantic_rank: int | None = 2
) -> Explanation:
    """First by words, second by meaning, read five times, a day old."""
    return Explanation(
        keyword_rank=1,
        semantic_rank=semantic_rank,
        bm25=3.25,
        cosine=0.42,
        fused=0.0325,
        blend=Blend(score_words, 0.25, 0.16, 0.0, 0.05),
        fading=Fading(0.71, 0.995, 24.0, 5, 1.23),
        folded=folded,
    )


def found(entry: MemoryEntry, explanation: Explanation | None = None) -> Ranked:
    """A memory that the message found."""
    explanation = explanation or an_explanation()
    return Ranked(entry, explanation.relevance, Order.SCORE, explanation.score, explanation)


def follows(entry: MemoryEntry) -> Ranked:
    """A memory that follows by relevance."""
    return Ranked(entry, 0.41, Order.RELEVANCE)


def kept(number: int, *, text: str = "", scope: ScopeKey = IN_WORKSPACE) -> MemoryEntry:
    """The memory with this number."""
    return a_memory(
        text or f"Tide note number {number}.",
        memory_id=f"m{number}",
        sequence=number,
        scope=scope,
        curator=Curator.AUTHOR,
    )


def a_document(
    workspace: Sequence[Ranked] = (),
    *,
    conversation: Sequence[MemoryEntry] = (),
    entries: Sequence[NamedEntry] = (VOICE,),
    query: str = "tide",
    budget_tokens: int = 500,
    total: int | None = None,
) -> Orientation:
    """A document with these memories; its channel and account are empty."""
    talk = tuple(Ranked(one, 0.5, Order.RECENCY) for one in conversation)
    return composed(
        entries,
        (
            Candidates(Tier.CONVERSATION, "Conversation", talk, len(talk)),
            Candidates(Tier.CHANNEL, "Channel #desk", (), 0),
            Candidates(
                Tier.WORKSPACE,
                "Workspace",
                tuple(workspace),
                len(workspace) if total is None else total,
            ),
            Candidates(Tier.ACCOUNT, "Account", (), 0),
        ),
        budget_tokens=budget_tokens,
        query=query,
        as_of=NOW,
    )


def shown(document: Orientation, conversation: str | None = "talk") -> PreviewContent:
    """What the page shows of a document."""
    return preview_content(document, PreviewRequest(WORKSPACE_ID, conversation, document.query))


def a_busy_preview() -> PreviewContent:
    """Nine memories of the workspace that the message found, twelve that follow, room for four."""
    document = a_document(
        [*(found(kept(n)) for n in range(9)), *(follows(kept(n)) for n in range(9, 21))],
        conversation=[kept(n, scope=IN_CONVERSATION) for n in range(30, 32)],
        budget_tokens=285,
    )
    return shown(document)
