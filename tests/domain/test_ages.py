from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from inklings_desktop.domain.ages import age

NOW = datetime(2026, 3, 14, 10, 36, tzinfo=UTC)


@pytest.mark.parametrize(
    ("elapsed", "shown"),
    [
        (timedelta(seconds=-5), "now"),
        (timedelta(seconds=59), "now"),
        (timedelta(minutes=6, seconds=50), "6 min"),
        (timedelta(hours=5, minutes=59), "5 h"),
        (timedelta(days=13), "13 d"),
        (timedelta(days=220), "7 mo"),
        (timedelta(days=438), "1.2 y"),
    ],
)
def test_age_is_told_in_one_unit(elapsed: timedelta, shown: str) -> None:
    assert age(NOW - elapsed, NOW) == shown
