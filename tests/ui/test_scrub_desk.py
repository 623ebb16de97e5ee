"""The scrub dialog in the real window over a real store, from the button to the proof."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from inklings_desktop.domain.log.events import EventFilter, EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import ChosenScope
from inklings_desktop.ui.control.cards import TierAct
from inklings_desktop.ui.control.page import EVENTS_TAB
from inklings_desktop.ui.kit.look.veil import Scrim
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE, MEMORY_PAGE
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.scrub.dialog import ScrubDialog
from inklings_desktop.ui.scrub.process import ScrubProcess
from inklings_desktop.ui.scrub.state import ScrubStep
from tests.support.old_reader import an_old_reader
from tests.support.scenes import scene
from tests.support.stopwatch import SLOWNESS
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

FINISH_SECONDS = 5.0 * SLOWNESS
LEAST_BEATS = 5
"""Turns of the event loop while 2,000 memories are removed; on the UI thread there were none."""


def three_memories(bench: Bench) -> None:
    for text in ("The harbour glass hums", "Tide bells ring twice", "Nerys lies"):
        bench.put(text)


async def opened(bench: WindowBench, tier: Tier | None = None) -> tuple[ScrubProcess, ScrubDialog]:
    """The dialog, opened from the Control plane."""
    window = bench.window
    window.show_page(CONTROL_PAGE)
    opened_root = window.opened
    assert opened_root is not None
    await bench.until(lambda: opened_root.control is not None)
    control = opened_root.control
    assert control is not None
    await bench.until(lambda: bool(control.workspace_id))
    if tier is None:
        control.view.scrub.click()
    else:
        control.tiers.view.act_requested.emit(TierAct.SCRUB, tier)
    await bench.until(lambda: opened_root.scrub.dialog is not None)
    dialog = opened_root.scrub.dialog
    assert dialog is not None
    return opened_root.scrub, dialog


async def scrubbed(bench: WindowBench, desk: ScrubProcess, dialog: ScrubDialog) -> None:
    """All three steps, by hand."""
    if desk.state.step is ScrubStep.SCOPE:
        dialog.scope_foot.count.click()
    await bench.until(lambda: desk.state.step is ScrubStep.DRY_RUN)
    dialog.manifest_foot.go_on.click()
    await bench.until(lambda: desk.state.step is ScrubStep.CONFIRM)
    manifest = desk.state.manifest
    assert manifest is not None
    QTest.keyClicks(dialog.confirm.field, manifest.phrase)
    dialog.confirm.box.click()
    assert dialog.confirm_foot.execute.isEnabled()
    dialog.confirm_foot.execute.click()
    await bench.until(lambda: desk.state.step is ScrubStep.RESULT, seconds=60)


def events(bench: WindowBench) -> list[EventKind]:
    """What the log of the workspace says of scrubs, oldest first."""
    inklings = bench.bench.inklings
    where = EventFilter(kinds=frozenset({EventKind.SCRUB_EXECUTED, EventKind.SCRUB_VERIFIED}))
    found = inklings.log.list(bench.bench.workspace.id, where)
    return [EventKind(one.kind) for one in reversed(found)]


@scene(drive, three_memories)
async def test_a_scrub_from_the_button_to_the_proof(
    bench: WindowBench, /, qapp: QApplication
) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    bench.window.page.list_cursor.select(bench.window.page.rows[1].id)
    bench.memory.acts.act(MemoryAct.FORGET)
    await bench.until(lambda: not bench.window.page.toast.isHidden())
    desk, dialog = await opened(bench)
    running: list[bool] = []
    desk.running_changed.connect(running.append)
    (scrim,) = [one for one in bench.window.findChildren(Scrim) if one.isVisible()]
    assert scrim.isVisible()
    assert scrim.size() == bench.window.size()
    assert dialog.windowModality() is Qt.WindowModality.ApplicationModal
    await scrubbed(bench, desk, dialog)
    assert dialog.outcome.headline.text() == "3 entries removed, 1 kept"
    assert "0 traces" in dialog.outcome.proof.accessibleName()
    assert running == [True, False]
    assert events(bench) == [EventKind.SCRUB_EXECUTED, EventKind.SCRUB_VERIFIED]
    assert bench.window.page.toast.isHidden()
    dialog.outcome_foot.show_event.click()
    assert (desk.dialog, scrim.isVisible()) == (None, False)
    opened_root = bench.window.opened
    assert opened_root is not None
    assert opened_root.control is not None
    assert opened_root.control.view.current_tab() == EVENTS_TAB
    bench.window.show_page(MEMORY_PAGE)
    await bench.until(lambda: bench.texts() == [])


@scene(drive, three_memories)
async def test_escape_before_the_end_keeps_everything(
    bench: WindowBench, /, qapp: QApplication
) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    desk, dialog = await opened(bench, Tier.WORKSPACE)
    dialog.scope_foot.count.click()
    await bench.until(lambda: desk.state.step is ScrubStep.DRY_RUN)
    dialog.manifest_foot.go_on.click()
    await bench.until(lambda: desk.state.step is ScrubStep.CONFIRM)
    QTest.keyClicks(dialog.confirm.field, "scrub workspace 3")
    dialog.confirm.box.click()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert desk.dialog is None
    assert events(bench) == []
    again, second = await opened(bench, Tier.ACCOUNT)
    assert again.state.tier is Tier.ACCOUNT
    assert second.confirm.field.text() == ""
    second.close()
    assert desk.dialog is None


def test_what_another_hand_writes_meanwhile_means_a_new_count(
    tmp_path: Path, qapp: QApplication
) -> None:
    async def scene(bench: WindowBench) -> None:
        desk, dialog = await opened(bench)
        dialog.scope_foot.count.click()
        await bench.until(lambda: desk.state.step is ScrubStep.DRY_RUN)
        dialog.manifest_foot.go_on.click()
        await bench.until(lambda: desk.state.step is ScrubStep.CONFIRM)
        await asyncio.to_thread(bench.bench.put, "A fourth one")
        QTest.keyClicks(dialog.confirm.field, "scrub workspace 3")
        dialog.confirm.box.click()
        dialog.confirm_foot.execute.click()
        await bench.until(lambda: desk.state.step is ScrubStep.DRY_RUN)
        assert dialog.manifest.headline.text() == "4 entries would be removed, 1 kept"
        assert dialog.manifest.notice.isVisible()
        assert events(bench) == []
        await scrubbed_from_manifest(bench, desk, dialog)
        assert dialog.outcome.headline.text() == "4 entries removed, 1 kept"

    async def scrubbed_from_manifest(
        bench: WindowBench, desk: ScrubProcess, dialog: ScrubDialog
    ) -> None:
        dialog.manifest_foot.back.click()
        await scrubbed(bench, desk, dialog)

    drive(tmp_path, three_memories, scene)


@scene(drive, three_memories)
async def test_a_pending_purge_finishes_on_show_once_the_reader_lets_go(
    bench: WindowBench, /, tmp_path: Path, qapp: QApplication
) -> None:
    desk, dialog = await opened(bench)
    database = tmp_path / "workspaces" / bench.bench.workspace.id / "agents.db"
    with an_old_reader(database):
        await scrubbed(bench, desk, dialog)
        outcome = desk.state.outcome
        assert outcome is not None
        assert (outcome.pending, outcome.receipt) == ("snapshot", None)
        assert "Purge pending" in dialog.outcome.proof.accessibleName()
    paused = [desk.state.pauses_background]
    took = await bench.until(lambda: "0 traces" in dialog.outcome.proof.accessibleName())
    assert took < FINISH_SECONDS
    paused.append(desk.state.pauses_background)
    assert paused == [True, False]
    dialog.outcome_foot.done.click()
    assert desk.dialog is None


def test_the_window_answers_while_it_removes(tmp_path: Path, qapp: QApplication) -> None:
    def many(bench: Bench) -> None:
        for number in range(2_000):
            bench.put(f"Bell number {number} rings at low tide")

    async def scene(bench: WindowBench) -> None:
        desk, dialog = await opened(bench)
        n_beats = 0

        async def beat() -> None:
            nonlocal n_beats
            while True:
                await asyncio.sleep(0.001)
                n_beats += desk.state.step is ScrubStep.RUNNING

        beating = asyncio.ensure_future(beat())
        try:
            await scrubbed(bench, desk, dialog)
        finally:
            beating.cancel()
        assert dialog.outcome.headline.text() == "2,000 entries removed, 1 kept"
        assert n_beats >= LEAST_BEATS

    drive(tmp_path, many, scene)


@scene(drive, three_memories)
async def test_chosen_memories_are_scrubbed_from_their_list(
    bench: WindowBench, /, qapp: QApplication
) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    acts, window = bench.memory.acts, bench.window
    acts.selection.check(row.id for row in window.page.rows[-2:])
    menu = QMenu()
    window.page.bulk.fill_whole(menu)
    next(one for one in menu.actions() if one.text() == "Delete for good\u2026").trigger()
    opened_root = window.opened
    assert opened_root is not None
    await bench.until(lambda: opened_root.scrub.dialog is not None)
    desk, dialog = opened_root.scrub, opened_root.scrub.dialog
    assert dialog is not None
    assert desk.state.step is ScrubStep.DRY_RUN
    assert dialog.manifest.headline.text() == "2 entries would be removed, 1 kept"
    assert dialog.manifest_foot.back.isHidden()
    assert desk.state.scope == ChosenScope.of(bench.bench.workspace.id, acts.selection.ids)
    await scrubbed(bench, desk, dialog)
    assert dialog.outcome.headline.text() == "2 entries removed, 1 kept"
    dialog.outcome_foot.done.click()
    await bench.until(lambda: len(bench.texts()) == 1)
    assert len(acts.selection) == 0
    assert window.page.isVisible()
