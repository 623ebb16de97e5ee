"""What agents wrote since some time: the spans that are offered, and the filter they become."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import Curator
from inklings_desktop.domain.wall_clock import midnight, on_the_wall
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memories.listing import MemoryFilter

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
