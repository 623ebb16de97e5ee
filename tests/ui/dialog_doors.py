"""How every dialog and every card over the window is opened, by what opens it for a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QApplication, QWidget

from inklings_desktop.domain.clients import ClientKind, preset_rights
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui import tour_control, tour_memory
from inklings_desktop.ui.dialogs.asking import answered
from inklings_desktop.ui.dialogs.lost_text_dialog import LostText, LostTextDialog
from inklings_desktop.ui.messages import Message
from inklings_desktop.ui.models.entry_rows import ProposalRow
from inklings_desktop.ui.models.room_actions import RoomAction
from inklings_desktop.ui.presenters.memory_acts import MemoryAct
from inklings_desktop.ui.presenters.shell_presenter import ENTRIES_PAGE
from tests.ui.entries_bench import proposed
from tests.ui.test_filters_desk import songs_saved
from tests.ui.test_transfer_desk import a_file, desk_of, my_memories

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.ui.control_desk import ControlDesk
    from inklings_desktop.ui.desks import Desks
    from tests.ui.presenter_bench import Bench
    from tests.ui.window_bench import WindowBench

W = TypeVar("W", bound=QWidget)


def a_client(bench: Bench) -> None:
    """An agent with the usual rights."""
    rights = preset_rights(ClientKind.WORLD_AGENT, bench.workspace.id)
    inklings = bench.inklings
    inklings.grant_rights(inklings.caller, "Loom", rights, kind=ClientKind.WORLD_AGENT)


def an_asked_world(bench: Bench) -> None:
    """An agent asks for another text of an entry."""
    proposed(bench, "VOICE", "Past tense.", "You said so twice.")


@dataclass(frozen=True)
class Door:
    """One dialog or card.

    Attributes:
        name: What it is, for whoever reads a failure.
        open: Opens it in the window of the sample world, whose data root is given.
        start: Where the keyboard begins: object name or accessible name.
        prepare: Fills the sample world further.
        leaves: Whether Escape closes it; else it asks, or waits for what is safe.
    """

    name: str
    open: Callable[[WindowBench], Awaitable[None]]
    start: str
    prepare: Callable[[Bench], None] = lambda _bench: None
    leaves: bool = True


def desks(bench: WindowBench) -> Desks:
    """What joins pages and data."""
    assert bench.window.desks is not None
    return bench.window.desks


async def control(bench: WindowBench) -> ControlDesk:
    """The Control plane, on show."""
    await tour_control.show_control(bench.desk, bench.window)
    found = desks(bench).control
    assert found is not None
    return found


async def chosen(bench: WindowBench) -> None:
    """Wait until the current memory is open in the inspector, and none before it."""
    subject, cursor = bench.desk.subject, bench.window.page.list_cursor
    await bench.until(
        lambda: (one := subject.current_entry) is not None and one.id == cursor.current_id()
    )


def act(what: MemoryAct) -> Callable[[WindowBench], Awaitable[None]]:
    """Do something to the current memory."""

    async def opened(bench: WindowBench) -> None:
        await chosen(bench)
        bench.desk.acts.act(what)

    return opened


async def palette(bench: WindowBench) -> None:
    """Palette."""
    bench.window.menus.palette.trigger()


async def sheet(bench: WindowBench) -> None:
    """Sheet."""
    bench.window.menus.keyboard.trigger()


async def new_workspace(bench: WindowBench) -> None:
    """New workspace."""
    bench.window.menus.new_workspace.trigger()


async def new_entry(bench: WindowBench) -> None:
    """New entry."""
    assert bench.window.entries_page is not None
    bench.window.entries_page.actions_of.new.trigger()


async def deleted_entries(bench: WindowBench) -> None:
    """Deleted entries."""
    bench.window.show_page(ENTRIES_PAGE)
    assert bench.window.entries_page is not None
    bench.window.entries_page.actions_of.restore_deleted.trigger()


async def export(bench: WindowBench) -> None:
    """Export."""
    bench.window.menus.export.trigger()


async def imports(bench: WindowBench) -> None:
    """Imports."""
    bench.window.menus.imports.trigger()


async def import_preview(bench: WindowBench) -> None:
    """Import preview."""
    path = bench.bench.inklings.data_dir.parent / "x.json"
    desk = desk_of(bench)
    desk.open_file(await a_file(bench, path))
    await bench.until(lambda: desk.dialog is not None)


async def unsaved(bench: WindowBench) -> None:
    """Unsaved."""
    await chosen(bench)
    bench.desk.subject.edit(content="Typed and not saved.")
    bench.window.page.list_cursor.select_next()


async def saved_filters(bench: WindowBench) -> None:
    """Saved filters."""
    desks(bench).filters.ask_all()


async def end_conversation(bench: WindowBench) -> None:
    """End conversation."""
    here = bench.desk.shell.surroundings
    assert here is not None
    desks(bench).rooms.act(RoomAction.END, here.open_conversations[0].id)


async def delete_workspace(bench: WindowBench) -> None:
    """Delete workspace."""
    bench.window.rail.card.deletion_requested.emit(bench.bench.workspace.id)


async def message(bench: WindowBench) -> None:
    """Message."""
    bench.window.show_message(
        Message("The file could not be read.", "Nothing was changed.", details=(("Line", "1"),))
    )


async def about(bench: WindowBench) -> None:
    """About."""
    bench.window.menus.about.trigger()


async def confirm_forget(bench: WindowBench) -> None:
    """Confirm forget."""
    bench.desk.acts.selection.check_all()
    await bench.desk.acts.selection.settled()
    bench.desk.acts.act(MemoryAct.FORGET)


async def runs(bench: WindowBench) -> None:
    """Runs."""
    (await control(bench)).tidying.show_runs()


async def review(bench: WindowBench) -> None:
    """Review."""
    await control(bench)
    await tour_control.show_review(bench.desk, bench.window)


async def golden(bench: WindowBench) -> None:
    """Golden."""
    (await control(bench)).tidying.show_golden()


async def golden_new(bench: WindowBench) -> None:
    """Golden new."""
    await control(bench)
    await tour_control.show_golden(bench.desk, bench.window)


async def connection(bench: WindowBench) -> None:
    """Connection."""
    await control(bench)
    await tour_control.show_access(bench.desk, bench.window)
    await tour_control.show_connections(bench.desk, bench.window)


async def drill(bench: WindowBench) -> None:
    """Drill."""
    found = await control(bench)
    await tour_control.show_access(bench.desk, bench.window)
    matrix = found.access.view.matrix.table
    await bench.until(lambda: bool(matrix.rows))
    matrix.choose(matrix.rows[-1].name)
    found.access.view.rights.drill_button.click()


async def revoke(bench: WindowBench) -> None:
    """Revoke."""
    found = await control(bench)
    await tour_control.show_access(bench.desk, bench.window)
    matrix = found.access.view.matrix.table
    await bench.until(lambda: bool(matrix.rows))
    matrix.choose(matrix.rows[-1].name)
    found.access.view.rights.revoke.click()


async def reject(bench: WindowBench) -> None:
    """Reject."""
    bench.window.show_page(ENTRIES_PAGE)
    page = bench.window.entries_page
    assert page is not None
    await bench.until(lambda: any(isinstance(row, ProposalRow) for row in page.list.rows))
    page.list.select(next(row.id for row in page.list.rows if isinstance(row, ProposalRow)))
    await bench.until(page.proposal.isVisible)
    page.proposal.reject.click()


async def lost_text(bench: WindowBench) -> None:
    """Its desk opens it when another program takes the workspace away; see there."""
    lost = LostText("Saltglass", "A new memory", "Nobody has saved this.", "Hollow Crown")
    dialog = LostTextDialog(bench.window.page.theme, lost, bench.window)
    desks(bench).memory._background.spawn(answered(dialog))


async def scrub_scope(bench: WindowBench) -> None:
    """Scrub scope."""
    await control(bench)
    await tour_control.show_scrub_scope(bench.desk, bench.window)


async def scrub_manifest(bench: WindowBench) -> None:
    """Scrub manifest."""
    await scrub_scope(bench)
    await tour_control.count_scrub(bench.desk, bench.window)


async def scrub_confirm(bench: WindowBench) -> None:
    """Scrub confirm."""
    await scrub_manifest(bench)
    await tour_control.confirm_scrub(bench.desk, bench.window)


async def scrub_result(bench: WindowBench) -> None:
    """Scrub result."""
    await scrub_confirm(bench)
    scrub = (await control(bench)).scrub
    presenter = scrub.presenter
    assert presenter.state.manifest is not None
    presenter.type_phrase(presenter.state.manifest.phrase)
    assert scrub.dialog is not None
    assert scrub.dialog.confirm_foot.execute.isEnabled()
    scrub.dialog.confirm_foot.execute.click()
    await bench.until(lambda: presenter.state.outcome is not None)


async def sources(bench: WindowBench) -> None:
    """Sources."""
    bench.window.page.filters.source.popover_requested.emit()


async def tags(bench: WindowBench) -> None:
    """Tags."""
    bench.window.page.filters.tags.popover_requested.emit()


async def importance(bench: WindowBench) -> None:
    """Importance."""
    bench.window.page.filters.importance.popover_requested.emit()


async def switcher(bench: WindowBench) -> None:
    """Switcher."""
    bench.window.rail.card.click()


async def missing(bench: WindowBench) -> None:
    """Missing."""
    await tour_memory.show_search(bench.desk, bench.window)
    bench.window.page.foot.missing.click()


async def rooms(bench: WindowBench) -> None:
    """Rooms."""
    bench.desk.shell.go(bench.desk.shell.place.__class__(Tier.CHANNEL))
    await bench.until(bench.window.page.header.scope.isVisible)
    bench.window.page.header.scope.click()


DOORS = (
    Door("command palette", palette, "paletteField"),
    Door("keyboard sheet", sheet, "keyboardList"),
    Door("new workspace", new_workspace, "nameField"),
    Door("new named entry", new_entry, "newEntryName"),
    Door("deleted entries", deleted_entries, "Close"),
    Door("export", export, "This workspace"),
    Door("imports", imports, "Close"),
    Door("import preview", import_preview, "importList", my_memories),
    Door("unsaved text", unsaved, "unsavedSave"),
    Door("saved filters, none", saved_filters, "Close"),
    Door("saved filters", saved_filters, "savedFilterList", songs_saved),
    Door("end a conversation", end_conversation, "conversationSummary"),
    Door("delete a workspace", delete_workspace, "deletePhrase"),
    Door("message", message, "Details"),
    Door("about", about, "Close"),
    Door("forget many", confirm_forget, "confirmKeep"),
    Door("forget with a reason", act(MemoryAct.FORGET_BECAUSE), "reasonField"),
    Door("search and replace", act(MemoryAct.REPLACE), "replaceSought"),
    Door("copy to another tier", act(MemoryAct.COPY_TO), "Conversation"),
    Door("runs", runs, "All"),
    Door("review", review, "reviewList"),
    Door("golden questions", golden, "goldenNew"),
    Door("new golden question", golden_new, "goldenQuestion", leaves=False),
    Door("connection", connection, "clientName"),
    Door("drill", drill, "drillRun", a_client),
    Door("revoke", revoke, "confirmKeep", a_client),
    Door("reject a proposal", reject, "rejectNote", an_asked_world),
    Door("text that would be lost", lost_text, "lostText", leaves=False),
    Door("scrub, scope", scrub_scope, "scrubTier_workspace"),
    Door("scrub, count", scrub_manifest, "What would be removed"),
    Door("scrub, confirm", scrub_confirm, "scrubPhrase"),
    Door("scrub, result", scrub_result, "scrubDone"),
    Door("sources", sources, "user"),
    Door("tags", tags, "Find"),
    Door("importance", importance, "Importance"),
    Door("workspaces", switcher, "workspaceList"),
    Door("rooms", rooms, "Find a room"),
    Door("why not here", missing, "The memory that is missing"),
)


def on_top() -> QWidget | None:
    """The dialog or card that has the keyboard."""
    popup = QApplication.activePopupWidget()
    if popup is not None:
        return popup
    return QApplication.activeModalWidget()
