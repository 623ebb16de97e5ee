"""The views of a window's pages, as far as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from inklings_desktop.ui.control.page import ACCESS_TAB, EVENTS_TAB
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE, ENTRIES_PAGE, PREVIEW_PAGE

if TYPE_CHECKING:
    from inklings_desktop.ui.access.page import AccessPage
    from inklings_desktop.ui.control.page import ControlPage, ControlView
    from inklings_desktop.ui.entries.view import EntriesView
    from inklings_desktop.ui.events.page import EventsPage
    from inklings_desktop.ui.turn.view import TurnView
    from inklings_desktop.ui.window.main_window import MainWindow


def entries_view(window: MainWindow) -> EntriesView | None:
    """The Named entries page; None until it is made."""
    return cast("EntriesView | None", window.pages.view(ENTRIES_PAGE))


def turn_view(window: MainWindow) -> TurnView | None:
    """The page of the next turn; None until it is made."""
    return cast("TurnView | None", window.pages.view(PREVIEW_PAGE))


def control_view(window: MainWindow) -> ControlView | None:
    """The Control plane page; None until it is made."""
    return cast("ControlView | None", window.pages.view(CONTROL_PAGE))


def events_of(control: ControlPage) -> EventsPage:
    """The Event log tab."""
    return cast("EventsPage", control.tab(EVENTS_TAB))


def access_of(control: ControlPage) -> AccessPage:
    """The Access tab."""
    return cast("AccessPage", control.tab(ACCESS_TAB))
