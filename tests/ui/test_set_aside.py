"""What a search would have found, were it not paused or forgotten: said, and shown when asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.ui.kit.lists.memory_row_layout import HeadingRow, MemoryRow
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.list.content import Beside, beside_line
from tests.support.builders import a_memory
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

ONE, TWO = (a_memory("a"),), (a_memory("b"), a_memory("c"))


def three_bells(bench: Bench) -> None:
    inklings = bench.inklings
    bench.put("The tide bell rings.")
    paused = bench.put("Nobody hears the tide bell.")
    gone = bench.put("The bell cracked.")
    inklings.memories.mark([paused.ref], MemoryMark.PAUSED, on=True)
    inklings.memories.forget([gone.ref])


def headings(bench: WindowBench) -> list[str]:
    return [row.text for row in bench.window.page.rows if isinstance(row, HeadingRow)]


@scene(drive, three_bells)
async def test_a_search_tells_of_what_is_paused_and_forgotten_and_shows_it(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    page, desk = bench.window.page, bench.memory
    QTest.keyClicks(page.header.search.edit, "bell")
    await bench.until(lambda: bench.texts() == ["The tide bell rings."])
    await bench.until(page.foot.set_aside.isVisible)
    assert page.foot.words() == "1 paused memory and 1 forgotten match too"
    assert page.foot.set_aside.text() == "Show them"
    page.foot.set_aside.setFocus()
    QTest.keyClick(page.foot.set_aside, Qt.Key.Key_Return)
    await bench.until(lambda: len(bench.texts()) == 3)
    assert bench.texts()[1:] == ["Nobody hears the tide bell.", "The bell cracked."]
    assert headings(bench) == [
        "Paused: never retrieved until resumed",
        "Forgotten: never retrieved",
    ]
    rows = {row.excerpt: row for row in page.rows if isinstance(row, MemoryRow)}
    paused, gone = rows["Nobody hears the tide bell."], rows["The bell cracked."]
    assert (paused.paused, gone.forgotten) == (True, True), "they are painted dimmed"
    assert paused.highlights
    assert desk.list.content is not None
    assert desk.list.content.n_memories == 1, "they are no hits"
    page.list_cursor.select(paused.id)
    entry = desk.list.entry(paused.id)
    assert entry is not None
    await bench.until(lambda: desk.subject.current_ref == entry.ref)
    inklings = bench.bench.inklings
    inklings.memories.mark([entry.ref], MemoryMark.PAUSED, on=False)
    await bench.until(lambda: headings(bench) == ["Forgotten: never retrieved"])
    await bench.until(lambda: page.foot.words() == "1 forgotten memory matches too")
    page.foot.set_aside.click()
    await bench.until(lambda: len(bench.texts()) == 2)
    page.header.search.edit.clear()
    await bench.until(lambda: not page.foot.isVisible())


@scene(drive, three_bells)
async def test_nothing_is_told_where_nothing_is_set_aside(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    page = bench.window.page
    QTest.keyClicks(page.header.search.edit, "rings")
    await bench.until(lambda: bench.texts() == ["The tide bell rings."])
    await bench.memory.list.settled()
    assert not page.foot.set_aside.isVisible()
    assert page.foot.words().startswith("Best match first")


@scene(drive, three_bells)
async def test_only_paused_ones_match(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    page = bench.window.page
    QTest.keyClicks(page.header.search.edit, "nobody")
    await bench.until(page.empty.isVisible)
    await bench.until(lambda: page.foot.words() == "1 paused memory matches too")
    page.foot.set_aside.click()
    await bench.until(lambda: bench.texts() == ["Nobody hears the tide bell."])


@scene(drive, three_bells)
async def test_a_search_with_the_forgotten_on_show_keeps_them_on_show(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    page = bench.window.page
    await bench.until(page.filters.forgotten.isVisible)
    page.filters.forgotten.click()
    await bench.until(lambda: bench.texts() == ["The bell cracked."])
    QTest.keyClicks(page.header.search.edit, "cracked")
    await bench.until(lambda: headings(bench) == ["Forgotten: never retrieved"])
    assert bench.texts() == ["The bell cracked."]
    assert page.foot.set_aside.text() == "Hide them"


def test_what_lies_in_an_archived_room_is_told_of_while_all_are_searched(tmp_path: Path) -> None:
    def rooms(bench: Bench) -> None:
        inklings, here = bench.inklings, bench.workspace.id
        old = inklings.channels.create(here, "old-room")
        inklings.channels.create(here, "map-room")
        scope = ScopeKey.channel(here, old.id)
        bench.put("The bell of the old room.", scope=scope)
        paused = bench.put("A bell that is paused there.", scope=scope)
        inklings.memories.mark([paused.ref], MemoryMark.PAUSED, on=True)
        inklings.channels.archive(here, old.id)
        (general,) = [one for one in inklings.places.channels(here) if one.name == "general"]
        bench.put("A bell in general.", scope=ScopeKey.channel(here, general.id))

    async def search(bench: WindowBench) -> None:
        desk, page = bench.memory, bench.window.page
        here = desk.shell.surroundings
        assert here is not None
        desk.shell.go(Place(Tier.CHANNEL))
        await bench.until(lambda: bench.texts() == ["A bell in general."])
        QTest.keyClicks(page.header.search.edit, "bell")
        told = "1 paused memory and 1 in an archived room match too"
        await bench.until(lambda: page.foot.words() == told)
        page.foot.set_aside.click()
        await bench.until(lambda: len(bench.texts()) == 3)
        assert headings(bench) == ["In archived rooms", "Paused: never retrieved until resumed"]
        desk.shell.go(Place(Tier.CHANNEL, here.channels[0].id))
        await bench.until(lambda: headings(bench) == [])
        await desk.list.settled()
        assert not page.foot.set_aside.isVisible(), "one room alone is searched"

    drive(tmp_path, rooms, search)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Beside(), ""),
        (Beside(paused=ONE), "1 paused memory matches too"),
        (Beside(paused=TWO), "2 paused memories match too"),
        (Beside(forgotten=TWO), "2 forgotten memories match too"),
        (Beside(archived=ONE), "1 memory in an archived room matches too"),
        (Beside(paused=ONE, forgotten=TWO), "1 paused memory and 2 forgotten match too"),
        (
            Beside(archived=TWO, paused=TWO, forgotten=ONE),
            "2 paused memories, 1 forgotten and 2 in archived rooms match too",
        ),
        (
            Beside(forgotten=ONE, is_complete=False),
            "1 forgotten memory matches too, among the latest",
        ),
    ],
)
def test_the_line_says_how_many(found: Beside, said: str) -> None:
    assert beside_line(found) == said
