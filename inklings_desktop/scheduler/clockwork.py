"""The clock itself: looks what is due, does one thing at a time, says how far it has come.

Knows no thread and no toolkit: whoever hosts it calls ``loop`` on a thread of its own, a QThread
in the window, a plain one elsewhere. Every other method may be called from any thread.
"""

from __future__ import annotations

import threading
import time
from dataclasses import field, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.tasks import CANCELLED, RunState, TaskKind, TaskTarget
from inklings_desktop.domain.errors import (
    AlreadyRunningError,
    InklingsError,
    StoppedError,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.logs import topic
from inklings_desktop.scheduler.folder_watch import FolderWatch
from inklings_desktop.scheduler.lanes import Lanes, log_bug
from inklings_desktop.scheduler.lookout import Lookout
from inklings_desktop.scheduler.mains import is_on_battery
from inklings_desktop.scheduler.memos import Memo, TaskNews
from inklings_desktop.scheduler.tasks import (
    BUSY_SECONDS,
    EVENT_IDLE,
    Reason,
    Situation,
    next_due,
    reason_to_run,
    waits_for_idle,
)
from inklings_desktop.usecases.background.background_work import (
    BUSY,
    WAITING,
    BackgroundStatus,
    TaskPhase,
    TaskStatus,
)
from inklings_desktop.usecases.ports.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.scheduler.tasks import Trigger, Work, WrittenMemories
    from inklings_desktop.usecases.background.tasks import TaskSituation
    from inklings_desktop.usecases.ports.store import Clock

LOOK_SECONDS = 5.0
RETRY_SECONDS = 30 * 60.0
"""After a failure or a cancel the clock leaves the work alone for so long."""

REST_EVERY_SECONDS = 0.02
"""After so long at work the clock lets others have the interpreter."""

_log = topic("scheduler")


def _nobody(_news: object) -> None:
    """Nobody listens."""


def _no_rest() -> None:
    """Nobody waits."""


@dataclass
class Clockwork:
    """One piece of work at a time in each lane, in the order in which it is due.

    Attributes:
        clock: Tells the time.
        written: What this process wrote; embedded before anything else.
        work: The scheduled work; None where only what is written is embedded.
        monotonic: Seconds that no clock setting changes, for idleness and deadlines.
        on_news: Hears what happens, in the thread that works at it; must return at once.
        on_state: Hears that ``status`` would answer differently.
        rest: Lets other threads of this process work; called now and then within long work.
        on_battery: Whether the machine runs on its battery.
    """

    clock: Clock
    written: WrittenMemories
    work: Work | None = None
    monotonic: Callable[[], float] = time.monotonic
    on_news: Callable[[TaskNews], None] = _nobody
    on_state: Callable[[BackgroundStatus], None] = _nobody
    rest: Callable[[], None] = _no_rest
    on_battery: Callable[[], bool] = is_on_battery
    _wake: threading.Condition = field(default_factory=threading.Condition, init=False)
    _memos: dict[TaskTarget, Memo] = field(default_factory=dict, init=False)
    _dirty: set[str | None] = field(default_factory=set, init=False)
    _lanes: Lanes = field(default_factory=Lanes, init=False)
    _looking: threading.Lock = field(default_factory=threading.Lock, init=False)
    _is_paused: bool = field(default=False, init=False)
    _is_closing: bool = field(default=False, init=False)
    _deadline: float = field(default=float("inf"), init=False)
    _rested_at: float = field(default=float("-inf"), init=False)

    def __post_init__(self) -> None:
        self._started_at = self.clock()
        self._active_at = self.monotonic()
        self._lookout = Lookout(self.monotonic)

    # Called from any thread.

    def on_changes(self, changes: MemoryChanges) -> None:
        """Hear of a commit of this or another process."""
        with self._wake:
            if self._is_closing:
                return
            is_written = self.written.note(changes)
            if self.work is not None:
                self._dirty.add(changes.workspace_id)
                self._note_closed(changes)
            if is_written or self.work is not None:
                self._wake.notify_all()

    def request(self, target: TaskTarget) -> None:
        """Do this next, whatever the clock says."""
        with self._wake:
            self._memo(target).is_requested = True
            self._wake.notify_all()

    def note_event(self, target: TaskTarget) -> None:
        """Something happened that brings this work."""
        with self._wake:
            self._memo(target).event = True
            self._wake.notify_all()

    def cancel(self, target: TaskTarget | None = None) -> None:
        """Stop this work, or whatever runs, after its current step."""
        with self._wake:
            self._lanes.stop(target)
            for memo in self._memos.values():
                if target is None or memo.status.target == target:
                    memo.is_requested = False

    def pause(self) -> None:
        """Stop what runs after its current step, and begin nothing until ``resume``."""
        with self._wake:
            self._is_paused = True
            self._lanes.stop()
        self.on_state(self.status())

    def resume(self) -> None:
        """Go on after ``pause``."""
        with self._wake:
            self._is_paused = False
            self._wake.notify_all()
        self.on_state(self.status())

    def begin(self) -> None:
        """Look what there is to do."""
        with self._wake:
            self._wake.notify_all()

    def note_activity(self) -> None:
        """The person is doing something."""
        self._active_at = self.monotonic()

    @property
    def has_written(self) -> bool:
        """Whether something written here waits for its vector."""
        with self._wake:
            return bool(len(self.written))

    def idle_seconds(self) -> float:
        """How long the person has been away."""
        return max(0.0, self.monotonic() - self._active_at)

    def status(self) -> BackgroundStatus:
        """What there is to do and how far it has come."""
        with self._wake:
            tasks = tuple(memo.status for memo in self._memos.values())
            paused = self._is_paused
        if paused:
            tasks = tuple(
                one if one.phase is TaskPhase.RUNNING else replace(one, phase=TaskPhase.PAUSED)
                for one in tasks
            )
        return BackgroundStatus(paused, tasks)

    def close(self, *, drain_seconds: float) -> None:
        """End the loop; what was written is still embedded as far as the time allows."""
        with self._wake:
            self._is_closing = True
            self._deadline = self.monotonic() + drain_seconds
            self._lanes.stop()
            self._wake.notify_all()

    # The loop, on the host's thread.

    def loop(self) -> None:
        """Work until ``close``."""
        is_on = True
        watch = (
            None if self.work is None else FolderWatch(self.work.files_of_pages, self.note_event)
        )
        while is_on:
            try:
                is_on = self._turn()
                if watch is not None:
                    watch.settle(self._lookout.situations())
            except Exception as error:  # noqa: BLE001 - this door: the clock never stands still
                log_bug("the clock", error)
                with self._wake:
                    self._wake.wait_for(lambda: self._is_closing, LOOK_SECONDS)
        if watch is not None:
            watch.close()
        self._lanes.close()

    def run_due(self) -> int:
        """Do everything that is due now; how many runs there were. For hosts without a thread."""
        n_runs = 0
        while len(self.written):
            self._embed_written()
        while (chosen := self._next_due()) is not None:
            self._run(*chosen, is_alone=True)
            n_runs += 1
        return n_runs

    def _turn(self) -> bool:
        """One thing, or a wait; whether to go on."""
        with self._wake:
            has_written = bool(len(self.written)) and (not self._is_paused or self._is_closing)
            is_over = self._is_closing and (not has_written or self.monotonic() > self._deadline)
        if is_over:
            return False
        if has_written:
            self._embed_written()
            return True
        chosen = None if self._is_paused else self._next_due()
        if chosen is not None:
            self._run(*chosen)
            return True
        with self._wake:
            if not (self._is_closing or len(self.written) or self._has_requests()):
                self._wake.wait(LOOK_SECONDS if self.work is not None else None)
        return True

    def _embed_written(self) -> None:
        with self._wake:
            workspace_id, ids = self.written.next_step()
        self.written.embed(
            workspace_id, ids, lambda: not self._is_closing or self.monotonic() <= self._deadline
        )

    def _has_requests(self) -> bool:
        return not self._is_paused and bool(self._requested())

    def _requested(self) -> list[TaskTarget]:
        """What a person asked for and nothing else is in the way of."""
        memos = list(self._memos.items())
        return [one for one, memo in memos if memo.is_requested and self._lanes.is_free(one)]

    def _next_due(self) -> tuple[TaskTarget, Reason] | None:
        if self.work is None or self._is_closing:
            return None
        self._look()
        if requested := self._requested():
            return requested[0], Reason.REQUEST
        now = self.clock()
        for one in self._lookout.situations():
            reason = self._reason(one, now)
            if reason is not None and self._lanes.is_free(one.target):
                return one.target, reason
        return None

    def _reason(self, one: TaskSituation, now: datetime) -> Reason | None:
        assert self.work is not None
        memo = self._memo(one.target)
        trigger = self._trigger(one)
        situation = self._situation(one, memo, now)
        held_back = memo.not_before is not None and (
            memo.not_before - timedelta(seconds=RETRY_SECONDS) <= now < memo.not_before
        )
        reason = None if held_back else reason_to_run(trigger, situation)
        if reason is None and memo.is_unfinished and self.idle_seconds() >= BUSY_SECONDS:
            reason = Reason.RESUMED
        needs_mains = trigger.needs_mains and reason not in {None, Reason.REQUEST, Reason.RESUMED}
        waits_for_mains = needs_mains and self.on_battery()
        phase = memo.status.phase
        if waits_for_mains:
            reason, phase = None, TaskPhase.WAITS_FOR_MAINS
        elif phase in WAITING:
            waits = waits_for_idle(trigger, situation) or memo.is_unfinished
            phase = TaskPhase.WAITS_FOR_IDLE if waits else TaskPhase.WAITING
        due = next_due(trigger, situation)
        if held_back and memo.not_before is not None:
            due = memo.not_before
        is_news = waits_for_mains != (memo.status.phase is TaskPhase.WAITS_FOR_MAINS)
        self._set(one.target, phase=phase, last_run_at=one.state.last_run_at, next_due_at=due)
        if is_news:
            self.on_state(self.status())
        return reason

    def _trigger(self, one: TaskSituation) -> Trigger:
        assert self.work is not None
        trigger = self.work.trigger_of(one.target)
        trigger = replace(trigger, n_new=one.after_new or trigger.n_new)
        return trigger if one.every is None else replace(trigger, every=one.every)

    def _situation(self, one: TaskSituation, memo: Memo, now: datetime) -> Situation:
        idle = timedelta(seconds=self.idle_seconds())
        is_wanted = one.wanted_from is not None and one.wanted_from <= now and idle >= EVENT_IDLE
        return Situation(
            now,
            self._started_at,
            one.state.last_run_at or one.state.first_seen_at,
            has_run=memo.has_run,
            n_new=one.n_new,
            idle=idle,
            event=memo.event or is_wanted,
            requested=memo.is_requested,
            left_behind=one.left_behind,
            quiet_until=one.quiet_until,
            due_at=one.due_at,
        )

    def _look(self) -> None:
        """See what there is to do on every file that changed, and now and then on all."""
        assert self.work is not None
        with self._looking:  # what is read later is what stays
            with self._wake:
                dirty, self._dirty = self._dirty, set()
            gone = self._lookout.look(self.work, dirty)
        with self._wake:
            for target in [one for one in self._memos if one.workspace_id in gone]:
                del self._memos[target]

    def _run(self, target: TaskTarget, reason: Reason, *, is_alone: bool = False) -> None:
        """Do it, or have it done beside the rest; ``is_alone`` where nothing is done beside."""
        with self._wake:
            memo = self._memo(target)
            memo.is_requested = memo.event = memo.is_unfinished = False
            stop = self._lanes.take(target)
            if self._is_closing or self._is_paused:
                stop.set()
        work = partial(self._carry_out, target, reason, stop)
        self._lanes.run(target, work, self.begin, is_alone=is_alone)

    def _carry_out(self, target: TaskTarget, reason: Reason, stop: threading.Event) -> None:
        assert self.work is not None
        memo = self._memo(target)
        self._tell(target, "started", phase=TaskPhase.RUNNING, reason=reason.value, step="",
                   done=0, total=0, problem="")  # fmt: skip
        what, changes = "finished", dict[str, object]()
        try:
            run = self.work.run(
                target,
                reason.value,
                Progress(
                    self._reporting(target),
                    lambda: self._is_cancelled(stop),
                    lambda: self._is_closing or self._is_paused,
                ),
                self.idle_seconds,
            )
        except StoppedError:
            changes = self._held_back(memo, TaskPhase.STOPPED, CANCELLED)
            if self._is_closing or self._is_paused:
                memo.not_before = None
                memo.is_unfinished = True
        except AlreadyRunningError as error:
            changes = {"phase": TaskPhase.WAITING}
            memo.not_before = error.until
        except InklingsError as error:
            what = "failed"
            changes = self._held_back(memo, TaskPhase.FAILED, type(error).__name__)
            _log.warning("%s failed: %s", target.kind.value, type(error).__name__)
        except Exception as error:  # noqa: BLE001 - this door: a bug in one task stops no other
            what = "failed"
            changes = self._held_back(memo, TaskPhase.FAILED, "bug")
            log_bug(target.kind.value, error)
        else:
            memo.not_before = None
            memo.is_unfinished = run.problem == BUSY
            is_refused = run.state is RunState.STOPPED and not memo.is_unfinished
            changes = {
                "phase": TaskPhase.STOPPED if is_refused else TaskPhase.WAITING,
                "problem": run.problem,
                "counts": dict(run.counts),
                "run_id": run.id,
            }
        with self._wake:
            memo.has_run = True
            self._dirty.add(target.workspace_id)
        self._look()
        if (one := self._lookout.of(target)) is not None:
            changes |= {
                "last_run_at": one.state.last_run_at,
                "next_due_at": memo.not_before
                or next_due(self._trigger(one), self._situation(one, memo, self.clock())),
            }
        self._tell(target, what, step="", **changes)
        self.on_state(self.status())

    def _held_back(self, memo: Memo, phase: TaskPhase, problem: str) -> dict[str, object]:
        memo.not_before = self.clock() + timedelta(seconds=RETRY_SECONDS)
        return {"phase": phase, "problem": problem}

    def _is_cancelled(self, stop: threading.Event) -> bool:
        """Whether to stop; asked between short stretches of work, so the place to rest."""
        if self.monotonic() - self._rested_at >= REST_EVERY_SECONDS:
            self.rest()
            self._rested_at = self.monotonic()
        return stop.is_set()

    def _reporting(self, target: TaskTarget) -> Callable[[str, int, int], None]:
        def report(step: str, done: int, total: int) -> None:
            self._tell(target, "progress", step=step, done=done, total=total)

        return report

    def _tell(self, target: TaskTarget, what: str, **changes: object) -> None:
        self.on_news(TaskNews(self._set(target, **changes), what))

    def _set(self, target: TaskTarget, **changes: object) -> TaskStatus:
        with self._wake:
            memo = self._memo(target)
            memo.status = replace(memo.status, **changes)  # type: ignore[arg-type]
            return memo.status

    def _memo(self, target: TaskTarget) -> Memo:
        return self._memos.setdefault(target, Memo(TaskStatus(target)))

    def _note_closed(self, changes: MemoryChanges) -> None:
        """A conversation may have been closed, or something written into a closed one."""
        if changes.workspace_id is None or changes.initiator == TaskKind.CONVERSATION_CLOSE.value:
            return
        if changes.rooms or any(scope.tier is Tier.CONVERSATION for scope in changes.scopes):
            target = TaskTarget(TaskKind.CONVERSATION_CLOSE, changes.workspace_id)
            self._memo(target).event = True
