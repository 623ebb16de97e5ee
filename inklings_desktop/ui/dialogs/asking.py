"""Opens a dialog and waits for its answer without stopping the event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inklings_desktop.ui.widgets.reading_order import order_tabs
from inklings_desktop.ui.widgets.scrim import veil_behind

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog


async def answered(dialog: QDialog) -> int:
    """The dialog's result code once it is finished; the dialog is then deleted."""
    done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def finish(code: int) -> None:
        if not done.done():
            done.set_result(code)

    dialog.finished.connect(finish)
    veil_behind(dialog)
    order_tabs(dialog)
    dialog.open()
    try:
        return await done
    finally:
        dialog.deleteLater()
