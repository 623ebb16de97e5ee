"""Shift draws a stretch of the list out and in again, by keys and by the mouse."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from inklings_desktop.domain.listing import PAGE_LIMIT
from inklings_desktop.ui.models.memory_rows import MemoryRow
from tests.support.builders import NOON, a_memory
from tests.ui.window_bench import WindowBench, drive

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.presenter_bench import Bench

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
    with bench.inklings.put_memory.store.write(bench.workspace.id, initiator="test") as unit:
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
        self.selection = bench.desk.acts.selection

    def press(self, key: Qt.Key, keys: Qt.KeyboardModifier = PLAIN) -> None:
        QTest.keyClick(self.page.table, key, keys)

    def click(self, number: int, keys: Qt.KeyboardModifier = PLAIN, x: int = TEXT_X) -> None:
        """Click the n-th memory from the top."""
        table = self.page.table
        place = [n for n, row in enumerate(self.page.rows) if isinstance(row, MemoryRow)][number]
        rect = table.visualRect(table.model().index(place, 0))
        button = Qt.MouseButton.LeftButton
        QTest.mouseClick(table.viewport(), button, keys, QPoint(x, rect.center().y()))

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


def test_the_keys_draw_a_stretch_in_again_and_past_its_anchor(tmp_path: Path) -> None:
    async def draw(bench: WindowBench) -> None:
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

    drive(tmp_path, few, draw)


def test_a_move_without_shift_begins_the_next_stretch(tmp_path: Path) -> None:
    async def draw(bench: WindowBench) -> None:
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

    drive(tmp_path, few, draw)


def test_the_mouse_draws_as_the_keys_do(tmp_path: Path) -> None:
    async def draw(bench: WindowBench) -> None:
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

    drive(tmp_path, few, draw)


def test_headings_are_passed_over(tmp_path: Path) -> None:
    async def draw(bench: WindowBench) -> None:
        hands = await hands_on(bench)
        for _ in range(3):
            hands.press(DOWN)
        hands.press(DOWN, SHIFT)
        assert hands.checked == [3, 4], "a heading stands between them"
        hands.press(UP, SHIFT)
        assert hands.checked == [3]
        hands.press(END, SHIFT)
        assert hands.checked == [3, 4, 5, 6, 7]

    drive(tmp_path, over_months, draw)


def test_a_stretch_over_pages_that_nobody_read_is_drawn_in_again(tmp_path: Path) -> None:
    async def draw(bench: WindowBench) -> None:
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

    drive(tmp_path, many, draw)
