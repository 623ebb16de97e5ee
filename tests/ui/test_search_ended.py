"""A search that is cleared: what was found and opened stays in view among its neighbours."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.domain.memories.listing import MemorySort
from tests.support.scenes import scene
from tests.support.wide import mostly_wide
from tests.ui.presenter_bench import Bench
from tests.ui.test_long_lists import many
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def forty(bench: Bench) -> None:
    for number in range(40):
        bench.put(f"Memory {number}, harbour." if number == 5 else f"Memory {number}.")


async def found_and_opened(bench: WindowBench, text: str) -> str:
    """Search for something, open the first hit, and say which memory that is."""
    page = bench.window.page
    page.header.search.set_text(text)
    await bench.until(lambda: bench.memory.list.content is not None)
    await bench.memory.list.settled()
    QTest.keyClick(page.header.search.edit, Qt.Key.Key_Down)
    await bench.until(lambda: bench.memory.subject.current_entry is not None)
    chosen = page.list_cursor.current_id()
    assert chosen is not None
    return chosen


def is_in_view(bench: WindowBench, memory_id: str) -> bool:
    """Whether its row is the chosen one, and seen whole."""
    page = bench.window.page
    if page.list_cursor.current_id() != memory_id:
        return False
    seen, row = page.table.viewport().rect(), page.table.visualRect(page.table.currentIndex())
    return seen.contains(row) and row.height() > 0


@scene(drive, forty)
async def test_the_open_memory_is_in_view_once_the_search_is_cleared(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 40)
    opened = await found_and_opened(bench, "harbour")
    assert len(bench.texts()) == 1
    bench.window.page.header.search.clear()
    await bench.until(lambda: len(bench.texts()) == 40 and is_in_view(bench, opened))
    await bench.until(lambda: bench.memory.subject.current_ref is not None)
    await bench.until(lambda: bench.memory.subject.current_ref.id == opened)  # type: ignore[union-attr]


@scene(drive, forty)
async def test_one_that_the_search_did_not_find_is_in_view_again_as_well(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 40)
    opened = await found_and_opened(bench, "harbour")
    page = bench.window.page
    page.header.search.set_text("nothing at all says this")
    await bench.until(lambda: not bench.texts())
    QTest.keyClick(page.header.search.edit, Qt.Key.Key_Escape)
    await bench.until(lambda: len(bench.texts()) == 40 and is_in_view(bench, opened))


@pytest.mark.parametrize(
    "sort",
    mostly_wide(
        (MemorySort.NEWEST, MemorySort.OLDEST, MemorySort.RELEVANCE),
        every_day=lambda sort: sort is MemorySort.OLDEST,
    ),
)
@scene(drive, many)
async def test_it_is_found_far_down_a_list_of_many_pages(
    bench: WindowBench, /, sort: MemorySort
) -> None:
    await bench.until(lambda: len(bench.texts()) > 0)
    bench.window.page.header.sort_chosen.emit(sort)
    await bench.memory.list.settled()
    opened = await found_and_opened(bench, "0917")
    bench.window.page.header.search.clear()
    await bench.until(lambda: len(bench.texts()) > 1 and is_in_view(bench, opened))
    place = bench.window.page.table.currentIndex().row()
    assert place > 600


@scene(drive, forty)
async def test_nothing_stays_beside_a_search_that_finds_nothing(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 40)
    bench.window.page.list_cursor.select_next()
    await bench.until(lambda: bench.memory.subject.current_entry is not None)
    opened = bench.window.page.list_cursor.current_id()
    assert opened is not None
    bench.window.page.header.search.set_text("zzyzx")
    await bench.until(lambda: bench.memory.subject.current_ref is None)
    assert not bench.texts()
    bench.window.page.header.search.clear()
    await bench.until(lambda: len(bench.texts()) == 40 and is_in_view(bench, opened))
    await bench.until(lambda: bench.memory.subject.current_ref is not None)
