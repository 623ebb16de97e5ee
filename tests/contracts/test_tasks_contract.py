"""Leases, runs, marks and golden questions: the same promises in SQLite and in memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from inklings_desktop.domain.background.golden import (
    GoldenAnswer,
    GoldenBasis,
    GoldenCause,
    GoldenQuestion,
    GoldenRecord,
)
from inklings_desktop.domain.background.tasks import (
    KeptPair,
    PairState,
    RunState,
    RunStep,
    StepKind,
    TaskKind,
    TaskRun,
    TaskState,
    TaskTarget,
)
from inklings_desktop.domain.errors import (
    AlreadyRunningError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.usecases.ports.store import Store
from tests.contracts.memory_steps import CHANNEL, LATER, SCOPE
from tests.support.builders import NOON, WORKSPACE_ID

BACKFILL = TaskTarget(TaskKind.BACKFILL, WORKSPACE_ID)
TIDYING = TaskTarget(TaskKind.CONSOLIDATION, WORKSPACE_ID, SCOPE)
DAYS_PER_YEAR = 365
ONE, OTHER = b"8 bytes.", b"8 others"


def hold(store: Store, holder: str, at: datetime) -> None:
    with store.write(WORKSPACE_ID, initiator="clock") as unit:
        unit.tasks.hold(TIDYING.name, holder, at, 60.0)
        unit.commit()


def test_a_lease_keeps_everybody_else_out_until_it_runs_out(store: Store) -> None:
    hold(store, "one", NOON)
    hold(store, "one", NOON + timedelta(seconds=30))
    with pytest.raises(AlreadyRunningError) as caught:
        hold(store, "two", NOON + timedelta(seconds=89))
    assert caught.value.until == NOON + timedelta(seconds=90)
    hold(store, "two", NOON + timedelta(seconds=90))
    with pytest.raises(AlreadyRunningError):
        hold(store, "one", NOON + timedelta(seconds=91))


def test_a_lease_that_is_given_back_is_free_and_nobody_gives_back_another_ones(
    store: Store,
) -> None:
    hold(store, "one", NOON)
    with store.write(WORKSPACE_ID, initiator="clock") as unit:
        unit.tasks.release(TIDYING.name, "two")
        unit.commit()
    with pytest.raises(AlreadyRunningError):
        hold(store, "two", NOON)
    with store.write(WORKSPACE_ID, initiator="clock") as unit:
        unit.tasks.release(TIDYING.name, "one")
        unit.commit()
    hold(store, "two", NOON)


def test_a_lease_from_the_future_does_not_hold_when_the_clock_was_set_back(store: Store) -> None:
    hold(store, "one", NOON)
    set_back = NOON - timedelta(days=10 * DAYS_PER_YEAR)
    hold(store, "two", set_back)
    with pytest.raises(AlreadyRunningError):
        hold(store, "one", set_back)  # it is the second's now
    far = NOON + timedelta(days=100 * DAYS_PER_YEAR)
    hold(store, "three", far)
    with pytest.raises(AlreadyRunningError):
        hold(store, "two", far)


def test_leases_of_other_names_and_files_are_apart(store: Store) -> None:
    hold(store, "one", NOON)
    with store.write(WORKSPACE_ID, initiator="clock") as unit:
        unit.tasks.hold(BACKFILL.name, "two", NOON, 60.0)
        unit.commit()
    with store.write(None, initiator="clock") as unit:
        unit.tasks.hold(TIDYING.name, "two", NOON, 60.0)
        unit.commit()
    for workspace_id, task in ((WORKSPACE_ID, TIDYING), (WORKSPACE_ID, BACKFILL), (None, TIDYING)):
        with (
            pytest.raises(AlreadyRunningError),
            store.write(workspace_id, initiator="clock") as unit,
        ):
            unit.tasks.hold(task.name, "another", NOON, 60.0)


def test_runs_are_kept_newest_first_and_found_by_the_beginning_of_their_id(store: Store) -> None:
    first = TaskRun("aaaa-1", BACKFILL, "interval", RunState.RUNNING, NOON)
    second = TaskRun("aaaa-2", TIDYING, "request", RunState.RUNNING, LATER)
    with store.write(WORKSPACE_ID, initiator="clock") as unit:
        unit.tasks.put_run(first)
        unit.tasks.put_run(second)
        unit.commit()
    done = TaskRun(
        "aaaa-1", BACKFILL, "interval", RunState.FINISHED, NOON, LATER, {"embedded": 50}, ""
    )
    with store.write(WORKSPACE_ID, initiator="clock") as unit:
        unit.tasks.put_run(done)
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.tasks.runs(5) == (second, done)
        assert view.tasks.runs(1) == (second,)
        assert view.tasks.run("aaaa-2") == second
        assert view.tasks.unfinished(TIDYING) == second
        assert view.tasks.unfinished(BACKFILL) is None
        with pytest.raises(InvalidValueError) as caught:
            view.tasks.run("aaaa")
        assert caught.value.rule == "ambiguous"
        with pytest.raises(InvalidValueError):
            view.tasks.run("aaa")
        with pytest.raises(NotFoundError):
            view.tasks.run("bbbb")


def test_steps_and_states_come_back_as_they_were(store: Store) -> None:
    steps = (
        RunStep("run", "m1", StepKind.MERGED, 1),
        RunStep("run", "m2", StepKind.PARENT, 2, "m1"),
    )
    state = TaskState(NOON, LATER, LATER, 12, 34, "model")
    with store.write(WORKSPACE_ID, initiator="clock") as unit:
        assert unit.tasks.state(TIDYING) is None
        unit.tasks.add_steps(steps)
        unit.tasks.put_state(TIDYING, TaskState(NOON))
        unit.tasks.put_state(TIDYING, state)
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert set(view.tasks.steps("run")) == set(steps)
        assert view.tasks.steps("other") == ()
        assert view.tasks.state(TIDYING) == state
        assert view.tasks.state(BACKFILL) is None


def test_kept_pairs_are_replaced_as_a_whole_per_scope_key(store: Store) -> None:
    weak = KeptPair("a", "b", ONE, ONE, 0.96)
    strong = KeptPair("a", "c", ONE, OTHER, 0.99, PairState.SKIPPED)
    with store.write(WORKSPACE_ID, initiator="clock") as unit:
        unit.tasks.keep_pairs(SCOPE, [KeptPair("x", "y", ONE, ONE, 0.97)])
        unit.tasks.keep_pairs(SCOPE, [weak, strong])
        unit.tasks.keep_pairs(CHANNEL, [weak])
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.tasks.kept_pairs(SCOPE) == (strong, weak)
        assert view.tasks.kept_pairs(CHANNEL) == (weak,)


def test_how_a_question_fared_is_kept_until_it_is_saved_again(store: Store) -> None:
    one = GoldenQuestion("q1", SCOPE, "Who fears the sea?", ("m1", "m3"), ("m2",), NOON)
    other = GoldenQuestion("q2", CHANNEL, "Why?", (), ("m",), LATER)
    answer = GoldenAnswer(one, ("m1",), (), {"m3": 2}, ("m8", "m3"))
    record = GoldenRecord(
        answer, LATER, GoldenCause.CONSOLIDATION, GoldenBasis(0.995, "model"), NOON,
        GoldenCause.IMPORT, "run",
    )  # fmt: skip
    stranger = replace(record, answer=GoldenAnswer(replace(other, question="Where?")))
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.golden.add(one)
        unit.golden.add(other)
        assert unit.golden.records() == {}
        unit.golden.put_records([record, stranger])
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.golden.records() == {"q1": record}
        assert view.golden.records(CHANNEL) == {}
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.golden.add(replace(one, question="Who loves the sea?"))
        assert unit.golden.records() == {}
        unit.golden.put_records([record])
        assert unit.golden.records() == {}
        unit.commit()


def test_golden_questions_are_kept_replaced_and_deleted(store: Store) -> None:
    one = GoldenQuestion("q1", SCOPE, "Who fears the sea?", ("m1",), ("m2",), NOON)
    other = GoldenQuestion("q2", ScopeKey.channel(WORKSPACE_ID, "c"), "Why?", (), ("m",), LATER)
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.golden.add(GoldenQuestion("q1", SCOPE, "Who?", ("m9",), (), NOON))
        unit.golden.add(other)
        unit.golden.add(one)
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.golden.questions() == (one, other)
        assert view.golden.questions(SCOPE) == (one,)
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.golden.delete("q1")
        with pytest.raises(NotFoundError):
            unit.golden.delete("q1")
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.golden.questions() == (other,)
