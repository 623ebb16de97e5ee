"""Background work in the real window, with the real clock on its own thread."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inklings_desktop.domain.background.tasks import RunState, TaskState
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.control.overview_facts import LookKind
from inklings_desktop.ui.control.task_table import TaskAct
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from inklings_desktop.usecases.background.backfill_embeddings import backfill_of
from inklings_desktop.usecases.consolidation.consolidation_plans import target_of
from tests.support.builders import a_memory
from tests.support.fake_embedder import FakeEmbedder
from tests.support.scenes import scene
from tests.support.stopwatch import HANG_SECONDS, SLOWNESS, Stopwatch
from tests.support.wide import mostly_wide
from tests.ui.presenter_bench import a_bench
from tests.ui.window_bench import WindowBench, drive

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.memories.vectors import FloatMatrix
    from inklings_desktop.ui.control.page import ControlPage
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.usecases.ports.store import Embedder
    from tests.ui.presenter_bench import Bench

pytestmark = pytest.mark.usefixtures("qapp")
CLOSE_SECONDS = 2.0 * SLOWNESS
FRAME_SECONDS = 1.0 * SLOWNESS
N_TURNS = 20
"""Longest that the window may stand still while a tier is consolidated, and how often it comes
round while the run is held up: bounds on hanging, not measures of smoothness."""


@dataclass(slots=True)
class SlowEmbedder(FakeEmbedder):
    """Takes its time over every batch, as a model does; may wait at a gate.

    Attributes:
        seconds: Time for one batch.
        begun: Set by the first batch.
        gate: Batches wait for it; open by default.
    """

    seconds: float = 0.0
    begun: threading.Event = field(default_factory=threading.Event)
    gate: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.gate.set()

    def pinned(self) -> SlowEmbedder:
        return self

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        self.begun.set()
        assert self.gate.wait(HANG_SECONDS)
        time.sleep(self.seconds)
        return FakeEmbedder.embed(self, texts)


def unembedded(n: int) -> Callable[[Bench], None]:
    """Memories of an agent without vectors, that no clock has heard of."""

    def prepare(bench: Bench) -> None:
        with bench.inklings.parts.store.write(bench.workspace.id, initiator="backfill") as unit:
            unit.memories.add(
                [
                    a_memory(f"Tide {one}.", scope=bench.scope, created_at=bench.inklings.clock())
                    for one in range(n)
                ]
            )
            unit.commit()

    return prepare


def twins(n_pairs: int) -> Callable[[Bench], None]:
    """Pairs of an agent's memories that mean the same, with their vectors."""
    model = FakeEmbedder(dimension=256)

    def prepare(bench: Bench) -> None:
        texts = [
            f"{word}{pair} counts the bells of harbour{pair}"
            for pair in range(n_pairs)
            for word in ("Nerys", "nerys")
        ]
        scope = bench.scope
        with bench.inklings.parts.store.write(bench.workspace.id, initiator="backfill") as unit:
            entries = unit.memories.add(
                [a_memory(text, scope=scope, created_at=bench.inklings.clock()) for text in texts]
            )
            vectors = model.embed(texts)
            unit.memories.put_vectors(
                model.model_id,
                [(one.id, one.content, row) for one, row in zip(entries, vectors, strict=True)],
            )
            unit.commit()

    return prepare


def alike_and_the_authors_own(bench: Bench) -> None:
    """Two memories of which a run changes nothing: it only finds that they are alike."""
    for name in ("Aldric", "Aldrin"):
        words = " ".join(f"harbour{n}" for n in range(60))
        bench.put(f"Prince {name} counts the bells of {words}.")
    bench.inklings.tasks.backfill(bench.workspace.id)


def with_clock(embedder: Embedder | None = None) -> Callable[[Path], AbstractContextManager[Bench]]:
    """Opens the data root with the clock beside it, as the window does."""
    return partial(a_bench, embedder=embedder, with_clock=True)


async def opened(bench: WindowBench) -> ControlPage:
    """The Control plane, once its table is there."""
    bench.window.show_page(CONTROL_PAGE)
    opened_root = bench.window.opened
    assert opened_root is not None
    await bench.until(
        lambda: (
            opened_root.control is not None
            and bool(opened_root.control.tiers.view.tasks.table.rows)
        )
    )
    assert opened_root.control is not None
    return opened_root.control


def opened_desks(bench: WindowBench) -> OpenedRoot:
    """What is open in the window."""
    assert bench.window.opened is not None
    return bench.window.opened


def ask_clock(bench: WindowBench) -> None:
    """Let the clock consolidate the workspace, as it does by itself."""
    clock = bench.bench.inklings.background
    assert clock is not None
    clock.request(target_of(bench.bench.scope))


def outlived_first_day(bench: Bench) -> None:
    """The clock met these files long ago."""
    begun = bench.inklings.clock() - timedelta(days=2)
    for file in (bench.workspace.id, None):
        with bench.inklings.parts.store.write(file, initiator="test") as unit:
            unit.tasks.put_state(backfill_of(file), TaskState(begun))
            unit.commit()


def last(control: ControlPage, key: str) -> str:
    return next(row.last for row in control.tiers.view.tasks.table.rows if row.key == key)


def act(control: ControlPage, key: str) -> TaskAct:
    return next(row.act for row in control.tiers.view.tasks.table.rows if row.key == key)


def names(bench: WindowBench) -> list[str]:
    """The strip's lines."""
    return [line.objectName() for line in bench.window.rail.tasks.lines]


def runs(bench: Bench) -> tuple[TaskRun, ...]:
    return bench.inklings.consolidation.list_runs(bench.workspace.id)


def n_without_vector(bench: Bench) -> int:
    (found,) = [
        one for one in bench.inklings.search.tiers(bench.workspace.id) if one.tier is Tier.WORKSPACE
    ]
    return found.n_retrievable - found.n_embedded


@scene(drive, unembedded(60), made=with_clock(FakeEmbedder()))
async def test_run_now_embeds_what_is_missing_and_says_so(bench: WindowBench, /) -> None:
    control = await opened(bench)
    assert last(control, "backfill") == "not yet"
    QTest.mouseClick(
        control.tiers.view.tasks.table.cell("backfill").button, Qt.MouseButton.LeftButton
    )
    await bench.until(lambda: last(control, "backfill") == "<1 min ago, 60 embedded")
    assert n_without_vector(bench.bench) == 0


def test_the_strip_runs_is_cancelled_and_leads_to_the_table(tmp_path: Path) -> None:
    model = SlowEmbedder(seconds=0.02)
    model.gate.clear()

    async def cancel(bench: WindowBench) -> None:
        control = await opened(bench)
        strip = bench.window.rail.tasks
        control.tiers.view.tasks.table.act_requested.emit("backfill")
        await bench.until(lambda: "taskBackfill" in names(bench))
        line = strip.lines[0]
        assert line.accessibleDescription().startswith("Running, ")
        QTest.mouseClick(line, Qt.MouseButton.LeftButton)
        assert control.tiers.view.tasks.table.current_key() == "backfill"
        QTest.mouseClick(line.end, Qt.MouseButton.LeftButton)
        model.gate.set()
        await bench.until(lambda: last(control, "backfill").endswith("stopped by hand"))
        await bench.until(lambda: "taskBackfill" not in names(bench))
        (run,) = runs(bench.bench)
        n = f"{run.counts['embedded']:,}"
        assert bench.window.status.currentMessage() == (
            f"Preparing for search stopped after {n} of 2,000. It will try again in 30 minutes."
        )
        assert (run.state, run.problem) == (RunState.STOPPED, "cancelled")
        assert 0 < run.counts["embedded"] < 2_000
        assert n_without_vector(bench.bench) == 2_000 - run.counts["embedded"]

    drive(tmp_path, unembedded(2_000), cancel, with_clock(model))


@scene(drive, unembedded(3), made=with_clock(FakeEmbedder(fails=True)))
async def test_a_failure_is_shown_with_its_reason(bench: WindowBench, /) -> None:
    control = await opened(bench)
    control.tiers.view.tasks.table.act_requested.emit("backfill")
    await bench.until(lambda: last(control, "backfill") == "stopped: the model failed")
    strip = bench.window.rail.tasks
    await bench.until(strip.isVisible)
    (line,) = strip.lines
    assert line.accessibleDescription() == "Stopped: the model failed"
    # The clock is ahead of what it tells: the button follows with the next look at it.
    await bench.until(lambda: act(control, "backfill") is TaskAct.RUN)


def test_pause_all_stops_what_runs_and_holds_the_rest_until_it_is_lifted(tmp_path: Path) -> None:
    model = SlowEmbedder(seconds=0.02)
    model.gate.clear()

    async def pause(bench: WindowBench) -> None:
        control = await opened(bench)
        control.tiers.view.tasks.table.act_requested.emit("backfill")
        await asyncio.to_thread(model.begun.wait, HANG_SECONDS)
        QTest.mouseClick(control.tiers.view.tasks.pause, Qt.MouseButton.LeftButton)
        model.gate.set()
        await bench.until(lambda: bool(runs(bench.bench)))
        refusal = control.tiers.view.tasks.table.cell("backfill").refusal
        await bench.until(lambda: refusal.text() == "paused")
        assert refusal.isVisible()
        n_left = n_without_vector(bench.bench)
        assert n_left > 0
        (line,) = bench.window.rail.tasks.lines
        assert line.objectName() == "taskPaused"
        model.seconds = 0.0
        QTest.mouseClick(line.end, Qt.MouseButton.LeftButton)
        # What the pause broke off goes on once nobody has moved for three seconds.
        await bench.until(lambda: n_without_vector(bench.bench) == 0)

    drive(tmp_path, unembedded(1_000), pause, with_clock(model))


def test_what_a_run_found_alike_is_on_show_when_it_ends(tmp_path: Path) -> None:
    async def consolidate(bench: WindowBench) -> None:
        control = await opened(bench)
        look = control.tiers.view.look
        assert LookKind.LIKELY_DUPLICATES not in {one.facts.kind for one in look.rows}
        ask_clock(bench)
        await bench.until(
            lambda: LookKind.LIKELY_DUPLICATES in {one.facts.kind for one in look.rows}
        )

    model = FakeEmbedder(dimension=512)
    drive(tmp_path, alike_and_the_authors_own, consolidate, with_clock(model))


@pytest.mark.parametrize("by_menu", mostly_wide((True, False), every_day=bool))
def test_what_a_person_begins_shows_its_plan_first(tmp_path: Path, *, by_menu: bool) -> None:
    async def consolidate(bench: WindowBench) -> None:
        control = await opened(bench)
        card = control.tiers.view.cards[Tier.WORKSPACE]
        assert card.consolidate.isVisible()
        assert card.consolidate.isEnabled()
        if by_menu:
            card.consolidate.trigger()
        else:
            assert act(control, "workspace") is TaskAct.RUN
            control.tiers.view.tasks.table.act_requested.emit("workspace")
        process = opened_desks(bench).consolidation.review
        await bench.until(lambda: process.dialog is not None and process.state.plan is not None)
        with bench.bench.inklings.parts.store.read(bench.bench.workspace.id) as view:
            assert view.memories.active_count(bench.bench.scope) == 16
        assert process.dialog is not None
        process.dialog.plan_foot.apply.click()
        await bench.until(lambda: last(control, "workspace").startswith("<1 min ago, "))
        assert last(control, "workspace") == "<1 min ago, 16 merged into 8"
        process.close()

    model = FakeEmbedder(dimension=256)
    drive(tmp_path, twins(8), consolidate, with_clock(model))


def test_a_large_run_stops_and_asks(tmp_path: Path) -> None:
    async def ask(bench: WindowBench) -> None:
        control = await opened(bench)
        ask_clock(bench)
        await bench.until(lambda: last(control, "workspace").startswith("would forget"))
        assert last(control, "workspace") == "would forget 40 of 40"
        await bench.until(bench.window.rail.tasks.isVisible)
        (line,) = bench.window.rail.tasks.lines
        assert line.accessibleDescription() == "Stopped: it would forget a lot, and asks first"
        with bench.bench.inklings.parts.store.read(bench.bench.workspace.id) as view:
            assert view.memories.active_count(bench.bench.scope) == 40

    model = FakeEmbedder(dimension=256)
    drive(tmp_path, twins(20), ask, with_clock(model))


def test_closing_in_the_middle_of_a_run_is_quick_and_leaves_whole_steps(tmp_path: Path) -> None:
    model = SlowEmbedder(seconds=0.05)
    left: list[Stopwatch] = []

    async def leave(bench: WindowBench) -> None:
        control = await opened(bench)
        control.tiers.view.tasks.table.act_requested.emit("backfill")
        await bench.until(lambda: n_without_vector(bench.bench) < 1_000)
        left.append(Stopwatch())
        bench.window.close()

    drive(tmp_path, unembedded(1_000), leave, with_clock(model))
    assert left[0].seconds < CLOSE_SECONDS
    with a_bench(tmp_path, embedder=FakeEmbedder()) as again:
        (run,) = runs(again)
        assert (run.state, run.problem) == (RunState.STOPPED, "cancelled")
        assert n_without_vector(again) == 1_000 - run.counts["embedded"]


def test_a_tier_is_coherent_when_the_window_closes_while_it_is_consolidated(
    tmp_path: Path,
) -> None:
    model = FakeEmbedder(dimension=256)
    left: list[Stopwatch] = []

    async def leave(bench: WindowBench) -> None:
        control = await opened(bench)
        ask_clock(bench)
        await bench.until(lambda: act(control, "workspace") is TaskAct.CANCEL)
        await bench.until(lambda: last(control, "workspace").endswith(" now"))
        left.append(Stopwatch())
        bench.window.close()

    def some_twins_among_many(bench: Bench) -> None:
        twins(60)(bench)
        unembedded(600)(bench)

    drive(tmp_path, some_twins_among_many, leave, with_clock(model))
    assert left[0].seconds < CLOSE_SECONDS
    with a_bench(tmp_path, embedder=model) as again:
        n_merged = sum(run.counts.get("merged", 0) for run in runs(again))
        store = again.inklings.parts.store
        with store.read(again.workspace.id) as view:
            n_active = view.memories.active_count(again.scope)
        # Two for each pair that was left alone, one for each that was merged.
        assert n_active == 720 - n_merged
        again.inklings.consolidation.run(again.scope)
        with store.read(again.workspace.id) as view:
            assert view.memories.active_count(again.scope) == 660


def test_the_window_never_stands_still_while_a_tier_is_consolidated(tmp_path: Path) -> None:
    async def watch(bench: WindowBench) -> None:
        control = await opened(bench)
        ask_clock(bench)
        longest, n_held, before, watch = 0.0, 0, 0.0, Stopwatch()
        while not last(control, "workspace").startswith("<1 min ago"):
            await asyncio.sleep(0.005)
            now = watch.seconds
            longest, before = max(longest, now - before), now
            n_held += model.begun.is_set() and not model.gate.is_set()
            if n_held >= N_TURNS:
                model.gate.set()
        assert longest < FRAME_SECONDS
        assert n_held == N_TURNS

    def some_twins_among_many(bench: Bench) -> None:
        twins(100)(bench)
        unembedded(1_500)(bench)

    model = SlowEmbedder(dimension=256)
    model.gate.clear()
    drive(tmp_path, some_twins_among_many, watch, with_clock(model))


@scene(drive, unembedded(1), made=with_clock())
async def test_a_person_at_the_keyboard_or_mouse_is_noticed(bench: WindowBench, /) -> None:
    clock = bench.bench.inklings.background
    assert clock is not None
    idle = clock._clockwork.idle_seconds  # type: ignore[attr-defined]
    await bench.until(lambda: idle() > 0.3)
    # Sent, not played: a played one lets events run in the midst of this task.
    handle = bench.window.windowHandle()
    key, no_keys = QEvent.Type.KeyPress, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(handle, QKeyEvent(key, Qt.Key.Key_F8, no_keys))
    assert idle() < 0.3
    await bench.until(lambda: idle() > 0.3)
    place, none = QPointF(90.0, 90.0), Qt.MouseButton.NoButton
    moved = QMouseEvent(QEvent.Type.MouseMove, place, place, none, none, no_keys)
    QApplication.sendEvent(handle, moved)
    assert idle() < 0.3


def test_waiting_for_idle_shows_in_the_strip(tmp_path: Path) -> None:
    async def wait(bench: WindowBench) -> None:
        strip = bench.window.rail.tasks
        await bench.until(strip.isVisible)
        (line,) = strip.lines
        assert (line.objectName(), line.mark.is_turning) == ("taskConsolidation", False)
        assert "Consolidate workspace" in line.toolTip()

    def an_older_world(bench: Bench) -> None:
        outlived_first_day(bench)
        unembedded(45)(bench)

    drive(tmp_path, an_older_world, wait, with_clock())


@scene(drive, unembedded(1), made=with_clock())
async def test_a_scrub_holds_background_work(bench: WindowBench, /) -> None:
    control = await opened(bench)
    opened_desks(bench).scrub.running_changed.emit(True)
    cell = control.tiers.view.tasks.table.cell("workspace")
    assert cell.refusal.text() == "scrub in progress"
    assert cell.refusal.isVisible()
    opened_desks(bench).scrub.running_changed.emit(False)
    assert cell.button.isVisible()


@scene(drive, unembedded(1), made=with_clock())
async def test_without_a_model_backfill_says_why_it_cannot_run(bench: WindowBench, /) -> None:
    control = await opened(bench)
    assert control.tiers.view.tasks.table.cell("backfill").refusal.text() == "no model"


def test_what_another_program_is_doing_is_not_done_twice(tmp_path: Path) -> None:
    def held_elsewhere(bench: Bench) -> None:
        twins(8)(bench)
        target = target_of(bench.scope)
        now = bench.inklings.clock()
        with bench.inklings.parts.store.write(bench.workspace.id, initiator="other") as unit:
            unit.tasks.hold(target.name, "another program", now, 60.0)
            unit.commit()

    async def try_it(bench: WindowBench) -> None:
        control = await opened(bench)
        ask_clock(bench)
        rows = control.tiers.view.tasks.table
        await bench.until(lambda: rows.rows[3].next == "running in another program")
        assert rows.rows[3].last == "not yet"
        assert act(control, "workspace") is TaskAct.RUN

    model = FakeEmbedder(dimension=256)
    drive(tmp_path, held_elsewhere, try_it, with_clock(model))


def test_a_large_run_leads_to_its_plan(tmp_path: Path) -> None:
    async def review(bench: WindowBench) -> None:
        control = await opened(bench)
        ask_clock(bench)
        await bench.until(lambda: act(control, "workspace") is TaskAct.REVIEW)
        button = control.tiers.view.tasks.table.cell("workspace").button
        assert button.text() == "Review the plan\u2026"
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await bench.until(lambda: opened_desks(bench).consolidation.review.dialog is not None)
        dialog = opened_desks(bench).consolidation.review.dialog
        assert dialog is not None
        dialog.reject()
        await bench.until(lambda: opened_desks(bench).consolidation.review.dialog is None)

    model = FakeEmbedder(dimension=256)
    drive(tmp_path, twins(20), review, with_clock(model))
