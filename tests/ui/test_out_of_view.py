"""Checked memories that the list does not show: nobody acts on them unawares."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.memory.list.content import ListRequest
from tests.support.builders import NOON, a_memory
from tests.support.scenes import scene
from tests.ui.keyboard_hands import Hands, thirty
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

N_MANY = 1_200


def many(bench: Bench) -> None:
    """More than a page; every second one is important."""
    entries = [
        a_memory(
            f"Memory number {n:04}",
            scope=bench.scope,
            memory_id=f"00000000-0000-4000-8000-{n:012}",
            created_at=NOON - timedelta(hours=n),
            importance=0.9 if n % 2 else 0.1,
        )
        for n in range(N_MANY)
    ]
    with bench.inklings.parts.store.write(bench.workspace.id, initiator="test") as unit:
        unit.memories.add(entries)
        unit.commit()


def said(bench: WindowBench) -> str:
    """What the bar says first."""
    labels = bench.window.page.bulk.findChildren(QLabel)
    return next(one.text() for one in labels if "selected" in one.text())


async def two_checked_one_found(bench: WindowBench) -> Hands:
    """The two newest checked, and a search that finds the newest alone."""
    await bench.until(lambda: len(bench.texts()) == 30)
    bench.window.activateWindow()
    hands = Hands(bench)
    bench.window.page.focus_list()
    hands.press("Space", "J", "Space")
    await bench.until(lambda: hands.checked() == 2)
    assert said(bench) == "2 selected"
    assert not bench.window.page.bulk.hidden.isVisible()
    bench.window.page.header.search.set_text("29")
    await bench.until(lambda: bench.texts() == ["Memory 29."])
    await bench.until(lambda: said(bench) == "2 selected, 1 not in view")
    bench.window.page.focus_list()
    return hands


@scene(drive, thirty)
async def test_the_bar_says_what_a_search_leaves_out_and_shows_it(bench: WindowBench, /) -> None:
    hands = await two_checked_one_found(bench)
    bar = bench.window.page.bulk
    assert bar.hidden.text() == "Show them"
    assert bar.hidden.isVisible()
    bar.hidden.click()
    await bench.until(lambda: len(bench.texts()) == 30)
    assert bench.window.page.header.search.text() == ""
    await bench.until(lambda: said(bench) == "2 selected")
    assert not bar.hidden.isVisible()
    await bench.until(lambda: hands.current == "Memory 28.")
    assert hands.is_at(bench.window.page.table)


@scene(drive, thirty)
async def test_nobody_forgets_what_they_do_not_see_without_being_told(
    bench: WindowBench, /
) -> None:
    hands = await two_checked_one_found(bench)
    hands.press("Delete")
    dialog = await hands.shown(ConfirmDialog)
    told = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "Forget 2 memories?" in told
    assert "One is not in the list you see." in told
    dialog.keep.click()
    await bench.until(lambda: not bench.memory.undo.order.locked())
    assert hands.checked() + len(bench.memory.acts.selection.hidden.ids) == 2
    bench.window.activateWindow()
    await bench.until(bench.window.isActiveWindow)
    bench.window.page.focus_list()
    hands.press("Delete")
    (await hands.shown(ConfirmDialog)).confirm.click()
    await bench.until(lambda: len(bench.memory.acts.selection) == 0)
    bench.window.page.header.search.set_text("")
    await bench.until(lambda: len(bench.texts()) == 28)


@scene(drive, thirty)
async def test_escape_in_a_search_brings_what_is_checked_back_into_view(
    bench: WindowBench, /
) -> None:
    hands = await two_checked_one_found(bench)
    hands.press("Esc")
    await bench.until(lambda: len(bench.texts()) == 30)
    await bench.until(lambda: said(bench) == "2 selected")
    assert hands.checked() == 2
    assert hands.is_at(bench.window.page.table)
    hands.press("Delete")  # both are seen: nobody is asked
    await bench.until(lambda: len(bench.texts()) == 28)


@scene(drive, many)
async def test_a_filter_over_a_whole_tier_is_counted_also_where_nothing_is_loaded(
    bench: WindowBench, /
) -> None:
    selection, memories = bench.memory.acts.selection, bench.memory.list
    await bench.until(lambda: bench.window.page.table.model().rowCount() > N_MANY)
    selection.check_all()
    await bench.until(lambda: len(selection) == N_MANY)
    await selection.settled()
    assert not selection.hidden.ids
    before = memories.request
    memories.ask(ListRequest(before.scopes, where=MemoryFilter(importance_min=0.5)))
    await bench.until(lambda: len(selection.hidden.ids) == N_MANY // 2)
    assert said(bench) == f"{N_MANY:,} selected, {N_MANY // 2:,} not in view"
    shown = {one.id for one in memories.loaded_entries()}
    assert not shown & selection.hidden.ids
    memories.ask(before)
    await bench.until(lambda: not selection.hidden.ids)


def test_what_lies_elsewhere_can_be_let_go_of(tmp_path: Path) -> None:
    def two_tiers(bench: Bench) -> None:
        thirty(bench)
        bench.put("Known of the author: 29 lamps.", scope=bench.scope.account())

    async def let_go(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 30)
        bench.window.page.header.search.set_text("29")
        await bench.until(lambda: len(bench.texts()) == 1)
        bench.window.page.foot.toggle_everywhere()
        await bench.until(lambda: len(bench.texts()) == 2)
        ids = [row.id for row in bench.window.page.rows if hasattr(row, "excerpt")]
        bench.memory.acts.selection.check(ids)
        assert said(bench) == "2 selected"
        bench.window.page.header.search.set_text("")
        await bench.until(lambda: len(bench.texts()) == 30)
        await bench.until(lambda: said(bench) == "2 selected, 1 not in view")
        bar = bench.window.page.bulk
        assert bar.hidden.text() == "Uncheck them"
        bar.hidden.click()
        assert said(bench) == "1 selected"

    drive(tmp_path, two_tiers, let_go)
