"""The table's words: what runs when, what the last run did, what comes next, what can be done."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from inklings_desktop.domain.background.cadence import BackgroundConfig, Cadence
from inklings_desktop.domain.background.tasks import (
    CANCELLED,
    LARGE,
    RunState,
    TaskKind,
    TaskRun,
    TaskState,
    TaskTarget,
)
from inklings_desktop.ui.control.task_rows import (
    Hold,
    TaskScene,
    cadence_words,
    large_target,
    task_rows,
)
from inklings_desktop.ui.control.task_table import TaskAct, TaskRow, TaskTone
from inklings_desktop.ui.kit.words.task_words import TaskGroup
from inklings_desktop.usecases.background.background_work import TaskPhase, TaskStatus
from inklings_desktop.usecases.background.tasks import TaskSituation
from tests.support.builders import NOON, WORKSPACE_ID
from tests.ui.fake_clock import BACKFILL, CHANNEL, EVERYTHING, OTHER_CHANNEL, WORKSPACE

pytestmark = pytest.mark.usefixtures("qapp")
FRESH = TaskState(NOON - timedelta(days=20))


def a_scene(**values: object) -> TaskScene:
    usual = TaskScene(
        NOON,
        BackgroundConfig(),
        situations=tuple(TaskSituation(target, FRESH) for target in EVERYTHING),
        live={},
    )
    return replace(usual, **values)  # type: ignore[arg-type]


def with_state(target: TaskTarget, state: TaskState, n_new: int = 0) -> tuple[TaskSituation, ...]:
    return tuple(
        TaskSituation(one, state, n_new) if one == target else TaskSituation(one, FRESH)
        for one in EVERYTHING
    )


def a_run(target: TaskTarget, state: RunState, hours_ago: float, **values: object) -> TaskRun:
    at = NOON - timedelta(hours=hours_ago)
    usual = TaskRun("run", target, "interval", state, at, at)
    return replace(usual, **values)  # type: ignore[arg-type]


def row(scene: TaskScene, group: TaskGroup) -> TaskRow:
    return next(one for one in task_rows(scene) if one.key == group.value)


def test_six_rows_in_order_say_when_they_run() -> None:
    rows = task_rows(a_scene())
    assert [(one.name, one.runs) for one in rows] == [
        ("Preparing for search", "every 30 min"),
        ("Consolidate conversation", "when one closes"),
        ("Consolidate channel", "12 new, or daily"),
        ("Consolidate workspace", "40 new, or weekly"),
        ("Consolidate account", "20 new, or fortnightly"),
        ("Backups", "every 4 h"),
    ]
    assert rows[3].runs_tip == (
        "After 40 new memories, once you have been idle for 10 min, and at least every 7 days"
    )


@pytest.mark.parametrize(
    ("cadence", "words"),
    [
        (Cadence(), "on request"),
        (Cadence(every_hours=24), "daily"),
        (Cadence(every_hours=3), "every 3 h"),
        (Cadence(every_hours=0.5), "every 30 min"),
        (Cadence(every_hours=24 * 21), "every 3 weeks"),
        (Cadence(new_entries=5), "5 new"),
    ],
)
def test_a_cadence_tells_only_what_is_switched_on(cadence: Cadence, words: str) -> None:
    config = BackgroundConfig(channel=cadence)
    assert cadence_words(config, TaskGroup.CHANNEL)[0] == words


def test_what_is_switched_off_runs_on_request_only() -> None:
    config = BackgroundConfig(backfill_minutes=0.0, forget_at_close=False, backup_hours=0.0)
    assert cadence_words(config, TaskGroup.BACKUP)[0] == "on request"
    assert cadence_words(config, TaskGroup.BACKFILL)[0] == "after writes"
    assert cadence_words(config, TaskGroup.CONVERSATION)[0] == "on request"
    assert row(a_scene(config=config), TaskGroup.CONVERSATION).next == "on request"


def test_a_backup_that_runs_says_what_it_does_and_then_that_all_is_kept() -> None:
    target = TaskTarget(TaskKind.BACKUP, None)
    running = TaskStatus(target, TaskPhase.RUNNING, "verify", 0, 0)
    looked = TaskState(FRESH.first_seen_at, NOON - timedelta(hours=3))
    other = TaskTarget(TaskKind.BACKUP, WORKSPACE_ID)
    scene = a_scene(situations=(TaskSituation(target, looked), TaskSituation(other, looked)))

    assert row(scene, TaskGroup.BACKUP).last == "3 h ago, up to date"
    assert row(replace(scene, live={target: running}), TaskGroup.BACKUP).last == "checks the copy"


def test_a_running_row_counts_and_can_be_cancelled() -> None:
    running = TaskStatus(BACKFILL, TaskPhase.RUNNING, "embed", 6, 16)
    one = row(a_scene(live={BACKFILL: running}), TaskGroup.BACKFILL)
    assert (one.last, one.share, one.tone) == ("6 of 16 now", 0.375, TaskTone.RUNNING)
    assert (one.next, one.act) == ("after this run", TaskAct.CANCEL)
    assert "running, 6 of 16" in one.spoken


def test_a_run_that_compares_has_no_figures_yet() -> None:
    running = TaskStatus(WORKSPACE, TaskPhase.RUNNING, "compare")
    one = row(a_scene(live={WORKSPACE: running}), TaskGroup.WORKSPACE)
    assert (one.last, one.share) == ("compares", None)


def test_the_last_run_is_told_from_what_the_file_keeps() -> None:
    counts = {"parent": 6, "merged": 3, "pruned": 1}
    run = a_run(WORKSPACE, RunState.FINISHED, 30, counts=counts)
    state = replace(FRESH, last_run_at=run.ended_at)
    scene = a_scene(situations=with_state(WORKSPACE, state), runs=(run,))
    assert row(scene, TaskGroup.WORKSPACE).last == "1 d ago, 6 merged into 3, 1 faded, forgotten"


def test_a_later_run_that_found_nothing_takes_the_place_of_an_earlier_failure() -> None:
    failed = a_run(WORKSPACE, RunState.FAILED, 30, problem="DatabaseFullError")
    stopped = row(a_scene(runs=(failed,)), TaskGroup.WORKSPACE)
    assert (stopped.last, stopped.tone) == ("stopped: the disk is full", TaskTone.WARNING)
    state = replace(FRESH, last_run_at=NOON - timedelta(hours=2))
    scene = a_scene(situations=with_state(WORKSPACE, state), runs=(failed,))
    later = row(scene, TaskGroup.WORKSPACE)
    assert (later.last, later.tone) == ("2 h ago, nothing to do", TaskTone.PLAIN)


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        ("DatabaseReadOnlyError", "stopped: read-only"),
        ("EmbeddingUnavailableError", "stopped: the model failed"),
        ("bug", "stopped: a mistake of the program"),
        ("StorageError", "stopped: the database did not answer"),
    ],
)
def test_a_failure_says_why(problem: str, words: str) -> None:
    failed = TaskStatus(BACKFILL, TaskPhase.FAILED, problem=problem)
    one = row(a_scene(live={BACKFILL: failed}), TaskGroup.BACKFILL)
    assert (one.last, one.tone, one.act) == (words, TaskTone.WARNING, TaskAct.RUN)


def test_a_cancelled_run_is_no_warning() -> None:
    run = a_run(BACKFILL, RunState.STOPPED, 1, problem=CANCELLED, counts={"embedded": 6})
    one = row(a_scene(runs=(run,)), TaskGroup.BACKFILL)
    assert (one.last, one.tone) == ("1 h ago, 6 embedded, stopped by hand", TaskTone.PLAIN)


def test_a_large_run_offers_its_plan_once_somebody_can_show_it() -> None:
    counts = {"forgetting": 31, "memories": 90}
    run = a_run(CHANNEL, RunState.STOPPED, 1, problem=LARGE, counts=counts)
    one = row(a_scene(runs=(run,)), TaskGroup.CHANNEL)
    assert (one.last, one.tone, one.act) == (
        "would forget 31 of 90",
        TaskTone.WARNING,
        TaskAct.RUN,
    )
    offered = a_scene(runs=(run,), offers_review=True)
    assert row(offered, TaskGroup.CHANNEL).act is TaskAct.REVIEW
    assert large_target(offered, TaskGroup.CHANNEL) == CHANNEL
    assert large_target(offered, TaskGroup.WORKSPACE) is None


def test_runs_of_several_channels_are_told_as_one_round() -> None:
    runs = tuple(
        a_run(target, RunState.FINISHED, 1, counts={"promoted": n})
        for n, target in enumerate((CHANNEL, OTHER_CHANNEL), start=1)
    )
    assert row(a_scene(runs=runs), TaskGroup.CHANNEL).last == "1 h ago, 3 promoted"
    stopped = (replace(runs[0], state=RunState.STOPPED, problem=CANCELLED), runs[1])
    last = row(a_scene(runs=stopped), TaskGroup.CHANNEL).last
    assert last == "1 h ago, 3 promoted, stopped by hand"


def test_what_comes_next_is_a_queue_and_a_time() -> None:
    state = replace(FRESH, last_run_at=NOON - timedelta(hours=4))
    one = row(a_scene(situations=with_state(CHANNEL, state, n_new=7)), TaskGroup.CHANNEL)
    assert one.next.startswith("7 of 12 new, or ")
    live = {
        target: TaskStatus(target, next_due_at=NOON + timedelta(hours=20))
        for target in (CHANNEL, OTHER_CHANNEL)
    }
    scene = a_scene(situations=with_state(CHANNEL, state, n_new=7), live=live)
    assert row(scene, TaskGroup.CHANNEL).next == "7 of 12 new, or in 20 h"
    full = row(a_scene(situations=with_state(WORKSPACE, state, n_new=45)), TaskGroup.WORKSPACE)
    assert full.next.startswith("45 new, if idle, or "), "not 45 of 40"
    waiting = {WORKSPACE: TaskStatus(WORKSPACE, TaskPhase.WAITS_FOR_IDLE)}
    assert row(a_scene(live=waiting), TaskGroup.WORKSPACE).next == "waits for idle"
    unplugged = {WORKSPACE: TaskStatus(WORKSPACE, TaskPhase.WAITS_FOR_MAINS)}
    assert row(a_scene(live=unplugged), TaskGroup.WORKSPACE).next == "waits for mains power"


def test_a_refusal_stands_in_the_place_of_the_button() -> None:
    no_model = row(a_scene(has_model=False), TaskGroup.BACKFILL)
    assert (no_model.act, no_model.refusal) == (TaskAct.NONE, "no model")
    assert row(a_scene(has_model=False), TaskGroup.CHANNEL).act is TaskAct.RUN
    scrub = row(a_scene(hold=Hold.SCRUB), TaskGroup.ACCOUNT)
    assert (scrub.act, scrub.refusal, scrub.next) == (
        TaskAct.NONE,
        "scrub in progress",
        "after the scrub",
    )
    refused = row(a_scene(hold=Hold.READ_ONLY, has_clock=False), TaskGroup.ACCOUNT)
    assert (refused.act, refused.refusal) == (TaskAct.NONE, "read-only")
    paused = row(a_scene(hold=Hold.PAUSED), TaskGroup.ACCOUNT)
    assert (paused.act, paused.refusal) == (TaskAct.NONE, "paused")
    nowhere = row(a_scene(situations=()), TaskGroup.CHANNEL)
    assert (nowhere.act, nowhere.refusal, nowhere.last) == (TaskAct.NONE, "nothing yet", "not yet")


def test_asked_for_and_stopping_are_told_before_the_clock_answers() -> None:
    asked = row(a_scene(asked=frozenset({WORKSPACE})), TaskGroup.WORKSPACE)
    assert (asked.next, asked.act) == ("at once", TaskAct.CANCEL)
    running = TaskStatus(WORKSPACE, TaskPhase.RUNNING)
    scene = a_scene(live={WORKSPACE: running}, stopping=frozenset({WORKSPACE}))
    stopping = row(scene, TaskGroup.WORKSPACE)
    assert (stopping.act, stopping.refusal) == (TaskAct.NONE, "stopping\u2026")


def test_without_a_clock_there_is_nothing_to_press() -> None:
    rows = task_rows(a_scene(has_clock=False, live=None))
    assert {(one.act, one.refusal) for one in rows} == {(TaskAct.NONE, "")}
    assert rows[3].next == "0 of 40 new, or at the next start"
