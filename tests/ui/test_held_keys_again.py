"""Keys after a change of mind, and around dialogs: what was asked for anew is waited for anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit

from inklings_desktop.domain.memory import Lifetime
from inklings_desktop.ui.control.page import ControlPage
from inklings_desktop.ui.kit.dialogs.field_dialogs import TextDialog
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.subject.state import InspectorMode
from inklings_desktop.ui.rail.wishes import RoomAction
from inklings_desktop.ui.transfer.export_dialog import ExportDialog
from inklings_desktop.ui.window.main_window import MainWindow
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.scenes import scene
from tests.ui.test_held_keys import (
    LETTERS,
    at_the_list,
    dialog_of,
    press,
    stored,
    three,
    types,
)
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def test_a_wish_before_the_data_is_open_may_follow_a_change_of_mind(tmp_path: Path) -> None:
    def write(window: MainWindow) -> None:
        QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(window, "no")
        QTest.mouseClick(window.page.header, Qt.MouseButton.LeftButton)
        QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
        for letter in LETTERS:
            QTest.keyClicks(window, letter)

    async def look(bench: WindowBench) -> None:
        editor = bench.window.inspector.editor
        await bench.until(lambda: editor.toPlainText() == LETTERS)
        assert bench.memory.subject.state.mode is InspectorMode.NEW
        bench.memory.subject.revert()
        await bench.until(lambda: not held_keys(bench.window).is_holding)

    drive(tmp_path, three, look, while_opening=write)


@pytest.mark.wide
@pytest.mark.parametrize("asks", ["about all", "from the inspector"])
@scene(drive, three)
async def test_a_reason_typed_at_once_is_the_reason_wherever_it_is_asked_for(
    bench: WindowBench, /, asks: str
) -> None:
    await at_the_list(bench)
    if asks == "about all":
        press(bench, "Ctrl+A")
        bench.memory.acts.act(MemoryAct.FORGET_BECAUSE)
    else:
        bench.window.inspector.focus_editor()
        bench.window.inspector.act_requested.emit(MemoryAct.FORGET_BECAUSE)
    types(bench, LETTERS)
    asked = await dialog_of(bench, TextDialog)
    assert isinstance(asked, TextDialog)
    assert asked.typed == LETTERS
    asked.reject()
    await bench.memory.undo.finished()
    assert {one.lifetime for one in stored(bench)} == {Lifetime.SHORT_TERM}
    assert not bench.memory.subject.has_unsaved


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
    press(bench, "Ctrl+N")
    types(bench, LETTERS)
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
    press(bench, "Ctrl+N")
    types(bench, LETTERS)
    await bench.until(lambda: bench.window.inspector.editor.toPlainText() == LETTERS)
    bench.memory.subject.revert()
