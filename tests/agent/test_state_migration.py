"""A state of an earlier form goes on where it was; one of an unknown form is parked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from langgraph.types import Command

from inklings_desktop.agent.graph.state import CURRENT, STATE_VERSION, StateMigrations
from tests.support.run_states import THREAD, a_bench
from tests.support.sqlite_store import raw

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.agent.graph.state import Object
    from tests.support.run_states import Bench

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
