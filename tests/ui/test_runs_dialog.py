"""The run history in the real window: what each run did, and taking one back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inklings_desktop.domain.background.tasks import RunState
from inklings_desktop.domain.memory import MemoryPatch, ScopeKey, Tier
from inklings_desktop.ui.consolidation.runs_dialog import RunsDialog
from inklings_desktop.ui.consolidation.runs_process import RunsProcess
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from inklings_desktop.ui.kit.page.destinations import ToRuns
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.review_bench import FADED, PROVED, SMELL, a_tidy_bench, tidy_world
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def two_runs(bench: Bench) -> None:
    """A run of the account that had nothing to do, then one of the workspace."""
    tidy_world(bench)
    inklings = bench.inklings
    inklings.consolidation.run(ScopeKey.account(), trigger="interval")
    inklings.consolidation.run(bench.scope)


async def opened(bench: WindowBench, tier: Tier | None) -> tuple[RunsProcess, RunsDialog]:
    window = bench.window
    window.show_page(CONTROL_PAGE)
    opened_root = window.opened
    assert opened_root is not None
    await bench.until(
        lambda: opened_root.control is not None and bool(opened_root.control.workspace_id)
    )
    control = opened_root.control
    assert control is not None
    if tier is None:
        opened_root.consolidation.open(ToRuns())
    else:
        control.tiers.view.cards[tier].history.trigger()
    runs = opened_root.consolidation.runs
    await bench.until(lambda: runs.state.details is not None)
    assert runs.dialog is not None
    return runs, runs.dialog


def texts(dialog: RunsDialog) -> list[str]:
    return [row.text for row in dialog.list.rows]


@scene(drive, two_runs, made=a_tidy_bench)
async def test_a_run_is_shown_and_taken_back(bench: WindowBench, /) -> None:
    runs, dialog = await opened(bench, Tier.WORKSPACE)
    (row,) = dialog.list.rows
    assert row.text == "3 merged into 1, 2 forgotten, 1 kept for longer"
    assert QApplication.focusWidget() is dialog.list
    details = runs.state.details
    assert details is not None
    assert {one.content for one in details.merged[0].sources} == set(SMELL)
    assert [one.content for one in details.promoted] == [PROVED]
    dialog.undo.click()
    await bench.until(lambda: bool(dialog.findChildren(ConfirmDialog)))
    (asked,) = dialog.findChildren(ConfirmDialog)
    asked.confirm.click()
    await bench.until(lambda: runs.state.notice is not None)
    notice = runs.state.notice
    assert notice is not None
    assert notice.title == ("The run was undone: 5 memories came back, 1 is short-term again.")
    assert not dialog.undo.isEnabled()
    run = runs.state.run
    assert run is not None
    assert run.state is RunState.UNDONE
    await bench.until(lambda: FADED[0] in bench.texts())


@scene(drive, two_runs, made=a_tidy_bench)
async def test_dismissing_the_question_takes_nothing_back(bench: WindowBench, /) -> None:
    runs, dialog = await opened(bench, Tier.WORKSPACE)
    dialog.undo.click()
    await bench.until(lambda: bool(dialog.findChildren(ConfirmDialog)))
    (asked,) = dialog.findChildren(ConfirmDialog)
    QTest.keyClick(asked, Qt.Key.Key_Escape)
    await bench.until(lambda: not dialog.findChildren(ConfirmDialog))
    run = runs.state.run
    assert run is not None
    assert run.state is RunState.FINISHED
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert runs.dialog is None


@scene(drive, two_runs, made=a_tidy_bench)
async def test_what_was_changed_since_is_said(bench: WindowBench, /) -> None:
    runs, _ = await opened(bench, Tier.WORKSPACE)
    inklings = bench.bench.inklings
    details = runs.state.details
    assert details is not None
    merged = details.merged[0].merged
    inklings.memories.update(
        merged.ref, MemoryPatch(content="Smell first, always."), expected_version=merged.version
    )
    await runs.undo()
    notice = runs.state.notice
    assert notice is not None
    assert notice.text.startswith("One stays: it was changed since")
    await bench.until(lambda: "Smell first, always." in bench.texts())


@scene(drive, two_runs, made=a_tidy_bench)
async def test_somebody_else_undid_it_first(bench: WindowBench, /) -> None:
    runs, _ = await opened(bench, Tier.WORKSPACE)
    inklings, run = bench.bench.inklings, runs.state.run
    assert run is not None
    inklings.consolidation.undo(bench.bench.workspace.id, run.id)
    await runs.undo()
    notice = runs.state.notice
    now = runs.state.run
    assert now is not None
    assert now.state is RunState.UNDONE
    assert notice is not None
    assert notice.title == "This run was already undone."


@scene(drive, two_runs, made=a_tidy_bench)
async def test_tiers_and_runs_by_keyboard(bench: WindowBench, /) -> None:
    runs, dialog = await opened(bench, None)
    assert [row.text for row in dialog.list.rows] == [
        "3 merged into 1, 2 forgotten, 1 kept for longer",
        "Nothing to do",
    ]
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    assert runs.state.run is not None
    assert runs.state.run.trigger == "interval"
    assert not dialog.undo.isEnabled()
    dialog.tiers.choose("channel")
    assert texts(dialog) == []
    assert not dialog.undo.isVisible()
    dialog.tiers.choose("account")
    assert texts(dialog) == ["Nothing to do"]
    assert dialog.accessibleName() == "Run history"
    assert dialog.list.accessibleName() == "Runs"
