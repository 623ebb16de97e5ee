"""A list of many pages in the real window: jumped in, scrolled, selected, changed under one."""

from __future__ import annotations

import asyncio
import statistics
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from sqlalchemy import Engine, event

from benchmarks.window_responsiveness import FRAME_MS, Heartbeat
from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.memories.listing import PAGE_LIMIT, MemorySort
from inklings_desktop.domain.memory import Lifetime, MemoryPatch, ScopeKey, Tier
from inklings_desktop.ui.kit.lists.memory_row_layout import HeadingRow, MemoryRow
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.list.table.delegate import MemoryDelegate
from inklings_desktop.ui.memory.list.table.table import MemoryListModel
from tests.support.builders import NOON, a_memory
from tests.support.scenes import scene
from tests.support.stopwatch import SLOWNESS
from tests.support.wide import mostly_wide
from tests.ui.presenter_bench import Bench, Heard
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

N_MEMORIES = 1_730
LONGEST_MS = 100.0 * SLOWNESS


def many(bench: Bench) -> None:
    entries = [
        a_memory(
            f"Memory number {n:04}",
            scope=bench.scope,
            memory_id=f"00000000-0000-4000-8000-{n:012}",
            created_at=NOON - timedelta(hours=5 * n),
        )
        for n in range(N_MEMORIES)
    ]
    with bench.inklings.parts.store.write(bench.workspace.id, initiator="test") as unit:
        unit.memories.add(entries)
        unit.commit()


def listed(bench: WindowBench) -> MemoryListModel:
    """The model of the list."""
    model = bench.window.page.table.model()
    assert isinstance(model, MemoryListModel)
    return model


def heights(bench: WindowBench) -> list[int]:
    """Height of every row of the list."""
    header = bench.window.page.table.verticalHeader()
    return [header.sectionSize(place) for place in range(header.count())]


def expected_heights(bench: WindowBench) -> list[int]:
    """One height for headings, one for everything else."""
    painter = bench.window.page.table.itemDelegate()
    assert isinstance(painter, MemoryDelegate)
    headings = set(listed(bench).heading_places(0, listed(bench).rowCount() - 1))
    return [
        painter.heading_height if place in headings else painter.row_height
        for place in range(listed(bench).rowCount())
    ]


def row_text(bench: WindowBench, place: int) -> str:
    """Text of the row at a place of the whole list; empty while it is read."""
    row = listed(bench).row_at(listed(bench).index(place, 0))
    return row.excerpt if isinstance(row, MemoryRow) else ""


def inspected(bench: WindowBench) -> str:
    """The text in the inspector."""
    entry = bench.memory.subject.current_entry
    return entry.content if entry is not None else ""


def expected(bench: WindowBench) -> list[str]:
    """The whole list as it must be: headings by their id, memories by their text."""
    inklings, desk = bench.bench.inklings, bench.memory
    page = inklings.listing.browse(
        desk.list.request.scopes,
        sort=desk.list.request.sort,
        where=desk.list.request.where,
        limit=100_000,
    )
    lines: list[str] = []
    entries = iter(page.entries)
    for group in page.groups:
        lines.append(f"heading:{group.key}")
        lines += [next(entries).content for _ in range(group.count)]
    return lines


async def visible(bench: WindowBench) -> list[tuple[int, str]]:
    """Places on show with their texts, once all of them are read."""
    table = bench.window.page.table

    def places() -> range:
        last = table.rowAt(table.viewport().height() - 1)
        return range(table.rowAt(0), (last if last >= 0 else table.model().rowCount() - 1) + 1)

    await bench.until(lambda: not any(listed(bench).is_awaited(one) for one in places()))
    found = []
    for place in places():
        row = listed(bench).row_at(listed(bench).index(place, 0))
        assert isinstance(row, MemoryRow | HeadingRow)
        found.append((place, row.id if isinstance(row, HeadingRow) else row.excerpt))
    return found


async def opened(bench: WindowBench) -> None:
    table = bench.window.page.table
    await bench.until(lambda: table.model().rowCount() > N_MEMORIES)


@scene(drive, many)
async def test_the_scroll_bar_tells_how_long_the_list_is_and_end_is_the_end(
    bench: WindowBench, /
) -> None:
    await opened(bench)
    table = bench.window.page.table
    whole = expected(bench)
    assert table.model().rowCount() == len(whole)
    assert len(bench.window.page.rows) < PAGE_LIMIT + 20  # only the head is loaded
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_End)
    last = f"Memory number {N_MEMORIES - 1:04}"
    await bench.until(lambda: row_text(bench, len(whole) - 1) == last)
    await bench.until(lambda: inspected(bench) == last)
    assert await visible(bench) == list(enumerate(whole))[-len(await visible(bench)) :]
    QTest.keyClick(table, Qt.Key.Key_Up)
    above = f"Memory number {N_MEMORIES - 2:04}"
    await bench.until(lambda: inspected(bench) == above)
    QTest.keyClick(table, Qt.Key.Key_Home)
    await bench.until(lambda: inspected(bench) == "Memory number 0000")


@pytest.mark.parametrize(
    "sort", mostly_wide(MemorySort, every_day=lambda sort: sort is MemorySort.NEWEST)
)
@scene(drive, many)
async def test_every_place_that_is_jumped_to_shows_what_stands_there(
    bench: WindowBench, /, sort: MemorySort
) -> None:
    await opened(bench)
    bench.window.page.header.sort_chosen.emit(sort)
    await bench.memory.list.settled()
    whole = expected(bench)
    bar = bench.window.page.table.verticalScrollBar()
    await bench.until(lambda: bar.maximum() > 1000)
    for share in (0.93, 0.5, 0.12, 0.505, 1.0, 0.0):
        bar.setValue(round(bar.maximum() * share))
        for place, text in await visible(bench):
            assert text == whole[place], (share, place)


@scene(drive, many)
async def test_a_change_elsewhere_leaves_place_and_selection(bench: WindowBench, /) -> None:
    await opened(bench)
    table = bench.window.page.table
    bar = table.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    shown = await visible(bench)
    place, text = next(one for one in shown[2:] if not one[1].startswith("heading"))
    table.setCurrentIndex(table.model().index(place, 0))
    await bench.until(lambda: inspected(bench) == text)
    before = bar.value()
    edge = table.visualRect(table.currentIndex()).top()
    chosen = Heard().to(bench.window.page.list_cursor.row_chosen)
    bench.bench.put("A new one on top")
    await bench.until(lambda: row_text(bench, 1) == "A new one on top")
    assert heights(bench) == expected_heights(bench)
    row = listed(bench).row_at(table.currentIndex())
    assert isinstance(row, MemoryRow)
    assert row.excerpt == text
    assert table.visualRect(table.currentIndex()).top() == edge
    assert bar.value() > before  # the new row stands above
    inklings, first = bench.bench.inklings, expected(bench)[3]
    gone = next(
        e for e in inklings.listing.browse((bench.bench.scope,)).entries if e.content == first
    )
    inklings.memories.forget([gone.ref])
    bench.bench.put("Another on top")  # as many rows as before, but others
    await bench.until(lambda: row_text(bench, 1) == "Another on top")
    await visible(bench)
    assert inspected(bench) == text
    assert set(chosen.payloads) <= {bench.window.page.list_cursor.current_id()}


@scene(drive, many)
async def test_a_memory_far_down_is_shown_as_it_was_changed(bench: WindowBench, /) -> None:
    await opened(bench)
    table = bench.window.page.table
    bar = table.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    place, text = [one for one in await visible(bench) if one[1][:7] != "heading"][3]
    inklings = bench.bench.inklings
    whole = inklings.listing.browse((bench.bench.scope,), limit=100_000)
    entry = next(one for one in whole.entries if one.content == text)
    inklings.memories.update(
        entry.ref, MemoryPatch(content="Changed elsewhere"), expected_version=entry.version
    )
    await bench.until(lambda: row_text(bench, place) == "Changed elsewhere")
    assert (await visible(bench))[0][0] <= place


@scene(drive, many)
async def test_home_shows_the_first_heading(bench: WindowBench, /) -> None:
    await opened(bench)
    table = bench.window.page.table
    QTest.keyClick(table, Qt.Key.Key_End)
    QTest.keyClick(table, Qt.Key.Key_Home)
    assert isinstance(listed(bench).row_at(table.indexAt(QPoint(4, 1))), HeadingRow)
    assert table.currentIndex().row() == 1


@scene(drive, many)
async def test_rows_on_show_are_worded_anew_where_one_stands(bench: WindowBench, /) -> None:
    await opened(bench)
    table, model = bench.window.page.table, listed(bench)
    table.go_to_end(-1)  # in the tail
    await visible(bench)
    current, seen = table.currentIndex().row(), table.places_on_show()

    table.word_anew(
        lambda row: replace(row, age_label="9 d old") if isinstance(row, MemoryRow) else row
    )

    worded = [
        place
        for place in range(model.rowCount())
        if getattr(model.row_at(model.index(place, 0)), "age_label", "") == "9 d old"
    ]
    assert current in worded
    assert set(worded) <= set(seen)
    assert table.currentIndex().row() == current


@scene(drive, many)
async def test_the_windows_thread_works_for_less_than_a_frame_at_a_time(
    bench: WindowBench, /
) -> None:
    await opened(bench)
    bar = bench.window.page.table.verticalScrollBar()
    beat = Heartbeat()
    bench.window.page.table.setFocus()
    for is_measured in (False, True):  # fonts and caches are warm in the second round
        with beat.listening():
            for step in range(30):
                bar.setValue(round(bar.maximum() * step / 29))
                await asyncio.sleep(0.02)
            QTest.keyClick(bench.window.page.table, Qt.Key.Key_End)
            await asyncio.sleep(0.2)
        if is_measured:
            # Processor time of this thread: what a busy machine takes away does not count.
            assert statistics.quantiles(beat.worked_ms, n=20)[-1] < FRAME_MS * SLOWNESS
            assert max(beat.worked_ms) < LONGEST_MS


def test_nothing_is_asked_of_the_database_in_the_windows_thread(tmp_path: Path) -> None:
    ours = threading.get_ident()
    asked: list[str] = []

    def heard(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if threading.get_ident() == ours:
            asked.append(statement)

    async def action(bench: WindowBench) -> None:
        await opened(bench)
        asked.clear()
        table = bench.window.page.table
        bar = table.verticalScrollBar()
        for share in (0.0, 0.3, 0.31, 0.9, 1.0):
            bar.setValue(round(bar.maximum() * share))
            table.viewport().repaint()  # at once, with what is there
            await visible(bench)
            table.viewport().repaint()
        table.setFocus()
        QTest.keyClick(table, Qt.Key.Key_PageUp)
        bench.window.page.header.sort_chosen.emit(MemorySort.RELEVANCE)
        await bench.memory.list.settled()
        await visible(bench)
        assert asked == []
        # The hook hears: the same question asked here would be noticed.
        inklings = bench.bench.inklings
        inklings.listing.browse((bench.bench.scope,))
        assert asked

    event.listen(Engine, "before_cursor_execute", heard)
    try:
        drive(tmp_path, many, action)
    finally:
        event.remove(Engine, "before_cursor_execute", heard)


@scene(drive, many)
async def test_every_row_has_its_height_after_whatever_befell_the_list(
    bench: WindowBench, /
) -> None:
    await opened(bench)
    table = bench.window.page.table
    assert heights(bench) == expected_heights(bench)
    table.verticalHeader().resizeSection(40, 3)  # as a row that folds away
    inklings = bench.bench.inklings
    page = inklings.listing.browse((bench.bench.scope,), limit=80)
    inklings.memories.forget([one.ref for one in page.entries[10:75]])
    await bench.until(lambda: listed(bench).rowCount() < N_MEMORIES)
    assert heights(bench) == expected_heights(bench)
    bench.window.page.set_compact(compact=True)
    assert heights(bench) == expected_heights(bench)
    bench.window.page.header.sort_chosen.emit(MemorySort.IMPORTANCE)
    await bench.memory.list.settled()
    assert heights(bench) == expected_heights(bench)


@scene(drive, many)
async def test_forgetting_far_down_goes_on_to_the_memory_below(bench: WindowBench, /) -> None:
    await opened(bench)
    table = bench.window.page.table
    bar = table.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    shown = [one for one in await visible(bench) if not one[1].startswith("heading")]
    (place, text), (_, below) = shown[2], shown[3]
    table.setCurrentIndex(table.model().index(place, 0))
    await bench.until(lambda: inspected(bench) == text)
    before = bar.value()
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Delete)
    await bench.until(lambda: inspected(bench) == below)
    await bench.until(lambda: row_text(bench, place) == below)
    assert abs(bar.value() - before) <= 2 * table.rowHeight(place)


def test_a_conversation_of_many_memories_keeps_its_notes_on_top(tmp_path: Path) -> None:
    def long_talk(bench: Bench) -> None:
        inklings, workspace_id = bench.inklings, bench.workspace.id
        talk = inklings.conversations.start(workspace_id, title="Long")
        scope = ScopeKey.conversation(workspace_id, talk.id)
        agent = Caller(
            CallerKind.AGENT,
            "loom",
            Door.MCP,
            (Grant(Tier.CONVERSATION, workspace_id, frozenset({Action.READ, Action.WRITE})),),
        )
        inklings.as_caller(agent).notes.write(workspace_id, talk.id, "pages", 3)
        entries = [
            a_memory(
                f"Said {n:03}",
                scope=scope,
                memory_id=f"00000000-0000-4000-8000-{n:012}",
                lifetime=Lifetime.CONVERSATION,
                created_at=NOON - timedelta(hours=n),
            )
            for n in range(900)
        ]
        with inklings.parts.store.write(workspace_id, initiator="test") as unit:
            unit.memories.add(entries)
            unit.commit()

    async def action(bench: WindowBench) -> None:
        bench.memory.shell.go(Place(Tier.CONVERSATION))
        await bench.until(lambda: listed(bench).rowCount() == 1 + 1 + 1 + 900)
        assert list(listed(bench).heading_places(0, 902)) == [0, 2]
        whole = expected(bench)
        said = [one for one in whole if not one.startswith("heading")]
        bar = bench.window.page.table.verticalScrollBar()
        for share in (1.0, 0.6):
            bar.setValue(round(bar.maximum() * share))
            for place, text in await visible(bench):
                assert text == said[place - 3]

    drive(tmp_path, long_talk, action)


@scene(drive, many)
async def test_the_heading_of_what_is_on_show_stays_and_hides_no_row(bench: WindowBench, /) -> None:
    await opened(bench)
    table = bench.window.page.table
    bar = table.verticalScrollBar()
    bar.setValue(table.rowViewportPosition(6))
    heading = table.indexAt(QPoint(300, 5))
    assert (heading.row(), isinstance(listed(bench).row_at(heading), HeadingRow)) == (0, True)
    assert table.indexAt(QPoint(300, 40)).row() == 6
    table.setCurrentIndex(table.model().index(6, 0))
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, 5))
    assert table.currentIndex().row() == 6
    QTest.keyClick(table, Qt.Key.Key_Up)
    edge = table.visualRect(table.currentIndex()).top()
    assert (table.currentIndex().row(), edge) == (5, table.rowHeight(0))
    following = listed(bench).heading_places(1, table.model().rowCount())
    bar.setValue(bar.value() + table.rowViewportPosition(next(following)) - 10)
    assert table.indexAt(QPoint(300, 9)).row() == 0  # it is pushed out
    assert table.indexAt(QPoint(300, 11)).row() > 0
