"""States of the window that need a world of their own to stand in: dialogs, menus, a scrub's end.

The tour of the program changes nothing, as anybody's data may be under it. What is drawn here
stands over a throw-away copy of the sample world and may write.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDialog, QLineEdit, QMenu, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.ops.page_spec import INBOX_PAGE
from inklings_desktop.ui.kit.page.destinations import ToEvent, ToRuns
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.list.content import selectable_ids
from inklings_desktop.ui.rail.wishes import RoomAction, WorkspaceWish
from inklings_desktop.ui.tour.tour import (
    Stop,
    settle,
    show_control,
    show_entries,
    show_workspace,
    until,
)
from tests.end2end.state_worlds import FILE
from tests.pictures.control import confirm_scrub, count_scrub, show_access, show_scrub_scope
from tests.pictures.steps import control_of, scrub_of
from tests.support.four_clients import STUDIO
from tests.ui.page_views import access_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.ui.window.main_window import MainWindow

N_CHECKED = 3
SLOW_SECONDS = 60.0


def over(window: MainWindow) -> list[QWidget]:
    """What lies over the page now: dialogs, cards and menus."""
    kinds = (QDialog, Popover, QMenu)
    return [one for kind in kinds for one in window.findChildren(kind) if one.isVisible()]


async def cleared(window: MainWindow) -> None:
    """Close whatever lies over the page."""
    for one in over(window):
        if isinstance(one, QDialog):
            one.reject()
        else:
            one.close()
    await until(lambda: not over(window))
    await settle()


def opened_by(
    act: Callable[[MemoryPage, MainWindow], object],
) -> Callable[[MemoryPage, MainWindow], Awaitable[None]]:
    """A way to a state: nothing over the page, then one thing that opens something."""

    async def go(memory: MemoryPage, window: MainWindow) -> None:
        await cleared(window)
        act(memory, window)
        await until(lambda: bool(over(window)))

    return go


def opened_of(window: MainWindow) -> OpenedRoot:
    """What joins the pages; there once a data root is open."""
    assert window.opened is not None
    return window.opened


async def ask_unsaved(memory: MemoryPage, window: MainWindow) -> None:
    """Something typed, and a step to another memory."""
    await cleared(window)
    await show_workspace(memory, window)
    memory.subject.edit(content="The story is set ten years after the Wend Gate flood.")
    window.page.list_cursor.select(selectable_ids(window.page.rows)[0], scroll=False)
    await until(lambda: bool(over(window)))


async def ask_copy(memory: MemoryPage, window: MainWindow) -> None:
    """Where a copy of the open memory is to go."""
    await cleared(window)
    window.inspector.revert_requested.emit()
    await settle()
    memory.acts.act(MemoryAct.COPY_TO)
    await until(lambda: bool(over(window)))


async def ask_replacement(memory: MemoryPage, window: MainWindow) -> None:
    """Search and replace over all that is listed, with the preview of every change."""
    await cleared(window)
    memory.acts.selection.check(selectable_ids(window.page.rows))
    memory.acts.act(MemoryAct.REPLACE)
    await until(lambda: bool(over(window)))
    fields = over(window)[0].findChildren(QLineEdit)
    fields[0].setText("glass")
    fields[1].setText("mirror")
    await asyncio.sleep(1.0)


async def ask_forget_many(memory: MemoryPage, window: MainWindow) -> None:
    """More than a handful is asked about first."""
    await cleared(window)
    memory.acts.act(MemoryAct.FORGET)
    await until(lambda: bool(over(window)))


async def ask_reason(memory: MemoryPage, window: MainWindow) -> None:
    """Why these are forgotten."""
    await cleared(window)
    memory.acts.selection.clear()
    memory.acts.selection.check(selectable_ids(window.page.rows)[:N_CHECKED])
    memory.acts.act(MemoryAct.FORGET_BECAUSE)
    await until(lambda: bool(over(window)))


async def show_toast(memory: MemoryPage, window: MainWindow) -> None:
    """Three forgotten, and the way back."""
    await cleared(window)
    memory.acts.selection.clear()
    memory.acts.selection.check(selectable_ids(window.page.rows)[3 : 3 + N_CHECKED])
    memory.acts.act(MemoryAct.FORGET)
    await until(window.page.toast.isVisible)
    await settle()


async def ask_filter_name(memory: MemoryPage, window: MainWindow) -> None:
    """A name for what is looked for."""
    await cleared(window)
    memory.acts.selection.clear()
    window.page.header.search.set_text("glass")
    await memory.list.settled()
    await asyncio.sleep(0.5)
    window.menus["save_filter"].trigger()
    await until(lambda: bool(over(window)))


async def ask_room_end(memory: MemoryPage, window: MainWindow) -> None:
    """What becomes of a conversation that ends."""
    await cleared(window)
    window.page.header.search.set_text("")
    here = memory.shell.surroundings
    assert here is not None
    opened_of(window).rooms.act(RoomAction.END, here.open_conversations[0].id)
    await until(lambda: bool(over(window)))


async def show_room_menu(memory: MemoryPage, window: MainWindow) -> None:
    """What can be done with a channel."""
    await cleared(window)
    here = memory.shell.surroundings
    assert here is not None
    place = window.rail.tree.mapToGlobal(QPoint(60, 190))
    window.rail.menu_requested.emit(here.channels[1].id, place)
    await until(lambda: bool(over(window)))


async def show_scope_picker(memory: MemoryPage, window: MainWindow) -> None:
    """The conversations to choose from."""
    await cleared(window)
    memory.shell.go(Place(Tier.CONVERSATION))
    await memory.list.settled()
    await settle()
    window.page.header.scope.popup()
    await until(lambda: bool(over(window)))


async def ask_workspace_deletion(memory: MemoryPage, window: MainWindow) -> None:
    """The typed words that a workspace is deleted with."""
    await cleared(window)
    here = memory.shell.surroundings
    assert here is not None
    window.rail.card.wanted.emit(WorkspaceWish.DELETE, here.workspace.id)
    await until(lambda: bool(over(window)))


async def show_import_preview(_memory: MemoryPage, window: MainWindow, *, folder: Path) -> None:
    """What importing a file would do, before anything is written."""
    await cleared(window)
    transfer = opened_of(window).transfer
    transfer.open_files(folder / FILE)
    await until(lambda: transfer.dialog is not None and transfer.dialog.isVisible())


async def take_import(_memory: MemoryPage, window: MainWindow) -> None:
    """The imports that can be taken back, after one."""
    transfer = opened_of(window).transfer
    assert transfer.dialog is not None
    transfer.dialog.confirm.click()
    await until(lambda: transfer.dialog is None)
    window.menus["imports"].trigger()
    await until(lambda: bool(over(window)))


async def show_new_entry(memory: MemoryPage, window: MainWindow) -> None:
    """A name for a companion."""
    await cleared(window)
    await show_entries(memory, window)
    entries = opened_of(window).entries
    assert entries is not None
    entries.new_entry()
    await until(lambda: bool(over(window)))


async def show_deleted_entries(_memory: MemoryPage, window: MainWindow) -> None:
    """The companions that can be brought back."""
    await cleared(window)
    entries = opened_of(window).entries
    assert entries is not None
    entries.restore_deleted()
    await until(lambda: bool(over(window)))


async def show_proposal(_memory: MemoryPage, window: MainWindow) -> None:
    """What an agent would change in VOICE."""
    await cleared(window)
    window.show_page(INBOX_PAGE)
    await asyncio.sleep(1.0)


async def show_runs(memory: MemoryPage, window: MainWindow) -> None:
    """What consolidation did."""
    await cleared(window)
    await show_control(memory, window)
    control = control_of(window)
    assert control is not None
    control.context.go(ToRuns())
    await until(lambda: bool(over(window)))
    await asyncio.sleep(0.5)


async def show_clients(memory: MemoryPage, window: MainWindow) -> None:
    """Four clients, one of them chosen."""
    await cleared(window)
    await show_access(memory, window)
    control = control_of(window)
    assert control is not None
    access_of(control).look_at(STUDIO)
    await settle()


async def show_drill(memory: MemoryPage, window: MainWindow) -> None:
    """A client's rights, tried for real in a world full of markers."""
    await show_clients(memory, window)
    control = control_of(window)
    assert control is not None
    access_of(control).drill.open(STUDIO, access_of(control).workspace_id)
    await until(lambda: bool(over(window)))
    async with asyncio.timeout(SLOW_SECONDS):
        await access_of(control).drill.settled()


async def show_scrub_result(memory: MemoryPage, window: MainWindow) -> None:
    """The end of a scrub, carried out."""
    await show_control(memory, window)
    await show_scrub_scope(memory, window)
    await count_scrub(memory, window)
    await confirm_scrub(memory, window)
    scrub = scrub_of(window)
    assert scrub is not None
    manifest = scrub.state.manifest
    assert manifest is not None
    scrub.type_phrase(manifest.phrase)
    await scrub.execute()
    await until(lambda: scrub.state.outcome is not None)
    await asyncio.sleep(0.5)


async def show_scrub_record(memory: MemoryPage, window: MainWindow) -> None:
    """The log with the record of that scrub open."""
    control, here = control_of(window), memory.shell.surroundings
    scrub = scrub_of(window)
    assert control is not None
    assert here is not None
    assert scrub is not None
    outcome = scrub.state.outcome
    assert outcome is not None
    await cleared(window)
    control.arrive(ToEvent(here.workspace.id, outcome.event_number))
    await asyncio.sleep(1.0)


SCRUB_STOPS = (
    Stop("03d-scrub-result", show_scrub_result),
    Stop("04b-event-log-record", show_scrub_record),
)
"""A scrub carried out, and what the log keeps of it."""


def dialog_stops(folder: Path) -> tuple[Stop, ...]:
    """Every state that stands over a page.

    Args:
        folder: Holds the file that ``add_what_dialogs_list`` wrote.
    """
    return (
        Stop("09a-import-preview", partial(show_import_preview, folder=folder)),
        Stop("dialog-imports", take_import),
        Stop("dialog-unsaved", ask_unsaved),
        Stop("dialog-copy", ask_copy),
        Stop("dialog-replace", ask_replacement),
        Stop("dialog-forget-many", ask_forget_many),
        Stop("dialog-reason", ask_reason),
        Stop("toast-undo", show_toast),
        Stop("dialog-save-filter", ask_filter_name),
        Stop(
            "dialog-saved-filters",
            opened_by(lambda _memory, window: window.menus["saved_filters"].trigger()),
        ),
        Stop("dialog-end-conversation", ask_room_end),
        Stop("menu-room", show_room_menu),
        Stop("popover-scope", show_scope_picker),
        Stop("menu-workspaces", opened_by(lambda _memory, window: window.rail.card.switcher())),
        Stop(
            "dialog-new-workspace",
            opened_by(lambda _memory, window: window.menus["new_workspace"].trigger()),
        ),
        Stop("dialog-delete-workspace", ask_workspace_deletion),
        Stop("dialog-export", opened_by(lambda _memory, window: window.menus["export"].trigger())),
        Stop("dialog-new-entry", show_new_entry),
        Stop("dialog-deleted-entries", show_deleted_entries),
        Stop("inbox-proposal", show_proposal),
        Stop("dialog-runs", show_runs),
        Stop("04c-access-clients", show_clients),
        Stop("dialog-drill", show_drill),
    )
