"""Figures of whole tiers by counting entries one by one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.decay import AttentionKind, deserves_attention, relevance_of
from inklings_desktop.domain.memories.listing import RelevanceBand, band_of
from inklings_desktop.domain.memories.overview import GROWTH_DAYS, TierOverview
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.rehearsal import TierShift

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from tests.support.fake_file import FakeFile


class FakeOverviewIndex:
    """The ``OverviewIndex`` over a ``FakeFile``."""

    def __init__(self, file: FakeFile, workspace_id: str | None) -> None:
        self._file = file
        self._workspace_id = workspace_id

    def tiers(
        self,
        open_rooms: Sequence[ScopeKey],
        *,
        decay: DecayConfig,
        model_id: str,
        as_of: datetime,
    ) -> tuple[TierOverview, ...]:
        """Every tier of this kind of file."""
        tiers = [one for one in Tier if (one is Tier.ACCOUNT) == (self._workspace_id is None)]
        return tuple(self._tier(tier, open_rooms, decay, model_id, as_of) for tier in tiers)

    def shifts(
        self, before: DecayConfig, after: DecayConfig, *, model_id: str, as_of: datetime
    ) -> tuple[TierShift, ...]:
        """How far every tier of this kind of file would fade."""
        found = []
        for tier in (one for one in Tier if (one is Tier.ACCOUNT) == (self._workspace_id is None)):
            of_tier = [one for one in self._file.memories.values() if one.scope.tier is tier]
            active = [one for one in of_tier if not one.is_forgotten]
            now = [band_of(relevance_of(one, before, as_of)) for one in active]
            then = [band_of(relevance_of(one, after, as_of)) for one in active]
            n_gone, n_then = (bands.count(RelevanceBand.NEARLY_GONE) for bands in (now, then))
            moved = sum(one is not other for one, other in zip(now, then, strict=True))
            found.append(TierShift(tier, len(active), n_gone, n_then, moved))
        return tuple(found)

    def attention(
        self, scopes: Sequence[ScopeKey], *, decay: DecayConfig, model_id: str, as_of: datetime
    ) -> Mapping[AttentionKind, Mapping[Tier, int]]:
        """How many stand in each list."""
        found: dict[AttentionKind, dict[Tier, int]] = {}
        for kind in AttentionKind:
            for one in self._standing_in(scopes, kind, decay, model_id, as_of):
                by_tier = found.setdefault(kind, {})
                by_tier[one.scope.tier] = by_tier.get(one.scope.tier, 0) + 1
        return found

    def deserving(
        self,
        scopes: Sequence[ScopeKey],
        kind: AttentionKind,
        *,
        decay: DecayConfig,
        model_id: str,
        as_of: datetime,
    ) -> frozenset[int]:
        """Which stand in one list."""
        found = self._standing_in(scopes, kind, decay, model_id, as_of)
        return frozenset(one.sequence for one in found)

    def _standing_in(
        self,
        scopes: Sequence[ScopeKey],
        kind: AttentionKind,
        decay: DecayConfig,
        model_id: str,
        as_of: datetime,
    ) -> list[MemoryEntry]:
        return [
            one
            for one in self._file.memories.values()
            if one.scope in scopes
            and deserves_attention(
                one, kind, relevance=relevance_of(one, decay, as_of), model_id=model_id
            )
        ]

    def _tier(
        self,
        tier: Tier,
        open_rooms: Sequence[ScopeKey],
        decay: DecayConfig,
        model_id: str,
        as_of: datetime,
    ) -> TierOverview:
        every = [one for one in self._file.memories.values() if one.scope.tier is tier]
        active = [one for one in every if not one.is_forgotten]
        retrievable = [one for one in active if one.is_retrievable]
        is_room = tier in {Tier.CONVERSATION, Tier.CHANNEL}
        bands = [band_of(relevance_of(one, decay, as_of)) for one in active]
        month = as_of - timedelta(days=GROWTH_DAYS)
        days = [as_of - timedelta(days=age) for age in range(GROWTH_DAYS, -1, -1)]
        return TierOverview(
            tier,
            n_active=len(active),
            n_archived=sum(one.scope not in open_rooms for one in active) if is_room else 0,
            n_new=sum(one.created_at > month for one in active),
            growth=tuple(sum(_was_active(one, day) for one in every) for day in days),
            bands={band: bands.count(band) for band in RelevanceBand},
            n_retrievable=len(retrievable),
            n_embedded=sum(one.embedding_model == model_id for one in retrievable),
            rate=decay.rate(tier),
        )


def _was_active(entry: MemoryEntry, day: datetime) -> bool:
    return entry.created_at <= day and (entry.forgotten_at is None or entry.forgotten_at > day)
