"""What the states share: the pages and dialogs that they pose."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.ui.consolidation.consolidation_dialogs import ConsolidationDialogs
    from inklings_desktop.ui.control.page import ControlPage
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.scrub.process import ScrubProcess
    from inklings_desktop.ui.window.main_window import MainWindow


async def as_it_is(_memory: MemoryPage, _window: MainWindow) -> None:
    """The state before, at another size."""


def scrub_of(window: MainWindow) -> ScrubProcess | None:
    """The one dialog that scrubs; None until data is open."""
    return window.opened.scrub if window.opened is not None else None


def consolidation_of(window: MainWindow) -> ConsolidationDialogs | None:
    """Plans, runs and golden questions; None until data is open."""
    return window.opened.consolidation if window.opened is not None else None


def control_of(window: MainWindow) -> ControlPage | None:
    """What joins the Control plane and the data; None until it was shown."""
    return window.opened.control if window.opened is not None else None
