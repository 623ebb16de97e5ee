"""What the graph asks of its saver: LangGraph's own cases, and what it does not ask about."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.types import Command

from inklings_desktop.agent.graph.saver import RunStateSaver
from inklings_desktop.agent.graph.serialising import FormerError, UnstorableStateError
from inklings_desktop.domain.errors import ConflictError
from inklings_desktop.domain.runs.run_rows import KEPT_CHECKPOINTS
from tests.support.run_states import THREAD, Bench, a_bench
from tests.support.sqlite_store import raw

BASE_CASES = {"put": 17, "put_writes": 10, "get_tuple": 10, "list": 16, "delete_thread": 5}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with a_bench(tmp_path) as bench:
        yield bench


def test_saver_conformance(bench: Bench) -> None:
    async def savers() -> AsyncIterator[RunStateSaver]:
        yield bench.saver()

    report = asyncio.run(validate(checkpointer_test(name="ours")(savers)))

    results = {name: report.results[name] for name in BASE_CASES}
    assert [one.failures for one in results.values()] == [[]] * len(results)
    assert {name: one.tests_passed for name, one in results.items()} == BASE_CASES


def test_a_question_outlasts_the_process(bench: Bench) -> None:
    asked = asyncio.run(bench.talk().begin())
    later = bench.talk()

    standing = asyncio.run(later.standing())
    answered = asyncio.run(later.say(Command(resume={"option": "once"})))

    assert [one.value for one in asked["__interrupt__"]] == [{"call": "c1"}]
    assert standing.next == ("decide",)
    assert standing.interrupts == tuple(asked["__interrupt__"])
    assert later.visited == ["decide", "persist"]
    (said,) = answered["history"]
    assert said["told"] == {"option": "once"}
    assert answered["calls"] == answered["results"] == []


def test_only_the_newest_eight_are_kept_and_what_was_written_after_them(bench: Bench) -> None:
    async def turns() -> None:
        talk = bench.talk()
        for number in range(4):
            await talk.begin(f"t{number}")
            await talk.say(Command(resume=number))

    asyncio.run(turns())

    kept = {one.checkpoint_id for one in bench.runs.checkpoints(THREAD, "")}
    assert len(kept) == KEPT_CHECKPOINTS
    with raw(bench.path) as connection:
        written = {id_ for (id_,) in connection.execute("SELECT checkpoint_id FROM run_writes")}
    assert written < kept


def test_threads_do_not_see_each_other(bench: Bench) -> None:
    async def both() -> tuple[Any, Any]:
        talk = bench.talk()
        await asyncio.gather(talk.begin("t1", "one"), talk.begin("t1", "two"))
        await talk.say(Command(resume="a"), "one")
        return await talk.standing("one"), await talk.standing("two")

    one, two = asyncio.run(both())

    assert (one.next, two.next) == ((), ("decide",))
    assert [said["told"] for said in one.values["history"]] == ["a"]
    assert two.values["history"] == []


def test_what_was_stored_last_is_the_newest_though_the_clock_was_set_back(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(bench.talk().begin())
    before = bench.runs.checkpoint(THREAD, "")
    monkeypatch.setattr("langgraph.checkpoint.base.id._last_v6_timestamp", None)
    monkeypatch.setattr("langgraph.checkpoint.base.id.time.time_ns", lambda: 10**18)

    said = asyncio.run(bench.talk().say(Command(resume="later")))

    newest = bench.runs.checkpoint(THREAD, "")
    assert before is not None
    assert newest is not None
    assert newest.checkpoint_id < before.checkpoint_id
    assert [one["told"] for one in said["history"]] == ["later"]
    assert asyncio.run(bench.talk().standing()).next == ()


def test_a_turn_whose_conversation_is_scrubbed_leaves_nothing_behind(bench: Bench) -> None:
    talk = bench.talk(answering=lambda: bench.runs.delete_thread(THREAD))
    asyncio.run(talk.begin())

    with pytest.raises(ConflictError):
        asyncio.run(talk.say(Command(resume="said before the scrub")))

    assert talk.visited[-1] == "persist"
    assert bench.runs.checkpoints() == ()


def test_what_is_no_state_is_refused_and_the_next_turn_works(bench: Bench) -> None:
    broken = bench.talk(planning={"context": {"when": threading.Lock()}})

    with pytest.raises(UnstorableStateError) as refused:
        asyncio.run(broken.begin())
    later = bench.talk()
    asyncio.run(later.begin("t2"))

    assert refused.value.kind == "lock"
    assert later.visited == ["plan", "decide"]


def test_of_an_exception_only_its_class_is_kept(bench: Bench) -> None:
    def fail() -> None:
        raise ValueError("a sentence that quotes a memory")

    talk = bench.talk(answering=fail)
    asyncio.run(talk.begin())
    with pytest.raises(ValueError, match="quotes"):
        asyncio.run(talk.say(Command(resume=1)))

    newest = bench.runs.checkpoint(THREAD, "")
    assert newest is not None
    written = bench.runs.writes(THREAD, "", newest.checkpoint_id)
    assert [one.channel for one in written] == ["__error__"]
    assert b"ValueError" in written[0].body
    assert b"quotes" not in written[0].body
    found = asyncio.run(talk.saver.aget_tuple({"configurable": {"thread_id": THREAD}}))
    assert found is not None
    assert found.pending_writes is not None
    ((_, _, error),) = found.pending_writes
    assert isinstance(error, FormerError)
    assert error.args == ("ValueError",)


def test_a_step_is_kept_though_another_program_writes_just_then(bench: Bench) -> None:
    """The loop does not wait for it, and whoever is cancelled meanwhile loses nothing."""

    async def turn() -> tuple[int, bool]:
        talk, n_ticks = bench.talk(), 0
        with raw(bench.path) as other:
            other.execute("BEGIN IMMEDIATE")
            begun = asyncio.create_task(talk.begin())
            while n_ticks < 20:
                await asyncio.sleep(0.01)
                n_ticks += 1
            was_waiting = not begun.done()
            other.execute("ROLLBACK")
        await begun
        return n_ticks, was_waiting

    assert asyncio.run(turn()) == (20, True)
    assert len(bench.runs.checkpoints(THREAD, "")) == 3
