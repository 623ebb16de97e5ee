"""When a piece of background work is due: pure rules over what is known of it."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from datetime import datetime

AT_ONCE = timedelta()


class Reason(StrEnum):
    """Why a run begins."""

    REQUEST = "request"
    RESUMED = "resumed"
    EVENT = "event"
    NEW_ENTRIES = "new_entries"
    START = "start"
    INTERVAL = "interval"


@dataclass(frozen=True, slots=True)
class Trigger:
    """What brings a run; every part of it can be off.

    Attributes:
        first_after: No run by the clock earlier than this after the program began.
        every: A run at least this often; None for never by the clock.
        at_start: One run after every start, ``first_after`` it.
        n_new: So many new memories bring a run; 0 for never.
        idle: ... once the person has been away for so long.
        on_event: Whether an event brings a run.
    """

    first_after: timedelta = AT_ONCE
    every: timedelta | None = None
    at_start: bool = False
    n_new: int = 0
    idle: timedelta = AT_ONCE
    on_event: bool = False


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known when the clock looks.

    Attributes:
        now: The instant, UTC.
        started_at: When the program began.
        since: End of the last run, or when the clock first met the work; intervals count from it.
        has_run: Whether it ran since the program began.
        n_new: Memories written since the last run.
        idle: How long the person has been away.
        event: Whether the event happened.
        requested: Whether a person asked for it.
        left_behind: Whether a killed program left a run unfinished.
        quiet_until: Before this only a person brings it; None where nothing holds it back.
    """

    now: datetime
    started_at: datetime
    since: datetime
    has_run: bool = False
    n_new: int = 0
    idle: timedelta = AT_ONCE
    event: bool = False
    requested: bool = False
    left_behind: bool = False
    quiet_until: datetime | None = None

    @property
    def is_quiet(self) -> bool:
        """Whether nothing but a person may bring it now."""
        return self.quiet_until is not None and self.now < self.quiet_until


def reason_to_run(trigger: Trigger, situation: Situation) -> Reason | None:
    """Why it is due now; None while it is not.

    However many runs were missed, one makes up for all of them: the next interval counts from its
    end. A last run in the future means that the clock was set back; it counts as missed, once.
    """
    found = None
    if situation.requested:
        found = Reason.REQUEST
    elif situation.left_behind:
        found = Reason.RESUMED
    elif situation.is_quiet:
        pass
    elif trigger.on_event and situation.event:
        found = Reason.EVENT
    elif trigger.n_new and situation.n_new >= trigger.n_new and situation.idle >= trigger.idle:
        found = Reason.NEW_ENTRIES
    else:
        due = next_due(trigger, situation)
        if due is not None and due <= situation.now:
            found = Reason.START if _is_catch_up(trigger, situation) else Reason.INTERVAL
    return found


def _is_catch_up(trigger: Trigger, situation: Situation) -> bool:
    """Whether a run by the clock makes up for what was missed while the program was closed."""
    if situation.has_run:
        return False
    return trigger.at_start or (
        trigger.every is not None and situation.since + trigger.every <= situation.started_at
    )


def next_due(trigger: Trigger, situation: Situation) -> datetime | None:
    """When the clock alone brings the next run; None if it never does."""
    first = situation.started_at + trigger.first_after
    if first > situation.now + trigger.first_after:  # the clock was set back since the start
        first = situation.now
    if situation.is_quiet:
        assert situation.quiet_until is not None
        first = max(first, situation.quiet_until)
    if trigger.at_start and not situation.has_run:
        return first
    if trigger.every is None:
        return None
    if situation.since > situation.now:
        return max(first, situation.now)
    return max(first, situation.since + trigger.every)


def waits_for_idle(trigger: Trigger, situation: Situation) -> bool:
    """Whether only the person's presence holds it up."""
    return bool(
        not situation.is_quiet
        and trigger.n_new
        and situation.n_new >= trigger.n_new
        and situation.idle < trigger.idle
    )
