"""What the inspector shows after going to another place, and where the keyboard is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.ui.kit.dialogs.ask_dialog import UnsavedDialog
from inklings_desktop.ui.kit.lists.memory_row_layout import MemoryRow
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.subject.state import InspectorMode
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def two_tiers(bench: Bench) -> None:
    bench.put("The older one.")
    bench.put("The newer one.")
    bench.put("Prefers the Oxford comma.", scope=ScopeKey.account())


def shown(bench: WindowBench) -> str | None:
    entry = bench.memory.subject.current_entry
    return None if entry is None else entry.content


async def reading_the_older(bench: WindowBench) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    bench.window.page.focus_list()
    QTest.keyClick(bench.window.page.table, Qt.Key.Key_End)
    await bench.until(lambda: shown(bench) == "The older one.")


async def gone_to(bench: WindowBench, tier: Tier, texts: list[str]) -> None:
    bench.memory.shell.go(Place(tier))
    await bench.memory.list.settled()
    await bench.until(lambda: bench.texts() == texts)


@scene(drive, two_tiers)
async def test_the_arrows_of_the_inspector_lead_to_the_neighbours(bench: WindowBench, /) -> None:
    await reading_the_older(bench)
    header = bench.window.inspector.header
    assert not header.next.isEnabled()
    header.previous.click()
    await bench.until(lambda: shown(bench) == "The newer one.")
    assert not header.previous.isEnabled()
    header.next.click()
    await bench.until(lambda: shown(bench) == "The older one.")


@scene(drive, two_tiers)
async def test_nothing_of_another_tier_stays_in_the_inspector(bench: WindowBench, /) -> None:
    await reading_the_older(bench)
    await gone_to(bench, Tier.CHANNEL, [])
    assert bench.memory.subject.state.mode is InspectorMode.NOTHING
    assert bench.window.page.empty.isVisible()
    await gone_to(bench, Tier.ACCOUNT, ["Prefers the Oxford comma."])
    # The keyboard comes back to the list, and with it the first row is opened.
    await bench.until(lambda: shown(bench) == "Prefers the Oxford comma.")


@scene(drive, two_tiers)
async def test_whoever_comes_back_stands_where_they_stood(bench: WindowBench, /) -> None:
    await reading_the_older(bench)
    table = bench.window.page.table
    await gone_to(bench, Tier.ACCOUNT, ["Prefers the Oxford comma."])
    assert bench.memory.subject.state.mode is InspectorMode.NOTHING
    QTest.keyClick(table, Qt.Key.Key_Down)
    await bench.until(lambda: shown(bench) == "Prefers the Oxford comma.")
    await gone_to(bench, Tier.WORKSPACE, ["The newer one.", "The older one."])
    await bench.until(lambda: shown(bench) == "The older one.")
    row = table.current_row()
    assert row is not None
    assert row.excerpt == "The older one."
    await gone_to(bench, Tier.ACCOUNT, ["Prefers the Oxford comma."])
    await bench.until(lambda: shown(bench) == "Prefers the Oxford comma.")


@scene(drive, two_tiers)
async def test_what_is_typed_stays_on_show_and_is_asked_about_when_it_is_left(
    bench: WindowBench, /
) -> None:
    await reading_the_older(bench)
    bench.memory.subject.edit(content="The older one, with more to it.")
    await gone_to(bench, Tier.CHANNEL, [])
    assert bench.memory.subject.has_unsaved
    assert shown(bench) == "The older one."
    assert bench.window.inspector.editor.toPlainText() == "The older one, with more to it."
    assert await bench.memory.subject.save()
    await gone_to(bench, Tier.ACCOUNT, ["Prefers the Oxford comma."])
    await bench.until(lambda: shown(bench) == "Prefers the Oxford comma.")


@scene(drive, two_tiers)
async def test_a_tag_that_still_stands_in_its_field_is_not_left_behind(
    bench: WindowBench, /
) -> None:
    await reading_the_older(bench)
    field = bench.window.inspector.body.details.tags.edit
    QTest.keyClicks(field, "sea")
    bench.window.inspector.header.previous.click()
    await bench.until(lambda: bool(bench.window.findChildren(UnsavedDialog)))
    bench.window.findChildren(UnsavedDialog)[0].reject()
    await bench.until(lambda: not bench.window.findChildren(UnsavedDialog))
    assert shown(bench) == "The older one."
    draft = bench.memory.subject.state.draft
    assert draft is not None
    assert draft.tags == ("sea",)


@scene(drive, two_tiers)
async def test_what_is_on_its_way_to_the_inspector_belongs_to_the_place(
    bench: WindowBench, /
) -> None:
    await reading_the_older(bench)
    inklings = bench.bench.inklings
    page = inklings.listing.browse([ScopeKey.account()])
    bench.memory.show_memory(page.entries[0])
    await bench.until(lambda: bench.texts() == ["Prefers the Oxford comma."])
    await bench.until(lambda: shown(bench) == "Prefers the Oxford comma.")
    await bench.until(lambda: bench.window.page.list_cursor.current_id() is not None)


def of_the_sea(bench: Bench) -> None:
    bench.put("The harbour.", tags=("sea",))
    bench.put("The gulls.", tags=("sea",))
    bench.put("The tide.", tags=("sea",))


@scene(drive, of_the_sea)
async def test_whoever_went_on_is_not_fetched_back_to_what_left_the_list(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page, memory = bench.window.page, bench.memory
    only_sea = MemoryFilter(tags=frozenset({"sea"}))
    memory.search.ask(replace(memory.list.request, where=only_sea))
    await memory.list.settled()
    ids = {row.excerpt: row.id for row in page.rows if isinstance(row, MemoryRow)}
    page.list_cursor.select(ids["The tide."])
    await bench.until(lambda: shown(bench) == "The tide.")
    memory.subject.edit(tags=())
    assert await memory.subject.save()
    await bench.until(lambda: len(bench.texts()) == 2)
    page.list_cursor.select(ids["The harbour."])
    await bench.until(lambda: shown(bench) == "The harbour.")
    page.clear_filters_requested.emit()
    await bench.until(lambda: len(bench.texts()) == 3)
    await memory.list.settled()
    assert page.list_cursor.current_id() == ids["The harbour."]


@scene(drive, two_tiers)
async def test_the_keyboard_stays_on_the_page_where_nothing_can_be_done(
    bench: WindowBench, /
) -> None:
    await reading_the_older(bench)
    page = bench.window.page
    await gone_to(bench, Tier.CHANNEL, [])
    assert page.isAncestorOf(bench.window.focusWidget())
    await gone_to(bench, Tier.CONVERSATION, [])
    assert page.isAncestorOf(bench.window.focusWidget()), "not on another pane"
    assert bench.memory.subject.state.mode is InspectorMode.NOTHING
