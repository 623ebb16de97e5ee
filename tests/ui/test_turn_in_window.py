"""The preview in the real window: how one gets there, what it keeps up with, where it leads."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE, PREVIEW_PAGE
from inklings_desktop.ui.turn.page import TurnPage
from inklings_desktop.ui.turn.rows import CandidateRow
from inklings_desktop.ui.turn.view import TurnView
from tests.support.scenes import scene
from tests.ui.page_views import turn_view
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def a_talk(bench: Bench) -> None:
    """A conversation that has kept one memory, and two of the workspace."""
    inklings, world = bench.inklings, bench.workspace
    talk = inklings.conversations.start(world.id, title="The toll at Wend Gate")
    bench.put(
        "Decision: the toll is paid in directions.", scope=ScopeKey.conversation(world.id, talk.id)
    )
    bench.put("Gulls keep accounts.")
    bench.put("The bell is saved for chapter 14.")


async def opened(bench: WindowBench) -> tuple[TurnView, TurnPage]:
    bench.window.show_page(PREVIEW_PAGE)
    opened_root = bench.window.opened
    assert opened_root is not None
    await bench.until(lambda: opened_root.preview is not None)
    page, desk = turn_view(bench.window), opened_root.preview
    assert page is not None
    assert desk is not None
    await bench.until(lambda: bool(page.table.rows))
    return page, desk


def excerpts(page: TurnView) -> list[str]:
    return [row.excerpt for row in page.table.rows if isinstance(row, CandidateRow)]


@scene(drive, a_talk)
async def test_two_keys_and_a_rail_row_lead_to_the_next_turn(bench: WindowBench, /) -> None:
    actions = bench.window.findChildren(QAction)
    action = next(one for one in actions if one.text() == "Next turn preview")
    assert [one.toString() for one in action.shortcuts()] == ["Alt+3", "Ctrl+P"]
    assert turn_view(bench.window) is None
    action.trigger()
    page, _ = await opened(bench)
    assert bench.window.pages.current_id == PREVIEW_PAGE
    assert page.rooms.accessibleName() == "Shown: The toll at Wend Gate"
    assert excerpts(page)[0] == "Decision: the toll is paid in directions."
    assert bench.window.windowTitle() == "Next turn preview, Saltglass - Inklings"
    labels = [label.text() for label in bench.window.status.findChildren(QLabel)]
    assert "Previewing does not count as a read" in labels


@scene(drive, a_talk)
async def test_enter_opens_the_memory_in_its_own_view(bench: WindowBench, /) -> None:
    bench.window.page.header.search.set_text("gulls")
    await bench.until(lambda: bench.texts() == ["Gulls keep accounts."])
    page, _ = await opened(bench)
    row = next(row for row in page.table.rows if isinstance(row, CandidateRow))
    page.table.select(row.id)
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    await bench.until(lambda: bench.window.pages.current_id == MEMORY_PAGE)
    await bench.until(lambda: bench.window.page.list_cursor.current_id() == row.id)
    await bench.until(lambda: bench.window.inspector.editor.toPlainText() == row.excerpt)
    assert bench.window.page.header.search.text() == ""


def test_another_workspace_is_previewed_before_any_conversation(tmp_path: Path) -> None:
    def two_worlds(bench: Bench) -> None:
        a_talk(bench)
        bench.inklings.workspaces.create("Hollow Crown")

    async def look(bench: WindowBench) -> None:
        page, desk = await opened(bench)
        worlds = bench.bench.inklings.places.workspaces()
        other = next(one for one in worlds if one.name == "Hollow Crown")
        assert bench.window.opened is not None
        bench.window.opened.open_workspace(other.id)
        await bench.until(lambda: desk.request.workspace_id == other.id)
        await bench.until(lambda: excerpts(page) == [])
        assert page.rooms.accessibleName() == "Shown: Before any conversation"

    drive(tmp_path, two_worlds, look)


@scene(drive, a_talk)
async def test_f6_goes_through_list_and_reasons_and_f9_puts_the_reasons_away(
    bench: WindowBench, /
) -> None:
    page, _ = await opened(bench)
    page.focus_list()
    bench.window.menus["next_pane"].trigger()
    assert QApplication.focusWidget() is page.pane.details
    bench.window.menus["inspector"].setChecked(False)
    assert not page.pane.isVisible()
    bench.window.menus["inspector"].setChecked(True)
    assert page.pane.isVisible()
