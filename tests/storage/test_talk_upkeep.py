"""What agents leave behind is made small again by age, by state and by size."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.rooms.messages import TalkRun
from inklings_desktop.domain.rooms.retention import MAX_TRACE_DETAIL_BYTES
from inklings_desktop.storage.rows.memories import to_ms
from tests.support.builders import NOON, WORKSPACE_ID, a_channel, a_conversation, a_message
from tests.support.sqlite_store import SqliteWorld, raw, sqlite_world

HALF = MAX_TRACE_DETAIL_BYTES // 2


@pytest.fixture
def world(tmp_path: Path) -> Iterator[SqliteWorld]:
    """A workspace with one conversation in each state, named after it."""
    with sqlite_world(tmp_path) as world:
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.conversations.add_channel(a_channel("general", channel_id="ch"))
            for number, state in enumerate(ConversationState):
                over = None if state is ConversationState.ACTIVE else NOON
                talk = a_conversation(
                    "ch",
                    conversation_id=state.value,
                    ref_code=f"R8VX4ip1w{number:02d}",
                    state=state,
                    ended_at=over,
                )
                unit.conversations.add(talk, [])
            unit.commit()
        yield world


def put(world: SqliteWorld, table: str, *values: object) -> None:
    places = ", ".join("?" * len(values))
    with raw(world.path(WORKSPACE_ID)) as connection:
        connection.execute(f"INSERT INTO {table} VALUES ({places})", values)  # noqa: S608  ours


def a_run(world: SqliteWorld, id_: str, talk: str, at: datetime, state: str = "finished") -> None:
    ended_at = None if state == "running" else to_ms(at)
    put(
        world, "runs", id_, talk, None, "orchestrator", None, state, "act", to_ms(at), ended_at,
        None, None, 0, 0, 0, None, None, 0, "",
    )  # fmt: skip


def a_trace(world: SqliteWorld, run_id: str, step: int, at: datetime, detail: bytes) -> None:
    put(world, "run_traces", run_id, step, "act", "tool", "{}", detail, to_ms(at))


def thinned(world: SqliteWorld, workspace_id: str | None = WORKSPACE_ID) -> dict[str, int]:
    with world.store.write(workspace_id, initiator="clock") as unit:
        counts = unit.talk_upkeep.thin(NOON)
        unit.commit()
    return counts


def column(world: SqliteWorld, asked: str) -> list[object]:
    with raw(world.path(WORKSPACE_ID)) as connection:
        return [row[0] for row in connection.execute(asked)]


def test_an_idle_conversation_keeps_its_newest_checkpoint_and_an_archived_one_none(
    world: SqliteWorld,
) -> None:
    for state in ConversationState:
        for ns in ("", "task"):
            for point in ("c1", "c2", "c3"):
                put(world, "run_checkpoints", state.value, ns, point, None, 1, b"{}", b"{}")
                put(world, "run_writes", state.value, ns, point, "task", 0, "turn", b"{}")
    assert thinned(world) == {"checkpoints": 10}
    for table in ("run_checkpoints", "run_writes"):
        asked = f"SELECT thread_id || checkpoint_id FROM {table} ORDER BY 1"  # noqa: S608  ours
        kept = column(world, asked)
        assert kept == [
            *(f"active{one}" for one in ("c1", "c1", "c2", "c2", "c3", "c3")), "idlec3", "idlec3",
        ]  # fmt: skip
    assert thinned(world) == {}


def test_runs_go_after_half_a_year_and_details_after_a_fortnight(world: SqliteWorld) -> None:
    for id_, days in (("old", 181), ("middle", 15), ("new", 13)):
        a_run(world, id_, "active", NOON - timedelta(days=days))
        a_trace(world, id_, 1, NOON - timedelta(days=days), b"what went in")
    assert thinned(world) == {"runs": 1, "trace_details": 1}
    assert column(world, "SELECT id FROM runs ORDER BY id") == ["middle", "new"]
    assert column(world, "SELECT run_id FROM run_traces ORDER BY run_id") == ["middle", "new"]
    assert column(world, "SELECT run_id FROM run_traces WHERE detail IS NOT NULL") == ["new"]


def test_the_oldest_details_go_first_where_there_are_too_many(world: SqliteWorld) -> None:
    a_run(world, "run", "active", NOON)
    for step in (1, 2, 3):
        a_trace(world, "run", step, NOON - timedelta(hours=3 - step), bytes(HALF))
    assert thinned(world) == {"trace_details": 1}
    assert column(world, "SELECT step FROM run_traces WHERE detail IS NOT NULL") == [2, 3]


@pytest.mark.parametrize("file", [WORKSPACE_ID, None], ids=["workspace", "account"])
def test_keys_of_writes_go_after_a_week(world: SqliteWorld, file: str | None) -> None:
    with raw(world.path(file)) as connection:
        for key, days in (("old", 8), ("new", 6)):
            at = to_ms(NOON - timedelta(days=days))
            row = ("loom", key, "memory_put", "0" * 64, "[]", at)
            connection.execute("INSERT INTO request_keys VALUES (?, ?, ?, ?, ?, ?)", row)
    assert thinned(world, file) == {"request_keys": 1}
    with raw(world.path(file)) as connection:
        assert connection.execute("SELECT key FROM request_keys").fetchall() == [("new",)]


def test_a_list_of_talk_says_how_the_latest_turn_stands(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        for state in ConversationState:
            unit.messages.append(a_message(state.value))
        unit.commit()
    a_run(world, "earlier", "active", NOON - timedelta(hours=1), "parked")
    a_run(world, "later", "active", NOON, "running")
    a_run(world, "parked", "idle", NOON, "parked")
    put(world, "leases", "run:active", "sidecar", to_ms(NOON), to_ms(NOON) + 60_000)

    def stands(at: datetime) -> dict[str, TalkRun]:
        with world.store.read(WORKSPACE_ID) as view:
            heads = view.messages.heads(at)
        assert {one.conversation_id: one.state.value for one in heads} == {
            state.value: state.value for state in ConversationState
        }
        return {one.conversation_id: one.run for one in heads}

    interrupted, none = TalkRun.INTERRUPTED, TalkRun.NONE
    assert stands(NOON) == {"active": TalkRun.RUNNING, "idle": interrupted, "archived": none}
    later = NOON + timedelta(minutes=2)
    assert stands(later)["active"] is interrupted, "its lease ran out: nobody is at work on it"
