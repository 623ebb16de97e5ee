"""The load on the agent's door, reduced: what must never happen is judged, figures are not."""

from __future__ import annotations

import pytest

from benchmarks import agent_load

NOBODY_STANDS_STILL_MS = 5_000.0


@pytest.mark.slow
@pytest.mark.end2end
def test_many_agents_at_once_lose_nothing_while_the_window_is_used() -> None:
    # A failed call, a lost write or a read that is not counted exactly once raises.
    report = agent_load.measure(100, 3, 6, 2)
    settings = report.settings
    assert settings["errors"] == settings["lost"] == 0
    assert settings["writes"] > 0
    assert settings["matches, each counted once"] > 0
    read, *_ = report.rows
    (busy,) = (row for row in report.rows if "window" in row.path)
    assert read.ours < NOBODY_STANDS_STILL_MS
    assert busy.ours < NOBODY_STANDS_STILL_MS


@pytest.mark.parametrize(
    ("percent", "value"), [(1, 1.0), (50, 5.0), (95, 10.0), (90, 9.0), (100, 10.0)]
)
def test_percentiles_go_by_nearest_rank(percent: int, value: float) -> None:
    assert agent_load.percentile([float(n) for n in range(10, 0, -1)], percent) == value
