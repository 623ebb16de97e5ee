"""Background work as the window shows and steers it; the clock itself works elsewhere."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.background.tasks import CANCELLED
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.logs import topic
from inklings_desktop.ui.control.task_rows import (
    Hold,
    TaskScene,
    ending_sentence,
    large_target,
    task_rows,
)
from inklings_desktop.ui.control.task_table import TaskAct, WorkFacts
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.page.page import KeepUp
from inklings_desktop.ui.kit.words.task_words import TaskGroup, strip_lines, tier_of
from inklings_desktop.usecases.background.background_work import (
    BackgroundStatus,
    BackgroundWork,
    TaskPhase,
    TaskStatus,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import SignalInstance

    from inklings_desktop.domain.background.tasks import TaskRun, TaskTarget
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.background.tasks import TaskSituation
    from inklings_desktop.usecases.bundle import Inklings

UPDATE_MS = 100
LOOK_MS = 5_000
YOUNG_SECONDS = 0.4
"""A run that is over sooner never shows in the strip: it would only flicker."""
N_RUNS = 200

_PLANNED = frozenset({TaskGroup.CHANNEL, TaskGroup.WORKSPACE, TaskGroup.ACCOUNT})
_NOTHING = BackgroundStatus(False, ())
_log = topic("ui")


class ClockInWindow(BackgroundWork, Protocol):
    """The clock's work with the signals that it has in the window, emitted on its own thread."""

    task_started: SignalInstance
    task_progressed: SignalInstance
    task_finished: SignalInstance
    task_failed: SignalInstance
    state_changed: SignalInstance


class TasksPresenter(QObject):
    """Keeps strip and table true, at most ten times a second; knows no widgets.

    What the files say is read off the UI thread, and only while somebody looks at the table. What
    the clock says is asked of it in memory.

    Signals:
        strip_changed: The strip's lines, a tuple of ``StripLine``.
        table_changed: The ``WorkFacts``.
        told: A sentence to be read aloud, and whether it is urgent.
        stopped: The same of work that a person stopped, to be shown: nothing else would tell them.
        review_requested: Scope key or tier whose plan a person wants to see before it is run.
        run_ended: Work on the workspace on show, or the account, is over.
    """

    strip_changed = Signal(object)
    table_changed = Signal(object)
    told = Signal(str, bool)
    stopped = Signal(str)
    review_requested = Signal(object)
    run_ended = Signal()

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        clock: ClockInWindow | None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._clock = clock
        self._reading = Latest(background)
        self._workspace_id = ""
        self._situations: tuple[TaskSituation, ...] = ()
        self._runs: tuple[TaskRun, ...] = ()
        self._has_read = False
        self._asked: set[TaskTarget] = set()
        self._wanted: set[TaskTarget] = set()
        self._stopping: set[TaskTarget] = set()
        self._elsewhere: set[TaskTarget] = set()
        self._run_ids: dict[TaskTarget, str] = {}
        self._begun: dict[TaskTarget, float] = {}
        self._is_scrubbing = False
        self._paused_for_scrub = False
        self._offers_review = False
        self._shown: tuple[object, object] = (None, None)
        self._keep_up = KeepUp(self)
        self._keep_up.due.connect(self.refresh)
        self._soon = timer(self, self._update, UPDATE_MS)
        # The clock says nothing when work begins to wait, and ages grow by themselves.
        self._looks = timer(self, self._update, LOOK_MS, again=True)
        if clock is not None:
            clock.task_started.connect(self._on_task_started)
            clock.task_progressed.connect(self._update_soon)
            clock.task_finished.connect(self._on_task_ended)
            clock.task_failed.connect(self._on_task_ended)
            clock.state_changed.connect(self._update_soon)
            self._looks.start()

    @property
    def has_clock(self) -> bool:
        """Whether anything can be started here."""
        return self._clock is not None

    @property
    def is_paused(self) -> bool:
        """Whether a person paused all of it."""
        return self._status().is_paused and not self._paused_for_scrub

    async def open(self, workspace_id: str) -> None:
        """Show the work of a workspace and of the account."""
        self._workspace_id = workspace_id
        self._situations, self._runs, self._has_read = (), (), False
        self._keep_up.ask()
        self._update()
        await self._reading.settled()

    def close(self) -> None:
        """Say and ask nothing more: the clock is about to stop."""
        self._keep_up.set_watched(watched=False)
        self._soon.stop()
        self._looks.stop()
        self._clock = None
        self._reading.cancel()

    def set_watched(self, *, watched: bool) -> None:
        """Read on from now on, or only note that something changed."""
        self._keep_up.set_watched(watched=watched)

    def offer_review(self) -> None:
        """Somebody can show the plan of a run: what has one is run from it alone."""
        self._offers_review = True
        self._update()

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Queues may have grown."""
        if changes.workspace_id in {self._workspace_id, None}:
            self._elsewhere.clear()  # whoever was at it has come to an end, or begins another
            self._keep_up.note_change()

    @Slot()
    def refresh(self) -> None:
        """Read again at once."""
        if self._workspace_id:
            self._keep_up.begin()
            self._reading.run(self._read(self._workspace_id))

    # -- what a person wants ----------------------------------------------------------------

    @Slot(str)
    def act(self, key: str) -> None:
        """Do what the row's button says at the moment."""
        row = next((one for one in task_rows(self._scene()) if one.key == key), None)
        if row is None:
            return
        group = TaskGroup(key)
        if row.act is TaskAct.RUN and self._offers_review and group in _PLANNED:
            self.review_requested.emit(tier_of(group))
        elif row.act is TaskAct.RUN:
            self._request(group)
        elif row.act is TaskAct.CANCEL:
            self._cancel(self._scene().targets(group))
        elif row.act is TaskAct.REVIEW:
            target = large_target(self._scene(), group)
            if target is not None and target.scope is not None:
                self.review_requested.emit(target.scope)
        elif row.refusal:
            self.told.emit(f"{row.name}: {row.refusal}", False)

    def run(self, key: str) -> None:
        """Begin a row's work, or show its plan where it has one; never cancel it."""
        row = next((one for one in task_rows(self._scene()) if one.key == key), None)
        if row is not None and row.act is not TaskAct.CANCEL:
            self.act(key)

    @Slot(str)
    def cancel_kind(self, kind: str) -> None:
        """Stop whatever of a kind of work runs or was asked for, in whichever workspace."""
        running = [one.target for one in self._status().tasks if one.phase is TaskPhase.RUNNING]
        self._cancel([one for one in (*running, *self._asked) if one.kind.value == kind])

    @Slot()
    def toggle_pause(self) -> None:
        """Pause all background work, or go on."""
        if self._clock is None:
            return
        if self._is_scrubbing:
            # It is paused either way; this decides how it goes on after the scrub.
            self._paused_for_scrub = not self._paused_for_scrub
        elif self._status().is_paused:
            self._clock.resume()
        else:
            self._clock.pause()
        self._update()

    @Slot(bool)
    def hold_for_scrub(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        """Let nothing run while memories are scrubbed."""
        if self._clock is None or on == self._is_scrubbing:
            return
        self._is_scrubbing = on
        if on:
            self._paused_for_scrub = not self._status().is_paused
            self._clock.pause()
        elif self._paused_for_scrub:
            self._paused_for_scrub = False
            self._clock.resume()
        self._update()

    def _request(self, group: TaskGroup) -> None:
        for target in self._scene().targets(group):
            self._asked.add(target)
            self._wanted.add(target)
            if self._clock is not None:
                self._clock.request(target)
        self._update()

    def _cancel(self, targets: Sequence[TaskTarget]) -> None:
        if self._clock is None:
            return
        running = {one.target for one in self._status().tasks if one.phase is TaskPhase.RUNNING}
        for target in targets:
            self._asked.discard(target)
            if target in running:
                self._stopping.add(target)
            self._clock.cancel(target)
        self._update()

    # -- what is shown ----------------------------------------------------------------------

    def _status(self) -> BackgroundStatus:
        return _NOTHING if self._clock is None else self._clock.status()

    def _scene(self) -> TaskScene:
        status = self._status()
        hold = Hold.SCRUB if self._is_scrubbing else Hold.NOTHING
        if hold is Hold.NOTHING and status.is_paused:
            hold = Hold.PAUSED
        if self._inklings.is_read_only:
            hold = Hold.READ_ONLY
        return TaskScene(
            self._inklings.clock(),
            self._inklings.settings.background,
            has_model=self._inklings.embedder.is_available,
            has_clock=self._clock is not None,
            hold=hold,
            situations=self._situations,
            runs=self._runs,
            live={one.target: one for one in status.tasks},
            asked=frozenset(self._asked),
            stopping=frozenset(self._stopping),
            elsewhere=frozenset(self._elsewhere),
            offers_review=self._offers_review,
        )

    @Slot()
    def _update(self) -> None:
        self._soon.stop()
        status = self._status()
        now = time.monotonic()
        young = {target for target, begun in self._begun.items() if now - begun < YOUNG_SECONDS}
        if young:
            self._soon.start()
        lines = strip_lines(status, self._workspace_id, young, for_scrub=self._is_scrubbing)
        table = self._table(status) if self._has_read else None
        shown_lines, shown_table = self._shown
        self._shown = (lines, table or shown_table)
        if lines != shown_lines:
            self.strip_changed.emit(lines)
        if table is not None and table != shown_table:
            self.table_changed.emit(table)

    def _table(self, status: BackgroundStatus) -> WorkFacts:
        rows = task_rows(self._scene())
        startable = {TaskAct.RUN, TaskAct.REVIEW}
        return WorkFacts(
            rows,
            status.is_paused and not self._paused_for_scrub,
            self._clock is not None and not self._is_scrubbing,
            frozenset(row.key for row in rows if row.tier is not None and row.act in startable),
        )

    # -- what the files say -----------------------------------------------------------------

    async def _read(self, workspace_id: str) -> None:
        try:
            known = await self._background.read(_known, self._inklings, workspace_id)
        except InklingsError as error:
            # The figures beside the table say so aloud; it keeps what it showed.
            _log.warning("background work cannot be read: %s", type(error).__name__)
            self._keep_up.fail()
            return
        self._situations, self._runs = known
        self._has_read = True
        self._update()

    # -- what the clock says, from its own thread ---------------------------------------------

    @Slot(object)
    def _on_task_started(self, status: TaskStatus) -> None:
        self._begun[status.target] = time.monotonic()
        self._run_ids[status.target] = status.run_id
        self._elsewhere.discard(status.target)
        self._asked.discard(status.target)
        self._update_soon()

    @Slot(object)
    def _on_task_ended(self, status: TaskStatus) -> None:
        target = status.target
        self._begun.pop(target, None)
        self._stopping.discard(target)
        was_wanted = target in self._wanted
        self._wanted.discard(target)
        # A run that never began leaves the one before it in its place.
        is_elsewhere = status.phase is TaskPhase.WAITING and (
            self._run_ids.pop(target, None) == status.run_id
        )
        if is_elsewhere:
            self._elsewhere.add(target)
        if target.workspace_id in {self._workspace_id, None}:
            self.run_ended.emit()
            told = ending_sentence(
                status,
                was_wanted=was_wanted,
                is_elsewhere=is_elsewhere,
                is_paused=self._status().is_paused,
            )
            if told:
                self.told.emit(told, status.phase is TaskPhase.FAILED)
                if status.phase is TaskPhase.STOPPED and status.problem == CANCELLED:
                    self.stopped.emit(told)
            self._keep_up.note_change()
        self._update_soon()

    @Slot()
    def _update_soon(self) -> None:
        if self._clock is not None and not self._soon.isActive():
            self._soon.start()


def _known(
    inklings: Inklings, workspace_id: str
) -> tuple[tuple[TaskSituation, ...], tuple[TaskRun, ...]]:
    """What the open workspace and the account say of their work; runs on a reader.

    Raises:
        InklingsError: A file cannot be read.
    """
    files = (workspace_id, None)
    situations = [one for file in files for one in inklings.tasks.look(file)]
    runs = [run for file in files for run in inklings.consolidation.list_runs(file, limit=N_RUNS)]
    return tuple(situations), tuple(runs)
