"""What the clock can do: a target, when it is due, and the use case that does it."""

from __future__ import annotations

import os
from collections import deque
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Caller, CallerKind, Door
from inklings_desktop.domain.background.cadence import BACKFILL_FIRST_SECONDS
from inklings_desktop.domain.background.tasks import TaskKind, TaskTarget
from inklings_desktop.domain.errors import (
    AlreadyRunningError,
    EmbeddingUnavailableError,
    StorageError,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.logs import topic
from inklings_desktop.usecases.background.background_work import STEP

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.usecases.background.tasks import TaskSituation
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.world import WorldFiles

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
        needs_mains: Whether it waits while the machine runs on its battery, unless a person asks.
    """

    first_after: timedelta = AT_ONCE
    every: timedelta | None = None
    at_start: bool = False
    n_new: int = 0
    idle: timedelta = AT_ONCE
    on_event: bool = False
    needs_mains: bool = False


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
        due_at: When the clock brings it, whatever the interval; None leaves it to that.
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
    due_at: datetime | None = None

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
    if situation.due_at is not None:
        return situation.due_at < situation.started_at
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
    if situation.due_at is not None:
        return max(first, situation.due_at)
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


BUSY_SECONDS = 3.0
"""So long after the person's last movement heavy work goes on."""
AWAY_SECONDS = 60.0
"""From then on a second processor may be used."""
EVENT_IDLE = timedelta(minutes=2)
"""So long the person is away before a change under memory brings a consolidation."""
WINDOW_PAUSE = timedelta(minutes=5)
PAGES_AT_START = timedelta(seconds=2)
AT_START = timedelta(seconds=BACKFILL_FIRST_SECONDS)


@dataclass(frozen=True, slots=True)
class Work:
    """What the clock does.

    Attributes:
        inklings: How, and what is set of when.
        yields_to_window: Whether an open window does it instead.
    """

    inklings: Inklings
    yields_to_window: bool = False

    def files(self) -> tuple[str | None, ...]:
        """Every workspace, then the account."""
        return (*(one.id for one in self._as("look").places.workspaces()), None)

    def look(self, workspace_id: str | None) -> tuple[TaskSituation, ...]:
        """What there is to do on one file.

        Raises:
            NotFoundError: There is no such workspace.
            StorageError: It cannot be read.
        """
        inklings = self._as("look")
        found = inklings.tasks.look(workspace_id)
        if workspace_id is None:
            return found
        pages = inklings.world.when_to_look(workspace_id)
        found = (*found, *inklings.activities.due(workspace_id))
        return found if pages is None else (*found, pages)

    def trigger_of(self, target: TaskTarget) -> Trigger:
        """What brings a run of this target."""
        config = self.inklings.settings.background
        match target.kind:
            case TaskKind.BACKFILL:
                minutes = config.backfill_minutes
                return Trigger(
                    AT_START,
                    timedelta(minutes=minutes) if minutes else None,
                    at_start=bool(minutes),
                )
            case TaskKind.CONVERSATION_CLOSE:
                return Trigger(
                    AT_START, at_start=config.forget_at_close, on_event=config.forget_at_close
                )
            case TaskKind.ACTIVITY:
                idle = timedelta(minutes=config.channel.idle_minutes)
                return Trigger(AT_START, idle=idle, needs_mains=True)
            case TaskKind.WORLD:
                return Trigger(PAGES_AT_START, at_start=True, on_event=True)
            case TaskKind.BACKUP:
                hours = config.backup_hours
                every = timedelta(hours=hours) if hours else None
                return Trigger(AT_START, every, at_start=bool(hours))
            case _:
                assert target.tier is not None
                cadence = config.cadence(target.tier)
                return Trigger(
                    AT_START,
                    cadence.interval,
                    n_new=cadence.new_entries,
                    idle=timedelta(minutes=cadence.idle_minutes),
                    on_event=bool(cadence.new_entries or cadence.every_hours),
                    needs_mains=True,
                )

    def run(
        self,
        target: TaskTarget,
        reason: str,
        progress: Progress,
        idle_seconds: Callable[[], float],
    ) -> TaskRun:
        """Do it.

        Args:
            target: Which work, on what.
            reason: Why, for the history.
            progress: Hears of every step and says when to stop.
            idle_seconds: How long the person has been away.

        Raises:
            AlreadyRunningError: It is left to the window that is open.
        """
        inklings = self._as(target.kind.value)
        if self.yields_to_window and inklings.scrub.has_window():
            raise AlreadyRunningError(target.kind.value, inklings.clock() + WINDOW_PAUSE)
        if target.kind is TaskKind.BACKFILL:
            is_away = idle_seconds() >= AWAY_SECONDS
            return inklings.tasks.backfill(
                target.workspace_id,
                trigger=reason,
                n_workers=2 if is_away and (os.cpu_count() or 1) > 1 else 1,
                # Whoever asked for it wants it done, and is there to see it.
                goes_on=lambda: reason == Reason.REQUEST or idle_seconds() >= BUSY_SECONDS,
                progress=progress,
            )
        if target.kind is TaskKind.WORLD:
            assert target.workspace_id is not None
            return inklings.world.tend(
                target.workspace_id,
                trigger=reason,
                is_quiet=lambda: reason == Reason.REQUEST or idle_seconds() >= BUSY_SECONDS,
                progress=progress,
            )
        if target.kind is TaskKind.CONVERSATION_CLOSE:
            assert target.workspace_id is not None
            return inklings.conversations.forget_closed(
                target.workspace_id, trigger=reason, progress=progress
            )
        if target.kind is TaskKind.BACKUP:
            return inklings.keeping.back_up_changes(
                target.workspace_id, trigger=reason, progress=progress
            )
        if target.kind is TaskKind.ACTIVITY:
            assert target.workspace_id is not None
            return inklings.activities.run(
                target.workspace_id, target.subject, trigger=reason, progress=progress
            )
        assert target.scope is not None
        return inklings.consolidation.run(target.scope, trigger=reason, progress=progress)

    def files_of_pages(self) -> WorldFiles:
        """What reads and watches the author's folders."""
        return self.inklings.parts.adapters().world_files

    def _as(self, task: str) -> Inklings:
        """The use cases of the clock, under the name of one of its tasks."""
        return self.inklings.as_caller(clock_caller(task))


def clock_caller(task: str) -> Caller:
    """The clock, under the name of one of its tasks."""
    return Caller(CallerKind.CLOCK, task, Door.CLOCK)


_log = topic("embedding")
_CALLER = clock_caller(TaskKind.EMBED_WRITTEN.value)
_OWN_NAMES = frozenset(kind.value for kind in TaskKind)


class WrittenMemories:
    """A queue of written memories; the clock embeds them, one step of fifty at a time.

    Not safe by itself: the clockwork calls it under its own lock, ``embed`` aside.
    """

    def __init__(self, inklings: Inklings) -> None:
        self._inklings = inklings
        self._waiting: deque[tuple[str | None, tuple[str, ...]]] = deque()

    def note(self, changes: MemoryChanges) -> bool:
        """Whether something was written here that may need a vector; remembers it.

        The clock's own vectors are no such thing; another process embeds its own writes.
        """
        ids = changes.added + changes.updated
        if not changes.own or not ids or changes.initiator in _OWN_NAMES:
            return False
        for start in range(0, len(ids), STEP):
            self._waiting.append((changes.workspace_id, ids[start : start + STEP]))
        return True

    def __len__(self) -> int:
        return len(self._waiting)

    def next_step(self) -> tuple[str | None, tuple[str, ...]]:
        """Take the oldest step out."""
        return self._waiting.popleft()

    def embed(
        self, workspace_id: str | None, ids: tuple[str, ...], is_wanted: Callable[[], bool]
    ) -> None:
        """Embed one step; a model or disk that fails ends nothing."""
        try:
            self._inklings.as_caller(_CALLER).tasks.embed(
                workspace_id, ids=ids, is_wanted=is_wanted
            )
        except (EmbeddingUnavailableError, StorageError) as error:
            # The memory is safe and found by its words; its vector can be made later.
            _log.warning("not embedded: %s", type(error).__name__)
