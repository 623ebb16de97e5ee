"""When background work runs, in words: the settings as a person reads them; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.words.entry_facts import grouped
from inklings_desktop.ui.kit.words.task_words import TaskGroup, tier_of

if TYPE_CHECKING:
    from inklings_desktop.domain.background.cadence import BackgroundConfig, Cadence

_DAY, _WEEK = 24.0, 7 * 24.0
_HOUR_MINUTES = 60.0


def cadence_words(config: BackgroundConfig, group: TaskGroup) -> tuple[str, str]:
    """When a row's work runs, short and in full."""
    tier = tier_of(group)
    if tier is None:
        return _backfill(config.backfill_minutes)
    if tier is Tier.CONVERSATION:
        if not config.forget_at_close:
            return _on_request()
        return (
            _tr("when a conversation closes"),
            _tr("When a conversation closes; what reaches it later goes with the next one"),
        )
    return _consolidation(config.cadence(tier))


def _backfill(minutes: float) -> tuple[str, str]:
    if not minutes:
        return _tr("after writes"), _tr("Soon after something is written, and on request")
    every = _span(minutes / _HOUR_MINUTES)
    return (
        _tr("every {time}, after writes").format(time=every),
        _tr(
            "A minute after the start, then every {time}, and soon after something is written; "
            "50 memories at a step, as long as there are some and you are idle"
        ).format(time=every),
    )


def _consolidation(cadence: Cadence) -> tuple[str, str]:
    """The words of one cadence; every part of it can be off."""
    short, full = [], []
    if cadence.new_entries:
        n = grouped(cadence.new_entries)
        if cadence.idle_minutes:
            minutes = f"{cadence.idle_minutes:g}"
            short.append(_tr("{n} new if idle").format(n=n))
            full.append(
                _tr("After {n} new memories, once you have been idle for {minutes} min").format(
                    n=n, minutes=minutes
                )
            )
        else:
            short.append(_tr("{n} new").format(n=n))
            full.append(_tr("After {n} new memories").format(n=n))
    if cadence.every_hours:
        short.append(_often(cadence.every_hours))
        full.append(
            _tr("at least every {time}").format(time=_span(cadence.every_hours))
            if full
            else _tr("Every {time}").format(time=_span(cadence.every_hours))
        )
    if not short:
        return _on_request()
    return _tr(", or ").join(short), _tr(", and ").join(full)


def _on_request() -> tuple[str, str]:
    return _tr("on request"), _tr("Only when you ask for it; the settings switch the rest off")


def _often(hours: float) -> str:
    known = {
        1.0: _tr("hourly"),
        _DAY: _tr("daily"),
        _WEEK: _tr("weekly"),
        2 * _WEEK: _tr("fortnightly"),
    }
    return known.get(hours) or _tr("every {time}").format(time=_span(hours))


def _span(hours: float) -> str:
    """A stretch of time in the largest unit that divides it."""
    if hours >= 2 * _WEEK and not hours % _WEEK:
        return _tr("{n} weeks").format(n=f"{hours / _WEEK:g}")
    if hours >= _DAY and not hours % _DAY:
        n_days = hours / _DAY
        return _tr("day") if n_days == 1 else _tr("{n} days").format(n=f"{n_days:g}")
    if hours >= 1 and not hours % 1:
        return _tr("hour") if hours == 1 else _tr("{n} h").format(n=f"{hours:g}")
    return _tr("{n} min").format(n=f"{hours * _HOUR_MINUTES:g}")


def _tr(text: str) -> str:
    return QCoreApplication.translate("tasks", text)
