"""How relevance fades, and which memories deserve a look for it.

``relevance = importance · rate^hours · (1 + ln(1 + access_count))``, with the hours since the
latest of accessed, confirmed, imported and created. One formula serves search, consolidation,
the window and exports. Decay ranks; it never deletes.
Source: the memory system's decay law and its two published lists of rates.
"""

from __future__ import annotations

import math
from enum import Enum, StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import Lifetime, Tier
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    import numpy as np
    import numpy.typing as npt

    from inklings_desktop.domain.memory import MemoryEntry

    FloatArray = npt.NDArray[np.float64]

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


MAX_HOURS = 1_000_000.0
MS_PER_HOUR = 3_600_000.0


@dataclass(frozen=True, slots=True)
class DecayConfig:
    """Share of relevance left after one hour, per tier; each in (0, 1], 1 means no decay.

    Raises:
        InvalidValueError: A rate is outside (0, 1].
    """

    conversation: float = 1.0
    channel: float = 0.990
    workspace: float = 0.995
    account: float = 0.998

    def __post_init__(self) -> None:
        for tier in Tier:
            rate = self.rate(tier)
            if not (math.isfinite(rate) and 0.0 < rate <= 1.0):
                raise InvalidValueError(f"decay.{tier.value}", "range")

    def rate(self, tier: Tier) -> float:
        """Share left after one hour in this tier."""
        rate: float = getattr(self, tier.value)
        return rate


class DecayPreset(Enum):
    """The two published lists of rates."""

    REFERENCE = DecayConfig()
    SLOW = DecayConfig(conversation=0.99, channel=0.995, workspace=0.998, account=0.999)


def relevance(importance: float, rate: float, age_hours: float, access_count: int) -> float:
    """Importance after decay and the access boost; always finite, may exceed 1.

    Args:
        rate: Share left after one hour, in (0, 1].
        age_hours: Hours since the last touch; below 0 (a clock that ran backwards) or NaN counts
            as 0, above a million as a million.
        access_count: Reads by agents; below 0 counts as 0.
    """
    if age_hours > 0.0:  # a search asks this for each of its candidates; NaN is above nothing
        importance *= math.pow(rate, min(age_hours, MAX_HOURS))
    if access_count > 0:
        importance *= 1.0 + math.log1p(access_count)
    return importance


def relevances(
    importance: FloatArray,
    rate: float | FloatArray,
    age_hours: FloatArray,
    access_count: FloatArray,
) -> FloatArray:
    """``relevance`` over arrays of shape (n_entries,), float64; same rules."""
    import numpy as np

    hours = np.fmin(np.fmax(age_hours, 0.0), MAX_HOURS)  # which pass over NaN
    boost = 1.0 + np.log1p(np.maximum(access_count, 0))
    result: FloatArray = importance * np.power(rate, hours) * boost
    return result


def touched_at(entry: MemoryEntry) -> datetime:
    """The instant from which this entry's hours count."""
    base = entry.accessed_at or entry.created_at
    for instant in (entry.confirmed_at, entry.imported_at):
        if instant is not None and instant > base:
            base = instant
    return base


def age_hours(entry: MemoryEntry, now: datetime) -> float:
    """Hours since the entry was last touched, never below 0."""
    return hours_since(touched_at(entry), now)


def hours_since(instant: datetime, now: datetime) -> float:
    """Hours from an instant to now, never below 0."""
    hours = (now - instant).total_seconds() / 3600.0
    return max(0.0, hours)


def effective_rate(entry: MemoryEntry, config: DecayConfig) -> float:
    """The rate this entry fades at: its tier's, or none at all while it is pinned."""
    return 1.0 if entry.pinned else config.rate(entry.scope.tier)


def relevance_of(entry: MemoryEntry, config: DecayConfig, now: datetime) -> float:
    """The entry's relevance now."""
    return relevance(
        entry.importance, effective_rate(entry, config), age_hours(entry, now), entry.access_count
    )


def half_life_hours(rate: float) -> float:
    """Hours until half is left; infinite when nothing fades."""
    return math.inf if rate >= 1.0 else math.log(0.5) / math.log(rate)
