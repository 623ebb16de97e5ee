"""Golden questions in the real window: keep, change, delete, ask."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from inklings_desktop.domain.background.golden import GoldenQuestion
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.ui.consolidation.consolidation_dialogs import GoldenProcess
from inklings_desktop.ui.consolidation.golden_dialog import GoldenDialog
from inklings_desktop.ui.consolidation.golden_state import NEW
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.lists.badge_list import BadgeRow
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from tests.support.scenes import scene
from tests.support.stopwatch import HANG_SECONDS
from tests.support.wide import mostly_wide
from tests.ui.presenter_bench import Bench
from tests.ui.review_bench import FADED, OTHERS, PROVED, a_tidy_bench, tidy_world
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def two_questions(bench: Bench) -> None:
    """One that is answered, and one that is not since a run pruned its memory."""
    known = tidy_world(bench)
    inklings = bench.inklings
    save = inklings.golden.save
    save(bench.scope, "How are distances written?", must=[known[PROVED].id])
    save(bench.scope, "Is gull-clerk hyphenated?", must=[known[FADED[0]].id])
    inklings.consolidation.run(bench.scope)


async def opened(bench: WindowBench) -> tuple[GoldenProcess, GoldenDialog]:
    window = bench.window
    window.show_page(CONTROL_PAGE)
    opened_root = window.opened
    assert opened_root is not None
    await bench.until(
        lambda: opened_root.control is not None and bool(opened_root.control.workspace_id)
    )
    control = opened_root.control
    assert control is not None
    assert control.tiers.view.look.golden.isVisible()
    control.tiers.view.look.golden.click()
    golden = opened_root.consolidation.golden
    await bench.until(lambda: golden.state.draft is not None)
    await bench.until(lambda: len(golden.state.records) == 2)
    await golden.settled()
    assert golden.dialog is not None
    return golden, golden.dialog


def kept(bench: WindowBench) -> list[GoldenQuestion]:
    inklings = bench.bench.inklings
    return list(inklings.golden.list(bench.bench.workspace.id))


async def answered_with(bench: WindowBench, dialog: GoldenDialog, *, confirm: bool) -> None:
    await bench.until(lambda: bool(dialog.findChildren(ConfirmDialog)))
    (asked,) = dialog.findChildren(ConfirmDialog)
    (asked.confirm if confirm else asked.keep).click()
    await bench.until(lambda: not dialog.findChildren(ConfirmDialog))


@scene(drive, two_questions, made=a_tidy_bench)
async def test_all_are_asked_and_each_says_how_it_fares(bench: WindowBench, /) -> None:
    _, dialog = await opened(bench)
    assert [(row.text, row.badge) for row in dialog.list.rows if isinstance(row, BadgeRow)] == [
        ("How are distances written?", "answered"),
        ("Is gull-clerk hyphenated?", "not answered"),
    ]
    assert dialog.accessibleName() == "Golden questions"
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    await bench.until(lambda: dialog.form.question.text() == "Is gull-clerk hyphenated?")
    (row,) = dialog.form.rows
    assert row.accessibleName() == FADED[0]
    assert row.accessibleDescription() == "not found now"
    said = dialog.form.fared.accessibleName()
    assert "it broke after consolidation of Workspace." in said
    assert "Last asked" in said
    assert not any(one.isDefault() or one.autoDefault() for one in dialog.findChildren(QPushButton))


@scene(drive, two_questions, made=a_tidy_bench)
async def test_a_question_is_written_by_hand_and_kept(bench: WindowBench, /) -> None:
    golden, dialog = await opened(bench)
    dialog.new.click()
    await bench.until(lambda: golden.state.draft is not None)
    await bench.until(lambda: golden.state.draft.key == NEW)  # type: ignore[union-attr]
    assert QApplication.focusWidget() is dialog.form.question
    assert not dialog.save.isEnabled()
    QTest.keyClicks(dialog.form.question, "Who keeps two sets of soundings?")
    await bench.until(lambda: bool(dialog.form.hits))
    hit = next(one for one in dialog.form.hits if one.accessibleName() == OTHERS[1])
    hit.must.click()
    (row,) = dialog.form.rows
    assert row.accessibleDescription() == "found, no. 1"
    assert not dialog.form.place.isEnabled()
    dialog.save.click()
    await bench.until(lambda: len(kept(bench)) == 3)
    await bench.until(lambda: len(golden.state.records) == 3)
    state = golden.state
    assert not state.is_unsaved
    assert state.draft is not None
    assert state.records[state.draft.key].is_right
    row = dialog.form.rows[0]
    row.switch.choose("must_not")
    assert dialog.save.isEnabled()
    await golden.save()
    assert [(one.must, len(one.must_not)) for one in kept(bench)][-1] == ((), 1)
    await golden.settled()
    assert golden.state.n_wrong == 2


@scene(drive, two_questions, made=a_tidy_bench)
async def test_a_question_is_kept_once_and_what_is_typed_meanwhile_stays(
    bench: WindowBench, /
) -> None:
    golden, dialog = await opened(bench)
    dialog.new.click()
    await bench.until(lambda: golden.state.draft.key == NEW)  # type: ignore[union-attr]
    QTest.keyClicks(dialog.form.question, "Who keeps two sets of soundings?")
    await bench.until(lambda: bool(dialog.form.hits))
    dialog.form.hits[0].must.click()
    gate = threading.Event()
    busy = asyncio.ensure_future(golden.background.write(gate.wait, HANG_SECONDS))
    dialog.save.click()
    dialog.save.click()
    await asyncio.sleep(0)
    QTest.keyClicks(dialog.form.question, " And why?")
    gate.set()
    await busy
    typed = "Who keeps two sets of soundings? And why?"
    await bench.until(lambda: typed in {one.question for one in kept(bench)})
    await bench.until(lambda: not golden.state.is_unsaved)
    assert len(kept(bench)) == 3
    assert dialog.form.question.text() == typed


@scene(drive, two_questions, made=a_tidy_bench)
async def test_a_draft_is_not_dropped_unasked(bench: WindowBench, /) -> None:
    golden, dialog = await opened(bench)
    QTest.keyClicks(dialog.form.question, " Always?")
    assert golden.state.is_unsaved
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    await answered_with(bench, dialog, confirm=False)
    assert golden.dialog is dialog
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    await answered_with(bench, dialog, confirm=False)
    assert dialog.form.question.text() == "How are distances written? Always?"
    assert dialog.list.current_id() == golden.state.draft.key  # type: ignore[union-attr]
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    await bench.until(lambda: bool(dialog.findChildren(ConfirmDialog)))
    dialog.findChildren(ConfirmDialog)[0].confirm.click()
    await bench.until(lambda: golden.dialog is None)
    assert kept(bench)[0].question == "How are distances written?"


@scene(drive, two_questions, made=a_tidy_bench)
async def test_deleting_asks_first(bench: WindowBench, /) -> None:
    golden, dialog = await opened(bench)
    dialog.delete.click()
    await answered_with(bench, dialog, confirm=False)
    assert len(kept(bench)) == 2
    dialog.delete.click()
    await answered_with(bench, dialog, confirm=True)
    await bench.until(lambda: len(kept(bench)) == 1)
    await bench.until(lambda: dialog.form.question.text() == "Is gull-clerk hyphenated?")
    assert len(golden.state.records) == 1


@scene(drive, two_questions, made=a_tidy_bench)
async def test_what_cannot_be_kept_is_said_beside_the_field(bench: WindowBench, /) -> None:
    golden, dialog = await opened(bench)
    golden.write("x" * 501)
    await golden.save()
    assert golden.state.problem is not None
    assert dialog.form.question.accessibleDescription() == (
        "A question has at most 500 characters."
    )
    assert golden.state.draft is not None
    assert len(golden.state.draft.text) == 501
    golden.write("Short again?")
    assert golden.state.problem is None


@scene(drive, two_questions, made=a_tidy_bench)
async def test_a_place_is_chosen_only_while_nothing_is_expected(bench: WindowBench, /) -> None:
    golden, dialog = await opened(bench)
    golden.choose_place(ScopeKey.account())
    assert golden.state.draft is not None
    assert golden.state.draft.scope == bench.bench.scope
    golden.start_new()
    golden.choose_place(ScopeKey.account())
    assert golden.state.draft.scope == ScopeKey.account()
    assert dialog.form.place.accessibleName() == "Asked in: Account"
    assert [one.name for one in golden.state.places] == ["Workspace", "Account", "#general"]


def test_a_search_becomes_a_question(tmp_path: Path) -> None:
    async def scene(bench: WindowBench) -> None:
        window = bench.window
        await bench.until(lambda: bool(window.page.rows))
        window.page.list_cursor.select(window.page.rows[1].id)
        header = window.inspector.header
        assert not header.golden.isVisible()
        window.page.header.search.set_text("two sets of soundings")
        await bench.until(lambda: bool(bench.texts()) and bench.texts()[0] == OTHERS[1])
        window.page.list_cursor.select(
            next(one.id for one in window.page.rows if hasattr(one, "excerpt"))
        )
        editor = window.inspector.editor
        await bench.until(lambda: editor.toPlainText() == OTHERS[1])
        assert header.golden.isVisible()
        header.golden.trigger()
        opened_root = window.opened
        assert opened_root is not None
        await bench.until(lambda: opened_root.consolidation.golden.dialog is not None)
        golden = opened_root.consolidation.golden
        await bench.until(lambda: golden.state.draft is not None)
        draft = golden.state.draft
        assert draft is not None
        assert (draft.key, draft.text) == (NEW, "two sets of soundings")
        assert [(one.text, one.must) for one in draft.expected] == [(OTHERS[1], True)]
        await golden.save()
        assert [one.question for one in kept(bench)] == ["two sets of soundings"]

    def prepare(bench: Bench) -> None:
        tidy_world(bench)

    drive(tmp_path, prepare, scene, a_tidy_bench)


@pytest.mark.parametrize("is_patient", mostly_wide((True, False), every_day=bool))
@scene(drive, two_questions, made=a_tidy_bench)
async def test_the_overview_leads_to_what_broke_and_forgets_it_when_it_is_mended(
    bench: WindowBench, /, *, is_patient: bool
) -> None:
    window = bench.window
    window.show_page(CONTROL_PAGE)
    opened_root = window.opened
    assert opened_root is not None
    await bench.until(
        lambda: opened_root.control is not None and bool(opened_root.control.tiers.view.look.rows)
    )
    control = opened_root.control
    assert control is not None
    look = control.tiers.view.look
    assert look.rows[0].text() == "1 golden question is not answered"
    look.rows[0].click()
    golden = opened_root.consolidation.golden
    await bench.until(lambda: golden.state.draft is not None)
    await golden.settled()
    assert len(golden.state.records) == 2
    dialog = golden.dialog
    assert dialog is not None
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    await bench.until(lambda: dialog.form.question.text() == "Is gull-clerk hyphenated?")
    dialog.delete.click()
    await answered_with(bench, dialog, confirm=True)
    if is_patient:
        await bench.until(lambda: len(kept(bench)) == 1)
        await golden.settled()
    dialog.finish.click()
    await bench.until(lambda: "golden" not in look.rows[0].text())
