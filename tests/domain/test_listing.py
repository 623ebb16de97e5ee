from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.listing import (
    EVERYTHING,
    MemoryFilter,
    MemorySort,
    MemoryState,
    RelevanceBand,
    band_of,
    group_key,
)
from inklings_desktop.domain.memory import Curator
from tests.support.builders import a_memory
from tests.support.time_zones import standing_in


@pytest.mark.parametrize(
    ("relevance", "band"),
    [
        (3.4, RelevanceBand.VIVID),
        (1.0, RelevanceBand.VIVID),
        (0.9999999, RelevanceBand.STEADY),
        (0.3, RelevanceBand.STEADY),
        (0.2999999, RelevanceBand.FADING),
        (0.01, RelevanceBand.FADING),
        (0.0099999, RelevanceBand.NEARLY_GONE),
        (0.0, RelevanceBand.NEARLY_GONE),
        (math.nan, RelevanceBand.NEARLY_GONE),
    ],
)
def test_a_floor_belongs_to_the_band_above(relevance: float, band: RelevanceBand) -> None:
    assert band_of(relevance) is band


@pytest.mark.parametrize(
    ("importance", "key"),
    [(0.0, "0.0"), (0.05, "0.0"), (0.1, "0.1"), (0.29, "0.2"), (0.3, "0.3"), (0.6, "0.6"),
     (0.7, "0.7"), (0.8999, "0.8"), (0.9, "0.9"), (1.0, "0.9")],
)  # fmt: skip
def test_importance_is_grouped_by_tenths(importance: float, key: str) -> None:
    assert group_key(a_memory(importance=importance), MemorySort.IMPORTANCE, 0.0) == key


def test_every_order_has_its_headings() -> None:
    read = a_memory(
        created_at=datetime(2025, 12, 31, 23, 59, tzinfo=UTC),
        accessed_at=datetime(2026, 1, 1, 0, 0, tzinfo=UTC),
        importance=0.4,
    )
    with standing_in("UTC"):
        keys = {sort: group_key(read, sort, 0.5) for sort in MemorySort}
    assert keys == {
        MemorySort.NEWEST: "2025-12",
        MemorySort.OLDEST: "2025-12",
        MemorySort.LAST_READ: "2026-01",
        MemorySort.RELEVANCE: "steady",
        MemorySort.IMPORTANCE: "0.4",
    }
    assert group_key(a_memory(), MemorySort.LAST_READ, 0.0) == "never"


@pytest.mark.parametrize("bound", [-0.1, 1.1, math.nan, math.inf])
def test_bounds_outside_zero_to_one_are_refused(bound: float) -> None:
    with pytest.raises(InvalidValueError) as caught:
        MemoryFilter(importance_min=bound)
    assert caught.value.field == "importance"
    with pytest.raises(InvalidValueError):
        MemoryFilter(importance_max=bound)


@pytest.mark.parametrize(
    ("where", "selects"),
    [
        (EVERYTHING, False),
        (MemoryFilter(state=MemoryState.FORGOTTEN), False),
        (MemoryFilter(sources=frozenset({"user"})), True),
        (MemoryFilter(curators=frozenset({Curator.AGENT})), True),
        (MemoryFilter(tags=frozenset({"a"})), True),
        (MemoryFilter(importance_min=0.1), True),
        (MemoryFilter(importance_max=0.9), True),
        (MemoryFilter(without_embedding=True), True),
    ],
)
def test_a_filter_knows_whether_it_selects(where: MemoryFilter, *, selects: bool) -> None:
    assert where.selects_by_value is selects


def test_a_list_of_things_worth_a_look_is_a_filter_by_value() -> None:
    assert not MemoryFilter().selects_by_value
    assert MemoryFilter(attention=AttentionKind.NEVER_READ).selects_by_value
    assert MemoryFilter(sequences=frozenset()).selects_by_value
