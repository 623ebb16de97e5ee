"""Many memories at once in the real window: check, act, take back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QWidget

from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import MemoryEntry, MemoryPatch
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.lists.memory_row_layout import MemoryRow
from inklings_desktop.ui.kit.ops.page_spec import PREVIEW_PAGE
from inklings_desktop.ui.memory.acts.table import MemoryAct
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def four_memories(bench: Bench) -> None:
    for number in range(4):
        bench.put(f"Memory {number}.", tags=("sea",) if number < 2 else ())


async def ready(bench: WindowBench) -> None:
    await bench.until(lambda: len(bench.texts()) == 4)
    bench.window.page.focus_list()


def stored(bench: WindowBench) -> list[MemoryEntry]:
    inklings = bench.bench.inklings
    page = inklings.listing.browse([bench.bench.scope])
    return sorted(page.entries, key=lambda entry: entry.content)


@scene(drive, four_memories)
async def test_space_shift_and_control_a_check_and_escape_lets_go(bench: WindowBench, /) -> None:
    await ready(bench)
    table, selection = bench.window.page.table, bench.memory.acts.selection
    QTest.keyClick(table, Qt.Key.Key_Space)
    assert len(selection) == 1
    assert bench.window.page.bulk.isVisible()
    QTest.keyClick(table, Qt.Key.Key_Down, SHIFT)
    QTest.keyClick(table, Qt.Key.Key_J, SHIFT)
    assert len(selection) == 3
    QTest.keyClick(table, Qt.Key.Key_A, CONTROL)
    await bench.until(lambda: len(selection) == 4)
    assert not bench.window.page.bulk.all.isVisible()
    QTest.keyClick(table, Qt.Key.Key_Escape)
    assert len(selection) == 0
    assert not bench.window.page.bulk.isVisible()


@scene(drive, four_memories)
async def test_the_mouse_checks_in_the_box_and_stretches_with_shift(bench: WindowBench, /) -> None:
    await ready(bench)
    page, selection = bench.window.page, bench.memory.acts.selection
    places = [n for n, row in enumerate(page.rows) if isinstance(row, MemoryRow)]

    def at(place: int, x: int) -> QPoint:
        rect = page.table.visualRect(page.table.model().index(place, 0))
        return QPoint(x, rect.center().y())

    def click(place: int, x: int, keys: Qt.KeyboardModifier | None = None) -> None:
        QTest.mouseClick(
            page.table.viewport(),
            Qt.MouseButton.LeftButton,
            keys or Qt.KeyboardModifier.NoModifier,
            at(place, x),
        )

    click(places[0], 12)
    assert len(selection) == 1
    click(places[2], 200, SHIFT)
    assert len(selection) == 3
    click(places[1], 200, CONTROL)
    assert len(selection) == 2
    click(places[3], 300)  # a plain click only makes the row current
    assert len(selection) == 2
    page.bulk.box.click()
    await bench.until(lambda: len(selection) == 4)
    page.bulk.box.click()
    assert len(selection) == 0


@scene(drive, four_memories)
async def test_many_are_forgotten_in_one_step_that_survives_a_change_of_page(
    bench: WindowBench, /
) -> None:
    await ready(bench)
    window, selection = bench.window, bench.memory.acts.selection
    QTest.keyClick(window.page.table, Qt.Key.Key_A, CONTROL)
    await bench.until(lambda: len(selection) == 4)
    window.page.bulk.forget.click()
    await bench.until(lambda: bench.texts() == [])
    await bench.until(lambda: window.menus["undo"].text() == "Undo: Forgot 4 memories")
    window.show_page(PREVIEW_PAGE)
    window.menus["undo"].trigger()
    await bench.until(lambda: len(bench.texts()) == 4)
    await bench.until(lambda: window.menus["redo"].text() == "Redo: Forgot 4 memories")
    window.menus["redo"].trigger()
    await bench.until(lambda: bench.texts() == [])


@scene(drive, four_memories)
async def test_values_are_given_to_all_from_the_pane(bench: WindowBench, /) -> None:
    await ready(bench)
    page, many = bench.window.page, bench.window.inspector.many
    QTest.keyClick(page.table, Qt.Key.Key_A, CONTROL)
    await bench.until(many.isVisible)
    QTest.keyClick(page.table, Qt.Key.Key_T)
    assert QApplication.focusWidget() is many.field.edit
    QTest.keyClicks(many.field.edit, "brim")
    QTest.keyClick(many.field.edit, Qt.Key.Key_Return)
    assert many.effect.text() == 'Adds <span style="font-weight:600">brim</span> to 4.'
    many.apply.click()
    await bench.until(lambda: all("brim" in one.tags for one in stored(bench)))
    before = {one.lifetime for one in stored(bench)}
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_L)
    await bench.until(lambda: before.isdisjoint({one.lifetime for one in stored(bench)}))
    bench.memory.acts.act(MemoryAct.PIN)
    await bench.until(lambda: all(one.pinned for one in stored(bench)))
    await bench.until(lambda: bench.window.menus["undo"].text() == "Undo: Pinned 4 memories")
    for _ in range(3):
        bench.window.menus["undo"].trigger()
    await bench.until(lambda: not bench.window.menus["undo"].isEnabled())
    assert [one.tags for one in stored(bench)] == [("sea",), ("sea",), (), ()]
    assert not any(one.pinned for one in stored(bench))


@scene(drive, four_memories)
async def test_one_memory_is_pinned_paused_and_locked_from_the_inspector(
    bench: WindowBench, /
) -> None:
    await ready(bench)
    await bench.until(lambda: bench.memory.subject.current_ref is not None)
    states = bench.window.inspector.body.details.states
    for mark, has in (
        (MemoryMark.PINNED, lambda row: row.pinned),
        (MemoryMark.PAUSED, lambda row: row.paused),
    ):
        states.switches[mark].click()
        await bench.until(
            lambda has=has: any(  # type: ignore[misc]
                has(row) for row in bench.window.page.rows if isinstance(row, MemoryRow)
            )
        )
        assert states.switches[mark].isChecked() or states.switches[mark].accessibleDescription()
    await bench.until(lambda: bench.window.menus["undo"].text() == "Undo: Paused 1 memory")
    assert states.switches[MemoryMark.LOCKED].accessibleDescription() == "on"  # the author's


@scene(drive, four_memories)
async def test_a_field_keeps_its_own_undo(bench: WindowBench, /) -> None:
    await ready(bench)
    page = bench.window.page
    QTest.keyClick(page.table, Qt.Key.Key_Delete)
    await bench.until(lambda: len(bench.texts()) == 3)
    edit = page.header.search.edit
    edit.setFocus()
    QTest.keyClicks(edit, "x")
    QTest.keyClick(edit, Qt.Key.Key_Z, CONTROL)
    assert edit.text() == ""
    assert bench.window.menus["undo"].text() == "Undo: Forgot 1 memory"
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_Z, CONTROL)
    await bench.until(lambda: len(bench.texts()) == 4)


@scene(drive, four_memories)
async def test_every_new_control_says_what_it_is(bench: WindowBench, /) -> None:
    await ready(bench)
    page = bench.window.page
    QTest.keyClick(page.table, Qt.Key.Key_Space)
    for part in (page.bulk, bench.window.inspector.many):
        for one in part.findChildren(QAbstractButton):
            assert one.accessibleName() or one.text(), one.objectName()
    assert page.bulk.accessibleName() == "Checked memories"


@scene(drive, four_memories)
async def test_tab_leads_from_the_list_through_the_bar_to_the_pane(bench: WindowBench, /) -> None:
    await ready(bench)
    page, inspector = bench.window.page, bench.window.inspector
    QTest.keyClick(page.table, Qt.Key.Key_Space)
    await bench.until(inspector.many.isVisible)
    passed: list[QWidget] = []
    for _ in range(24):
        focus = QApplication.focusWidget()
        assert focus is not None
        passed.append(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    bar = page.bulk
    wanted = [
        *(page.table, bar.box, bar.all, bar.retag, bar.lifetime, bar.export),
        *(bar.forget, bar.more, bar.done, inspector.many.importance.slider),
        *(inspector.many.field.edit, inspector.many.reset),
    ]
    there = [one for one in passed if one in wanted and one.isEnabled()]
    assert there[: len(there)] == [one for one in wanted if one.isEnabled()]


@scene(drive, four_memories)
async def test_the_menus_of_bar_and_row_name_what_they_do(bench: WindowBench, /) -> None:
    await ready(bench)
    page = bench.window.page
    row = page.table.current_row()
    assert row is not None
    states = ["Pin: never fades", "Pause: never retrieved", "Unlock", "Still true"]
    texts = ["Search and replace\u2026", "Copy to another tier\u2026", "Make a fact\u2026"]
    ends = ["Forget", "Forget with a reason\u2026", "Delete for good\u2026"]
    menu = page.table._menu_of(row)
    shown = [action.text() for action in menu.actions() if action.text()]
    changes = ["Edit tags", "Short-term or long-term", "Raise importance", "Lower importance"]
    assert shown == ["Edit", *changes, "Copy text", *texts, *states, *ends, "Check"]
    QTest.keyClick(page.table, Qt.Key.Key_Space)
    bar = QMenu(page)
    page.bulk.fill_more(bar)
    shown = [action.text() for action in bar.actions() if action.text()]
    assert shown == ["Search and replace\u2026", "Copy texts", *states, *ends[1:]]


@scene(drive, four_memories)
async def test_the_menu_key_opens_the_menu_of_the_current_row(bench: WindowBench, /) -> None:
    await ready(bench)
    table = bench.window.page.table
    QTest.keyClick(table, Qt.Key.Key_End)
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(table.viewport(), QContextMenuEvent(reason, QPoint(5, 5), QPoint(5, 5)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    named = {action.text(): action for action in menu.actions()}
    named["Check"].trigger()
    menu.close()
    row = table.current_row()
    assert row is not None
    assert bench.memory.acts.selection.ids == {row.id}


def test_many_are_asked_for_first_and_forgotten_ones_are_restored_from_the_bar(
    tmp_path: Path,
) -> None:
    def thirty(bench: Bench) -> None:
        for number in range(30):
            bench.put(f"Memory {number}.")

    async def forget(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 30)
        page, selection = bench.window.page, bench.memory.acts.selection
        page.focus_list()

        async def asked() -> ConfirmDialog:
            def found() -> list[ConfirmDialog]:
                tops = QApplication.topLevelWidgets()
                return [one for one in tops if isinstance(one, ConfirmDialog) and one.isVisible()]

            await bench.until(lambda: bool(found()))
            return found()[0]

        QTest.keyClick(page.table, Qt.Key.Key_A, CONTROL)
        await bench.until(lambda: len(selection) == 30)
        page.bulk.forget.click()
        (await asked()).reject()
        await bench.until(lambda: not bench.memory.undo.order.locked())
        assert len(stored(bench)) == 30
        page.bulk.forget.click()
        (await asked()).accept()
        await bench.until(lambda: bench.texts() == [])
        page.filters.forgotten.click()
        await bench.until(lambda: len(bench.texts()) == 30)
        page.focus_list()
        QTest.keyClick(page.table, Qt.Key.Key_Space)
        assert page.bulk.restore.isVisible()
        assert not page.bulk.forget.isVisible()
        page.bulk.restore.click()
        await bench.until(lambda: len(stored(bench)) == 1)
        await bench.until(lambda: bench.window.menus["undo"].text() == "Undo: Restored 1 memory")

    drive(tmp_path, thirty, forget)


@scene(drive, four_memories)
async def test_a_step_is_taken_back_from_another_workspace(bench: WindowBench, /) -> None:
    await ready(bench)
    window, first = bench.window, bench.bench.workspace.id
    QTest.keyClick(window.page.table, Qt.Key.Key_Delete)
    await bench.until(lambda: window.menus["undo"].text() == "Undo: Forgot 1 memory")
    opened_root = window.opened
    assert opened_root is not None
    await opened_root.create_workspace("Another world")
    here = bench.memory.shell
    await bench.until(
        lambda: here.surroundings is not None and here.surroundings.workspace.id != first
    )
    assert len(stored(bench)) == 3
    window.menus["undo"].trigger()
    await bench.until(lambda: len(stored(bench)) == 4)
    await bench.until(window.menus["redo"].isEnabled)


@scene(drive, four_memories)
async def test_what_somebody_changed_since_is_said_and_left_as_it_is(bench: WindowBench, /) -> None:
    await ready(bench)
    window, inklings = bench.window, bench.bench.inklings
    said = bench.messages(shown=False)
    await bench.until(lambda: bench.memory.subject.current_entry is not None)
    QTest.keyClick(window.page.table, Qt.Key.Key_BracketRight)
    await bench.until(window.menus["undo"].isEnabled)
    (entry,) = [one for one in stored(bench) if one.version == 2]
    inklings.memories.update(entry.ref, MemoryPatch(content="Else."), expected_version=2)
    window.menus["undo"].trigger()
    await bench.until(lambda: [one.title for one in said] == ["This can no longer be undone."])
    await bench.until(lambda: not window.menus["undo"].isEnabled())
    assert inklings.listing.show(entry.ref).entry.content == "Else."
