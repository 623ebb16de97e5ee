from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest

from inklings_desktop.domain.background.cadence import BackgroundConfig, Cadence, PruneMode
from inklings_desktop.domain.background.tasks import RunState, TaskKind, TaskTarget
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.world.derivations import Retcon, RetconState
from inklings_desktop.scheduler.clockwork import REST_EVERY_SECONDS, RETRY_SECONDS
from inklings_desktop.scheduler.tasks import Work
from inklings_desktop.usecases.background.backfill_embeddings import backfill_of
from inklings_desktop.usecases.background.background_work import TaskPhase
from inklings_desktop.usecases.consolidation.consolidation_plans import target_of
from tests.scheduler.clock_bench import ClockBench
from tests.support.builders import NOON, WORKSPACE_ID, a_draft, a_memory, an_agent
from tests.support.stand_ins import stood_in
from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
BACKFILL = backfill_of(WORKSPACE_ID)
NEVER = BackgroundConfig(
    backfill_minutes=0, forget_at_close=False, channel=Cadence(), workspace=Cadence(),
    account=Cadence(),
)  # fmt: skip


@pytest.fixture
def bench(world: World) -> ClockBench:
    return ClockBench(world)


def without_vector(bench: ClockBench) -> int:
    with bench.world.store.read(WORKSPACE_ID) as view:
        return view.memories.n_without_vector(bench.world.embedder.model_id)


def test_what_is_written_here_is_embedded_at_once(bench: ClockBench) -> None:
    bench.world.person.memories.put(a_draft("A gull"))
    assert bench.clockwork.run_due() == 0
    assert without_vector(bench) == 0


def test_backfill_begins_a_minute_after_the_start_and_then_every_half_hour(
    bench: ClockBench,
) -> None:
    bench.keep(*(a_memory(f"text {n}") for n in range(30)))
    assert bench.clockwork.run_due() == 0
    bench.pass_time(minutes=0.9)
    assert bench.clockwork.run_due() == 0
    bench.pass_time(minutes=0.1)
    bench.clockwork.run_due()
    assert ("backfill", "finished", "start") in bench.told()
    assert without_vector(bench) == 0
    bench.keep(a_memory("another"))
    bench.pass_time(minutes=29)
    assert bench.clockwork.run_due() == 0
    bench.pass_time(minutes=1)
    bench.clockwork.run_due()
    assert ("backfill", "finished", "interval") in bench.told()
    assert without_vector(bench) == 0


def test_backfill_yields_to_the_person_and_goes_on_when_they_rest(bench: ClockBench) -> None:
    bench.keep(*(a_memory(f"text {n}") for n in range(120)))
    bench.pass_time(minutes=1)
    bench.clockwork.note_activity()
    bench.clockwork.run_due()
    assert without_vector(bench) == 70
    status = {one.target: one for one in bench.clockwork.status().tasks}
    assert status[BACKFILL].phase is TaskPhase.WAITS_FOR_IDLE
    assert bench.clockwork.run_due() == 0
    bench.pass_time(minutes=0.1)
    bench.clockwork.run_due()
    assert without_vector(bench) == 0


def test_a_failing_model_is_shown_with_its_reason_and_left_alone_for_a_while(
    bench: ClockBench,
) -> None:
    bench.keep(a_memory())
    bench.world.embedder.fails = True
    bench.pass_time(minutes=1)
    bench.clockwork.run_due()
    failed = [one.status for one in bench.news if one.what == "failed"]
    assert [(one.target, one.problem, one.phase) for one in failed] == [
        (BACKFILL, "EmbeddingUnavailableError", TaskPhase.FAILED)
    ]
    assert failed[0].next_due_at == bench.world.clock() + timedelta(seconds=RETRY_SECONDS)
    assert bench.clockwork.run_due() == 0
    assert bench.runs()[0].state is RunState.FAILED
    bench.world.embedder.fails = False
    bench.pass_time(minutes=RETRY_SECONDS / 60)
    bench.clockwork.run_due()
    assert without_vector(bench) == 0


def test_without_a_model_the_backfill_is_looked_after_as_rarely_as_with_one(
    bench: ClockBench,
) -> None:
    bench.world.embedder.is_available = False
    bench.keep(a_memory())
    bench.pass_time(minutes=1)
    assert bench.clockwork.run_due() == 2
    for _ in range(29):
        bench.pass_time(minutes=1)
        assert bench.clockwork.run_due() == 0
    bench.pass_time(minutes=1)
    bench.clockwork.run_due()
    assert ("backfill", "finished", "interval") in bench.told()


def test_many_new_memories_bring_a_consolidation_once_the_person_rests(bench: ClockBench) -> None:
    bench.outlive_first_day()
    agent = an_agent()
    bench.world.cap = 1_000
    for n in range(40):
        bench.world.asked_by(agent).memories.put(a_draft(f"Something new, {n}"))
    bench.clockwork.note_activity()
    assert bench.clockwork.run_due() == 0
    bench.pass_time(minutes=10)
    bench.clockwork.run_due()
    name = target_of(SCOPE).name
    assert [one for one in bench.told() if one[0] == name] == [
        (name, "started", "new_entries"), (name, "finished", "new_entries"),
    ]  # fmt: skip
    assert bench.clockwork.run_due() == 0


@pytest.mark.parametrize("n_missed", [1, 30])
def test_missed_runs_are_caught_up_with_one(world: World, n_missed: int) -> None:
    first = ClockBench(world)
    first.keep(a_memory("A gull", scope=ScopeKey.channel(WORKSPACE_ID, first.world.general.id)))
    first.clockwork.run_due()
    later = ClockBench(world)
    later.world.clock.advance(days=n_missed)
    later.clockwork._started_at = later.world.clock()
    later.pass_time(minutes=1)
    for _ in range(60):
        later.clockwork.run_due()
        later.pass_time(minutes=1)
    began = [one for one in later.told() if one[1] == "started" and "channel" in one[0]]
    assert len(began) == 1
    status = {one.target.name: one for one in later.clockwork.status().tasks}
    due = status[began[0][0]].next_due_at
    assert due is not None
    assert timedelta(hours=22) < due - later.world.clock() <= timedelta(hours=24)


def test_every_trigger_can_be_switched_off(world: World) -> None:
    bench = ClockBench(world, NEVER)
    bench.keep(*(a_memory(f"text {n}") for n in range(50)))
    for _ in range(30):
        bench.pass_time(minutes=60 * 24)
        assert bench.clockwork.run_due() == 0
    bench.clockwork.request(target_of(SCOPE))
    assert bench.clockwork.run_due() == 1
    assert bench.told()[-1] == (target_of(SCOPE).name, "finished", "request")


def test_a_closed_conversation_brings_its_pass(bench: ClockBench) -> None:
    bench.outlive_first_day()
    room = bench.world.a_conversation()
    bench.world.person.conversations.idle(WORKSPACE_ID, room.id)
    scope = ScopeKey.conversation(WORKSPACE_ID, room.id)
    bench.keep(a_memory("late", scope=scope))
    bench.clockwork.run_due()
    assert ("conversation_close", "finished", "event") in bench.told()
    assert bench.world.active(scope) == []


def test_in_its_first_day_nothing_of_a_world_is_set_aside_unasked(bench: ClockBench) -> None:
    bench.clockwork.run_due()
    room = bench.world.a_conversation()
    bench.world.person.conversations.idle(WORKSPACE_ID, room.id)
    late = ScopeKey.conversation(WORKSPACE_ID, room.id)
    bench.keep(a_memory("late", scope=late))
    bench.keep(*(a_memory("The same words") for _ in range(50)))
    bench.seconds += 24 * 3600  # nobody is there
    for _ in range(23):
        bench.world.clock.advance(hours=1)
        bench.clockwork.run_due()
    assert {name for name, _, _ in bench.told()} == {"backfill"}
    assert len(bench.world.active(late)) == 1
    due = {one.target.kind: one.next_due_at for one in bench.clockwork.status().tasks}
    assert due[TaskKind.CONVERSATION_CLOSE] == NOON + timedelta(days=1)
    bench.world.clock.advance(hours=1)
    bench.clockwork.run_due()
    assert bench.world.active(late) == []


def test_in_its_first_day_a_person_may_still_ask(bench: ClockBench) -> None:
    bench.keep(a_memory("The same words"), a_memory("The same words"))
    bench.clockwork.request(target_of(SCOPE))
    bench.clockwork.run_due()
    assert (target_of(SCOPE).name, "finished", "request") in bench.told()
    assert len(bench.world.active(SCOPE)) == 1


def test_while_paused_nothing_begins(bench: ClockBench) -> None:
    bench.clockwork.pause()
    status = bench.clockwork.status()
    assert status.is_paused
    bench.clockwork.resume()
    assert not bench.clockwork.status().is_paused


def test_a_large_consolidation_waits_for_a_persons_word(world: World) -> None:
    bench = ClockBench(world, BackgroundConfig(prune=PruneMode.PRUNE))
    long_ago = NOON - timedelta(days=200)
    bench.keep(*(a_memory(f"old {n}", created_at=long_ago) for n in range(25)))
    bench.world.embedder.is_available = False
    target = target_of(SCOPE)
    # The newest sign of life must not be a year away for pruning to be planned at all.
    bench.clockwork.request(target)
    bench.clockwork.run_due()
    shown = {one.target: one for one in bench.clockwork.status().tasks}[target]
    assert (shown.phase, shown.problem) == (TaskPhase.STOPPED, "large")
    assert shown.counts == {"forgetting": 25, "memories": 25}


def test_work_held_elsewhere_is_tried_again_when_its_lease_ends(bench: ClockBench) -> None:
    target = target_of(SCOPE)
    with bench.world.store.write(WORKSPACE_ID, initiator="other") as unit:
        unit.tasks.hold(target.name, "other process", bench.world.clock(), 60.0)
        unit.commit()
    bench.keep(a_memory())
    bench.clockwork.request(target)
    bench.clockwork.run_due()
    shown = {one.target: one for one in bench.clockwork.status().tasks}[target]
    assert shown.phase is TaskPhase.WAITING
    assert shown.next_due_at == bench.world.clock() + timedelta(seconds=60)


def test_a_bug_in_one_task_stops_no_other(bench: ClockBench) -> None:
    bench.keep(a_memory(), a_memory(scope=ScopeKey.account()))

    def broken(*_: object, **__: object) -> None:
        raise AssertionError

    bench.clockwork.work = Work(stood_in(bench.inklings, use_cases={"consolidation.run": broken}))
    bench.clockwork.request(target_of(SCOPE))
    bench.pass_time(minutes=1)
    bench.clockwork.run_due()
    failed = [one.status for one in bench.news if one.what == "failed"]
    assert [one.problem for one in failed] == ["bug"]
    assert without_vector(bench) == 0


def test_a_workspace_that_is_gone_is_forgotten(bench: ClockBench) -> None:
    bench.clockwork.run_due()
    assert TaskTarget(TaskKind.BACKFILL, WORKSPACE_ID) in {
        one.target for one in bench.clockwork.status().tasks
    }
    bench.world.directory.discard(WORKSPACE_ID)
    bench.clockwork._dirty.add(WORKSPACE_ID)
    bench.clockwork.run_due()
    assert {one.target.workspace_id for one in bench.clockwork.status().tasks} == {None}


def test_long_work_rests_between_its_steps(bench: ClockBench) -> None:
    rests: list[float] = []
    clockwork = bench.clockwork
    clockwork.rest = lambda: rests.append(bench.seconds)
    bench.keep(*(a_memory(f"text {n}") for n in range(120)))
    clockwork.request(BACKFILL)
    clockwork.run_due()
    assert rests == [0.0]  # no time passes here
    bench.keep(*(a_memory(f"more {n}") for n in range(120)))
    ticks = count(1)
    clockwork.monotonic = lambda: next(ticks) * REST_EVERY_SECONDS
    clockwork.request(BACKFILL)
    clockwork.run_due()
    assert len(rests) > 3


def test_beside_an_open_window_the_work_is_left_to_the_windows_clock(world: World) -> None:
    bench = ClockBench(world, yields_to_window=True, has_window=True)
    bench.keep(a_memory("A gull"))
    bench.pass_time(minutes=2)
    bench.clockwork.run_due()
    assert without_vector(bench) == 1
    bench.has_window = False
    bench.pass_time(minutes=31)
    bench.clockwork.run_due()
    assert without_vector(bench) == 0


def test_a_change_under_memory_brings_a_consolidation_once_it_settled_and_the_person_is_away(
    bench: ClockBench,
) -> None:
    bench.outlive_first_day()
    found_at = bench.world.clock()
    with bench.world.store.write(WORKSPACE_ID, initiator="test") as unit:
        unit.world.save_retcon(
            Retcon("r", "isles", "Nerys.md", "b", "changed", b"b" * 16, "Green.", found_at,
                   RetconState.OPEN)
        )  # fmt: skip
        unit.commit()
    bench.keep(a_memory("Nerys has grey eyes."))  # what comes from the page is written as well
    name = target_of(SCOPE).name
    bench.clockwork.note_activity()
    for minutes in (0.9, 1.0):  # too fresh, then too busy
        bench.pass_time(minutes=minutes)
        bench.clockwork.run_due()
        assert not [one for one in bench.told() if one[0] == name]
    bench.pass_time(minutes=0.2)
    bench.clockwork.run_due()
    assert (name, "finished", "event") in bench.told()
    bench.pass_time(minutes=10)
    bench.clockwork.run_due()
    assert not [one for one in bench.told() if one[0] == name], "one run for each change"
