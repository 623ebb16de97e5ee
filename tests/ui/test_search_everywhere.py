"""Searching all tiers from the foot of a search and from an empty one."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.ui.kit.lists.memory_row_layout import HeadingRow
from inklings_desktop.ui.kit.words.places import Place
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def here_and_in_the_account(bench: Bench) -> None:
    bench.put("Gulls keep accounts.")
    bench.put("She likes harbour towns.", scope=ScopeKey.account())


@scene(drive, here_and_in_the_account)
async def test_what_is_not_here_is_found_in_another_tier(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 1)
    page, desk = bench.window.page, bench.memory
    QTest.keyClicks(page.header.search.edit, "harbour")
    await bench.until(page.empty.isVisible)
    page.empty.action_requested.emit("everywhere")
    await bench.until(lambda: bench.texts() == ["She likes harbour towns."])
    headings = [row.text for row in page.rows if isinstance(row, HeadingRow)]
    assert headings[-2:] == ["Workspace", "Account"]
    assert page.foot.everywhere.text() == "Only Workspace"
    page.focus_list()

    def tier() -> Tier | None:
        shown = desk.subject.current_ref
        return shown.scope.tier if shown is not None else None

    await bench.until(lambda: tier() is Tier.ACCOUNT)
    page.foot.everywhere.click()
    await bench.until(page.empty.isVisible)
    page.foot.everywhere.click()
    await bench.until(lambda: bench.texts() == ["She likes harbour towns."])
    desk.shell.go(Place(Tier.ACCOUNT))
    await bench.until(lambda: desk.list.request.elsewhere == ())
    await bench.until(lambda: not any(isinstance(row, HeadingRow) for row in page.rows))
    assert bench.texts() == ["She likes harbour towns."]


def test_why_a_search_found_the_checked_ones_stands_in_a_small_table(tmp_path: Path) -> None:
    def prepare(bench: Bench) -> None:
        bench.put("The harbour glass hums in the harbour.")
        bench.put("A harbour in the north.")
        bench.put("Gulls keep accounts.")

    async def check(bench: WindowBench) -> None:
        await bench.until(lambda: len(bench.texts()) == 3)
        page, found = bench.window.page, bench.window.inspector.many.found
        page.focus_list()
        QTest.keyClick(page.table, Qt.Key.Key_Space)
        assert not found.isVisible()
        QTest.keyClick(page.table, Qt.Key.Key_Escape)
        page.header.search.set_text("harbour glass")
        await bench.until(lambda: len(bench.texts()) == 2)
        page.focus_list()
        QTest.keyClick(page.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        await bench.until(found.isVisible)
        await bench.until(lambda: found.accessibleDescription().count(";") == 1)
        assert found.accessibleName() == "Why \u201charbour glass\u201d found these"
        assert "The harbour glass hums in the harbour., words" in found.accessibleDescription()

    drive(tmp_path, prepare, check)
