"""Opens a dialog and waits for its answer without stopping the event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from shiboken6 import isValid

from inklings_desktop.ui.held_keys import held_keys
from inklings_desktop.ui.widgets.reading_order import order_tabs
from inklings_desktop.ui.widgets.scrim import veil_behind

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QDialog


async def answered(dialog: QDialog, *, is_awaited: bool = False) -> int:
    """The dialog's result code once it is finished; the dialog is then deleted.

    Args:
        dialog: What asks.
        is_awaited: Whether keys that were held until now were pressed for it; what comes in
            between, a question about unsaved text say, must not be answered by them.

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
    if is_awaited and (parent := dialog.parentWidget()) is not None:
        held_keys(parent).give_on()
    try:
        return await done
    finally:
        if isValid(dialog):
            dialog.deleteLater()
