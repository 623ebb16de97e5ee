"""When an activity is due: by the clock on a wall, or by what was written.

An author means what the wall shows: a daily run at half past ten stays there when summer time
comes. A time that a wall skips is due at the next minute that it shows, and one that it shows twice
is due once, the first time. However many runs were missed, one makes up for all of them.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass

LEAST_MINUTES, MOST_MINUTES = 15, 7 * 24 * 60
MOST_NEW = 1_000
LATE = timedelta(minutes=10)
"""A run that begins so long after its time was missed."""
CATCH_UP_HOURS = (time(6, 30), time(23, 30))
"""Between these a missed run is made up for, unless the activity says otherwise: never at night."""
_LONGEST_GAP_MINUTES = 25 * 60
"""A wall may skip a whole day, as in Samoa once."""
_LOOK_AHEAD_DAYS = 70
_MOST_COUNTED = 10_000
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")


class Form(StrEnum):
    """How a schedule is said; each is its key in the stored schedule."""

    EVERY = "every_minutes"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    ONCE = "once"
    AFTER_NEW = "after_new"


@dataclass(frozen=True, slots=True)
class Schedule:
    """When an activity is due.

    Attributes:
        form: How it is said; the other fields are those that it needs.
        at: The time on the wall.
        days: Days of the week, 1 for Monday to 7; or the one day of the month. A month that ends
            before that day has it as its last.
        n: Minutes between two runs, or new memories in the channel that bring one.
        once: The only time, on the wall.
        zone: Where the wall hangs, as in the time zone database; empty for this machine.
        hours: Between which a missed run is made up for; the first may be later than the second.
    """

    form: Form
    at: time = time(9, 0)
    days: tuple[int, ...] = ()
    n: int = 0
    once: datetime | None = None
    zone: str = ""
    hours: tuple[time, time] = CATCH_UP_HOURS


@dataclass(frozen=True, slots=True)
class Missed:
    """What one run makes up for.

    Attributes:
        n: Times that it was due and did not run, this one included.
        since: The first of them, UTC.
    """

    n: int
    since: datetime


def schedule_of(said: object, zone: str = "") -> Schedule:
    """A schedule as it is stored or proposed.

    Args:
        said: One of ``{"every_minutes": n}``, ``{"daily": "HH:MM"}``, ``{"weekly": [1..7], "at":
            "HH:MM"}``, ``{"monthly": 1..31, "at": "HH:MM"}``, ``{"once": "YYYY-MM-DDTHH:MM"}``,
            ``{"after_new": n}``; with ``"missed": ["HH:MM", "HH:MM"]`` where others than the usual
            hours are meant.
        zone: Name of a time zone; empty for that of this machine. One that is not known here
            counts as this machine's: where the schedule was made it was.

    Raises:
        InvalidValueError: It is none of these.
    """
    known = [one for one in Form if isinstance(said, dict) and one.value in said]
    if len(known) != 1 or not isinstance(said, dict):
        raise InvalidValueError("schedule", "form")
    [form] = known
    value, hours = said[form.value], CATCH_UP_HOURS
    needed = {form.value} | ({"at"} if form in {Form.WEEKLY, Form.MONTHLY} else set())
    if said.keys() - {"missed"} != needed:
        raise InvalidValueError("schedule", "form")
    if "missed" in said:
        if not isinstance(said["missed"], list) or len(said["missed"]) != 2:  # noqa: PLR2004 - a pair
            raise InvalidValueError("missed", "time")
        hours = _time(said["missed"][0], "missed"), _time(said["missed"][1], "missed")
    match form:
        case Form.EVERY:
            n = _whole(value, LEAST_MINUTES, MOST_MINUTES)
            return Schedule(form, n=n, zone=zone, hours=hours)
        case Form.AFTER_NEW:
            return Schedule(form, n=_whole(value, 1, MOST_NEW), zone=zone, hours=hours)
        case Form.DAILY:
            return Schedule(form, _time(value), zone=zone, hours=hours)
        case Form.ONCE:
            return Schedule(form, once=_moment(value), zone=zone, hours=hours)
        case Form.WEEKLY:
            if not isinstance(value, list) or not value:
                raise InvalidValueError("days", "empty")
            days = tuple(sorted({_whole(one, 1, 7) for one in value}))
        case Form.MONTHLY:
            days = (_whole(value, 1, 31),)
    return Schedule(form, _time(said["at"]), days, zone=zone, hours=hours)


def stored_schedule(schedule: Schedule) -> dict[str, object]:
    """The same as it is stored; ``schedule_of`` reads it again."""
    at = _said(schedule.at)
    match schedule.form:
        case Form.EVERY | Form.AFTER_NEW:
            found: dict[str, object] = {schedule.form.value: schedule.n}
        case Form.DAILY:
            found = {schedule.form.value: at}
        case Form.ONCE:
            assert schedule.once is not None
            found = {schedule.form.value: schedule.once.isoformat(timespec="minutes")}
        case Form.WEEKLY:
            found = {schedule.form.value: list(schedule.days), "at": at}
        case Form.MONTHLY:
            found = {schedule.form.value: schedule.days[0], "at": at}
    if schedule.hours != CATCH_UP_HOURS:
        found["missed"] = [_said(one) for one in schedule.hours]
    return found


def checked_zone(name: object) -> str:
    """The name of a time zone; empty for that of this machine.

    Raises:
        InvalidValueError: No such zone is known here.
    """
    if not isinstance(name, str):
        raise InvalidValueError("timezone", "type")
    if name and _there(name) is None:
        raise InvalidValueError("timezone", "unknown")
    return name


def next_due(schedule: Schedule, after: datetime) -> datetime | None:
    """When it is due next, later than an instant, in UTC; None where no clock brings it again.

    Args:
        schedule: When it is due.
        after: As a rule when it ran last, or was made; aware.
    """
    try:
        match schedule.form:
            case Form.AFTER_NEW:
                return None
            case Form.EVERY:
                return after + timedelta(minutes=schedule.n)
            case Form.ONCE:
                assert schedule.once is not None
                at = first_shown(schedule.once, schedule.zone)
                return at if at > after else None
        # From the day before: what a wall skips may be due on the day after.
        day = on_wall(after, schedule.zone).date() - timedelta(days=1)
        for _ in range(_LOOK_AHEAD_DAYS):
            if _is_on(schedule, day):
                at = first_shown(datetime.combine(day, schedule.at), schedule.zone)
                if at > after:
                    return at
            day += timedelta(days=1)
    except (OverflowError, ValueError):  # the calendar ends
        return None
    return None


def missed(schedule: Schedule, due: datetime, now: datetime) -> Missed | None:
    """What a run that begins now makes up for; None where it is in time.

    Args:
        schedule: When it is due.
        due: When it was due first and did not run.
        now: When it begins; both aware.
    """
    if now - due < LATE:
        return None
    if schedule.form is Form.EVERY:
        return Missed((now - due) // timedelta(minutes=schedule.n) + 1, due)
    n, at = 0, due
    while at <= now and n < _MOST_COUNTED:
        n += 1
        following = next_due(schedule, at)
        if following is None:
            break
        at = following
    return Missed(n, due)


def may_begin(schedule: Schedule, due: datetime, now: datetime) -> datetime:
    """When a run may begin that was due: at once, or once the hours for missed ones have come."""
    if now - due < LATE:
        return due
    begin, end = schedule.hours
    wall = on_wall(now, schedule.zone)
    at = wall.time()
    is_open = begin <= at < end if begin < end else not end <= at < begin
    if begin == end or is_open:
        return due
    day = wall.date() + timedelta(days=at >= begin)
    return first_shown(datetime.combine(day, begin), schedule.zone)


def on_wall(at: datetime, zone: str = "") -> datetime:
    """What a wall shows at an instant, without a zone.

    Args:
        at: Aware.
        zone: Where the wall hangs; empty for this machine.
    """
    return at.astimezone(_there(zone)).replace(tzinfo=None, fold=0)


def first_shown(wall: datetime, zone: str = "") -> datetime:
    """The first instant at which a wall shows this, or the next minute that it does show; UTC.

    Args:
        wall: To the minute, without a zone.
        zone: Where the wall hangs; empty for this machine.

    Raises:
        OverflowError: It lies outside the calendar.
    """
    there = _there(zone)
    for minutes in range(_LONGEST_GAP_MINUTES):
        shown = wall + timedelta(minutes=minutes)
        at = shown.replace(tzinfo=there).astimezone(UTC)
        if on_wall(at, zone) == shown:
            return at
    raise OverflowError(wall)


def _there(zone: str) -> tzinfo | None:
    """The zone of this name; None for that of this machine, and where none is known by it."""
    if not zone:
        return None
    from zoneinfo import ZoneInfo  # brings much, for few

    try:
        return ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        return None


def _is_on(schedule: Schedule, day: date) -> bool:
    match schedule.form:
        case Form.WEEKLY:
            return day.isoweekday() in schedule.days
        case Form.MONTHLY:
            return day.day == min(schedule.days[0], monthrange(day.year, day.month)[1])
    return True


def _time(said: object, field: str = "at") -> time:
    if not isinstance(said, str) or _TIME.fullmatch(said) is None:
        raise InvalidValueError(field, "time")
    return time(int(said[:2]), int(said[3:]))


def _said(at: time) -> str:
    return at.isoformat(timespec="minutes")


def _moment(said: object) -> datetime:
    try:
        found = datetime.strptime(said if isinstance(said, str) else "", "%Y-%m-%dT%H:%M")  # noqa: DTZ007 - what a wall shows
    except ValueError:
        raise InvalidValueError("once", "time") from None
    return found


def _whole(said: object, least: int, most: int) -> int:
    if isinstance(said, bool) or not isinstance(said, int) or not least <= said <= most:
        raise InvalidValueError("schedule", "range", f"{least} to {most:,}")
    return said
