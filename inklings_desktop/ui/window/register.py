"""The pages of the window, in their order: a new one is a folder and a line here."""

from __future__ import annotations

import functools

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.kit.ops.page_spec import (
    CONTROL_PAGE,
    ENTRIES_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
    PageSpec,
    TabSpec,
)


@functools.cache
def page_specs() -> tuple[PageSpec, ...]:
    """Every page; menus, rail, palette, title bar and status bar are made from them."""
    ui = "inklings_desktop.ui."
    return (
        PageSpec(MEMORY_PAGE, _tr("Memory"), "stack", ("Alt+1",), ""),
        PageSpec(
            ENTRIES_PAGE,
            _tr("Named entries"),
            "bookmarks",
            ("Alt+2",),
            f"{ui}entries.page:EntriesPage",
        ),
        PageSpec(
            PREVIEW_PAGE,
            _tr("Next turn preview"),
            "eye",
            ("Alt+3", "Ctrl+P"),
            f"{ui}turn.page:TurnPage",
            told=_tr("What the agent will see at the start of the next turn"),
        ),
        PageSpec(
            CONTROL_PAGE,
            _tr("Control plane"),
            "gauge",
            ("Alt+4",),
            f"{ui}control.page:ControlPage",
            told=_tr("How much each tier holds, the event log, scrubbing"),
            is_authors=True,
            is_below_rooms=True,
            tabs=(
                TabSpec("events", _tr("Event log"), f"{ui}events.page:EventsPage"),
                TabSpec("access", _tr("Access"), f"{ui}access.page:AccessPage"),
            ),
        ),
    )


def spec_of(page_id: str) -> PageSpec | None:
    """What is known of a page; None for a stranger's id."""
    return next((one for one in page_specs() if one.id == page_id), None)


def _tr(text: str) -> str:
    return QCoreApplication.translate("pages", text)
