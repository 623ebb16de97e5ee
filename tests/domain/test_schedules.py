"""Test 58 ``activity_catch_up`` and 59 ``activity_dst``: when an activity is due."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.background.schedules import (
    LATE,
    Form,
    Missed,
    Schedule,
    first_shown,
    may_begin,
    missed,
    next_due,
    on_wall,
    schedule_of,
    stored_schedule,
)
from inklings_desktop.domain.errors import InvalidValueError
from tests.support.time_zones import RULES, standing_in

BERLIN = "Europe/Berlin"
DAY = timedelta(days=1)
NEVER_AT_NIGHT = (time(6, 30), time(23, 30))
ZONES = st.sampled_from(
    ["", BERLIN, "America/St_Johns", "Africa/Cairo", "Pacific/Chatham", "Pacific/Apia", "UTC"]
)
TIMES = st.times().map(lambda one: one.replace(second=0, microsecond=0))
BEGUN, ENDED = (datetime.fromisoformat(f"{year}-01-01") for year in (1996, 2060))
INSTANTS = st.datetimes(BEGUN, ENDED).map(lambda one: one.replace(tzinfo=UTC))
BY_THE_WALL = st.one_of(
    st.builds(Schedule, st.just(Form.DAILY), TIMES, zone=ZONES),
    st.builds(
        Schedule,
        st.just(Form.WEEKLY),
        TIMES,
        st.sets(st.integers(1, 7), min_size=1).map(lambda one: tuple(sorted(one))),
        zone=ZONES,
    ),
    st.builds(Schedule, st.just(Form.MONTHLY), TIMES, st.tuples(st.integers(1, 31)), zone=ZONES),
)
EVERY = st.builds(Schedule, st.just(Form.EVERY), n=st.integers(15, 10_080))


def at(said: str) -> datetime:
    return datetime.fromisoformat(said).replace(tzinfo=UTC)


def due(schedule: dict[str, Any], after: str, zone: str = BERLIN) -> str:
    found = next_due(schedule_of(schedule, zone), at(after))
    return "" if found is None else f"{on_wall(found, zone):%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("schedule", "after", "wanted"),
    [
        ({"daily": "10:30"}, "2026-01-05T09:30", "2026-01-06 10:30"),
        ({"daily": "10:30"}, "2026-01-05T09:29", "2026-01-05 10:30"),
        ({"weekly": [2], "at": "10:30"}, "2026-03-10T09:30", "2026-03-17 10:30"),
        ({"weekly": [1, 7], "at": "21:00"}, "2026-03-08T20:00", "2026-03-09 21:00"),
        ({"monthly": 1, "at": "09:00"}, "2026-01-15T00:00", "2026-02-01 09:00"),
        ({"monthly": 31, "at": "09:00"}, "2026-02-01T00:00", "2026-02-28 09:00"),
        ({"once": "2026-03-10T10:30"}, "2026-03-10T09:00", "2026-03-10 10:30"),
        ({"once": "2026-03-10T10:30"}, "2026-03-10T09:30", ""),
        ({"every_minutes": 15}, "2026-03-10T09:30", "2026-03-10 10:45"),
        ({"after_new": 3}, "2026-03-10T09:30", ""),
    ],
)
def test_when_each_form_is_due(schedule: dict[str, Any], after: str, wanted: str) -> None:
    assert due(schedule, after) == wanted


def test_activity_dst_a_time_that_does_not_exist_runs_at_the_next_minute_that_does() -> None:
    # On 29 March 2026 the wall in Berlin goes from 01:59 to 03:00.
    assert due({"daily": "02:30"}, "2026-03-28T12:00") == "2026-03-29 03:00"
    assert due({"daily": "02:30"}, "2026-03-29T01:00") == "2026-03-30 02:30"


def test_activity_dst_a_day_that_does_not_exist_runs_when_the_next_one_begins() -> None:
    # Samoa had no 30 December 2011.
    apia = {"weekly": [5], "at": "10:30"}
    assert due(apia, "2011-12-29T12:00", "Pacific/Apia") == "2011-12-31 00:00"


def test_activity_dst_a_time_that_occurs_twice_runs_once() -> None:
    # On 25 October 2026 the wall in Berlin shows 02:30 at 00:30 and at 01:30 UTC.
    daily = schedule_of({"daily": "02:30"}, BERLIN)
    first = next_due(daily, at("2026-10-24T12:00"))
    assert first == at("2026-10-25T00:30")
    assert next_due(daily, first) == at("2026-10-26T01:30")


@pytest.mark.parametrize("zone", sorted(RULES))
def test_activity_dst_holds_where_this_machine_is(zone: str) -> None:
    with standing_in(zone):
        daily, day = Schedule(Form.DAILY, time(2, 15)), at("2026-01-01T00:00")
        seen = []
        for _ in range(365):
            found = next_due(daily, day)
            assert found is not None
            day = found
            seen.append(on_wall(day))
    assert [one.date().toordinal() for one in seen] == list(
        range(seen[0].date().toordinal(), seen[0].date().toordinal() + 365)
    )
    assert {one.time() for one in seen} <= {time(2, 15), time(3, 0), time(3, 45)}


@given(BY_THE_WALL, INSTANTS)
def test_the_next_time_is_later_and_none_lies_between(schedule: Schedule, after: datetime) -> None:
    found = next_due(schedule, after)
    assert found is not None
    assert found > after
    halfway = after + (found - after) / 2
    assert next_due(schedule, halfway) == found


@given(BY_THE_WALL, INSTANTS)
def test_the_wall_shows_the_time_unless_it_skips_it(schedule: Schedule, after: datetime) -> None:
    found = next_due(schedule, after)
    assert found is not None
    wall = on_wall(found, schedule.zone)
    if wall.time() != schedule.at:
        meant = datetime.combine(wall.date(), schedule.at)
        if meant > wall:
            meant -= DAY
        # Whatever lies between was never on the wall.
        assert first_shown(meant, schedule.zone) == found


@given(st.one_of(BY_THE_WALL, EVERY), INSTANTS, st.timedeltas(timedelta(0), timedelta(days=60)))
def test_activity_catch_up_counts_every_missed_time_once(
    schedule: Schedule, before: datetime, gone: timedelta
) -> None:
    first = next_due(schedule, before)
    assert first is not None
    now = first + gone
    times, one = [], first
    while one <= now:
        times.append(one)
        following = next_due(schedule, one)
        assert following is not None
        one = following
    wanted = Missed(len(times), first) if gone >= LATE else None
    assert missed(schedule, first, now) == wanted


def test_activity_catch_up_of_a_week_is_one_run_that_says_so() -> None:
    weekday = schedule_of({"weekly": [1, 2, 3, 4, 5], "at": "07:00"}, BERLIN)
    monday = at("2026-03-02T06:00")
    assert missed(weekday, monday, at("2026-03-09T09:00")) == Missed(6, monday)
    assert next_due(weekday, at("2026-03-09T09:00")) == at("2026-03-10T06:00")


@pytest.mark.parametrize(
    ("now", "begins"),
    [
        ("2026-03-10T09:35", "2026-03-10T09:30"),
        ("2026-03-10T20:00", "2026-03-10T09:30"),
        ("2026-03-10T22:30", "2026-03-11T05:30"),
        ("2026-03-11T02:00", "2026-03-11T05:30"),
        ("2026-03-11T05:30", "2026-03-10T09:30"),
    ],
)
def test_a_missed_run_is_never_made_up_for_at_night(now: str, begins: str) -> None:
    daily = schedule_of({"daily": "10:30"}, BERLIN)
    assert daily.hours == NEVER_AT_NIGHT
    assert may_begin(daily, at("2026-03-10T09:30"), at(now)) == at(begins)


def test_a_run_that_belongs_to_the_night_is_in_time_then() -> None:
    nightly = schedule_of({"daily": "02:30"}, BERLIN)
    assert may_begin(nightly, at("2026-03-10T01:30"), at("2026-03-10T01:31")) == at(
        "2026-03-10T01:30"
    )


def test_hours_of_its_own_may_span_midnight() -> None:
    owl = schedule_of({"daily": "10:30", "missed": ["22:00", "04:00"]}, "UTC")
    before = at("2026-03-10T10:30")
    assert may_begin(owl, before, at("2026-03-11T03:59")) == before
    assert may_begin(owl, before, at("2026-03-11T04:00")) == at("2026-03-11T22:00")


@given(
    st.one_of(
        BY_THE_WALL,
        EVERY,
        st.builds(Schedule, st.just(Form.AFTER_NEW), n=st.integers(1, 1_000)),
        st.builds(
            Schedule,
            st.just(Form.ONCE),
            once=st.datetimes(BEGUN).map(lambda one: one.replace(second=0, microsecond=0)),
        ),
    ),
    st.tuples(TIMES, TIMES),
)
def test_what_is_stored_is_read_again(schedule: Schedule, hours: tuple[time, time]) -> None:
    whole = Schedule(
        schedule.form,
        schedule.at if schedule.form in {Form.DAILY, Form.WEEKLY, Form.MONTHLY} else time(9),
        schedule.days,
        schedule.n,
        schedule.once,
        schedule.zone,
        hours,
    )
    assert schedule_of(stored_schedule(whole), whole.zone) == whole


@pytest.mark.parametrize(
    ("said", "field"),
    [
        (None, "schedule"),
        ({}, "schedule"),
        ({"daily": "10:30", "weekly": [1], "at": "10:30"}, "schedule"),
        ({"daily": "10:30", "at": "10:30"}, "schedule"),
        ({"weekly": [1]}, "schedule"),
        ({"weekly": [], "at": "10:30"}, "days"),
        ({"weekly": [0], "at": "10:30"}, "schedule"),
        ({"monthly": 32, "at": "10:30"}, "schedule"),
        ({"monthly": True, "at": "10:30"}, "schedule"),
        ({"daily": "24:00"}, "at"),
        ({"daily": "9:00"}, "at"),
        ({"once": "2026-02-30T10:30"}, "once"),
        ({"once": None}, "once"),
        ({"every_minutes": 14}, "schedule"),
        ({"after_new": 0}, "schedule"),
        ({"daily": "10:30", "missed": ["06:30"]}, "missed"),
        ({"daily": "10:30", "missed": ["06:30", "never"]}, "missed"),
    ],
)
def test_what_is_no_schedule_is_refused(said: object, field: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        schedule_of(said)
    assert refused.value.field == field


def test_the_calendar_ends() -> None:
    last = datetime(9999, 12, 31, 23, 0, tzinfo=UTC)
    assert next_due(schedule_of({"daily": "10:30"}, "UTC"), last) is None
