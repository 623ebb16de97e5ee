"""Leads through one process in a dialog: a state is shown, and an answer leads to another state."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.usecases.ports.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from _typeshed import DataclassInstance

    from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
    from inklings_desktop.ui.kit.page.context import Context

_REPORT_SECONDS = 0.1

StateT = TypeVar("StateT", bound="DataclassInstance | None")
DialogT = TypeVar("DialogT", bound="ProcessDialog[Any]")


class Process(QObject, Generic[StateT, DialogT]):
    """Keeps what one dialog shows, and does what its buttons ask for; one dialog at a time.

    A subclass holds the steps: each changes the state by ``show``, and is reached from a button
    of the dialog that it made and handed to ``show_dialog``. It knows no widget but that dialog,
    and does without it: what is under way when the dialog goes ends without being seen.

    Attributes:
        state: What is on show.
        dialog: What shows it; None while nothing does.

    Signals:
        state_changed: The state that is shown now.
    """

    state_changed = Signal(object)

    def __init__(self, context: Context, state: StateT, parent: QObject | None = None) -> None:
        super().__init__(parent or context.window)
        self.context = context
        self.inklings, self.background = context.inklings, context.background
        self.state = state
        self.dialog: DialogT | None = None

    # -- on show ------------------------------------------------------------------------------

    def show(self, state: StateT) -> None:
        """Show another state."""
        self.state = state
        if self.dialog is not None:
            self.dialog.show_state(state)
        self.state_changed.emit(state)

    def change(self, **values: object) -> None:
        """Show the state with other values in some of its fields."""
        assert self.state is not None
        self.show(replace(self.state, **values))

    def show_dialog(self, dialog: DialogT) -> None:
        """Show the state in a dialog over the window; closing it asks to ``leave``."""
        self.dialog = dialog
        dialog.leave_requested.connect(self.leave)
        dialog.show_state(self.state)
        dialog.show_over_window()
        held_keys(self.context.window).note_dialog(dialog)

    def may_leave(self) -> bool:
        """Whether the dialog may go now; else whatever keeps it is said, or ends by itself."""
        return True

    @Slot()
    def leave(self) -> None:
        """Close the dialog if it may go."""
        if self.may_leave():
            self.close()

    def close(self) -> None:
        """Let go of the dialog, and of what was shown in it."""
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.let_go()
        self.ended()

    def ended(self) -> None:
        """Nobody looks any more: stop what is only for show, and begin anew the next time."""

    # -- what buttons do ----------------------------------------------------------------------

    def spawn(self, action: Coroutine[Any, Any, object]) -> None:
        """Start what a person asked for; why it cannot be done is said to them."""
        self.background.spawn(action)

    def starts(self, action: Callable[[], Coroutine[Any, Any, object]]) -> Callable[[], None]:
        """What a button is connected to so that it starts an action."""

        def start() -> None:
            self.spawn(action())

        return start

    async def ask(
        self, title: str, text: str, *, yes: str, no: str, is_destructive: bool = False
    ) -> bool:
        """Ask over the dialog before something is done; the arguments are those of ``ask``."""
        over = self.dialog or self.context.window
        return await ask(over, title, text, yes=yes, no=no, is_destructive=is_destructive)


def reports_to(
    show: Callable[[str, int, int], None], is_cancelled: Callable[[], bool] = lambda: False
) -> Progress:
    """Takes reports on the working thread and brings them to this one, at most ten a second.

    The beginning and the end of a step are never left out.

    Args:
        show: Called on this thread with the step, units done, and units in all (0: unknown).
        is_cancelled: Whether the person wants it to stop.
    """
    loop = asyncio.get_running_loop()
    last_step, last_time = "", 0.0

    def report(step: str, done: int, total: int) -> None:
        nonlocal last_step, last_time
        now = time.monotonic()
        if step != last_step or done == total or now - last_time >= _REPORT_SECONDS:
            last_step, last_time = step, now
            with suppress(RuntimeError):  # the loop ends when the window does
                loop.call_soon_threadsafe(show, step, done, total)

    return Progress(report, is_cancelled)
