from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from inklings_desktop.domain.memories.listing import MemorySort, group_key
from inklings_desktop.domain.search.search_operators import typed_search
from inklings_desktop.domain.wall_clock import (
    midnight,
    month_key,
    month_number,
    month_start,
    on_the_wall,
)
from tests.support.builders import a_memory
from tests.support.time_zones import RULES, standing_in

FIRST = datetime(1970, 1, 1, tzinfo=UTC)
LAST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "local", "key"),
    [
        ("Europe/Berlin", "2026-03-01T00:30", "2026-03"),
        ("Europe/Berlin", "2026-07-01T01:30", "2026-07"),
        ("Pacific/Auckland", "2026-01-01T12:30", "2026-01"),
        ("America/New_York", "2025-12-31T23:30", "2025-12"),
    ],
)
def test_a_heading_is_the_month_that_the_wall_shows(zone: str, local: str, key: str) -> None:
    with standing_in(zone):
        at = datetime.fromisoformat(local).astimezone(UTC)
        written = group_key(a_memory(created_at=at), MemorySort.NEWEST, 0.0)
        read = group_key(a_memory(accessed_at=at), MemorySort.LAST_READ, 0.0)
    assert written == read == key
    assert f"{at:%Y-%m}" != key


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Pacific/Auckland"])
def test_a_heading_begins_where_the_operator_has_it(zone: str) -> None:
    """Beside the months that summer time begins or ends in, too."""
    with standing_in(zone):
        for month in range(1, 13):
            where = typed_search(f"after:2026-{month:02d}").where
            assert where.written_since == month_start(2026 * 12 + month - 1)
            for at, is_in in ((timedelta(0), True), (timedelta(milliseconds=-1), False)):
                entry = a_memory(created_at=where.written_since + at)
                key = group_key(entry, MemorySort.OLDEST, 0.0)
                assert (key == f"2026-{month:02d}") is is_in
                assert where.admits(entry) is is_in


def test_a_day_begins_by_the_clock_of_that_very_day() -> None:
    with standing_in("Europe/Berlin"):
        assert midnight(2026, 3, 29) == datetime(2026, 3, 28, 23, tzinfo=UTC)
        assert midnight(2026, 3, 30) == datetime(2026, 3, 29, 22, tzinfo=UTC)
        assert midnight(2026) == datetime(2025, 12, 31, 23, tzinfo=UTC)
    assert midnight(2026, 7, 1, timezone(timedelta(hours=2))) == datetime(
        2026, 6, 30, 22, tzinfo=UTC
    )


@pytest.mark.parametrize("zone", RULES)
def test_a_month_is_one_span(zone: str) -> None:
    """Wherever clocks are put on or back across midnight of the first: a minute is in one month."""
    with standing_in(zone):
        for year in (2009, 2011, 2024, 2026):
            for month in range(12):
                number = year * 12 + month
                begin = month_start(number)
                for minutes in (-120, -61, -31, -1):
                    assert month_number(begin + timedelta(minutes=minutes)) == number - 1
                for minutes in (0, 1, 30, 59, 61, 120):
                    assert month_number(begin + timedelta(minutes=minutes)) == number


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/New_York"])
def test_the_ends_of_the_calendar_have_a_time_of_day_and_a_month(zone: str) -> None:
    with standing_in(zone):
        shown = [on_the_wall(at) for at in (FIRST, LAST)]
        keys = [month_key(month_number(at)) for at in (FIRST, LAST)]
    assert shown == [FIRST, LAST]
    assert keys[1] == "9999-12"
    assert keys[0] in {"1969-12", "1970-01"}


def test_a_day_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="day"):
        midnight(2026, 2, 30)
