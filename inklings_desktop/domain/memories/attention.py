"""Which memories a person may want to look at: lists that are computed, never stored."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import Lifetime

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry

THRESHOLD = 0.01
"""Below this relevance a short-term memory is as good as gone."""
PROMOTE_ABOVE = 0.7
PROMOTE_READS_ABOVE = 3


class AttentionKind(StrEnum):
    """The lists, in the order in which they are shown."""

    UNREADABLE = "unreadable"
    BELOW_THRESHOLD = "below_threshold"
    WAITING_FOR_EMBEDDING = "waiting_for_embedding"
    NEVER_READ = "never_read"
    READY_TO_PROMOTE = "ready_to_promote"


def deserves_attention(
    entry: MemoryEntry, kind: AttentionKind, *, relevance: float, model_id: str
) -> bool:
    """Whether a memory stands in one of the lists; a forgotten one stands in none.

    Args:
        kind: Which list.
        relevance: Its relevance now, 0 or more.
        model_id: The embedding model in use.
    """
    if entry.is_forgotten:
        return False
    is_short_term = entry.lifetime is Lifetime.SHORT_TERM
    match kind:
        case AttentionKind.UNREADABLE:
            return entry.is_unreadable
        case AttentionKind.BELOW_THRESHOLD:
            return is_short_term and relevance < THRESHOLD
        case AttentionKind.WAITING_FOR_EMBEDDING:
            return entry.is_retrievable and entry.embedding_model != model_id
        case AttentionKind.NEVER_READ:
            return entry.is_retrievable and entry.access_count == 0
        case AttentionKind.READY_TO_PROMOTE:
            is_used = entry.access_count > PROMOTE_READS_ABOVE
            return is_short_term and is_used and relevance > PROMOTE_ABOVE
