"""One page of a list: rows by keyset, and the count under each heading.

The number of statements is fixed, whatever the number of memories.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import and_, bindparam, func, not_, or_, select, text

from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.domain.memories.listing import (
    BAND_FLOORS,
    GroupCount,
    MemoryPage,
    MemorySort,
    MemoryState,
    PageCursor,
    PageOffset,
)
from inklings_desktop.domain.wall_clock import month_key, month_number, month_start
from inklings_desktop.storage.rows.memories import entry_of, from_ms, of_sensible_rows, to_ms
from inklings_desktop.storage.rows.memory_selects import SELECT_ENTRY
from inklings_desktop.storage.schema.tables import memories
from inklings_desktop.storage.search.conditions import among, in_scopes, listed, matching, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Row

    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.storage.rows.transaction import Transaction
    from inklings_desktop.storage.search.figures import FiguresIndex

NEVER_READ = -1
MAX_MONTHS = 2_400
"""Headings of a list at most; months before the last 200 years share the first one."""

_TENTHS = 10
_TENTH_SLACK = 1e-10
"""Importance a hair below a tenth counts as that tenth, as the domain's heading rule has it."""


_BY_SEQUENCE = SELECT_ENTRY.where(among(memories.c.sequence, "wanted"))


class ListQuery(NamedTuple):
    """What a list holds and how it is ordered.

    Attributes:
        scopes: Scope keys of one tier.
        where: What a memory must be.
        as_of: Instant for relevance.
        visible_to: Walls behind which it is asked, or None.
    """

    scopes: Sequence[ScopeKey]
    where: MemoryFilter
    sort: MemorySort
    decay: DecayConfig
    as_of: datetime
    visible_to: frozenset[str] | None


class _Edge(NamedTuple):
    """A heading and the half-open range of sort values under it."""

    key: str
    low: float
    high: float


def _sort_column(sort: MemorySort) -> ColumnElement[Any]:
    if sort is MemorySort.IMPORTANCE:
        return memories.c.importance
    if sort is MemorySort.LAST_READ:
        return func.ifnull(memories.c.accessed_at, text(str(NEVER_READ)))
    return memories.c.created_at


def page_by_column(
    transaction: Transaction, query: ListQuery, limit: int, after: PageCursor | PageOffset | None
) -> MemoryPage:
    """A page in an order that an index knows."""
    held = listed(query.scopes, transaction.workspace_id, query.where, query.visible_to)
    value = _sort_column(query.sort)
    chosen = select(memories.c.sequence, value.label("value")).where(held)
    if query.sort is MemorySort.OLDEST:
        chosen = chosen.order_by(value, memories.c.sequence)
        if isinstance(after, PageCursor):
            beyond = or_(value > after.value, memories.c.sequence > after.sequence)
            chosen = chosen.where(value >= after.value, beyond)
    else:
        chosen = chosen.order_by(value.desc(), memories.c.sequence.desc())
        if isinstance(after, PageCursor):
            beyond = or_(value < after.value, memories.c.sequence < after.sequence)
            chosen = chosen.where(value <= after.value, beyond)
    chosen = chosen.limit(limit + 1)
    if isinstance(after, PageOffset):
        chosen = chosen.offset(after.n_before)
    rows = transaction.connection.execute(chosen).all()
    groups = () if after is not None else _groups_by_column(transaction, query, held, value)
    return _page(transaction, query, _placed(rows), limit, after, groups)


def page_by_relevance(
    transaction: Transaction,
    figures: FiguresIndex,
    query: ListQuery,
    limit: int,
    after: PageCursor | PageOffset | None,
) -> MemoryPage:
    """A page in the order of relevance, most relevant first."""
    import numpy as np

    all_figures = figures.of_scopes(query.scopes)
    as_of = query.as_of if after is None else after.as_of
    mask = all_figures.active == (query.where.state is MemoryState.ACTIVE)
    by_kind = query.where.selects_by_kind_alone
    if by_kind:
        mask &= all_figures.are(query.where.kinds)
    if query.where.selects_by_value and not by_kind:
        statement = select(memories.c.sequence).where(
            in_scopes(query.scopes, transaction.workspace_id),
            *visible(query.visible_to),
            *matching(query.where),
        )
        allowed = transaction.connection.execute(statement).scalars().all()
        mask &= np.isin(all_figures.sequences, np.array(allowed, np.int64))
    elif query.visible_to is not None:
        # What is hidden from an agent is little; what is shown to it may be everything.
        statement = select(memories.c.sequence).where(
            in_scopes(query.scopes, transaction.workspace_id),
            not_(and_(*visible(query.visible_to))),
        )
        hidden = transaction.connection.execute(statement).scalars().all()
        mask &= ~np.isin(all_figures.sequences, np.array(hidden, np.int64))
    sequences = all_figures.sequences[mask]
    relevance = np.empty(0)
    if query.scopes:
        rate = query.decay.rate(query.scopes[0].tier)
        relevance = all_figures.relevance(rate, as_of)[mask]
    groups: tuple[GroupCount, ...] = ()
    if after is None:
        groups = _groups_by_band(relevance)
    elif isinstance(after, PageCursor):
        beyond = (relevance < after.value) | (
            (relevance == after.value) & (sequences < after.sequence)
        )
        sequences, relevance = sequences[beyond], relevance[beyond]
    skipped = after.n_before if isinstance(after, PageOffset) else 0
    n_ordered = skipped + limit + 1
    if len(relevance) > n_ordered:  # only what may be shown is put in order
        cut = np.partition(relevance, len(relevance) - n_ordered)[len(relevance) - n_ordered]
        top = relevance >= cut
        sequences, relevance = sequences[top], relevance[top]
    order = np.lexsort((-sequences, -relevance))[skipped:n_ordered]
    chosen = [(int(sequences[place]), float(relevance[place])) for place in order]
    return _page(transaction, query._replace(as_of=as_of), chosen, limit, after, groups)


def entries_of(transaction: Transaction, sequences: Sequence[int]) -> list[MemoryEntry]:
    """The memories with these sequences, in the order given."""
    if not sequences:
        return []
    rows = transaction.connection.execute(_BY_SEQUENCE, {"wanted": json.dumps(list(sequences))})
    found = {row[0]: entry_of(row, transaction.workspace_id) for row in rows}
    try:
        return [found[one] for one in sequences]
    except KeyError as error:
        # The index that the order was read from names a row that its table does not hold.
        raise DatabaseCorruptError(detail="index") from error


def _page(
    transaction: Transaction,
    query: ListQuery,
    chosen: Sequence[tuple[int, float]],
    limit: int,
    after: PageCursor | PageOffset | None,
    groups: tuple[GroupCount, ...],
) -> MemoryPage:
    """The page of the chosen rows, one more than fits when the list goes on."""
    as_of = query.as_of if after is None else after.as_of
    shown = chosen[:limit]
    entries = tuple(entries_of(transaction, [sequence for sequence, _ in shown]))
    goes_on = len(chosen) > limit and bool(shown)
    cursor = PageCursor(shown[-1][1], shown[-1][0], as_of) if goes_on else None
    total = sum(group.count for group in groups) if after is None else None
    return MemoryPage(entries, cursor, total, groups, as_of)


def _groups_by_column(
    transaction: Transaction,
    query: ListQuery,
    held: ColumnElement[bool],
    value: ColumnElement[Any],
) -> tuple[GroupCount, ...]:
    """Counts per heading: each is a range of the sort value, so an index can count it."""
    if query.sort is MemorySort.IMPORTANCE:
        edges = _tenths()
    else:
        edges = _months(transaction, held, value, with_never=query.sort is MemorySort.LAST_READ)
    edge = func.json_each(bindparam("edges")).table_valued("key", "value")
    low, high = (func.json_extract(edge.c.value, bindparam(None, f"$[{n}]")) for n in (0, 1))
    count = (
        select(func.count())
        .select_from(memories)
        .where(and_(held, value >= low, value < high))
        .correlate(edge)
        .scalar_subquery()
    )
    counted = transaction.connection.execute(
        select(edge.c.key, count).order_by(edge.c.key),
        {"edges": json.dumps([[edge.low, edge.high] for edge in edges])},
    )
    counts: dict[int, int] = {row[0]: row[1] for row in counted}
    found = [
        GroupCount(edge.key, counts[place]) for place, edge in enumerate(edges) if counts[place]
    ]
    return tuple(found if query.sort is MemorySort.OLDEST else reversed(found))


def _tenths() -> list[_Edge]:
    edges = [
        _Edge(f"{n / _TENTHS:.1f}", n / _TENTHS - _TENTH_SLACK, (n + 1) / _TENTHS - _TENTH_SLACK)
        for n in range(_TENTHS)
    ]
    return [*edges[:-1], edges[-1]._replace(high=2.0)]


@of_sensible_rows
def _placed(rows: Sequence[Row[*tuple[Any, ...]]]) -> list[tuple[int, float]]:
    """Each row by its sequence and the value that it is ordered by."""
    return [(row.sequence, float(row.value)) for row in rows]


@of_sensible_rows
def _months(
    transaction: Transaction,
    held: ColumnElement[bool],
    value: ColumnElement[Any],
    *,
    with_never: bool,
) -> list[_Edge]:
    """Months of the wall clock from the earliest to the latest instant in the list, rising."""
    instants = and_(held, value >= 0) if with_never else held
    first, last = transaction.connection.execute(
        select(
            select(func.min(value)).where(instants).scalar_subquery(),
            select(func.max(value)).where(instants).scalar_subquery(),
        )
    ).one()
    edges = [_Edge("never", NEVER_READ, 0)] if with_never else []
    if first is None:
        return edges
    earliest, latest = month_number(from_ms(first)), month_number(from_ms(last))
    start = max(earliest, latest - MAX_MONTHS + 1)
    begins = [_begin(number) for number in range(start, latest + 2)]
    months = [
        _Edge(month_key(start + place), low, high)
        for place, (low, high) in enumerate(pairwise(begins))
    ]
    months[0] = months[0]._replace(low=first)  # what was never read stands below it
    return edges + months


def _begin(number: int) -> int:
    """When a month begins; one beyond the calendar begins after every instant."""
    try:
        return to_ms(month_start(number))
    except (ValueError, OverflowError):
        return to_ms(datetime.max.replace(tzinfo=UTC)) + 1


def _groups_by_band(relevance: Any) -> tuple[GroupCount, ...]:
    counts: Counter[str] = Counter()
    above = 0
    for band, floor in BAND_FLOORS.items():
        reached = int((relevance >= floor).sum())
        counts[band.value] = reached - above
        above = reached
    return tuple(GroupCount(key, count) for key, count in counts.items() if count)
