"""Figures of whole tiers, computed from one array of the file that stays in memory."""

from __future__ import annotations

from datetime import timedelta
from itertools import repeat
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
from sqlalchemy import (
    CheckConstraint,
    Integer,
    Text,
    and_,
    case,
    exists,
    func,
    literal_column,
    or_,
    select,
)

from inklings_desktop.domain.memories.decay import (
    PROMOTE_ABOVE,
    PROMOTE_READS_ABOVE,
    THRESHOLD,
    AttentionKind,
)
from inklings_desktop.domain.memories.listing import BAND_FLOORS
from inklings_desktop.domain.memories.overview import GROWTH_DAYS, TierOverview
from inklings_desktop.domain.memory import Lifetime, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.rehearsal import TierShift
from inklings_desktop.storage.engine.maintenance import LossyText
from inklings_desktop.storage.rows.memories import of_sensible_rows, to_ms
from inklings_desktop.storage.rows.snapshot import TOUCHED
from inklings_desktop.storage.schema.tables import memories, memory_vectors
from inklings_desktop.storage.search.conditions import (
    changed_since,
    in_order,
    is_active,
    is_retrievable,
)
from inklings_desktop.storage.search.figures import relevance_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memories.decay import DecayConfig, FloatArray
    from inklings_desktop.domain.memories.listing import RelevanceBand
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.storage.rows.transaction import Transaction
    from inklings_desktop.storage.search.resident import ResidentCache

    Mask = npt.NDArray[np.bool_]
    Rows = npt.NDArray[Any]

TIERS = tuple(Tier)
PART = 1_000
"""Rows that are read in one piece."""
STILL_ACTIVE = np.iinfo(np.int64).max
"""Stands for the instant of forgetting where there is none."""

ROW = np.dtype(
    [
        ("sequence", np.int64),
        ("tier", np.int8),
        ("room", np.int32),
        ("importance", np.float64),
        ("touched", np.int64),
        ("created", np.int64),
        ("forgotten", np.int64),
        ("access_count", np.float64),
        ("pinned", np.bool_),
        ("short_term", np.bool_),
        ("retrievable", np.bool_),
        ("embedded", np.bool_),
        ("unreadable", np.bool_),
    ]
)
"""One memory; ``room`` is the place of its scope key among all of them."""


_RULES = [
    rule.sqltext
    for rule in memories.constraints
    if isinstance(rule, CheckConstraint)
    and rule.name
    in {"lifetime_known", "curator_known", "imported_curator", "tags_array", "derived_from_array"}
]
_TEXTS = [one for one in memories.c if isinstance(one.type, Text)]
_NO_TIER = -1
"""Of a memory whose tier damage made nonsense of: it stands in the figures of none."""
_TIER_NUMBERS = {tier.value: number for number, tier in enumerate(TIERS)}


@dataclass(frozen=True, slots=True)
class Census:
    """Every active memory of one file and those forgotten lately, in order of sequence.

    Attributes:
        rooms: Numbers of the scope keys, by which ``room`` of a row is told.
        rows: Of type ``ROW``, shape (n_entries,).
    """

    rooms: Mapping[str, int]
    rows: npt.NDArray[Any]

    @classmethod
    def of(cls, found: Iterable[Sequence[Any]], rooms: Mapping[str, int] | None = None) -> Self:
        """The census of rows as ``census_rows`` gives them."""
        numbers = dict(rooms or {})
        parts = [_part(rows, numbers) for rows in found]
        return cls(numbers, np.concatenate(parts) if parts else np.empty(0, ROW))

    def with_changes(self, found: Iterable[Sequence[Any]]) -> Self:
        """This census with changed rows replaced and new ones in their place."""
        changed = type(self).of(found, self.rooms)
        if not len(changed.rows):
            return self
        kept = self.rows[~np.isin(self.rows["sequence"], changed.rows["sequence"])]
        rows = np.concatenate([kept, changed.rows])
        order = np.argsort(rows["sequence"], kind="stable")
        return type(self)(changed.rooms, rows[order])


@of_sensible_rows
def _part(found: Sequence[Any], numbers: dict[str, int]) -> npt.NDArray[Any]:
    """Some rows as an array; scope keys that are new get a number."""
    rows = np.empty(len(found), ROW)
    columns = list(zip(*found, strict=True))
    rows["tier"] = [_TIER_NUMBERS.get(one, _NO_TIER) for one in columns[1]]
    rows["room"] = [numbers.setdefault(one, len(numbers)) for one in columns[2]]
    rows["forgotten"] = [STILL_ACTIVE if one is None else one for one in columns[6]]
    rows["unreadable"] = [
        type(texts) is LossyText or is_json == 0
        for texts, is_json in zip(*columns[12:], strict=True)
    ]
    for place, name in enumerate(ROW.names or ()):
        if name not in {"tier", "room", "forgotten", "unreadable"}:
            rows[name] = columns[place]
    return rows


def census_rows(
    transaction: Transaction, model_id: str, *, since: int | None, forgotten_after: int
) -> Iterator[Sequence[Any]]:
    """What a census is made of, some rows at a time.

    A long list in one piece would be made without letting another thread in: the window stood
    still for half a second at 100,000 memories.

    Args:
        model_id: Whose vectors count.
        since: Only what changed after this number; None for everything.
        forgotten_after: What was forgotten before this instant, in milliseconds since 1970, is
            left out, unless it changed.
    """
    has_vector = exists(
        select(memory_vectors.c.sequence).where(
            memory_vectors.c.sequence == memories.c.sequence,
            memory_vectors.c.model_id == model_id,
        )
    )
    statement = select(
        memories.c.sequence,
        memories.c.tier,
        memories.c.scope_key,
        memories.c.importance,
        literal_column(TOUCHED, Integer),
        memories.c.created_at,
        memories.c.forgotten_at,
        memories.c.access_count,
        memories.c.pinned,
        memories.c.lifetime == Lifetime.SHORT_TERM.value,
        is_retrievable,
        has_vector,
        # Whatever cannot be read is paused, so that the texts of the others are not asked for.
        case((memories.c.paused == 1, func.concat(*_TEXTS))),
        case((memories.c.paused == 1, and_(*map(func.ifnull, _RULES, repeat(1))))),
    )
    if since is None:
        is_shown = or_(is_active, memories.c.forgotten_at > forgotten_after)
        ordered = statement.where(is_shown).order_by(memories.c.sequence)
    else:
        ordered = statement.where(changed_since(since)).order_by(in_order)
    return iter(transaction.connection.execute(ordered).partitions(PART))


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
