"""What is said about searches and filters, and what agents wrote since some time; pure."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING

from inklings_desktop.domain.memories.listing import MemoryState
from inklings_desktop.domain.memory import Curator
from inklings_desktop.domain.search.search_operators import Misuse, Operator
from inklings_desktop.domain.wall_clock import midnight, on_the_wall
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.translation import decimal, quoted, tr
from inklings_desktop.ui.kit.words.memory_facts import (
    attention_label,
    curator_label,
    kind_plural,
    lifetime_label,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memories.saved_filters import FilterWords
    from inklings_desktop.domain.search.search_operators import NotUnderstood


def not_understood_text(wrong: Sequence[NotUnderstood]) -> str:
    """That an operator was searched for as text, and what should follow it."""
    if not wrong:
        return ""
    one = wrong[0]
    if one.why is Misuse.LEFT_OUT:
        return tr(
            "\u201c{typed}\u201d is searched for as text: operators say what to find, nothing can "
            "be left out."
        ).format(typed=one.typed)
    if one.why is Misuse.EXCLUDED:
        return tr(
            "\u201c{typed}\u201d is searched for as text: no memory fits it as a filter."
        ).format(typed=one.typed)
    if one.why is Misuse.NO_SUCH_DAY:
        return tr(
            "\u201c{typed}\u201d is searched for as text: the calendar has no such day. Type one "
            "like {instead}."
        ).format(typed=one.typed, instead=one.instead)
    needs = {
        Operator.TAG: tr("after tag: comes a tag."),
        Operator.SOURCE: tr("after source: comes a source."),
        Operator.BY: tr("after by: comes a client\u2019s name, or author."),
        Operator.CURATOR: tr("after curator: comes author, agent or import."),
        Operator.BEFORE: tr("after before: comes a date like 2026-03-14."),
        Operator.AFTER: tr("after after: comes a date like 2026-03-14."),
        Operator.IMPORTANCE: tr("after importance: comes a number from 0 to 1, like >0.5."),
    }[one.operator]
    return tr("\u201c{typed}\u201d is searched for as text: {needs}").format(
        typed=one.typed, needs=needs
    )


def importance_text(where: MemoryFilter) -> str:
    """The importance a filter admits; empty when it admits any."""
    low, high = where.importance_min, where.importance_max
    if low <= 0.0 and high >= 1.0:
        return ""
    if high >= 1.0:
        above, figure = _beyond(low, math.inf)
        words = tr("over {figure}") if above else tr("{figure} and up")
        return words.format(figure=figure)
    if low <= 0.0:
        below, figure = _beyond(high, -math.inf)
        words = tr("under {figure}") if below else tr("up to {figure}")
        return words.format(figure=figure)
    if low == high:
        return decimal(low, 2)
    return f"{decimal(low, 2)}\u2013{decimal(high, 2)}"


def written_text(where: MemoryFilter) -> str:
    """When a filter admits that something was written, in days; empty when at any time."""
    since, before = where.written_since, where.written_before
    if since is not None and before is not None:
        return f"{_begin(since)}\u2013{_last_day(before)}"
    if since is not None:
        return tr("since {day}").format(day=_begin(since))
    return tr("before {day}").format(day=_begin(before)) if before is not None else ""


def phrases_text(where: MemoryFilter) -> str:
    """The phrases a filter asks for: the first, and how many more."""
    marked = [quoted(phrase) for phrase in sorted(where.phrases)]
    if len(marked) <= 1:
        return "".join(marked)
    return f"{marked[0]} +{len(marked) - 1}"


def filter_text(words: FilterWords) -> str:
    """What a saved filter asks for, in one line."""
    where = words.where
    importance, written = importance_text(where), written_text(where)
    parts = [
        quoted(words.text) if words.text else "",
        ", ".join(quoted(phrase) for phrase in sorted(where.phrases)),
        " ".join(f"#{tag}" for tag in sorted(where.tags)),
        ", ".join(sorted(where.sources)),
        ", ".join(curator_label(one) for one in sorted(where.curators)),
        tr("by {names}").format(names=", ".join(sorted(where.writers))) if where.writers else "",
        ", ".join(lifetime_label(one) for one in sorted(where.lifetimes)),
        ", ".join(kind_plural(one) for one in sorted(where.kinds)),
        tr("importance {range}").format(range=importance) if importance else "",
        tr("written {days}").format(days=written) if written else "",
        tr("found by words only") if where.without_embedding else "",
        attention_label(where.attention) if where.attention is not None else "",
        tr("forgotten") if where.state is MemoryState.FORGOTTEN else "",
    ]
    return spelled_out(" \u00b7 ".join(part for part in parts if part))


def _beyond(bound: float, towards: float) -> tuple[bool, str]:
    """Whether a bound leaves out the figure it is shown as, and the figure."""
    figure = round(bound, 2)
    return math.nextafter(figure, towards) == bound, decimal(figure, 2)


def _day(at: datetime) -> str:
    return f"{on_the_wall(at):%Y-%m-%d}"


def _begin(at: datetime) -> str:
    """A day, and the time of day where that is not its beginning."""
    here = on_the_wall(at)
    return _day(at) if (here.hour, here.minute) == (0, 0) else f"{here:%Y-%m-%d %H:%M}"


def _last_day(before: datetime) -> str:
    return _day(before - timedelta(microseconds=1))


_BY_AGENTS = frozenset({Curator.AGENT})


class Since(Enum):
    """How far back to look."""

    HOUR = "hour"
    TODAY = "today"
    YESTERDAY = "yesterday"
    WEEK = "week"
    MONTH = "month"


_HOURS_BACK = {Since.HOUR: 1, Since.WEEK: 7 * 24, Since.MONTH: 30 * 24}


def since_label(since: Since) -> str:
    """A span as a menu has it."""
    return {
        Since.HOUR: tr("In the last hour"),
        Since.TODAY: tr("Since this morning, 0:00"),
        Since.YESTERDAY: tr("Since yesterday, 0:00"),
        Since.WEEK: tr("In the last 7 days"),
        Since.MONTH: tr("In the last 30 days"),
    }[since]


def begin_of(since: Since, now: datetime) -> datetime:
    """When a span begins; days begin at midnight of this machine's time zone."""
    if since in _HOURS_BACK:
        return now - timedelta(hours=_HOURS_BACK[since])
    day = on_the_wall(now).date() - timedelta(days=since is Since.YESTERDAY)
    return midnight(day.year, day.month, day.day)


def by_agents_since(where: MemoryFilter, begin: datetime) -> MemoryFilter:
    """A filter, narrowed to what agents wrote from an instant on."""
    return replace(where, curators=_BY_AGENTS, written_since=begin, written_before=None)


def is_by_agents_since(where: MemoryFilter) -> bool:
    """Whether a filter asks for what agents wrote since some time."""
    return (
        where.curators == _BY_AGENTS
        and where.written_since is not None
        and where.written_before is None
    )
