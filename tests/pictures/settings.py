"""States of the tour on the Settings page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.ops.page_spec import SETTINGS_PAGE
from inklings_desktop.ui.kit.page.destinations import ToSettings
from inklings_desktop.ui.settings.groups import (
    APPEARANCE,
    BACKGROUND,
    MEMORY,
    PRIVACY,
    SEARCH_MODEL,
)
from inklings_desktop.ui.tour.tour import settle, until

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.settings.memory.group import MemoryGroup
    from inklings_desktop.ui.settings.page import SettingsPage
    from inklings_desktop.ui.window.main_window import MainWindow

_TRIED = 0.999


async def show_rates(_memory: MemoryPage, window: MainWindow) -> None:
    """Another rate is tried for the workspace, and rehearsed."""
    group = cast("MemoryGroup", await _shown(window, MEMORY))
    await until(lambda: group.rates is not None)
    group.try_rate(Tier.WORKSPACE, _TRIED)
    await until(lambda: group.rehearsed.golden is not None)
    await settle()


async def show_search_model(_memory: MemoryPage, window: MainWindow) -> None:
    """The models there are."""
    await _shown(window, SEARCH_MODEL)


async def show_background(_memory: MemoryPage, window: MainWindow) -> None:
    """When work is done."""
    await _shown(window, BACKGROUND)


async def show_appearance(_memory: MemoryPage, window: MainWindow) -> None:
    """How the window looks."""
    await _shown(window, APPEARANCE)


async def show_privacy(_memory: MemoryPage, window: MainWindow) -> None:
    """What leaves this machine."""
    await _shown(window, PRIVACY)


async def _shown(window: MainWindow, group_id: str) -> Any:
    """What leads a group, once it is on show."""
    window.go(ToSettings(group_id))
    opened = window.opened
    assert opened is not None
    await until(lambda: opened.pages.page(SETTINGS_PAGE) is not None)
    page = cast("SettingsPage", opened.pages.page(SETTINGS_PAGE))
    await until(lambda: page.group(group_id) is not None)
    await page.settled()
    await settle()
    return page.group(group_id)
