"""Instants as the clock on the wall shows them: what a person reads or types is local time.

Stored instants stay UTC. Where this machine is, and when it has summer time, is asked anew for
every instant. Where the system cannot tell, at the ends of the calendar, UTC is taken.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo

MONTHS = 12
_SHORTEST_MONTH = 28


def on_the_wall(at: datetime) -> datetime:
    """An aware instant in the time zone of this machine."""
    try:
        return at.astimezone()
    except (OverflowError, OSError):
        return at.astimezone(UTC)


def midnight(year: int, month: int = 1, day: int = 1, zone: tzinfo | None = None) -> datetime:
    """When a day begins, in UTC.

    Args:
        year: From 1 to 9999.
        month: From 1 to 12.
        day: From 1.
        zone: Whose day; None is where this machine is, on that very day.

    Raises:
        ValueError: There is no such day.
        OverflowError: It begins outside the calendar of years 1 to 9999.
    """
    begin = datetime(year, month, day, tzinfo=UTC)
    if zone is not None:
        return begin.replace(tzinfo=zone).astimezone(UTC)
    with suppress(OSError):
        return begin.replace(tzinfo=None).astimezone(UTC)
    return begin


def month_number(at: datetime) -> int:
    """The month that an instant lies in, counted from the year 0.

    A month is one span, from its first midnight to the next month's. A clock that is put back
    across that midnight shows the end of a month twice; the second time counts to the new month.
    """
    here = on_the_wall(at)
    number = here.year * MONTHS + here.month - 1
    if here.day < _SHORTEST_MONTH:
        return number
    with suppress(ValueError, OverflowError):
        return number + (at >= month_start(number + 1))
    return number


def month_start(number: int) -> datetime:
    """When a month begins that is counted from the year 0, in UTC.

    Raises:
        ValueError: It lies outside the calendar.
        OverflowError: It begins outside the calendar.
    """
    return midnight(number // MONTHS, number % MONTHS + 1)


def month_key(number: int) -> str:
    """``2026-03`` for a month that is counted from the year 0."""
    return f"{number // MONTHS:04d}-{number % MONTHS + 1:02d}"
