"""How every dialog and every card over the window is opened, by what opens it for a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.memory import MemoryDraft, Tier
from inklings_desktop.ui.access.matrix import ClientTable
from inklings_desktop.ui.kit.dialogs.ask import answered
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE, INBOX_PAGE
from inklings_desktop.ui.kit.page.destinations import ToAnalysis, ToGolden, ToRuns, ToSettings
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.rescue import LostText, LostTextDialog
from inklings_desktop.ui.rail.wishes import RoomAction, WorkspaceWish
from inklings_desktop.ui.settings.backups.table import BackupTable
from inklings_desktop.ui.tour import tour
from tests.pictures import control as tour_control
from tests.pictures import memory as tour_memory
from tests.support.builders import an_agent
from tests.ui.access_bench import button, table_of
from tests.ui.entries_bench import proposed
from tests.ui.page_views import access_of, entries_view
from tests.ui.test_saved_filters import songs_saved
from tests.ui.test_transfers import opened as import_opened
from tests.ui.transfer_bench import my_memories

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from PySide6.QtGui import QAction

    from inklings_desktop.ui.control.page import ControlPage
    from inklings_desktop.ui.entries.view import EntriesView
    from inklings_desktop.ui.kit.controls.chips import FilterChip
    from inklings_desktop.ui.memory.list.filter_bar import FilterBar
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.ui.window.menus import WindowMenus
    from tests.ui.presenter_bench import Bench
    from tests.ui.window_bench import WindowBench

    Opener = Callable[[WindowBench], Awaitable[None]]


def a_client(bench: Bench) -> None:
    """An agent with the usual rights."""
    rights = preset_rights(ClientKind.WORLD_AGENT, bench.workspace.id)
    inklings = bench.inklings
    inklings.clients.grant("Loom", rights, kind=ClientKind.WORLD_AGENT)


def a_client_that_wrote(bench: Bench) -> None:
    """The same, and one memory of it."""
    a_client(bench)
    loom = an_agent("Loom", workspace_id=bench.workspace.id)
    bench.inklings.as_caller(loom).memories.put(MemoryDraft(bench.scope, "Nerys walks."))


def an_asked_world(bench: Bench) -> None:
    """An agent asks for another text of an entry."""
    proposed(bench, "VOICE", "Past tense.", "You said so twice.")


def nothing(_bench: Bench) -> None:
    """The sample world as it is."""


@dataclass(frozen=True)
class Door:
    """One dialog or card.

    Attributes:
        name: What it is, for whoever reads a failure.
        open: Opens it in the window of the sample world, whose data root is given.
        start: Where the keyboard begins: object name or accessible name.
        prepare: Fills the sample world further.
        leaves: Whether Escape closes it; else it asks, or waits for what is safe.
        takes: Whether the world is another one once it is open.
    """

    name: str
    open: Opener
    start: str
    prepare: Callable[[Bench], None] = nothing
    leaves: bool = True
    takes: bool = False


def opened_root(bench: WindowBench) -> OpenedRoot:
    """What joins pages and data."""
    assert bench.window.opened is not None
    return bench.window.opened


async def control(bench: WindowBench) -> ControlPage:
    """The Control plane, on show."""
    await tour.show_control(bench.memory, bench.window)
    found = opened_root(bench).control
    assert found is not None
    return found


async def chosen(bench: WindowBench) -> None:
    """Wait until the current memory is open in the inspector, and none before it."""
    subject, cursor = bench.memory.subject, bench.window.page.list_cursor
    await bench.until(
        lambda: (one := subject.current_entry) is not None and one.id == cursor.current_id()
    )


def at_once(press: Callable[[WindowBench], object]) -> Opener:
    """Press what stands in the window."""

    async def opened(bench: WindowBench) -> None:
        press(bench)

    return opened


def menu(which: Callable[[WindowMenus], QAction]) -> Opener:
    """Choose an action of the menus."""
    return at_once(lambda bench: which(bench.window.menus).trigger())


def chip(which: Callable[[FilterBar], FilterChip]) -> Opener:
    """Press a chip above the list."""
    return at_once(lambda bench: which(bench.window.page.filters).popover_requested.emit())


def in_control(press: Callable[[ControlPage], object]) -> Opener:
    """Press what stands in the Control plane."""

    async def opened(bench: WindowBench) -> None:
        press(await control(bench))

    return opened


def of_last_client(name: str) -> Opener:
    """Press what the Access tab has for the last client of the matrix."""

    async def opened(bench: WindowBench) -> None:
        view = access_of(await control(bench)).view
        await tour_control.show_access(bench.memory, bench.window)
        await bench.until(lambda: view.findChild(ClientTable) is not None)
        table_of(view).go_to_end(-1)
        button(view, name).click()

    return opened


def entries(bench: WindowBench) -> EntriesView:
    """The Named entries page, on show."""
    bench.window.show_page(ENTRIES_PAGE)
    page = entries_view(bench.window)
    assert page is not None
    return page


def act(what: MemoryAct) -> Opener:
    """Do something to the current memory."""

    async def opened(bench: WindowBench) -> None:
        await chosen(bench)
        bench.memory.acts.act(what)

    return opened


async def import_preview(bench: WindowBench) -> None:
    """Import preview."""
    await import_opened(bench, bench.bench.inklings.data_dir.parent / "x.json")


async def unsaved(bench: WindowBench) -> None:
    """Unsaved."""
    await chosen(bench)
    bench.memory.subject.edit(content="Typed and not saved.")
    bench.window.page.list_cursor.select_next()


async def end_conversation(bench: WindowBench) -> None:
    """End conversation."""
    here = bench.memory.shell.surroundings
    assert here is not None
    opened_root(bench).rooms.act(RoomAction.END, here.open_conversations[0].id)


async def message(bench: WindowBench) -> None:
    """Message."""
    bench.window.show_message(
        Message("The file could not be read.", "Nothing was changed.", details=(("Line", "1"),))
    )


async def confirm_forget(bench: WindowBench) -> None:
    """Confirm forget."""
    bench.memory.acts.selection.check_all()
    await bench.memory.acts.selection.settled()
    bench.memory.acts.act(MemoryAct.FORGET)


async def review(bench: WindowBench) -> None:
    """Review."""
    await control(bench)
    await tour_control.show_review(bench.memory, bench.window)


async def golden_new(bench: WindowBench) -> None:
    """Golden new."""
    await control(bench)
    await tour_control.show_golden(bench.memory, bench.window)


async def connection(bench: WindowBench) -> None:
    """Connection."""
    await control(bench)
    await tour_control.show_access(bench.memory, bench.window)
    await tour_control.show_connections(bench.memory, bench.window)


async def reject(bench: WindowBench) -> None:
    """Reject."""
    bench.window.show_page(INBOX_PAGE)
    button = bench.window.findChild(QPushButton, "proposalReject")
    assert isinstance(button, QPushButton)
    await bench.until(button.isVisible)
    button.click()


def a_backup_of_before(bench: Bench) -> None:
    """A backup, and one memory more than it holds."""
    bench.inklings.keeping.create_backup(bench.workspace.id)
    bench.inklings.memories.put(MemoryDraft(bench.scope, "Nerys walks."))


async def compare(bench: WindowBench) -> None:
    """Compare a backup."""
    (await control(bench)).context.go(ToSettings("data", "backups"))
    table = None

    def is_listed() -> bool:
        nonlocal table
        table = bench.window.findChild(BackupTable)
        return table is not None and bool(table.rows)

    await bench.until(is_listed)
    assert table is not None
    table.compare_wanted.emit(table.rows[0].name)
    await bench.until(
        lambda: (
            (one := bench.window.findChild(BadgeList, "compareList")) is not None and bool(one.rows)
        )
    )


async def lost_text(bench: WindowBench) -> None:
    """Its desk opens it when another program takes the workspace away; see there."""
    lost = LostText("Saltglass", "A new memory", "Nobody has saved this.", "Hollow Crown")
    dialog = LostTextDialog(bench.window.page.theme, lost, bench.window)
    opened_root(bench).memory.background.spawn(answered(dialog))


async def scrub_scope(bench: WindowBench) -> None:
    """Scrub scope."""
    await control(bench)
    await tour_control.show_scrub_scope(bench.memory, bench.window)


async def scrub_manifest(bench: WindowBench) -> None:
    """Scrub manifest."""
    await scrub_scope(bench)
    await tour_control.count_scrub(bench.memory, bench.window)


async def scrub_confirm(bench: WindowBench) -> None:
    """Scrub confirm."""
    await scrub_manifest(bench)
    await tour_control.confirm_scrub(bench.memory, bench.window)


async def scrub_result(bench: WindowBench) -> None:
    """Scrub result."""
    await scrub_confirm(bench)
    scrub = opened_root(bench).scrub
    assert scrub.state.manifest is not None
    scrub.type_phrase(scrub.state.manifest.phrase)
    assert scrub.dialog is not None
    assert scrub.dialog.confirm_foot.execute.isEnabled()
    scrub.dialog.confirm_foot.execute.click()
    await bench.until(lambda: scrub.state.outcome is not None)


async def missing(bench: WindowBench) -> None:
    """Missing."""
    await tour_memory.show_search(bench.memory, bench.window)
    bench.window.page.foot.missing.click()


async def rooms(bench: WindowBench) -> None:
    """Rooms."""
    bench.memory.shell.go(bench.memory.shell.place.__class__(Tier.CHANNEL))
    await bench.until(bench.window.page.header.scope.isVisible)
    bench.window.page.header.scope.click()


DOORS = (
    Door("command palette", menu(lambda one: one["palette"]), "paletteField"),
    Door("keyboard sheet", menu(lambda one: one["keyboard"]), "keyboardList"),
    Door("new workspace", menu(lambda one: one["new_workspace"]), "nameField"),
    Door(
        "new named entry",
        at_once(lambda one: entries(one).actions_of.new.trigger()),
        "newEntryName",
    ),
    Door(
        "deleted entries",
        at_once(lambda one: entries(one).actions_of.restore_deleted.trigger()),
        "Close",
    ),
    Door("export", menu(lambda one: one["export"]), "This workspace"),
    Door("imports", menu(lambda one: one["imports"]), "Close"),
    Door("import preview", import_preview, "importList", my_memories),
    Door("unsaved text", unsaved, "unsavedSave"),
    Door("saved filters, none", at_once(lambda one: one.memory.filters.ask_all()), "Close"),
    Door(
        "saved filters",
        at_once(lambda one: one.memory.filters.ask_all()),
        "savedFilterList",
        songs_saved,
    ),
    Door("end a conversation", end_conversation, "conversationSummary"),
    Door(
        "delete a workspace",
        at_once(
            lambda one: one.window.rail.card.wanted.emit(
                WorkspaceWish.DELETE, one.bench.workspace.id
            )
        ),
        "deletePhrase",
    ),
    Door("message", message, "Details"),
    Door("about", menu(lambda one: one["about"]), "Details"),
    Door("guide", menu(lambda one: one["guide"]), "readingText"),
    Door("forget many", confirm_forget, "confirmKeep"),
    Door("forget with a reason", act(MemoryAct.FORGET_BECAUSE), "reasonField"),
    Door("search and replace", act(MemoryAct.REPLACE), "replaceSought"),
    Door("copy to another tier", act(MemoryAct.COPY_TO), "Conversation"),
    Door("runs", in_control(lambda one: one.context.go(ToRuns())), "All"),
    Door("run analysis", in_control(lambda one: one.context.go(ToAnalysis())), "analysisChoice"),
    Door("review", review, "reviewList"),
    Door("golden questions", in_control(lambda one: one.context.go(ToGolden())), "goldenList"),
    Door("new golden question", golden_new, "goldenQuestion", leaves=False),
    Door("connection", connection, "clientName"),
    Door("drill", of_last_client("canaryDrill"), "drillRun", a_client),
    Door("revoke", of_last_client("revokeAll"), "confirmKeep", a_client),
    Door(
        "forget what a client wrote",
        of_last_client("forgetWritten"),
        "confirmKeep",
        a_client_that_wrote,
    ),
    Door("reject a proposal", reject, "rejectNote", an_asked_world),
    Door("compare a backup", compare, "compareList", a_backup_of_before),
    Door("text that would be lost", lost_text, "lostText", leaves=False),
    Door("scrub, scope", scrub_scope, "scrubTier_workspace"),
    Door("scrub, count", scrub_manifest, "What would be removed"),
    Door("scrub, confirm", scrub_confirm, "scrubPhrase"),
    Door("scrub, result", scrub_result, "scrubDone", takes=True),
    Door("sources", chip(lambda one: one.source), "user"),
    Door("tags", chip(lambda one: one.tags), "Find"),
    Door("importance", chip(lambda one: one.importance), "Importance"),
    Door("workspaces", at_once(lambda one: one.window.rail.card.click()), "workspaceList"),
    Door("rooms", rooms, "Find a room"),
    Door("why not here", missing, "The memory that is missing"),
)


def on_top() -> QWidget | None:
    """The dialog or card that has the keyboard."""
    popup = QApplication.activePopupWidget()
    if popup is not None:
        return popup
    return QApplication.activeModalWidget()
