"""The inspector where it is put away: it comes as a sheet over the list, and goes again."""

from __future__ import annotations

import asyncio

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from inklings_desktop.ui.memory.inspector.view import WIDTH, InspectorSheet
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

DOCKED = 340 - 1
"""Beside its hairline."""

pytestmark = pytest.mark.usefixtures("qapp")


def two_memories(bench: Bench) -> None:
    for text in ("Gulls keep accounts.", "Tides are counted."):
        bench.put(text)


@scene(drive, two_memories)
async def test_an_inspector_put_away_comes_as_a_sheet_and_goes_with_escape(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    window, page = bench.window, bench.window.page
    inspector, docked = window.inspector, window.menus["inspector"]
    sheet = window.findChild(InspectorSheet)
    assert sheet is not None
    page.list_cursor.select_first()
    docked.setChecked(False)
    await bench.until(lambda: page.width() > window.width() - 300)
    wide = page.width()
    inspector.focus_editor()
    await bench.until(inspector.isVisible)
    assert sheet.isAncestorOf(inspector)
    assert inspector.width() == WIDTH
    assert page.width() == wide  # the list stays as it is, below the sheet
    right = sheet.mapTo(window, QPoint(sheet.width(), 0)).x()
    assert right == window.width()
    window.resize(1100, 700)
    await bench.until(lambda: sheet.mapTo(window, QPoint(sheet.width(), 0)).x() == window.width())
    QTest.keyClick(inspector, Qt.Key.Key_Escape)
    assert not inspector.isVisible()
    assert not sheet.isVisible()
    docked.setChecked(True)
    await bench.until(inspector.isVisible)
    assert not sheet.isAncestorOf(inspector)
    assert page.width() < wide


@scene(drive, two_memories)
async def test_a_press_on_the_list_and_another_page_put_the_sheet_away(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    window = bench.window
    window.menus["inspector"].setChecked(False)

    async def open_sheet() -> None:
        window.inspector.focus_editor()
        await bench.until(window.inspector.isVisible)

    await open_sheet()
    viewport = window.page.table.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=QPoint(60, 60))
    assert not window.inspector.isVisible()
    await open_sheet()
    window.show_page(CONTROL_PAGE)
    assert not window.inspector.isVisible()


@scene(drive, two_memories)
async def test_larger_type_widens_the_inspector_and_smaller_type_takes_its_room_back(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 2)
    window = bench.window
    window.page.list_cursor.select_first()
    body = window.inspector.body
    await bench.until(lambda: body.isVisible() and bool(body.text()))
    window.resize(1000, 700)
    await bench.until(lambda: window.inspector.width() == DOCKED)
    await asyncio.sleep(0.2)
    heights = body.details.height()
    for scale in (1.25, 1.4):
        window.page.theme.set_text_scale(scale)
        await bench.until(lambda: window.inspector.width() > DOCKED)
        await bench.until(lambda: body.column.width() <= body.viewport().width())
        await bench.until(lambda: window.page.width() >= 440)
        assert body.details.height() > heights
    window.page.theme.set_text_scale(1.0)
    await bench.until(lambda: window.inspector.width() == DOCKED)
    await bench.until(lambda: abs(body.details.height() - heights) <= 4)


@scene(drive, lambda _: None)
async def test_a_place_that_holds_nothing_explains_other_keys(bench: WindowBench, /) -> None:
    status = bench.window.status
    await bench.until(lambda: "import" in status.keys_told())
    bench.memory.new_memory()
    await bench.until(bench.window.inspector.editor.isVisible)
    bench.window.inspector.editor.setPlainText("Gulls keep accounts.")
    bench.memory.save()
    await bench.until(lambda: len(bench.texts()) == 1)
    await bench.until(lambda: "select" in status.keys_told())
    assert "import" not in status.keys_told()
