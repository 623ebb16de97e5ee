"""Everything that a client wrote: forgotten from the Access tab, and found by its chip."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QWidget
from shiboken6 import isValid

from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import MemoryDraft, MemoryEntry, MemoryPatch, ScopeKey, Tier
from inklings_desktop.ui.kit.controls.segmented import SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.process_dialog import ProgressDialog
from inklings_desktop.ui.memory.acts import road
from tests.support.builders import an_agent
from tests.support.four_clients import RELAY
from tests.support.scenes import scene
from tests.ui.access_bench import LOOM, AccessTab, access_tab, button, four_clients
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

MINE = "The harbour is mine."


def by(bench: Bench, name: str, text: str, scope: ScopeKey | None = None) -> MemoryEntry:
    """What a client writes."""
    tiers = (Tier.WORKSPACE, Tier.ACCOUNT)
    caller = an_agent(name, workspace_id=bench.workspace.id, tiers=tiers)
    return bench.inklings.as_caller(caller).memories.put(MemoryDraft(scope or bench.scope, text))


def written_world(bench: Bench) -> None:
    """Three memories that Loom wrote, one of them pinned; one rewritten and one locked besides."""
    four_clients(bench)
    inklings = bench.inklings
    by(bench, LOOM, "Nerys walks.")
    pinned = by(bench, LOOM, "Nerys runs.")
    by(bench, LOOM, "The author drinks tea.", ScopeKey.account())
    rewritten = by(bench, LOOM, "Nerys sings.")
    locked = by(bench, LOOM, "Nerys sails.")
    by(bench, "weaver", "Nerys weaves.")
    bench.put(MINE)
    inklings.memories.mark([pinned.ref], MemoryMark.PINNED, on=True)
    inklings.memories.mark([locked.ref], MemoryMark.LOCKED, on=True)
    inklings.memories.update(rewritten.ref, MemoryPatch(content="She hums."), expected_version=1)


def kept(bench: WindowBench) -> set[str]:
    """Texts that are remembered now, of the workspace and the account."""
    inklings = bench.bench.inklings
    return {
        one.content
        for scope in (bench.bench.scope, ScopeKey.account())
        for one in inklings.listing.browse([scope]).entries
    }


async def asked(tab: AccessTab, name: str = LOOM) -> QDialog:
    """The question, once the button was pressed."""
    tab.choose(name)
    tab.press("forgetWritten")
    return await tab.dialog("confirmDialog")


@scene(drive, written_world)
async def test_what_a_client_wrote_is_counted_forgotten_and_brought_back(
    bench: WindowBench, /
) -> None:
    before = kept(bench)
    tab = await access_tab(bench)
    dialog = await asked(tab)
    assert button(tab.view, "forgetWritten").text() == "Forget what Loom wrote\u2026"
    question, told = (one.text() for one in dialog.findChildren(QLabel))
    assert question == "Forget 3 memories that Loom wrote?"
    assert "One is pinned." in told
    assert "Kept: 1 that you rewrote, 1 that you locked." in told
    dialog.reject()
    await bench.until(lambda: not bench.memory.undo.is_busy)
    assert kept(bench) == before

    (await asked(tab)).accept()
    left = {MINE, "She hums.", "Nerys sails.", "Nerys weaves."}
    await bench.until(lambda: kept(bench) == left)
    await bench.until(lambda: not bench.memory.undo.is_busy)
    said = bench.window.status.currentMessage()
    assert said == "Forgot 3 memories. Ctrl+Z takes that back."

    bench.window.menus["undo"].trigger()
    await bench.until(lambda: kept(bench) == before)
    await bench.until(lambda: not bench.memory.undo.is_busy)
    assert not bench.memory.undo.stack.canUndo()


@scene(drive, written_world)
async def test_nothing_to_forget_is_said_without_a_question(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    tab.choose(RELAY)
    tab.press("forgetWritten")
    await bench.until(lambda: not bench.memory.undo.is_busy)
    said = bench.window.status.currentMessage()
    assert said == "Dice Relay wrote nothing that could be forgotten here."


def test_forgetting_many_shows_how_far_it_is_and_stops_where_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(road, "FORGOTTEN_AT_ONCE", 2)
    monkeypatch.setattr("inklings_desktop.ui.window.joins.written.FORGOTTEN_AT_ONCE", 2)

    def many(bench: Bench) -> None:
        four_clients(bench)
        for number in range(7):
            by(bench, LOOM, f"Fact number {number}.")

    async def look(bench: WindowBench) -> None:
        tab = await access_tab(bench)
        (await asked(tab)).accept()
        progress = await tab.dialog("progressDialog")
        assert isinstance(progress, ProgressDialog)
        assert progress.bar.accessibleDescription() == "0 of 7"
        QTest.keyClick(progress, Qt.Key.Key_Escape)
        assert not progress.stop.isEnabled()
        await bench.until(lambda: not bench.memory.undo.is_busy)
        assert len(kept(bench)) == 5
        await bench.until(lambda: not isValid(progress))
        bench.window.menus["undo"].trigger()
        await bench.until(lambda: len(kept(bench)) == 7)

        (await asked(tab)).accept()
        await bench.until(lambda: not kept(bench))
        await bench.until(lambda: not bench.memory.undo.is_busy)
        bench.window.menus["undo"].trigger()
        await bench.until(lambda: len(kept(bench)) == 7)
        await bench.until(lambda: not bench.memory.undo.is_busy)
        assert not bench.memory.undo.stack.canUndo(), "all parts are one step"

    drive(tmp_path, many, look)


@scene(drive, written_world)
async def test_the_button_is_in_reach_of_the_keyboard_and_of_a_narrow_window(
    bench: WindowBench, /
) -> None:
    tab = await access_tab(bench)
    bench.window.resize(QSize(960, 600))
    tab.choose(RELAY)
    rights = tab.view.findChild(QWidget, "clientRights")
    kinds = tab.view.findChild(SegmentedSwitch)
    assert rights is not None
    assert kinds is not None
    connection, forget = button(rights, "Connection\u2026"), button(rights, "forgetWritten")
    await bench.until(lambda: rights.width() < 480)  # what is laid out anew may take the keyboard
    connection.setFocus()
    await bench.until(connection.hasFocus)
    QTest.keyClick(connection, Qt.Key.Key_Tab)
    assert forget.hasFocus()
    assert rights.rect().contains(forget.geometry())
    assert not forget.geometry().intersects(kinds.geometry())


@scene(drive, written_world)
async def test_a_chip_shows_what_one_client_wrote_and_goes_with_the_other_filters(
    bench: WindowBench, /
) -> None:
    filters = bench.window.page.filters
    await bench.until(lambda: len(bench.texts()) == 6)
    await bench.until(filters.writer.isVisible)
    field = bench.window.page.header.search.edit
    field.setText("by:loom")
    QTest.keyClick(field, Qt.Key.Key_Return)
    await bench.until(lambda: not bench.texts())
    assert filters.writer.value == "loom"
    filters.writer.setFocus()
    QTest.keyClick(filters.writer, Qt.Key.Key_Delete)
    await bench.until(lambda: len(bench.texts()) == 6)

    field.setText("by:Loom curator:agent sails")
    QTest.keyClick(field, Qt.Key.Key_Return)
    await bench.until(lambda: bench.texts() == ["Nerys sails."])
    assert (filters.writer.value, filters.curator.value) == ("Loom", "Agent")
    assert filters.n_active == 2
    filters.clear_all.click()
    field.clear()
    await bench.until(lambda: len(bench.texts()) == 6)
    assert filters.writer.value == ""


def test_without_a_client_no_chip_asks_who_wrote(tmp_path: Path) -> None:
    async def look(bench: WindowBench) -> None:
        await bench.until(lambda: bench.texts() == [MINE])
        await bench.memory.list.read_facets()
        filters = bench.window.page.filters
        assert filters.source.isVisible()
        assert not filters.writer.isVisible()

    def mine(bench: Bench) -> None:
        bench.put(MINE)

    drive(tmp_path, mine, look)
