"""States of the tour in which something is looked for: palette, keyboard sheet, operators."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow

SOUGHT = "sked"
OPERATORS = 'tag:saltglass importance:>0.5 after:2020 "glass"'
PAUSE_SECONDS = 0.4


async def show_palette(_memory: MemoryPage, window: MainWindow) -> None:
    """The command palette over the page, with what a word may mean."""
    window.menus["palette"].trigger()
    palette = window.finding.palette
    if palette is not None and palette.dialog is not None:
        await palette.presenter.settled()
        palette.dialog.field.setText(SOUGHT)
        await palette.presenter.settled()


async def show_sheet(_memory: MemoryPage, window: MainWindow) -> None:
    """The keyboard sheet."""
    palette = window.finding.palette
    if palette is not None and palette.dialog is not None:
        palette.dialog.reject()
    window.menus["keyboard"].trigger()


async def show_operators(memory: MemoryPage, window: MainWindow) -> None:
    """A search with operators, after Enter."""
    window.finding.close_sheet()
    page = window.page
    page.clear_filters_requested.emit()
    page.header.search.put_text(OPERATORS)
    page.header.search.submitted.emit(OPERATORS)
    await memory.list.settled()
    await asyncio.sleep(PAUSE_SECONDS)
