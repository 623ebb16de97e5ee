"""Shift draws a stretch of the list out and in again, by keys and by the mouse."""

from __future__ import annotations

from datetime import timedelta

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from inklings_desktop.domain.memories.listing import PAGE_LIMIT
from inklings_desktop.ui.kit.lists.memory_row_layout import MemoryRow
from tests.support.builders import NOON, a_memory
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

PLAIN = Qt.KeyboardModifier.NoModifier
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
UP, DOWN, HOME, END = Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End
N_FEW, N_MANY = 8, PAGE_LIMIT + 60
TEXT_X, BOX_X = 300, 12


def filled(bench: Bench, n_rows: int, hours: float) -> None:
    entries = [
        a_memory(
            f"Memory {n}.",
            scope=bench.scope,
            memory_id=f"00000000-0000-4000-8000-{n:012}",
            created_at=NOON - timedelta(hours=hours * n),
        )
        for n in range(n_rows)
    ]
    with bench.inklings.parts.store.write(bench.workspace.id, initiator="test") as unit:
        unit.memories.add(entries)
        unit.commit()


def few(bench: Bench) -> None:
    filled(bench, N_FEW, 0.01)


def over_months(bench: Bench) -> None:
    """More than a month between two of them: a heading stands above each."""
    filled(bench, N_FEW, 40 * 24)


def many(bench: Bench) -> None:
    """More than a page, from several months."""
    filled(bench, N_MANY, 24)


class Hands:
    """What a test does to the list, and which of its memories are checked by that."""

    def __init__(self, bench: WindowBench) -> None:
        self._bench = bench
        self.page = bench.window.page
        self.selection = bench.memory.acts.selection

    def press(self, key: Qt.Key, keys: Qt.KeyboardModifier = PLAIN) -> None:
        QTest.keyClick(self.page.table, key, keys)

    def click(self, number: int, keys: Qt.KeyboardModifier = PLAIN, x: int = TEXT_X) -> None:
        """Click the n-th memory from the top."""
        button = Qt.MouseButton.LeftButton
        QTest.mouseClick(self.page.table.viewport(), button, keys, self._point(number, x))

    def click_again(self, number: int, keys: Qt.KeyboardModifier = PLAIN, x: int = TEXT_X) -> None:
        """The second click of two quick ones, as a window system tells of it."""
        self._mouse(QEvent.Type.MouseButtonDblClick, self._point(number, x), keys)
        self._mouse(QEvent.Type.MouseButtonRelease, self._point(number, x), keys)

    def drag(self, number: int, to: int, x: int = TEXT_X) -> None:
        """Press one memory and let go over another."""
        there = self._point(to, x)
        self._mouse(QEvent.Type.MouseButtonPress, self._point(number, x))
        self._mouse(QEvent.Type.MouseMove, there)
        self._mouse(QEvent.Type.MouseButtonRelease, there)

    def menu_at(self, number: int) -> list[str]:
        """The words of the menu of a memory."""
        menu = self._menu(number)
        words = [one.text() for one in menu.actions() if not one.isSeparator()]
        menu.close()
        return words

    def choose_at(self, number: int, words: str) -> None:
        """Choose from the menu of a memory."""
        menu = self._menu(number)
        next(one for one in menu.actions() if one.text() == words).trigger()
        menu.close()

    def place_of(self, number: int) -> int:
        """Where in the list the n-th memory stands."""
        return [n for n, row in enumerate(self.page.rows) if isinstance(row, MemoryRow)][number]

    def _menu(self, number: int) -> QMenu:
        table, at = self.page.table, self._point(number, TEXT_X)
        reason = QContextMenuEvent.Reason.Mouse
        table.contextMenuEvent(QContextMenuEvent(reason, at, table.viewport().mapToGlobal(at)))
        return next(one for one in table.findChildren(QMenu) if one.isVisible())

    def _point(self, number: int, x: int) -> QPoint:
        table = self.page.table
        rect = table.visualRect(table.model().index(self.place_of(number), 0))
        return QPoint(x, rect.center().y())

    def _mouse(self, kind: QEvent.Type, at: QPoint, keys: Qt.KeyboardModifier = PLAIN) -> None:
        viewport, left = self.page.table.viewport(), Qt.MouseButton.LeftButton
        is_move = kind is QEvent.Type.MouseMove
        button = Qt.MouseButton.NoButton if is_move else left
        is_up = kind is QEvent.Type.MouseButtonRelease
        held = Qt.MouseButton.NoButton if is_up else left
        event = QMouseEvent(
            kind, QPointF(at), QPointF(viewport.mapToGlobal(at)), button, held, keys
        )
        QApplication.sendEvent(viewport, event)

    @property
    def checked(self) -> list[int]:
        """The checked ones, as counted from the top."""
        memories = [row for row in self.page.rows if isinstance(row, MemoryRow)]
        return [n for n, row in enumerate(memories) if row.id in self.selection]


async def hands_on(bench: WindowBench, n_rows: int = N_FEW) -> Hands:
    await bench.until(lambda: len(bench.texts()) == n_rows)
    bench.window.page.focus_list()
    hands = Hands(bench)
    hands.press(HOME)
    return hands


@scene(drive, few)
async def test_the_keys_draw_a_stretch_in_again_and_past_its_anchor(bench: WindowBench, /) -> None:
    hands = await hands_on(bench)
    for _ in range(3):
        hands.press(DOWN)
    hands.press(DOWN, SHIFT)
    hands.press(Qt.Key.Key_J, SHIFT)
    assert hands.checked == [3, 4, 5]
    hands.press(UP, SHIFT)
    assert hands.checked == [3, 4]
    hands.press(Qt.Key.Key_K, SHIFT)
    assert hands.checked == [3]
    hands.press(UP, SHIFT)
    assert hands.checked == [2, 3]
    hands.press(END, SHIFT)
    assert hands.checked == [3, 4, 5, 6, 7]
    hands.press(HOME, SHIFT)
    assert hands.checked == [0, 1, 2, 3]
    hands.press(END, SHIFT | CONTROL)
    assert hands.checked == [3, 4, 5, 6, 7]
    for _ in range(2):  # no more than one screen each
        hands.press(Qt.Key.Key_PageUp, SHIFT)
    assert hands.checked == [0, 1, 2, 3]
    for _ in range(2):
        hands.press(Qt.Key.Key_PageDown, SHIFT)
    assert hands.checked == [3, 4, 5, 6, 7]
    shared = hands.selection.shared
    assert shared is not None
    assert shared.count == 5


@scene(drive, few)
async def test_a_move_without_shift_begins_the_next_stretch(bench: WindowBench, /) -> None:
    hands = await hands_on(bench)
    hands.press(DOWN, SHIFT)
    assert hands.checked == [0, 1]
    for _ in range(4):
        hands.press(DOWN)
    hands.press(DOWN, SHIFT)
    hands.press(DOWN, SHIFT)
    assert hands.checked == [0, 1, 5, 6, 7]
    hands.press(UP, SHIFT)
    assert hands.checked == [0, 1, 5, 6], "what was drawn before stays"
    hands.press(END)
    hands.press(DOWN)  # nothing stands below: the same row is current still
    hands.press(UP, SHIFT)
    assert hands.checked == [0, 1, 5, 6, 7]
    hands.press(Qt.Key.Key_Escape)
    assert hands.checked == []
    hands.press(DOWN, SHIFT)
    assert hands.checked == [6, 7]


@scene(drive, few)
async def test_the_mouse_draws_as_the_keys_do(bench: WindowBench, /) -> None:
    hands = await hands_on(bench)
    hands.click(1)
    hands.click(4, SHIFT)
    assert hands.checked == [1, 2, 3, 4]
    hands.click(2, SHIFT)
    assert hands.checked == [1, 2]
    hands.click(0, SHIFT)
    assert hands.checked == [0, 1]
    hands.press(DOWN, SHIFT)
    assert hands.checked == [1]
    hands.click(6, CONTROL)
    assert hands.checked == [1, 6]
    hands.click(4, SHIFT)
    assert hands.checked == [1, 4, 5, 6]
    hands.click(7, SHIFT | CONTROL)
    assert hands.checked == [1, 6, 7]
    hands.click(3, x=BOX_X)
    hands.click(4, SHIFT)
    assert hands.checked == [1, 3, 4, 6, 7]
    hands.click(4)  # the end of the stretch: the next one is begun here
    hands.click(5, SHIFT)
    assert hands.checked == [1, 3, 4, 5, 6, 7]


@scene(drive, few)
async def test_control_adds_to_the_row_that_is_selected_already(bench: WindowBench, /) -> None:
    hands = await hands_on(bench)
    hands.click(1)
    hands.click(3, CONTROL)
    assert hands.checked == [1, 3]
    hands.click(5, CONTROL)
    hands.click(1, CONTROL)
    assert hands.checked == [3, 5]
    hands.press(Qt.Key.Key_Escape)
    hands.click(4)
    hands.click(4, CONTROL)
    assert hands.checked == [4]
    hands.press(Qt.Key.Key_Escape)
    hands.click(2)
    hands.click(6, x=BOX_X)
    assert hands.checked == [6], "a box is about its own row"


@scene(drive, few)
async def test_two_quick_clicks_on_a_box_are_two(bench: WindowBench, /) -> None:
    hands = await hands_on(bench)
    hands.click(4, x=BOX_X)
    hands.click_again(4, x=BOX_X)
    assert hands.checked == []
    hands.click(1, x=BOX_X)
    hands.click(4, CONTROL)
    hands.click_again(4, CONTROL)
    assert hands.checked == [1]
    hands.press(Qt.Key.Key_Escape)
    hands.click(2)
    hands.click_again(2)
    await bench.until(bench.window.inspector.editor.hasFocus)
    assert hands.checked == []


@scene(drive, few)
async def test_a_trembling_hand_selects_what_it_pressed(bench: WindowBench, /) -> None:
    hands = await hands_on(bench)
    hands.drag(2, 4)
    assert hands.page.table.currentIndex().row() == hands.place_of(2)
    hands.drag(3, 5, x=BOX_X)
    assert hands.checked == [3]
    assert hands.page.table.currentIndex().row() == hands.place_of(3)


@scene(drive, few)
async def test_the_menu_of_many_says_how_many_and_does_it_to_all(bench: WindowBench, /) -> None:
    hands = await hands_on(bench)
    hands.click(1)
    hands.click(3, SHIFT)
    words = hands.menu_at(2)
    assert words[:2] == ["Uncheck", "3 selected"]
    assert {"Retag", "Lifetime", "Export", "Copy texts", "Forget 3"} <= set(words)
    assert "Edit" not in words, "one cannot write into three"
    assert hands.menu_at(6)[:2] == ["Check", "3 selected"]
    hands.choose_at(6, "Forget 3")
    await bench.until(lambda: len(bench.texts()) == N_FEW - 3)
    assert bench.texts() == [f"Memory {n}." for n in (0, 4, 5, 6, 7)]
    assert hands.menu_at(1)[0] == "Edit"


@scene(drive, over_months)
async def test_headings_are_passed_over(bench: WindowBench, /) -> None:
    hands = await hands_on(bench)
    for _ in range(3):
        hands.press(DOWN)
    hands.press(DOWN, SHIFT)
    assert hands.checked == [3, 4], "a heading stands between them"
    hands.press(UP, SHIFT)
    assert hands.checked == [3]
    hands.press(END, SHIFT)
    assert hands.checked == [3, 4, 5, 6, 7]


@scene(drive, many)
async def test_a_stretch_over_pages_that_nobody_read_is_drawn_in_again(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: bool(bench.texts()))
    bench.window.page.focus_list()
    hands = Hands(bench)
    hands.press(HOME)
    hands.press(DOWN)
    hands.press(END, SHIFT)
    await bench.until(lambda: len(hands.selection) == N_MANY - 1)
    for _ in range(5):
        hands.press(UP, SHIFT)
    await bench.until(lambda: len(hands.selection) == N_MANY - 6)
    hands.press(HOME, SHIFT)
    await bench.until(lambda: hands.checked == [0, 1])
    assert len(hands.selection) == 2
    hands.press(Qt.Key.Key_Escape)
    hands.press(END)
    hands.press(HOME, SHIFT)
    hands.press(Qt.Key.Key_Escape)  # while it is still being read
    await hands.selection.settled()
    assert len(hands.selection) == 0
