"""The clock as the window meets it, standing still: a test says what it is doing."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.background.tasks import TaskKind, TaskTarget
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.usecases.background.backfill_embeddings import backfill_of
from inklings_desktop.usecases.background.background_work import (
    BackgroundStatus,
    TaskPhase,
    TaskStatus,
)
from inklings_desktop.usecases.rooms.close_conversations import close_of
from tests.support.builders import WORKSPACE_ID

BACKFILL = backfill_of(WORKSPACE_ID)
ACCOUNT_BACKFILL = backfill_of(None)
CLOSE = close_of(WORKSPACE_ID)
CHANNEL = TaskTarget(
    TaskKind.CONSOLIDATION, WORKSPACE_ID, ScopeKey.channel(WORKSPACE_ID, "map-room")
)
OTHER_CHANNEL = TaskTarget(
    TaskKind.CONSOLIDATION, WORKSPACE_ID, ScopeKey.channel(WORKSPACE_ID, "general")
)
WORKSPACE = TaskTarget(TaskKind.CONSOLIDATION, WORKSPACE_ID, ScopeKey.workspace(WORKSPACE_ID))
ACCOUNT = TaskTarget(TaskKind.CONSOLIDATION, None, ScopeKey.account())
EVERYTHING = (BACKFILL, CLOSE, WORKSPACE, CHANNEL, OTHER_CHANNEL, ACCOUNT_BACKFILL, ACCOUNT)


class FakeClock(QObject):
    """Fills the ``ClockInWindow`` port.

    Attributes:
        asked: What was asked of it, in order.
        n_movements: How often it was told that somebody is there.
    """

    task_started = Signal(object)
    task_progressed = Signal(object)
    task_finished = Signal(object)
    task_failed = Signal(object)
    state_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, TaskTarget | None]] = []
        self.n_movements = 0
        self._tasks: dict[TaskTarget, TaskStatus] = {}
        self._is_paused = False

    def status(self) -> BackgroundStatus:
        """What it was told to be doing."""
        return BackgroundStatus(self._is_paused, tuple(self._tasks.values()))

    def request(self, target: TaskTarget) -> None:
        """Take note."""
        self.asked.append(("request", target))

    def cancel(self, target: TaskTarget | None = None) -> None:
        """Take note."""
        self.asked.append(("cancel", target))

    def pause(self) -> None:
        """Take note, and be paused."""
        self.asked.append(("pause", None))
        self._is_paused = True
        self.state_changed.emit(self.status())

    def resume(self) -> None:
        """Take note, and go on."""
        self.asked.append(("resume", None))
        self._is_paused = False
        self.state_changed.emit(self.status())

    def begin(self) -> None:
        """Take note."""
        self.asked.append(("begin", None))

    def note_activity(self) -> None:
        """Count."""
        self.n_movements += 1

    # -- what a test makes it do ------------------------------------------------------------

    def show(self, *tasks: TaskStatus) -> None:
        """Say of these how they stand."""
        for one in tasks:
            self._tasks[one.target] = one
        self.state_changed.emit(self.status())

    def start(self, target: TaskTarget, **values: object) -> None:
        """Begin a piece of work."""
        self.task_started.emit(self._set(target, phase=TaskPhase.RUNNING, **values))

    def go_on(self, target: TaskTarget, done: int, total: int) -> None:
        """Finish a step of it."""
        self.task_progressed.emit(self._set(target, done=done, total=total))

    def finish(self, target: TaskTarget, **values: object) -> None:
        """End it."""
        self.task_finished.emit(self._set(target, **{"phase": TaskPhase.WAITING} | values))

    def fail(self, target: TaskTarget, problem: str) -> None:
        """End it with a problem."""
        self.task_failed.emit(self._set(target, phase=TaskPhase.FAILED, problem=problem))

    def _set(self, target: TaskTarget, **values: object) -> TaskStatus:
        before = self._tasks.get(target, TaskStatus(target))
        after = self._tasks[target] = replace(before, **values)  # type: ignore[arg-type]
        return after
