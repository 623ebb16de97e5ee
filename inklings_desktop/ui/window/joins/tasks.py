"""Joins background work to the strip in the rail, and tells the clock that somebody is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QGuiApplication, QWindow

from inklings_desktop.ui.control.tasks_presenter import ClockInWindow, TasksPresenter
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.page.destinations import ToTask

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.rail.task_strip import TaskStrip


_BY_A_PERSON = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.KeyRelease,
        QEvent.Type.ShortcutOverride,
        QEvent.Type.InputMethod,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
        QEvent.Type.TouchUpdate,
        QEvent.Type.TabletPress,
        QEvent.Type.TabletMove,
        QEvent.Type.NativeGesture,
    }
)


class ActivityWatch(QObject):
    """Watches every window of the program that had the focus, and touches none of the events.

    A window gets each movement once. The application as a whole would see it again for every
    widget on its way, and everything else besides: thousands of calls while a page is built.
    """

    def __init__(self, note: Callable[[], None], window: QWidget, parent: QObject) -> None:
        """Watch from now on.

        Args:
            note: Told of every movement; must return at once.
            window: Watched at once, others when they get the focus.
        """
        super().__init__(parent)
        self._note = note
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        self._app = app
        app.focusWindowChanged.connect(self._on_focus_window_changed)
        self._on_focus_window_changed(window.windowHandle())

    def stop(self) -> None:
        """Notice nothing more."""
        self._app.focusWindowChanged.disconnect(self._on_focus_window_changed)
        self._note = _nobody

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notes the moment; every event goes on its way."""
        if event.type() in _BY_A_PERSON:
            self._note()
        return super().eventFilter(watched, event)

    @Slot(QWindow)
    def _on_focus_window_changed(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)  # again does no harm: Qt keeps it once
            self._note()


def _nobody() -> None:
    """Nobody listens any more."""


class WindowTasks(QObject):
    """Background work of one opened data root, whichever page is on show.

    Attributes:
        clock: Does the work; None where no clock runs.
        presenter: Keeps strip and table true.
    """

    def __init__(self, context: Context, strip: TaskStrip, parent: QObject) -> None:
        """Keep the strip true, and do what is asked of it.

        Args:
            strip: At the foot of the rail.
        """
        super().__init__(parent)
        self._context, self._strip = context, strip
        background, inklings = context.background, context.inklings
        # In the window the clock is a QObject, and its signals come from its own thread.
        clock = self.clock = cast("ClockInWindow | None", inklings.background)
        self.presenter = TasksPresenter(background, inklings, clock, self)
        self.presenter.strip_changed.connect(strip.show_lines)
        self.presenter.told.connect(self._on_told)
        strip.opened.connect(self.show_task)
        strip.cancel_requested.connect(self.presenter.cancel_kind)
        strip.resume_requested.connect(self.presenter.toggle_pause)
        self._activity = None
        if clock is not None:
            self._activity = ActivityWatch(clock.note_activity, strip.window(), self)
        context.hear(self.presenter.on_changes)

    def begin(self) -> None:
        """Let the clock look what there is to do: the first page is on show."""
        if self.clock is not None:
            self.clock.begin()

    @Slot(str)
    def show_task(self, key: str) -> None:
        """Lead to a row of the table; to the table as such with an empty key."""
        self._context.go(ToTask(key))

    def close(self) -> None:
        """Let go of the clock, which is about to stop."""
        if self._activity is not None:
            self._activity.stop()
        self.presenter.close()
        self._strip.show_lines(())

    @Slot(str, bool)
    def _on_told(self, sentence: str, urgent: bool) -> None:  # noqa: FBT001 - a signal's payload
        announce(self._strip.window(), sentence, urgent=urgent)
