"""Operators typed into the search field, and the chips they become, in the real window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inklings_desktop.domain.memories.listing import EVERYTHING
from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.kit.controls.popover import ChecklistPopover
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def harbours(bench: Bench) -> None:
    bench.put("They sing of harbour glass.", tags=("song",), importance=0.9)
    bench.put("A glass from the harbour.", tags=("trade",), importance=0.2)
    bench.put("Gulls keep accounts.", tags=("song",), importance=0.4)


async def entered(bench: WindowBench, text: str) -> None:
    await bench.until(lambda: len(bench.texts()) > 0)
    field = bench.window.page.header.search.edit
    field.setText(text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def lifted(chip: FilterChip) -> None:
    """Delete acts on what has the keyboard: elsewhere it would forget a memory."""
    chip.setFocus()
    QTest.keyClick(chip, Qt.Key.Key_Delete)


@scene(drive, harbours)
async def test_enter_turns_operators_into_chips_and_leaves_the_words(bench: WindowBench, /) -> None:
    await entered(bench, "tag:song harbour importance:>0.5")
    await bench.until(lambda: bench.texts() == ["They sing of harbour glass."])
    filters = bench.window.page.filters
    assert bench.window.page.header.search.text() == "harbour"
    assert filters.tags.value == "song"
    assert filters.importance.value == "over 0.50"
    assert filters.n_active == 2
    lifted(filters.importance)
    lifted(filters.tags)
    await bench.until(lambda: len(bench.texts()) == 2)


@scene(drive, harbours)
async def test_a_quoted_phrase_is_a_search_of_its_own(bench: WindowBench, /) -> None:
    await entered(bench, '"harbour glass"')
    await bench.until(lambda: bench.texts() == ["They sing of harbour glass."])
    page = bench.window.page
    assert page.header.search.text() == ""
    assert page.filters.phrases.value == "\u201charbour glass\u201d"
    assert not page.filters.phrases.isHidden()
    assert bench.memory.list.request.is_search
    lifted(page.filters.phrases)
    await bench.until(lambda: len(bench.texts()) == 3)
    assert page.filters.phrases.isHidden()


@scene(drive, harbours)
async def test_dates_become_a_chip_that_says_them(bench: WindowBench, /) -> None:
    await entered(bench, "after:2020-01-01 before:2020-02")
    await bench.until(lambda: not bench.texts())
    assert bench.window.page.filters.written.value == "2020-01-01\u20132020-01-31"


@scene(drive, harbours)
async def test_an_operator_that_cannot_be_understood_stays_and_is_said(
    bench: WindowBench, /
) -> None:
    await entered(bench, "before:soon gulls")
    await bench.until(lambda: bench.texts() == ["Gulls keep accounts."])
    page = bench.window.page
    assert page.header.search.text() == "before:soon gulls"
    assert bench.memory.list.request.where == EVERYTHING
    assert page.toast.accessibleName() == (
        "\u201cbefore:soon\u201d is searched for as text: "
        "after before: comes a date like 2026-03-14."
    )
    await entered(bench, "gulls")
    assert page.header.search.edit.toolTip() == ""


@scene(drive, harbours)
async def test_a_day_that_does_not_exist_is_said_before_enter(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page = bench.window.page
    page.header.search.set_text("gulls after:2026-02-3")
    assert not page.toast.isVisible(), "that is a day"
    page.header.search.set_text("gulls after:2026-02-31")
    assert page.toast.accessibleName() == (
        "\u201cafter:2026-02-31\u201d is searched for as text: "
        "the calendar has no such day. Type one like 2026-02-28."
    )
    page.header.search.set_text("gulls")
    assert page.header.search.edit.toolTip() == ""


def offered(bench: WindowBench, chip: FilterChip) -> dict[str, str]:
    """What the popover of a chip offers, and how many of it; it is closed again."""
    chip.popover_requested.emit()
    popover = QApplication.activePopupWidget()
    assert isinstance(popover, ChecklistPopover)
    found = {one.label: one.count_text for one in popover._options}
    popover.close()
    return found


@scene(drive, harbours)
async def test_filters_count_what_was_searched_for(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    filters = bench.window.page.filters
    assert offered(bench, filters.tags) == {"#song": "2", "#trade": "1"}
    bench.window.page.header.search.set_text("harbour")
    await bench.until(lambda: len(bench.texts()) == 2)
    assert offered(bench, filters.tags) == {"#song": "1", "#trade": "1"}
    await entered(bench, "harbour tag:song")
    await bench.until(lambda: len(bench.texts()) == 1)
    assert offered(bench, filters.tags) == {"#song": "1", "#trade": "1"}, "both to choose from"
    assert offered(bench, filters.source) == {"user": "1"}, "of what is listed"
    bench.window.page.header.search.clear()
    await bench.until(lambda: len(bench.texts()) == 2)
    assert offered(bench, filters.tags) == {"#song": "2", "#trade": "1"}


@scene(drive, harbours)
async def test_operators_wait_for_enter(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    bench.window.page.header.search.set_text("gulls tag:trade")
    await bench.until(lambda: bench.texts() == ["Gulls keep accounts."])
    assert bench.memory.list.request.text == "gulls"
    assert bench.memory.list.request.where == EVERYTHING


def test_down_from_the_field_goes_to_the_best_hit_once(tmp_path: Path) -> None:
    def birds(bench: Bench) -> None:
        bench.put("Gulls and terns and gulls again nest on the gull rock.")
        bench.put("A long note on tides that names a gull only in passing, and much else besides.")
        bench.put("Nothing of the kind.")

    async def search(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 3)
        page = bench.window.page
        page.focus_list()
        QTest.keyClick(page.table, Qt.Key.Key_Down)
        edit = page.header.search.edit
        edit.setFocus()
        QTest.keyClicks(edit, "gull")
        await bench.until(lambda: len(bench.texts()) == 2)
        first = page.rows[0].id
        assert page.list_cursor.current_id() != first, "the row that was current is a hit as well"
        QTest.keyClick(edit, Qt.Key.Key_Down)
        assert page.list_cursor.current_id() == first
        QTest.keyClick(page.table, Qt.Key.Key_Down)
        second = page.list_cursor.current_id()
        edit.setFocus()
        QTest.keyClick(edit, Qt.Key.Key_Down)
        assert page.list_cursor.current_id() == second, "where one stood in the same answer"

    drive(tmp_path, birds, search)
