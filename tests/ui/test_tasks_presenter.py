"""What the presenter asks of the clock, and how it keeps strip and table true."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from inklings_desktop.domain.background.tasks import RunState, TaskRun, TaskState
from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.ui.control.task_table import TaskAct, WorkFacts
from inklings_desktop.ui.control.tasks_presenter import TasksPresenter
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.usecases.background.background_work import TaskPhase, TaskStatus
from inklings_desktop.usecases.background.tasks import TaskSituation
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.scenes import scene
from tests.support.stand_ins import stood_in
from tests.support.stopwatch import SCENE_SECONDS, until
from tests.ui.fake_clock import (
    ACCOUNT,
    ACCOUNT_BACKFILL,
    BACKFILL,
    CHANNEL,
    EVERYTHING,
    OTHER_CHANNEL,
    WORKSPACE,
    FakeClock,
)
from tests.ui.fake_use_cases import FakeUseCases
from tests.ui.presenter_bench import Heard

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.domain.access.access import Caller


pytestmark = pytest.mark.usefixtures("qapp")


class Bench:
    """A presenter over a clock that stands still and files that say what they are told to."""

    def __init__(self, background: Background) -> None:
        self.clock = FakeClock()
        self.runs: list[TaskRun] = []
        self.fails = False
        self.n_looks = 0
        self.has_model = True
        fake = FakeUseCases()
        inklings = stood_in(
            fake.inklings(),
            use_cases={"tasks.look": self._look, "consolidation.list_runs": self._list},
        )
        self.presenter = TasksPresenter(background, inklings, self.clock)
        self.strip = Heard().to(self.presenter.strip_changed)
        self.table = Heard().to(self.presenter.table_changed)
        self.told: list[tuple[str, bool]] = []
        self.presenter.told.connect(lambda words, urgent: self.told.append((words, urgent)))

    def row(self, key: str) -> tuple[str, TaskAct, str]:
        """Last run, button and refusal of a row."""
        table: WorkFacts = self.table.last
        one = next(row for row in table.rows if row.key == key)
        return one.last, one.act, one.refusal

    def lines(self) -> list[tuple[str, str]]:
        """What the strip says."""
        return [(one.name, one.words) for one in self.strip.last] if self.strip.payloads else []

    def _look(self, _caller: Caller, workspace_id: str | None) -> tuple[TaskSituation, ...]:
        self.n_looks += 1
        if self.fails:
            raise DatabaseBusyError
        return tuple(
            TaskSituation(one, TaskState(NOON))
            for one in EVERYTHING
            if one.workspace_id == workspace_id
        )

    def _list(
        self, _caller: Caller, workspace_id: str | None, *, limit: int
    ) -> tuple[TaskRun, ...]:
        return tuple(run for run in self.runs if run.target.workspace_id == workspace_id)[:limit]


def play(_root: Path, scene: Callable[[Bench], Awaitable[None]]) -> None:
    """Plays a scene on Qt's own loop: timers are part of what is tested."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    bugs: list[BaseException] = []

    async def play_it() -> None:
        background = Background(bugs.append)
        bench = Bench(background)
        try:
            bench.presenter.set_watched(watched=True)
            await bench.presenter.open(WORKSPACE_ID)
            await asyncio.wait_for(scene(bench), SCENE_SECONDS)
        finally:
            bench.presenter.close()
            await background.close()

    with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
        runner.run(play_it())
    assert bugs == []


@scene(play)
async def test_run_now_asks_for_every_channel_and_is_told_at_once(bench: Bench, /) -> None:
    bench.clock.show(*(replace(TaskStatus(one), target=one) for one in EVERYTHING))
    # The fake model is not available; consolidation does not need one.
    assert bench.row("backfill")[1:] == (TaskAct.NONE, "no model")
    bench.presenter.act("channel")
    assert bench.clock.asked == [("request", CHANNEL), ("request", OTHER_CHANNEL)]
    assert bench.row("channel")[1] is TaskAct.CANCEL
    bench.presenter.act("channel")
    assert bench.clock.asked[2:] == [("cancel", CHANNEL), ("cancel", OTHER_CHANNEL)]
    assert bench.row("channel")[1] is TaskAct.RUN


@scene(play)
async def test_progress_comes_at_most_ten_times_a_second(bench: Bench, /) -> None:
    bench.clock.start(WORKSPACE, step="merge", total=1_000)
    begun = time.monotonic()
    for done in range(1, 1_001):
        bench.clock.go_on(WORKSPACE, done, 1_000)
        if not done % 100:
            await asyncio.sleep(0.1)
    took = time.monotonic() - begun
    await until(lambda: bench.lines() == [("Consolidation", "1,000 of 1,000")])
    assert len(bench.strip.payloads) <= 10 * (took + 0.5)
    assert len(bench.strip.payloads) >= 3


@scene(play)
async def test_a_short_run_never_shows_in_the_strip(bench: Bench, /) -> None:
    bench.clock.start(WORKSPACE, step="compare")
    await until(lambda: bench.row("workspace")[0] == "compares")
    bench.clock.finish(WORKSPACE)
    await asyncio.sleep(0.6)
    assert all(lines == () for lines in bench.strip.payloads)


@scene(play)
async def test_cancel_is_told_until_the_run_has_ended(bench: Bench, /) -> None:
    bench.clock.start(WORKSPACE, step="merge", done=6, total=16)
    await until(lambda: bench.lines() == [("Consolidation", "6 of 16")])
    bench.presenter.cancel_kind("consolidation")
    assert bench.clock.asked == [("cancel", WORKSPACE)]
    assert bench.row("workspace") == ("6 of 16 now", TaskAct.NONE, "stopping\u2026")
    bench.runs = [
        TaskRun("r", WORKSPACE, "request", RunState.STOPPED, NOON, NOON, problem="cancelled")
    ]
    bench.clock.finish(WORKSPACE, phase=TaskPhase.STOPPED, problem="cancelled")
    await until(lambda: bench.row("workspace")[0] == "<1 min ago, stopped by hand")
    assert bench.lines() == []
    words = "Stopped. What was finished stays."
    assert bench.told == [(words, False)]


@scene(play)
async def test_embedding_that_was_stopped_says_what_becomes_of_the_rest(bench: Bench, /) -> None:
    shown = Heard().to(bench.presenter.stopped)
    for pause, rest in (
        (bench.clock.resume, "It will try again in 30 minutes."),
        (bench.clock.pause, "The rest follows when background work continues."),
    ):
        pause()
        bench.clock.start(BACKFILL, step="embed", done=6, total=16)
        bench.clock.finish(BACKFILL, phase=TaskPhase.STOPPED, problem="cancelled")
        assert shown.last == f"Preparing for search stopped after 6 of 16. {rest}"
        assert bench.told[-1] == (shown.last, False)
    n_shown = len(shown.payloads)
    bench.clock.start(BACKFILL, step="embed", done=6, total=16)
    bench.clock.fail(BACKFILL, "EmbeddingUnavailableError")
    assert bench.told[-1] == (
        "Preparing for search stopped: the model failed. It will try again in 30 minutes.",
        True,
    )
    assert len(shown.payloads) == n_shown  # the strip keeps that one in sight


@scene(play)
async def test_a_failure_is_told_urgently_and_stays_until_the_next_run(bench: Bench, /) -> None:
    bench.clock.start(ACCOUNT)
    bench.clock.fail(ACCOUNT, "DatabaseReadOnlyError")
    await until(lambda: bench.lines() == [("Consolidation", "stopped")])
    assert bench.row("account")[:2] == ("stopped: read-only", TaskAct.RUN)
    assert bench.told == [
        (
            "Consolidate account stopped: read-only. It will try again in 30 minutes.",
            True,
        )
    ]


@scene(play)
async def test_pausing_is_one_switch(bench: Bench, /) -> None:
    bench.presenter.toggle_pause()
    assert bench.lines() == [("Background work", "paused")]
    assert (bench.table.last.is_paused, bench.table.last.tiers) == (True, frozenset())
    assert bench.row("account")[1:] == (TaskAct.NONE, "paused")
    bench.presenter.act("account")
    assert bench.told == [("Consolidate account: paused", False)]
    bench.presenter.toggle_pause()
    assert [what for what, _ in bench.clock.asked] == ["pause", "resume"]
    assert (bench.lines(), bench.table.last.is_paused) == ([], False)


@scene(play)
async def test_a_scrub_holds_everything_and_gives_back_what_it_took(bench: Bench, /) -> None:
    bench.presenter.hold_for_scrub(True)
    assert bench.row("workspace")[1:] == (TaskAct.NONE, "scrub in progress")
    assert not bench.table.last.is_paused
    assert not bench.table.last.can_pause
    assert not bench.presenter.is_paused
    bench.presenter.hold_for_scrub(False)
    assert [what for what, _ in bench.clock.asked] == ["pause", "resume"]
    assert bench.row("workspace")[1] is TaskAct.RUN
    bench.clock.asked.clear()
    bench.presenter.toggle_pause()
    bench.presenter.hold_for_scrub(True)
    bench.presenter.hold_for_scrub(False)
    assert [what for what, _ in bench.clock.asked] == ["pause", "pause"]
    assert bench.presenter.is_paused


@scene(play)
async def test_a_large_run_asks_for_its_plan(bench: Bench, /) -> None:
    wanted = Heard().to(bench.presenter.review_requested)
    counts = {"forgetting": 31, "memories": 90}
    bench.clock.start(WORKSPACE)
    bench.clock.finish(WORKSPACE, phase=TaskPhase.STOPPED, problem="large", counts=counts)
    await until(lambda: bench.lines() == [("Consolidation", "asks first")])
    assert bench.row("workspace")[:2] == ("would forget 31 of 90", TaskAct.RUN)
    bench.presenter.offer_review()
    assert bench.row("workspace")[1] is TaskAct.REVIEW
    bench.presenter.act("workspace")
    assert wanted.payloads == [WORKSPACE.scope]
    assert bench.clock.asked == []


@scene(play)
async def test_the_tier_menu_begins_and_never_cancels(bench: Bench, /) -> None:
    assert bench.table.last.tiers == {"conversation", "channel", "workspace", "account"}
    bench.presenter.run("account")
    bench.presenter.run("account")
    assert bench.clock.asked == [("request", ACCOUNT)]


@scene(play)
async def test_backfill_is_one_row_for_two_files(bench: Bench, /) -> None:
    bench.clock.start(ACCOUNT_BACKFILL, step="embed", done=1, total=4)
    await until(lambda: bench.row("backfill")[0] == "1 of 4 now")
    bench.clock.finish(ACCOUNT_BACKFILL, counts={"embedded": 4}, run_id="r")
    await until(lambda: bench.told == [("Preparing for search finished: 4 embedded", False)])
    assert BACKFILL not in {target for _, target in bench.clock.asked}


@scene(play)
async def test_files_are_read_together_and_only_while_somebody_looks(bench: Bench, /) -> None:
    assert bench.n_looks == 2
    for _ in range(20):
        bench.presenter.on_changes(MemoryChanges(WORKSPACE_ID))
    await until(lambda: bench.n_looks == 4)
    bench.presenter.set_watched(watched=False)
    bench.presenter.on_changes(MemoryChanges(None))
    await asyncio.sleep(0.6)
    assert bench.n_looks == 4
    bench.presenter.set_watched(watched=True)
    await until(lambda: bench.n_looks == 6)


@scene(play)
async def test_files_that_cannot_be_read_leave_the_table_as_it_was(bench: Bench, /) -> None:
    before = bench.table.last
    bench.fails = True
    bench.presenter.refresh()
    await until(lambda: bench.n_looks == 3)
    bench.clock.start(WORKSPACE, step="merge", done=1, total=2)
    await until(lambda: bench.row("workspace")[0] == "1 of 2 now")
    assert len(bench.table.last.rows) == len(before.rows)


@scene(play)
async def test_work_that_another_program_does_is_no_result_of_ours(bench: Bench, /) -> None:
    bench.presenter.run("workspace")
    bench.clock.start(WORKSPACE)
    until_then = NOON + timedelta(seconds=60)
    bench.clock.finish(WORKSPACE, next_due_at=until_then)
    await until(lambda: bench.table.last.rows[3].next == "running in another program")
    assert bench.told == [("Consolidate workspace: another Inklings program is doing this.", False)]
    bench.clock.start(WORKSPACE)
    bench.clock.finish(WORKSPACE, run_id="r", counts={"promoted": 1})
    await until(lambda: bench.table.last.rows[3].next != "running in another program")
    assert bench.told[1:] == [("Consolidate workspace finished: 1 promoted", False)]
