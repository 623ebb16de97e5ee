"""Opens a dialog and waits for its answer without stopping the event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from shiboken6 import isValid

from inklings_desktop.ui.held_keys import held_keys
from inklings_desktop.ui.widgets.reading_order import order_tabs
from inklings_desktop.ui.widgets.scrim import veil_behind

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QDialog, QWidget

    from inklings_desktop.ui.background import Background


def begin_asking(
    background: Background, action: Coroutine[Any, Any, object], widget: QWidget
) -> None:
    """Start what opens a dialog over a widget's window; what is typed from now on is for that."""
    held_keys(widget).until_asked(background.spawn(action))


async def answered(dialog: QDialog) -> int:
    """The dialog's result code once it is finished; the dialog is then deleted.

    Raises:
        CancelledError: The dialog went away with its page, as at closing.
    """
    done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def finish(code: int) -> None:
        if not done.done():
            done.set_result(code)

    def is_gone(_dialog: QObject) -> None:
        done.cancel()

    dialog.finished.connect(finish)
    dialog.destroyed.connect(is_gone)
    veil_behind(dialog)
    order_tabs(dialog)
    dialog.open()
    if (parent := dialog.parentWidget()) is not None:
        held_keys(parent).note_dialog(dialog)
    try:
        return await done
    finally:
        if isValid(dialog):
            dialog.deleteLater()
