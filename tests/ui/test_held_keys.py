"""Keys that come before their place is there, where only a scene of its own shows what they do.

The others are rows of ``test_races``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from inklings_desktop.domain.entries.named_entry import NamedEntry
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY, MemoryTyping
from inklings_desktop.domain.memory import Lifetime, ScopeKey
from inklings_desktop.ui.control.page import ControlPage
from inklings_desktop.ui.entries.editing import EntryEditing
from inklings_desktop.ui.kit.dialogs.ask_dialog import UnsavedDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import TextDialog
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE, ENTRIES_PAGE
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.subject.state import InspectorMode
from inklings_desktop.ui.rail.wishes import RoomAction
from inklings_desktop.ui.transfer.export_dialog import ExportDialog
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.builders import NOON
from tests.support.scenes import scene
from tests.ui.hands import (
    LETTERS,
    at_the_list,
    contents,
    dialog_of,
    play,
    press,
    stored,
    three,
    types,
)
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


async def entries_known(bench: WindowBench) -> EntryEditing:
    """Stand in the list, while the page of named entries has its first one open."""
    await at_the_list(bench)
    opened_root = bench.window.opened
    assert opened_root is not None
    await bench.until(lambda: opened_root.entries is not None)
    assert opened_root.entries is not None
    entry = opened_root.entries.entry
    await bench.until(lambda: entry.entry is not None)
    return entry


@pytest.mark.wide
def test_a_draft_on_offer_is_not_overwritten_by_what_is_typed_before_it_shows(
    tmp_path: Path,
) -> None:
    def with_draft(bench: Bench) -> None:
        three(bench)
        inklings = bench.inklings
        typing = MemoryTyping(
            bench.scope, NEW_MEMORY, 0, "As it was typed.", 0.5, Lifetime.SHORT_TERM, (), NOON
        )
        inklings.drafts.keep_typing(typing)

    async def write(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 3)
        subject = bench.memory.subject
        await bench.until(lambda: subject.state.offer is not None)
        subject.show_nothing()
        bench.window.activateWindow()
        press(bench, "Ctrl+N")
        types(bench, LETTERS)
        await bench.until(lambda: subject.state.offer is not None)
        offer = subject.state.offer
        assert offer is not None
        assert offer.typed == "As it was typed."
        assert not subject.has_unsaved

    drive(tmp_path, with_draft, write)


@scene(drive, three)
async def test_a_name_and_a_text_typed_at_once_make_a_named_entry(bench: WindowBench, /) -> None:
    await entries_known(bench)
    before = {one.name: one.body for one in entries_of(bench)}
    play(bench.window, 'Ctrl+Shift+N "HARBOUR" Return "Salt." Ctrl+S')
    await bench.until(lambda: ("HARBOUR", "Salt.") in named(bench))
    assert {one.name: one.body for one in entries_of(bench)} == {**before, "HARBOUR": "Salt."}


def entries_of(bench: WindowBench) -> list[NamedEntry]:
    inklings = bench.bench.inklings
    return list(inklings.entries.list(bench.bench.workspace.id))


def named(bench: WindowBench) -> list[tuple[str, str]]:
    return [(one.name, one.body) for one in entries_of(bench)]


@pytest.mark.wide
@scene(drive, three)
async def test_enter_right_after_a_step_opens_the_entry_stepped_to(bench: WindowBench, /) -> None:
    entry = await entries_known(bench)
    bench.window.show_page(ENTRIES_PAGE)
    first = entry.entry
    play(bench.window, 'Down Return "Salt."')
    await bench.until(lambda: entry.has_unsaved)
    assert entry.entry is not None
    assert first is not None
    assert entry.entry.id != first.id
    await entry.revert()


@scene(drive, three)
async def test_down_from_the_search_stands_at_the_best_once_it_is_found(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    play(bench.window, 'Ctrl+F "1" Down')
    await bench.until(lambda: bench.texts() == ["Memory 1."])
    await bench.until(lambda: bench.window.page.list_cursor.current_id() is not None)
    press(bench, "Delete")
    await bench.until(lambda: len(stored(bench)) == 2)
    assert contents(bench) == ["Memory 2.", "Memory 0."]


@pytest.mark.wide
@scene(drive, three)
async def test_a_reason_typed_at_once_is_the_reason(bench: WindowBench, /) -> None:
    await at_the_list(bench)
    entry = stored(bench)[0]
    bench.memory.acts.act(MemoryAct.FORGET_BECAUSE)
    types(bench, LETTERS)
    asked = await dialog_of(bench, TextDialog)
    assert isinstance(asked, TextDialog)
    asked.confirm.click()
    await bench.until(lambda: len(stored(bench)) == 2)
    inklings = bench.bench.inklings
    forgotten = inklings.listing.show(entry.ref).entry
    assert forgotten.forgotten_reason == LETTERS
    assert not bench.memory.subject.has_unsaved


@pytest.mark.wide
@scene(drive, three)
async def test_closing_twice_asks_once(bench: WindowBench, /) -> None:
    await at_the_list(bench)
    play(bench.window, 'E " Mine." Ctrl+Q Ctrl+Q')
    asked = await dialog_of(bench, UnsavedDialog)
    asked.reject()
    await bench.until(lambda: QApplication.activeModalWidget() is not asked)
    assert QApplication.activeModalWidget() is None

    def is_asked_again() -> bool:
        if QApplication.activeModalWidget() is None:
            bench.window.close()
        return isinstance(QApplication.activeModalWidget(), UnsavedDialog)

    await bench.until(is_asked_again)  # a later wish is a new one
    bench.memory.subject.revert()


@pytest.mark.wide
@scene(drive, three)
async def test_nobody_is_asked_about_an_entry_that_is_being_saved(bench: WindowBench, /) -> None:
    await entries_known(bench)
    bench.window.show_page(ENTRIES_PAGE)
    play(bench.window, 'Return "Salt. " Ctrl+S Ctrl+Q')
    await bench.window.closed()
    assert any("Salt. " in body for _, body in named(bench))


@pytest.mark.wide
@scene(drive, three)
async def test_a_new_memory_right_after_a_switch_is_of_the_workspace_switched_to(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    inklings, opened_root = bench.bench.inklings, bench.window.opened
    assert opened_root is not None
    other = inklings.workspaces.create("Otherworld")
    opened_root.open_workspace(other.id)
    play(bench.window, 'Ctrl+N "let it be" Ctrl+S')
    scope = ScopeKey.workspace(other.id)

    def written() -> list[str]:
        page = inklings.listing.browse([scope])
        return [one.content for one in page.entries]

    await bench.until(lambda: written() == [LETTERS])
    assert len(stored(bench)) == 3


async def at_the_control_plane(bench: WindowBench) -> ControlPage:
    opened_root = bench.window.opened
    assert opened_root is not None
    bench.window.show_page(CONTROL_PAGE)
    await bench.until(
        lambda: opened_root.control is not None and bool(opened_root.control.workspace_id)
    )
    assert opened_root.control is not None
    return opened_root.control


@scene(drive, three)
async def test_keys_right_after_asking_for_a_scrub_are_for_nothing_below_it(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    await at_the_control_plane(bench)
    opened_root = bench.window.opened
    assert opened_root is not None
    bench.window.menus["scrub"].trigger()
    play(bench.window, 'Ctrl+N "let it be"')
    await bench.until(lambda: opened_root.scrub.dialog is not None)
    await bench.until(lambda: not held_keys(bench.window).is_holding)
    assert bench.window.pages.current_id == CONTROL_PAGE
    assert bench.memory.subject.state.mode is InspectorMode.MEMORY
    dialog = opened_root.scrub.dialog
    assert dialog is not None
    dialog.reject()
    assert opened_root.scrub.dialog is None


@pytest.mark.wide
@pytest.mark.parametrize("is_picked", [True, False], ids=["in the file dialog", "dropped"])
def test_keys_before_the_preview_of_an_import_touch_no_row_behind_or_in_it(
    tmp_path: Path, *, is_picked: bool
) -> None:
    path = tmp_path / "x.json"

    async def bring(bench: WindowBench) -> None:
        await at_the_list(bench)
        assert bench.window.opened is not None
        desk = bench.window.opened.transfer
        await desk.exports.write(ExportRequest(workspaces=(bench.bench.workspace.id,)), path)
        bench.bench.put("Memory 3.")
        await at_the_list(bench, 4)
        if is_picked:
            bench.window.menus["import_file"].trigger()
            asked = await dialog_of(bench, QFileDialog)
            assert isinstance(asked, QFileDialog)
            field = asked.findChild(QLineEdit)
            assert field is not None
            field.setText(str(path))
            asked.accept()
        else:
            desk.open_files(path)
        press(bench, "Space", "Delete", "L")
        await bench.until(lambda: desk.dialog is not None)
        await bench.until(lambda: not held_keys(bench.window).is_holding)
        state = desk.state
        assert state is not None
        assert state.chosen == state.file.defaults
        desk.leave()
        await bench.memory.undo.finished()
        assert {one.lifetime for one in stored(bench)} == {Lifetime.SHORT_TERM}
        assert len(stored(bench)) == 4
        assert not len(bench.memory.acts.selection)

    drive(tmp_path / "root", three, bring)


@pytest.mark.wide
@scene(drive, three)
async def test_a_name_typed_before_the_file_dialog_is_there_names_the_file(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    bench.window.menus["export"].trigger()
    question = await dialog_of(bench, ExportDialog)
    question.accept()
    types(bench, "let")
    asked = await dialog_of(bench, QFileDialog)
    assert isinstance(asked, QFileDialog)
    await bench.until(lambda: not held_keys(bench.window).is_holding)
    assert [one.rsplit("/", 1)[-1] for one in asked.selectedFiles()] == ["let"]
    asked.reject()
    assert bench.window.opened is not None
    desk = bench.window.opened.transfer
    await bench.until(lambda: not desk.exports.is_busy)
    assert {one.lifetime for one in stored(bench)} == {Lifetime.SHORT_TERM}


@scene(drive, three)
async def test_what_is_pressed_right_after_an_act_that_asks_nothing_is_not_lost(
    bench: WindowBench, /
) -> None:
    await at_the_list(bench)
    opened_root, inklings = bench.window.opened, bench.bench.inklings
    assert opened_root is not None
    channel = inklings.channels.create(bench.bench.workspace.id, "map-room")
    await opened_root.memory.shell.refreshed()
    opened_root.rooms.act(RoomAction.ARCHIVE, channel.id)
    play(bench.window, 'Ctrl+N "let it be"')
    await bench.until(lambda: bench.window.inspector.editor.toPlainText() == LETTERS)
    bench.memory.subject.revert()
