"""When an activity is due, in words: ``Tuesdays 10:30``, ``every 15 min``, ``in 3 d``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.domain.background.schedules import Form, on_wall
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import relative_age

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.background.schedules import Schedule

WEEK = 7
_HOUR = 60


def when_words(schedule: Schedule) -> str:
    """When it is due."""
    at = f"{schedule.at:%H:%M}"
    match schedule.form:
        case Form.DAILY:
            return tr("daily {time}").format(time=at)
        case Form.WEEKLY:
            return tr("{days} {time}").format(days=_days(schedule.days), time=at)
        case Form.MONTHLY:
            told = tr("monthly on day {day}, {time}")
            return told.format(day=schedule.days[0], time=at)
        case Form.ONCE:
            assert schedule.once is not None
            return tr("once, {when}").format(when=day_words(schedule.once))
        case Form.AFTER_NEW:
            return counted(schedule.n, "after 1 new memory", "after {n} new memories")
        case Form.EVERY:
            if schedule.n % _HOUR:
                return tr("every {n} min").format(n=grouped(schedule.n))
            return counted(schedule.n // _HOUR, "every hour", "every {n} h")


def day_words(wall: datetime) -> str:
    """What a wall shows: ``10 Mar, 10:30``."""
    month = QLocale().standaloneMonthName(wall.month, QLocale.FormatType.ShortFormat)
    return tr("{day} {month}, {time}").format(day=wall.day, month=month, time=f"{wall:%H:%M}")


def day_name(day: int) -> str:
    """A day of the week in two or three letters; 1 is Monday."""
    return QLocale().standaloneDayName(day, QLocale.FormatType.ShortFormat)


def due_words(due: datetime, now: datetime, zone: str = "") -> str:
    """When something comes: ``in 13 min``, ``tomorrow 21:00``, ``in 3 d``."""
    if due <= now:
        return tr("soon")
    wall, today = on_wall(due, zone), on_wall(now, zone)
    days = (wall.date() - today.date()).days
    if days == 1:
        return tr("tomorrow {time}").format(time=f"{wall:%H:%M}")
    if days > 1:
        return tr("in {n} d").format(n=grouped(days))
    return tr("in {age}").format(age=relative_age(due - now))


def _days(days: tuple[int, ...]) -> str:
    if len(days) == WEEK:
        return tr("daily")
    if len(days) == 1:
        name = QLocale().standaloneDayName(days[0], QLocale.FormatType.LongFormat)
        return tr("{day}s").format(day=name)
    return ", ".join(map(day_name, days))
