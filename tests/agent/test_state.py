from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import pytest
from langgraph.types import Command

from inklings_desktop.agent.graph.state import (
    CURRENT,
    MAX_HISTORY_BYTES,
    MAX_SCRATCH_BYTES,
    STATE_VERSION,
    Object,
    Objects,
    StateMigrations,
    TurnState,
    add_history,
    add_results,
    add_spent,
    begun,
    cleared,
    fits_scratch,
    is_sound,
    merge_scratch,
    merge_tasks,
    replaced,
    unite_touched,
)
from tests.support.run_states import THREAD, Bench, a_bench
from tests.support.sqlite_store import raw

LASTING = {"history", "compact", "state_version"}


def said(text: str) -> Object:
    return {"role": "user", "parts": [{"kind": "text", "text": text}]}


def texts(history: Objects) -> list[str]:
    return [part["text"] for one in history for part in one["parts"]]


def test_annotations_resolve() -> None:
    assert get_type_hints(TurnState, include_extras=True).keys() == TurnState.__annotations__.keys()


def test_a_turn_begins_and_ends_with_nothing_of_another() -> None:
    assert cleared().keys() == TurnState.__annotations__.keys() - LASTING
    assert begun({"id": "t2"}) == cleared() | {"turn": {"id": "t2"}, "state_version": STATE_VERSION}
    assert cleared()["spent"] == replaced({})


def test_history_grows_at_its_end_and_goes_at_its_beginning() -> None:
    history: Objects = []
    for number in range(60):
        history = add_history(history, [said(f"{number:03}" * 300)])

    kept = texts(history)
    assert kept == [f"{number:03}" * 300 for number in range(60 - len(kept), 60)]
    assert 10 < len(kept) < 20
    assert sum(one["bytes"] for one in history) <= MAX_HISTORY_BYTES


def test_of_what_is_longer_than_all_there_is_room_for_only_its_place_is_kept() -> None:
    history = add_history([], [said("early")])
    history = add_history(history, [said("x" * MAX_HISTORY_BYTES) | {"message": "m2"}])

    assert texts(history) == ["early"]
    assert history[-1] == {
        "role": "user", "parts": [], "message": "m2", "bytes": 0, "is_cut": True,
    }  # fmt: skip


def test_the_scratchpad_takes_what_fits() -> None:
    full = merge_scratch({"a": 1}, {"b": "x" * MAX_SCRATCH_BYTES, "c": 2, "a": 3})

    assert full == {"a": 3, "c": 2}
    assert fits_scratch(full, {"d": "x" * 1000})
    assert not fits_scratch(full, {"d": "x" * MAX_SCRATCH_BYTES})


def test_channels_merge_as_they_should() -> None:
    assert add_results([{"call": 1}], [{"call": 2}]) == [{"call": 1}, {"call": 2}]
    assert add_spent({"steps": 1, "ms": 2}, {"steps": 2, "input": 5}) == {
        "steps": 3, "ms": 2, "input": 5,
    }  # fmt: skip
    assert merge_tasks(
        [{"id": "a", "brief": "b"}], [{"id": "b"}, {"id": "a", "state": "done"}]
    ) == [
        {"id": "a", "brief": "b", "state": "done"},
        {"id": "b"},
    ]
    read, written = {"id": "m", "how": "read", "version": 1}, {"id": "m", "how": "written"}
    assert unite_touched([read], [written, read | {"version": 2}]) == [
        read | {"version": 2},
        written,
    ]


@pytest.mark.parametrize("merge", [add_history, add_results, merge_tasks, unite_touched])
def test_what_a_channel_held_is_left_as_it_was(merge: object) -> None:
    held = [{"id": "a", "how": "read", "bytes": 3}]
    assert callable(merge)

    merge(held, [{"id": "a", "how": "read", "version": 2}])

    assert held == [{"id": "a", "how": "read", "bytes": 3}]


def test_a_sound_state_is_told_from_another() -> None:
    assert is_sound({})
    assert is_sound({"turn": None, "history": add_history([], [said("a")]), "spent": {"ms": 1.5}})
    assert not is_sound({"spent": {"ms": "1"}})


LATER = STATE_VERSION + 1


def with_another_id(values: Object) -> Object:
    """The calls of this version are the calls of the next, under other ids."""
    calls = [one | {"id": f"next-{one['id']}"} for one in values["calls"]]
    return values | {"calls": calls}


NEXT = StateMigrations(LATER, {STATE_VERSION: with_another_id})


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with a_bench(tmp_path) as bench:
        yield bench


def test_state_migration(bench: Bench) -> None:
    asyncio.run(bench.talk().begin())
    later = bench.talk(migrations=NEXT)

    asked = asyncio.run(later.say())
    said = asyncio.run(later.say(Command(resume="once")))

    assert not asyncio.run(later.saver.is_parked(THREAD))
    assert [one.value for one in asked["__interrupt__"]] == [{"call": "next-c1"}]
    assert later.visited == ["decide", "decide", "persist"]
    assert [one["told"] for one in said["history"]] == ["once"]
    newest = bench.runs.checkpoint(THREAD, "")
    assert newest is not None
    assert newest.state_version == LATER


def test_a_state_that_was_not_gone_on_with_is_left_as_it_was(bench: Bench) -> None:
    asyncio.run(bench.talk().begin())
    before = bench.runs.checkpoints(THREAD)

    standing = asyncio.run(bench.talk(migrations=NEXT).standing())

    assert standing.values["state_version"] == LATER
    assert bench.runs.checkpoints(THREAD) == before


@pytest.mark.parametrize("version", [0, LATER, 99, -1])
def test_an_unknown_form_is_parked_and_the_thread_opens(bench: Bench, version: int) -> None:
    asyncio.run(bench.talk().begin())
    with raw(bench.path) as connection:
        connection.execute("UPDATE run_checkpoints SET state_version = ?", (version,))
    talk = bench.talk()

    assert asyncio.run(talk.saver.is_parked(THREAD))
    standing = asyncio.run(talk.standing())
    asyncio.run(talk.begin("t2"))

    assert (standing.next, standing.values) == ((), {})
    assert talk.visited == ["plan", "decide"]
    assert not asyncio.run(talk.saver.is_parked(THREAD))


def test_what_an_earlier_form_never_held_is_parked(bench: Bench) -> None:
    with pytest.raises(KeyError):
        asyncio.run(bench.talk(planning={"calls": [{"name": "without an id"}]}).begin())
    later = bench.talk(migrations=NEXT)

    assert asyncio.run(later.saver.is_parked(THREAD))


def test_every_way_leads_to_the_form_in_use() -> None:
    assert CURRENT.version == STATE_VERSION
    assert set(CURRENT.steps) == set(range(1, STATE_VERSION))
    assert CURRENT.migrated({"turn": None}, STATE_VERSION) == {"turn": None}
