"""A row of a menu that would do nothing is not offered."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from inklings_desktop.domain.memories.listing import MemoryFilter, MemoryState
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def three(bench: Bench) -> None:
    for text in ("One.", "Two.", "Three."):
        bench.put(text)


@scene(drive, three)
async def test_the_memories_above_and_below_are_offered_where_there_are_any(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    window, menus = bench.window, bench.window.menus
    QTest.keyClick(window.page.table, Qt.Key.Key_Home)
    await bench.until(menus["next"].isEnabled)
    assert not menus["previous"].isEnabled()
    menus["next"].trigger()
    assert menus["previous"].isEnabled()
    QTest.keyClick(window.page.table, Qt.Key.Key_End)
    assert not menus["next"].isEnabled()
    window.show_page("page:entries")
    assert not menus["previous"].isEnabled()
    window.show_page("page:memory")
    assert menus["previous"].isEnabled()


@scene(drive, three)
async def test_what_was_chosen_while_the_data_was_opened_is_offered_then(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    window, menus = bench.window, bench.window.menus
    QTest.keyClick(window.page.table, Qt.Key.Key_Home)
    await bench.until(menus["next"].isEnabled)
    menus.set_data_open(is_open=True)
    assert menus["next"].isEnabled()
    assert not menus["previous"].isEnabled()
    assert not menus["save"].isEnabled()
    window.show_page("page:entries")
    menus.set_data_open(is_open=True)
    assert not menus["next"].isEnabled()
    assert not menus["search_mode"].isEnabled()


@scene(drive, three)
async def test_saving_is_offered_for_what_was_changed(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    menus = bench.window.menus
    QTest.keyClick(bench.window.page.table, Qt.Key.Key_Home)
    await bench.until(lambda: bench.memory.subject.current_entry is not None)
    assert not menus["save"].isEnabled()
    bench.memory.subject.edit(content="Another one.")
    await bench.until(menus["save"].isEnabled)
    menus["save"].trigger()
    await bench.until(lambda: "Another one." in bench.texts())
    await bench.until(lambda: not menus["save"].isEnabled())


@scene(drive, three)
async def test_only_what_is_forgotten_is_offered_to_be_restored(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    menus, table = bench.window.menus, bench.window.page.table
    QTest.keyClick(table, Qt.Key.Key_Home)
    menus.commands.about_to_show.emit()
    assert (menus["forget"].isEnabled(), menus["restore"].isEnabled()) == (True, False)
    menus["forget"].trigger()
    await bench.until(lambda: len(bench.texts()) == 2)
    place = bench.memory.shell.place
    bench.memory.show_list(place, MemoryFilter(state=MemoryState.FORGOTTEN))
    await bench.until(lambda: bench.texts() == ["Three."])
    QTest.keyClick(table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    await bench.until(lambda: len(bench.memory.acts.selection) == 1)
    menus.commands.about_to_show.emit()
    assert (menus["forget"].isEnabled(), menus["restore"].isEnabled()) == (False, True)
    menus["restore"].trigger()
    await bench.until(lambda: bench.texts() == [])


@scene(drive, three)
async def test_the_memory_menu_is_grey_while_nothing_is_chosen(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    table = bench.window.page.table
    menu = next(one.menu() for one in bench.window.menuBar().actions() if one.text() == "&Memory")
    assert isinstance(menu, QMenu)

    def offered() -> set[str]:
        menu.aboutToShow.emit()
        found = {one.text() for one in menu.actions() if one.isEnabled() and one.text()}
        menu.aboutToHide.emit()
        return found

    table.setCurrentIndex(QModelIndex())
    # The inspector still has a memory to forget; the list has none.
    assert offered() <= {"Forget", "Written by agents"}
    assert table.actions_of.offered()[0].isEnabled()  # its key says why nothing comes of it
    QTest.keyClick(table, Qt.Key.Key_Home)
    await bench.until(table.has_choice)
    assert {"Edit tags", "Still true", "Forget with a reason\u2026"} <= offered()


@scene(drive, three)
async def test_what_ends_a_conversation_says_so(bench: WindowBench, /) -> None:
    menus = {one.text(): one.menu() for one in bench.window.menuBar().actions()}
    menu = menus["&Conversation"]
    assert isinstance(menu, QMenu)
    assert "End conversation\u2026" in [one.text() for one in menu.actions()]


@scene(drive, three)
async def test_the_menu_of_a_row_has_every_act_and_its_key(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    table = bench.window.page.table
    QTest.keyClick(table, Qt.Key.Key_Home)
    menu = table._menu_of(table.current_row())
    keys = {one.text(): one.shortcut().toString() for one in menu.actions() if one.text()}
    table.show_possible_acts()
    acts = (*table.actions_of.offered(), table.actions_of.forget)
    assert {one.text(): one.shortcut().toString() for one in acts if one.isVisible()} == {
        text: key for text, key in keys.items() if text != "Check"
    }
    assert keys["Check"] == "Space"
    menu.deleteLater()
