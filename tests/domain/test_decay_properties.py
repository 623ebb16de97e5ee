from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.memories.decay import relevance, relevances

importances = st.floats(0.0, 1.0)
rates = st.floats(1e-9, 1.0)
any_hours = st.floats(allow_nan=True, allow_infinity=True)
hours = st.floats(0.0, 1e6)
reads = st.integers(0, 10**12)


@given(importances, rates, any_hours, st.integers(-(10**6), 10**12))
def test_relevance_is_finite_and_never_negative(
    importance: float, rate: float, age: float, count: int
) -> None:
    result = relevance(importance, rate, age, count)
    assert math.isfinite(result)
    assert result >= 0.0


@given(importances, rates, hours, hours, reads)
def test_relevance_never_rises_with_age(
    importance: float, rate: float, one: float, other: float, count: int
) -> None:
    younger, older = sorted((one, other))
    assert relevance(importance, rate, older, count) <= relevance(importance, rate, younger, count)


@given(importances, rates, hours, reads, reads)
def test_relevance_never_falls_with_reads(
    importance: float, rate: float, age: float, one: int, other: int
) -> None:
    fewer, more = sorted((one, other))
    assert relevance(importance, rate, age, fewer) <= relevance(importance, rate, age, more)


@given(
    rates,
    st.lists(st.tuples(importances, any_hours, st.integers(-5, 10**9)), max_size=30),
)
def test_arrays_and_scalars_agree(rate: float, rows: list[tuple[float, float, int]]) -> None:
    importance = np.array([row[0] for row in rows], dtype=np.float64)
    age = np.array([row[1] for row in rows], dtype=np.float64)
    count = np.array([row[2] for row in rows], dtype=np.float64)
    expected = [relevance(row[0], rate, row[1], row[2]) for row in rows]
    np.testing.assert_allclose(
        relevances(importance, rate, age, count), expected, rtol=1e-12, atol=1e-300
    )
