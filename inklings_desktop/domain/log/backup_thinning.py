"""Which backups have done their service: a pure rule over what there is of one database."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.log.backup import BackupReason
from inklings_desktop.domain.wall_clock import on_the_wall

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.log.backup import Backup

FRESH = timedelta(days=1)
"""So long every backup stays."""
DAYS, WEEKS, MONTHS = 12, 10, 9
"""Of so many days, weeks and months with a backup the newest one stays."""
KEPT_BEFORE_A_CHANGE = 5
"""Of those made before a change, so many of each kind stay: the newest."""


def done_with(backups: Sequence[Backup], now: datetime) -> tuple[Backup, ...]:
    """Those that may go, the oldest first.

    Never one that a person made or keeps, the newest sound one, or one that cannot be restored:
    what is wrong with that is for a person to see.

    Args:
        backups: Every one of one database.
    """
    found = sorted(
        (one for one in backups if one.fault is None), key=lambda one: one.created_at, reverse=True
    )
    staying = {one.name for one in found[:1]}
    staying |= {one.name for one in found if one.stays or now - one.created_at < FRESH}
    daily = [one for one in found if one.reason is BackupReason.DAILY]
    for limit, period in ((DAYS, _day), (WEEKS, _week), (MONTHS, _month)):
        staying |= _newest_of_each(daily, limit, period)
    for reason in BackupReason:
        if reason is not BackupReason.DAILY:
            alike = [one.name for one in found if one.reason is reason]
            staying |= set(alike[:KEPT_BEFORE_A_CHANGE])
    return tuple(one for one in reversed(found) if one.name not in staying)


def _newest_of_each(
    newest_first: Sequence[Backup], limit: int, period: Callable[[datetime], Hashable]
) -> set[str]:
    chosen: dict[Hashable, str] = {}
    for one in newest_first:
        chosen.setdefault(period(on_the_wall(one.created_at)), one.name)
    return set(list(chosen.values())[:limit])


def _day(at: datetime) -> Hashable:
    return at.date()


def _week(at: datetime) -> Hashable:
    return at.isocalendar()[:2]


def _month(at: datetime) -> Hashable:
    return at.year, at.month
