"""Joins background work to the strip in the rail, and tells the clock that somebody is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.ui.control.tasks_presenter import ClockInWindow, TasksPresenter
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.ops.activity_watch import ActivityWatch

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.words.task_words import StripLine
    from inklings_desktop.ui.rail.task_strip import TaskStrip
    from inklings_desktop.usecases.bundle import Inklings


class TaskDesk(QObject):
    """Background work of one opened data root, whichever page is on show.

    Attributes:
        clock: Does the work; None where no clock runs.
        presenter: Keeps strip and table true.

    Signals:
        task_opened: Row of the table that a person wants to see; empty for the table as such.
    """

    task_opened = Signal(str)

    def __init__(
        self, background: Background, inklings: Inklings, *, strip: TaskStrip, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._strip = strip
        # In the window the clock is a QObject, and its signals come from its own thread.
        clock = self.clock = cast("ClockInWindow | None", inklings.background)
        self.presenter = TasksPresenter(background, inklings, clock, self)
        self.presenter.strip_changed.connect(self._on_strip_changed)
        self.presenter.told.connect(self._on_told)
        strip.opened.connect(self.task_opened)
        strip.cancel_requested.connect(self.presenter.cancel_kind)
        strip.resume_requested.connect(self.presenter.toggle_pause)
        self._activity = None
        if clock is not None:
            self._activity = ActivityWatch(clock.note_activity, strip.window(), self)

    def begin(self) -> None:
        """Let the clock look what there is to do: the first page is on show."""
        if self.clock is not None:
            self.clock.begin()

    async def open(self, workspace_id: str) -> None:
        """Show the work of a workspace and of the account."""
        await self.presenter.open(workspace_id)

    def close(self) -> None:
        """Let go of the clock, which is about to stop."""
        if self._activity is not None:
            self._activity.stop()
        self.presenter.close()
        self._strip.show_lines(())

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        self.presenter.on_changes(changes)

    @Slot(object)
    def _on_strip_changed(self, lines: tuple[StripLine, ...]) -> None:
        self._strip.show_lines(lines)

    @Slot(str, bool)
    def _on_told(self, sentence: str, urgent: bool) -> None:  # noqa: FBT001 - a signal's payload
        announce(self._strip.window(), sentence, urgent=urgent)
