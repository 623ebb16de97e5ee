"""What the window withholds while the disk cannot be written to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.presenters.task_strip_lines import read_only_line

if TYPE_CHECKING:
    from inklings_desktop.ui.views.memory_page import MemoryPage
    from inklings_desktop.ui.views.rail_pane import RailPane
    from inklings_desktop.ui.views.window_status import WindowStatusBar
    from inklings_desktop.ui.window_menus import WindowMenus


def withhold_editing(
    *, page: MemoryPage, menus: WindowMenus, status: WindowStatusBar, rail: RailPane
) -> None:
    """Switch off what would store something, with the reason where it stands."""
    page.set_read_only(_tr("Read-only: the disk cannot be written to."))
    menus.withhold_editing()
    status.show_read_only()
    rail.tasks.show_lines((read_only_line(),))


def _tr(text: str) -> str:
    return QCoreApplication.translate("read_only", text)
