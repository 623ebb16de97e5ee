"""How much each tier holds, and what in it is worth a look: figures for whoever looks after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.decay import half_life_hours
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.memories.decay import AttentionKind
    from inklings_desktop.domain.memories.listing import RelevanceBand
    from inklings_desktop.domain.memory import Tier

GROWTH_DAYS = 30


@dataclass(frozen=True, slots=True)
class TierOverview:
    """One tier of a workspace, or the account's, over all its scope keys.

    Attributes:
        n_active: Memories that are not forgotten, in archived rooms too.
        n_archived: Those of them whose channel or conversation is archived: lists of all rooms
            leave them out.
        n_new: Active memories that were written in the last 30 days.
        growth: Active memories 30 days ago, 29 days ago and so on, the last one now: 31 counts.
        bands: Active memories per relevance band; every band is there.
        n_retrievable: Active memories that may be found at all: not paused.
        n_embedded: Those of them that have a vector of the model in use.
        rate: Share of relevance left after one hour, in (0, 1].
        has_model: Whether a model is there to make vectors.
    """

    tier: Tier
    n_active: int
    n_archived: int
    n_new: int
    growth: tuple[int, ...]
    bands: Mapping[RelevanceBand, int]
    n_retrievable: int
    n_embedded: int
    rate: float
    has_model: bool = True

    @property
    def half_life_hours(self) -> float:
        """Hours until half of a relevance is left; infinite when nothing fades."""
        return half_life_hours(self.rate)


@dataclass(frozen=True, slots=True)
class Attention:
    """Memories that may want a look, of one kind.

    Attributes:
        kind: Why.
        by_tier: How many each tier shows under its open rooms, tiers without any left out.
        has_model: Whether a model is there to make vectors.
    """

    kind: AttentionKind
    by_tier: Mapping[Tier, int]
    has_model: bool = True

    @property
    def total(self) -> int:
        """How many in all."""
        return sum(self.by_tier.values())
