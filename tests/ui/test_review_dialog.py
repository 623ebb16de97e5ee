"""The review under hands, in the real window over a real store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from inklings_desktop.domain.background.tasks import RunState, TaskKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.consolidation import review_state
from inklings_desktop.ui.consolidation.review_dialog import ReviewDialog
from inklings_desktop.ui.consolidation.review_process import ReviewProcess
from inklings_desktop.ui.consolidation.review_state import Choice, ItemKind, ReviewStep
from inklings_desktop.ui.kit.controls.segmented import SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.lists.badge_list import BadgeHeading
from inklings_desktop.ui.kit.lists.row_list_model import RowRole
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from tests.support.scenes import scene
from tests.support.wide import mostly_wide
from tests.ui.presenter_bench import Bench
from tests.ui.review_bench import FADED, SMELL, a_tidy_bench, tidy_world
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


async def opened(bench: WindowBench) -> tuple[ReviewProcess, ReviewDialog]:
    """The review of the workspace tier, opened from its card."""
    window = bench.window
    window.show_page(CONTROL_PAGE)
    opened_root = window.opened
    assert opened_root is not None
    await bench.until(
        lambda: opened_root.control is not None and bool(opened_root.control.workspace_id)
    )
    control = opened_root.control
    assert control is not None
    card = control.tiers.view.cards[Tier.WORKSPACE]
    assert card.review.isVisible()
    assert not control.tiers.view.cards[Tier.CONVERSATION].review.isVisible()
    card.review.trigger()
    review = opened_root.consolidation.review
    await bench.until(lambda: review.state.golden is not None)
    assert review.dialog is not None
    return review, review.dialog


def runs(bench: WindowBench) -> list[RunState]:
    inklings = bench.bench.inklings
    found = inklings.consolidation.list_runs(bench.bench.workspace.id)
    return [one.state for one in found if one.target.kind is TaskKind.CONSOLIDATION]


def played(root: Path, scene: Callable[[WindowBench], Awaitable[None]]) -> None:
    def prepare(bench: Bench) -> None:
        known = tidy_world(bench)
        bench.inklings.golden.save(bench.scope, "Is it hyphenated?", must=[known[FADED[0]].id])

    drive(root, prepare, scene, a_tidy_bench)


def row_of(dialog: ReviewDialog, text: str) -> int:
    return next(
        number
        for number, row in enumerate(dialog.plan.list.rows)
        if not isinstance(row, BadgeHeading) and row.text.startswith(text[:30])
    )


@pytest.mark.parametrize(
    "way", mostly_wide(("escape", "cross", "button"), every_day=lambda way: way == "escape")
)
@scene(played)
async def test_leaving_applies_nothing(bench: WindowBench, /, way: str) -> None:
    review, dialog = await opened(bench)
    QTest.keyClick(dialog.plan.list, Qt.Key.Key_A)
    assert review.state.items[0].choice is Choice.ACCEPT
    if way == "escape":
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    else:
        (dialog.close_button if way == "cross" else dialog.plan_foot.close_it).click()
    await bench.until(lambda: review.dialog is None)
    assert runs(bench) == []
    assert {SMELL[0][:10]} <= {one[:10] for one in bench.texts()}


@scene(played)
async def test_enter_applies_nothing_and_no_button_is_the_default(bench: WindowBench, /) -> None:
    review, dialog = await opened(bench)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        QTest.keyClick(dialog, key)
    assert review.state.step is ReviewStep.PLAN
    assert not any(one.isDefault() or one.autoDefault() for one in dialog.findChildren(QPushButton))


@scene(played)
async def test_the_whole_way_by_keyboard(bench: WindowBench, /) -> None:
    review, dialog = await opened(bench)
    table = dialog.plan.list
    assert QApplication.focusWidget() is table
    assert review.state.current == review.state.items[0].key
    QTest.keyClick(table, Qt.Key.Key_S)
    assert review.state.items[0].choice is Choice.SKIP
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert review.state.current == review.state.items[1].key
    QTest.keyClick(table, Qt.Key.Key_A)
    QTest.keyClick(table, Qt.Key.Key_N)
    assert review.state.items[1].choice is Choice.LATER
    assert dialog.plan_foot.hint.text() == (
        "Apply keeps 1 pair and does not ask about it again. "
        "1 left undecided; you\u2019ll be asked again."
    )
    table.selectRow(row_of(dialog, SMELL[0]))
    QTest.keyClick(table, Qt.Key.Key_E)
    field = dialog.plan.pane.group.field
    assert field.isVisible()
    field.selectAll()
    QTest.keyClicks(field, "Smell first")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert review.dialog is dialog
    assert not field.isVisible()
    assert dialog.plan_foot.apply.text() == "Apply 4 changes"
    dialog.plan_foot.apply.setFocus()
    QTest.keyClick(dialog.plan_foot.apply, Qt.Key.Key_Space)
    await bench.until(lambda: review.state.step is ReviewStep.RESULT)
    assert dialog.outcome.headline.text() == "3 merged into 1, 2 forgotten, 1 kept for longer"
    assert QApplication.focusWidget() is dialog.outcome_foot.done
    assert runs(bench) == [RunState.FINISHED]
    dialog.outcome_foot.undo.click()
    await bench.until(lambda: bool(dialog.findChildren(ConfirmDialog)))
    (asked,) = dialog.findChildren(ConfirmDialog)
    assert asked.windowTitle() == "Undo this run?"
    asked.confirm.click()
    await bench.until(lambda: review.state.undone is not None)
    assert runs(bench) == [RunState.UNDONE]
    assert not dialog.outcome_foot.undo.isVisible()


@scene(played)
async def test_a_text_that_was_typed_is_not_dropped_unasked(bench: WindowBench, /) -> None:
    review, dialog = await opened(bench)
    merge = next(one for one in review.state.items if one.kind is ItemKind.MERGE)
    review.write(merge.key, "Smell first")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    await bench.until(lambda: bool(dialog.findChildren(ConfirmDialog)))
    (asked,) = dialog.findChildren(ConfirmDialog)
    asked.keep.click()
    await bench.until(lambda: not dialog.findChildren(ConfirmDialog))
    assert review.dialog is dialog
    assert review.state.has_typed


@scene(played)
async def test_everything_has_a_name(bench: WindowBench, /) -> None:
    review, dialog = await opened(bench)
    table = dialog.plan.list
    assert dialog.accessibleName() == "Review the plan"
    assert table.accessibleName() == "The plan"
    index = table.model().index(row_of(dialog, SMELL[0]), 0)
    assert index.data(Qt.ItemDataRole.AccessibleDescriptionRole) == "merge, 3 into 1, 1.00 alike"
    heading = table.model().index(0, 0)
    assert heading.data(RowRole.IS_HEADING)
    assert heading.data(Qt.ItemDataRole.AccessibleTextRole) == "Alike: keep both or merge, 2"
    review.look_at(index.data(RowRole.ID))
    first, second, _third = dialog.plan.pane.group._cards
    assert first.accessibleName() == "kept whole"
    assert second.accessibleName() == "duplicate"
    switch = dialog.plan.pane.switch()
    assert switch is not None
    assert switch.accessibleName() == "Decision"
    assert dialog.close_button.accessibleName() == "Close (Esc)"


def test_both_are_kept_by_default_and_what_is_not_listed_waits_until_it_is_ticked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_state, "MAX_LISTED", 1)

    def pairs(bench: WindowBench) -> int:
        inklings = bench.bench.inklings
        return len(inklings.consolidation.preview(bench.bench.scope).review)

    async def scene(bench: WindowBench) -> None:
        review, dialog = await opened(bench)
        state = review.state
        assert [one.choice for one in state.items if one.kind is ItemKind.WAITING] == [Choice.SKIP]
        (switch,) = [
            one for one in dialog.findChildren(SegmentedSwitch)
            if one.objectName() == "reviewChoice-waiting"
        ]  # fmt: skip
        assert switch.choice() == Choice.SKIP.value
        box = dialog.plan.unlisted
        assert box.isVisible()
        assert box.text() == "Keep all apart: 1 more pair, less alike than those listed"
        assert pairs(bench) == 2
        dialog.plan_foot.apply.click()
        await bench.until(lambda: review.state.step is ReviewStep.RESULT)
        assert pairs(bench) == 1
        await review.read_plan(bench.bench.scope)
        assert not box.isVisible()
        assert not review.state.n_changes
        assert dialog.plan_foot.apply.isEnabled()

    played(tmp_path, scene)


def test_all_that_is_not_listed_is_kept_apart_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_state, "MAX_LISTED", 0)

    async def scene(bench: WindowBench) -> None:
        review, dialog = await opened(bench)
        dialog.plan.unlisted.click()
        assert review.state.n_apart == 2
        assert dialog.plan_foot.hint.text() == (
            "Apply keeps 2 pairs and does not ask about them again."
        )
        dialog.plan_foot.apply.click()
        await bench.until(lambda: review.state.step is ReviewStep.RESULT)
        inklings = bench.bench.inklings
        assert inklings.consolidation.preview(bench.bench.scope).review == ()

    played(tmp_path, scene)
