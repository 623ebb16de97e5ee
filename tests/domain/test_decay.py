from __future__ import annotations

import math
from datetime import timedelta

import numpy as np
import pytest

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.decay import (
    DecayConfig,
    DecayPreset,
    age_hours,
    effective_rate,
    half_life_hours,
    relevance,
    relevance_of,
    relevances,
    touched_at,
)
from inklings_desktop.domain.memory import ScopeKey, Tier
from tests.support.builders import NOON, WORKSPACE_ID, a_memory

REFERENCE = DecayPreset.REFERENCE.value
SLOW = DecayPreset.SLOW.value
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("config", "rates"),
    [
        (REFERENCE, (1.0, 0.990, 0.995, 0.998)),
        (SLOW, (0.99, 0.995, 0.998, 0.999)),
        (DecayConfig(), (1.0, 0.990, 0.995, 0.998)),
    ],
)
def test_presets_hold_the_published_rates(
    config: DecayConfig, rates: tuple[float, float, float, float]
) -> None:
    tiers = (Tier.CONVERSATION, Tier.CHANNEL, Tier.WORKSPACE, Tier.ACCOUNT)
    assert tuple(map(config.rate, tiers)) == rates


@pytest.mark.parametrize("rate", [0.0, -0.1, 1.0000001, math.nan, math.inf, -math.inf])
def test_a_rate_outside_its_range_is_refused(rate: float) -> None:
    with pytest.raises(InvalidValueError) as caught:
        DecayConfig(channel=rate)
    assert (caught.value.field, caught.value.rule) == ("decay.channel", "range")


@pytest.mark.parametrize(
    ("importance", "rate", "hours", "reads", "expected"),
    [
        (0.5, 1.0, 1000.0, 0, 0.5),
        (0.5, 0.99, 168.0, 0, 0.0924),
        (1.0, 0.99, 168.0, 0, 0.1847),
        (1.0, 0.995, 720.0, 0, 0.0271),
        (0.1, 0.995, 720.0, 0, 0.00271),
        (0.1, 0.995, 504.0, 0, 0.0080),
        (0.5, 0.995, 0.0, 1, 0.8466),
        (0.5, 0.995, 72.0, 1, 0.5901),
        (0.9, 0.998, 0.0, 3, 2.1477),
        (0.0, 0.995, 10.0, 50, 0.0),
    ],
)
def test_relevance_follows_the_formula(
    importance: float, rate: float, hours: float, reads: int, expected: float
) -> None:
    assert relevance(importance, rate, hours, reads) == pytest.approx(expected, rel=1e-2)
    assert relevance(importance, rate, hours, reads) == pytest.approx(
        importance * rate**hours * (1 + math.log(1 + reads)), rel=1e-12
    )


@pytest.mark.parametrize("hours", [-1.0, -20_000.0, -200_000.0, -math.inf, math.nan])
def test_a_clock_that_ran_backwards_counts_as_no_hours(hours: float) -> None:
    assert relevance(0.5, 0.99, hours, 0) == 0.5
    assert relevances(np.array([0.5]), 0.99, np.array([hours]), np.array([0.0]))[0] == 0.5


@pytest.mark.parametrize("hours", [1e6, 1e12, 1e308, math.inf])
def test_any_age_gives_a_finite_relevance(hours: float) -> None:
    assert relevance(1.0, 0.99, hours, 10**9) == 0.0
    assert relevance(1.0, 1.0, hours, 0) == 1.0
    assert relevances(np.array([1.0]), 0.99, np.array([hours]), np.array([1e9]))[0] == 0.0


def test_negative_reads_count_as_none() -> None:
    assert relevance(0.5, 0.99, 0.0, -1) == 0.5
    assert relevances(np.array([0.5]), 0.99, np.array([0.0]), np.array([-1.0]))[0] == 0.5


def test_arrays_without_entries_stay_empty() -> None:
    empty = np.array([], dtype=np.float64)
    assert relevances(empty, 0.99, empty, empty).shape == (0,)


@pytest.mark.parametrize(
    ("accessed", "confirmed", "imported", "expected"),
    [
        (None, None, None, 0),
        (5, None, None, 5),
        (None, 3, None, 3),
        (5, 3, None, 5),
        (3, 5, None, 5),
        (None, None, 7, 7),
        (2, None, 7, 7),
        (9, 3, 7, 9),
        (None, -4, None, 0),
    ],
)
def test_hours_count_from_the_latest_touch(
    accessed: int | None, confirmed: int | None, imported: int | None, expected: int
) -> None:
    entry = a_memory(
        created_at=NOON,
        accessed_at=None if accessed is None else NOON + accessed * HOUR,
        confirmed_at=None if confirmed is None else NOON + confirmed * HOUR,
        imported_at=None if imported is None else NOON + imported * HOUR,
    )
    assert touched_at(entry) == NOON + expected * HOUR
    assert age_hours(entry, NOON + 10 * HOUR) == 10 - expected


def test_an_age_is_never_negative() -> None:
    assert age_hours(a_memory(created_at=NOON + 3 * HOUR), NOON) == 0.0


def test_a_pinned_memory_never_fades() -> None:
    entry = a_memory(pinned=True, importance=0.7)
    assert effective_rate(entry, REFERENCE) == 1.0
    assert relevance_of(entry, REFERENCE, NOON + timedelta(days=3650)) == 0.7


def test_relevance_of_a_memory_uses_the_rate_of_its_tier() -> None:
    later = NOON + timedelta(hours=24)
    of_channel = a_memory(scope=ScopeKey.channel(WORKSPACE_ID, "c"), importance=1.0)
    of_workspace = a_memory(importance=1.0)
    of_account = a_memory(scope=ScopeKey.account(), importance=1.0)
    of_conversation = a_memory(scope=ScopeKey.conversation(WORKSPACE_ID, "c"), importance=1.0)
    entries = (of_conversation, of_channel, of_workspace, of_account)
    assert [relevance_of(entry, REFERENCE, later) for entry in entries] == pytest.approx(
        [1.0, 0.990**24, 0.995**24, 0.998**24], rel=1e-12
    )


def test_half_lives_match_their_rates() -> None:
    assert half_life_hours(1.0) == math.inf
    assert half_life_hours(0.5) == pytest.approx(1.0)
    assert relevance(1.0, 0.995, half_life_hours(0.995), 0) == pytest.approx(0.5)
