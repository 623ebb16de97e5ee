"""Opens a dialog and waits for its answer without stopping the event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from shiboken6 import isValid

from inklings_desktop.ui.kit.look.accessibility import order_tabs
from inklings_desktop.ui.kit.look.veil import veil_behind
from inklings_desktop.ui.kit.ops.type_ahead import held_keys

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QDialog, QWidget

    from inklings_desktop.ui.kit.ops.background import Background


def begin_asking(
    background: Background, action: Coroutine[Any, Any, object], widget: QWidget
) -> None:
    """Start what opens a dialog over a widget's window; what is typed from now on is for that."""
    held_keys(widget).until_asked(background.spawn(action))


async def answered(dialog: QDialog, *, leads_on: bool = False) -> int:
    """The dialog's result code once it is finished; the dialog is then deleted.

    Args:
        dialog: Not on show yet.
        leads_on: Whether agreeing to it leads to another dialog of the same task; what is typed
            before that one is there is for it.

    Raises:
        CancelledError: The dialog went away with its page, as at closing.
    """
    done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    window, task = dialog.parentWidget(), asyncio.current_task()

    def finish(code: int) -> None:
        if not done.done():
            done.set_result(code)
            if leads_on and code and window is not None and task is not None:
                held_keys(window).until_asked(task)

    def is_gone(_dialog: QObject) -> None:
        done.cancel()

    dialog.finished.connect(finish)
    dialog.destroyed.connect(is_gone)
    veil_behind(dialog)
    order_tabs(dialog)
    dialog.open()
    if window is not None:
        held_keys(window).note_dialog(dialog)
    try:
        return await done
    finally:
        if isValid(dialog):
            dialog.deleteLater()
