"""Figures of whole tiers: counts, growth, bands, coverage, and lists of things worth a look."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from inklings_desktop.domain.memories.attention import (
    PROMOTE_ABOVE,
    PROMOTE_READS_ABOVE,
    THRESHOLD,
    AttentionKind,
)
from inklings_desktop.domain.memories.listing import BAND_FLOORS
from inklings_desktop.domain.memories.overview import GROWTH_DAYS, TierOverview
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.rehearsal import TierShift
from inklings_desktop.storage.rows.memories import to_ms
from inklings_desktop.storage.search.census import STILL_ACTIVE, TIERS, Census, census_rows
from inklings_desktop.storage.search.figures import relevance_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    import numpy.typing as npt

    from inklings_desktop.domain.memories.decay import DecayConfig, FloatArray
    from inklings_desktop.domain.memories.listing import RelevanceBand
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.storage.rows.transaction import Transaction
    from inklings_desktop.storage.search.resident import ResidentCache

    Mask = npt.NDArray[np.bool_]
    Rows = npt.NDArray[Any]

_TIERS_OF_WORKSPACE = (Tier.CONVERSATION, Tier.CHANNEL, Tier.WORKSPACE)
_DAY = timedelta(days=1)


class SqliteOverviewIndex:
    """The ``OverviewIndex`` of one transaction."""

    def __init__(self, transaction: Transaction, resident: ResidentCache[Census]) -> None:
        self._transaction = transaction
        self._resident = resident

    def tiers(
        self,
        open_rooms: Sequence[ScopeKey],
        *,
        decay: DecayConfig,
        model_id: str,
        as_of: datetime,
    ) -> tuple[TierOverview, ...]:
        census = self._census(model_id, as_of)
        is_account = self._transaction.workspace_id is None
        found = []
        for tier in (Tier.ACCOUNT,) if is_account else _TIERS_OF_WORKSPACE:
            rows = census.rows[census.rows["tier"] == TIERS.index(tier)]
            active = rows[rows["forgotten"] == STILL_ACTIVE]
            n_archived = 0
            if tier in {Tier.CONVERSATION, Tier.CHANNEL}:
                n_archived = len(active) - int(_in_rooms(census, active, open_rooms).sum())
            retrievable = active[active["retrievable"]]
            month = to_ms(as_of - GROWTH_DAYS * _DAY)
            found.append(
                TierOverview(
                    tier,
                    n_active=len(active),
                    n_archived=n_archived,
                    n_new=int((active["created"] > month).sum()),
                    growth=_growth(rows, as_of),
                    bands=_bands(_relevance(active, decay.rate(tier), as_of)),
                    n_retrievable=len(retrievable),
                    n_embedded=int(retrievable["embedded"].sum()),
                    rate=decay.rate(tier),
                )
            )
        return tuple(found)

    def shifts(
        self, before: DecayConfig, after: DecayConfig, *, model_id: str, as_of: datetime
    ) -> tuple[TierShift, ...]:
        census = self._census(model_id, as_of)
        is_account = self._transaction.workspace_id is None
        active = census.rows[census.rows["forgotten"] == STILL_ACTIVE]
        found = []
        for tier in (Tier.ACCOUNT,) if is_account else _TIERS_OF_WORKSPACE:
            rows = active[active["tier"] == TIERS.index(tier)]
            now, then = (_relevance(rows, one.rate(tier), as_of) for one in (before, after))
            moved = np.zeros(len(rows), bool)
            for floor in BAND_FLOORS.values():
                moved |= (now >= floor) != (then >= floor)
            gone, gone_then = (int((one < THRESHOLD).sum()) for one in (now, then))
            found.append(TierShift(tier, len(rows), gone, gone_then, int(moved.sum())))
        return tuple(found)

    def attention(
        self, scopes: Sequence[ScopeKey], *, decay: DecayConfig, model_id: str, as_of: datetime
    ) -> Mapping[AttentionKind, Mapping[Tier, int]]:
        census = self._census(model_id, as_of)
        found: dict[AttentionKind, dict[Tier, int]] = {}
        for tier in Tier:
            keys = [one for one in scopes if one.tier is tier]
            rows = self._active(census, keys)
            if not len(rows):
                continue
            relevance = _relevance(rows, decay.rate(tier), as_of)
            for kind in AttentionKind:
                if count := int(_deserving(rows, kind, relevance).sum()):
                    found.setdefault(kind, {})[tier] = count
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
        census = self._census(model_id, as_of)
        found: list[int] = []
        for tier in {one.tier for one in scopes}:
            rows = self._active(census, [one for one in scopes if one.tier is tier])
            relevance = _relevance(rows, decay.rate(tier), as_of)
            found += rows["sequence"][_deserving(rows, kind, relevance)].tolist()
        return frozenset(found)

    def _active(self, census: Census, scopes: Sequence[ScopeKey]) -> Rows:
        """Active memories of these scope keys, all of one tier."""
        if not scopes:
            return census.rows[:0]
        of_tier = census.rows["tier"] == TIERS.index(scopes[0].tier)
        rows = census.rows[of_tier & (census.rows["forgotten"] == STILL_ACTIVE)]
        own = [one for one in scopes if one.workspace_id == self._transaction.workspace_id]
        found: Rows = rows[_in_rooms(census, rows, own)]
        return found

    def _census(self, model_id: str, as_of: datetime) -> Census:
        # A day more than is drawn: the array is kept while the window moves on.
        horizon = to_ms(as_of - (GROWTH_DAYS + 1) * _DAY)

        def rows(since: int | None) -> Iterator[Sequence[Any]]:
            return census_rows(self._transaction, model_id, since=since, forgotten_after=horizon)

        def refresh(earlier: Census, since: int, _is_next: bool) -> Census:  # noqa: FBT001
            return earlier.with_changes(rows(since))

        return self._resident.current(
            self._transaction, model_id, build=lambda: Census.of(rows(None)), refresh=refresh
        )


def _in_rooms(census: Census, rows: Rows, scopes: Sequence[ScopeKey]) -> Mask:
    """Which rows belong to these scope keys."""
    numbers = [census.rooms[one.key] for one in scopes if one.key in census.rooms]
    found: Mask = np.isin(rows["room"], np.array(numbers, np.int32))
    return found


def _relevance(rows: Rows, rate: float, as_of: datetime) -> FloatArray:
    return relevance_at(
        as_of, rate, rows["importance"], rows["touched"], rows["access_count"], rows["pinned"]
    )


def _deserving(rows: Rows, kind: AttentionKind, relevance: FloatArray) -> Mask:
    """What ``domain.attention.deserves_attention`` says, over active rows."""
    match kind:
        case AttentionKind.UNREADABLE:
            mask = rows["unreadable"]
        case AttentionKind.BELOW_THRESHOLD:
            mask = rows["short_term"] & (relevance < THRESHOLD)
        case AttentionKind.WAITING_FOR_EMBEDDING:
            mask = rows["retrievable"] & ~rows["embedded"]
        case AttentionKind.NEVER_READ:
            mask = rows["retrievable"] & (rows["access_count"] == 0)
        case AttentionKind.READY_TO_PROMOTE:
            is_used = rows["access_count"] > PROMOTE_READS_ABOVE
            mask = rows["short_term"] & is_used & (relevance > PROMOTE_ABOVE)
    result: Mask = mask
    return result


def _bands(relevance: FloatArray) -> dict[RelevanceBand, int]:
    counts: dict[RelevanceBand, int] = {}
    above = 0
    for band, floor in BAND_FLOORS.items():
        reached = int((relevance >= floor).sum())
        counts[band] = reached - above
        above = reached
    return counts


def _growth(rows: Rows, as_of: datetime) -> tuple[int, ...]:
    """Active memories at each of the last days, the last one now."""
    days = [to_ms(as_of - age * _DAY) for age in range(GROWTH_DAYS, -1, -1)]
    written = np.searchsorted(np.sort(rows["created"]), days, side="right")
    gone = np.searchsorted(np.sort(rows["forgotten"]), days, side="right")
    # What was forgotten before it was written, by a clock that ran backwards, never counts less
    # than nothing.
    return tuple(max(0, int(n)) for n in written - gone)
