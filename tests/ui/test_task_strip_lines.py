"""The strip's lines: what runs, waits or stopped, and what is not worth a line."""

from __future__ import annotations

import pytest

from inklings_desktop.ui.kit.words.task_words import PAUSED, strip_lines
from inklings_desktop.usecases.background.backfill_embeddings import backfill_of
from inklings_desktop.usecases.background.background_work import (
    BackgroundStatus,
    TaskPhase,
    TaskStatus,
)
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.ui.fake_clock import ACCOUNT, BACKFILL, CHANNEL, WORKSPACE

pytestmark = pytest.mark.usefixtures("qapp")
RUNNING = TaskStatus(BACKFILL, TaskPhase.RUNNING, "embed", 6, 16)


def told(*tasks: TaskStatus, is_paused: bool = False, young: object = ()) -> list[tuple[str, str]]:
    status = BackgroundStatus(is_paused, tasks)
    lines = strip_lines(status, WORKSPACE_ID, young)  # type: ignore[arg-type]
    return [(line.name, line.words) for line in lines]


def test_nothing_to_say_is_no_line() -> None:
    assert told(TaskStatus(BACKFILL), TaskStatus(WORKSPACE)) == []


def test_running_and_waiting_are_a_line_each() -> None:
    lines = strip_lines(
        BackgroundStatus(False, (RUNNING, TaskStatus(WORKSPACE, TaskPhase.WAITS_FOR_IDLE))),
        WORKSPACE_ID,
        (),
    )
    assert [(one.name, one.words) for one in lines] == [
        ("Embedding", "6 of 16"),
        ("Consolidation", "waits for idle"),
    ]
    running, waiting = lines
    assert (running.title, running.told) == ("Preparing for search", "Running, 6 of 16")
    assert (running.share, running.is_running, running.group) == (0.375, True, "backfill")
    assert (waiting.icon, waiting.group, waiting.is_running) == ("moon", "workspace", False)


def test_a_run_that_has_only_begun_does_not_flicker() -> None:
    assert told(RUNNING, young={BACKFILL}) == []


def test_a_failure_is_ochre_and_leads_to_its_row() -> None:
    failed = TaskStatus(ACCOUNT, TaskPhase.FAILED, problem="DatabaseReadOnlyError")
    (line,) = strip_lines(BackgroundStatus(False, (failed,)), WORKSPACE_ID, ())
    assert (line.words, line.role, line.is_warning) == ("stopped", "ochre", True)
    assert (line.told, line.group) == ("Stopped: read-only", "account")


def test_a_large_run_asks_first_and_a_cancelled_one_says_nothing() -> None:
    large = TaskStatus(CHANNEL, TaskPhase.STOPPED, problem="large")
    assert told(large) == [("Consolidation", "asks first")]
    assert told(TaskStatus(CHANNEL, TaskPhase.STOPPED, problem="cancelled")) == []


def test_work_of_another_workspace_is_told_while_it_runs() -> None:
    elsewhere = backfill_of(OTHER_WORKSPACE_ID)
    running = TaskStatus(elsewhere, TaskPhase.RUNNING, "embed", 1, 2)
    (line,) = strip_lines(BackgroundStatus(False, (running,)), WORKSPACE_ID, ())
    assert (line.told, line.group) == ("Running, 1 of 2, in another workspace", "")
    assert told(TaskStatus(elsewhere, TaskPhase.FAILED, problem="bug")) == []


def test_a_pause_is_one_line_that_can_be_lifted() -> None:
    status = BackgroundStatus(True, (TaskStatus(WORKSPACE, TaskPhase.PAUSED),))
    (line,) = strip_lines(status, WORKSPACE_ID, ())
    assert (line.key, line.words, line.can_resume) == (PAUSED, "paused", True)
    (scrub,) = strip_lines(status, WORKSPACE_ID, (), for_scrub=True)
    assert (scrub.can_resume, scrub.told) == (False, "Paused until the scrub is done")
    assert told(RUNNING, is_paused=True) == [("Embedding", "6 of 16")]
