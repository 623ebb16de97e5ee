from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.rows.memories import entry_values
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, raw

Refused = sqlite_module().IntegrityError


def insert(connection: sqlite3.Connection, table: str, values: dict[str, Any]) -> None:
    names = ", ".join(values)
    marks = ", ".join("?" * len(values))
    statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608  names of ours
    connection.execute(statement, tuple(values.values()))


def a_row(**changes: Any) -> dict[str, Any]:
    return entry_values(a_memory(sequence=1), 1) | changes


def an_account_row(**changes: Any) -> dict[str, Any]:
    return entry_values(a_memory(scope=ScopeKey.account(), sequence=1), 1) | changes


def test_a_sound_row_is_accepted(world: SqliteWorld) -> None:
    with raw(world.path()) as connection:
        insert(connection, "memories", a_row())
        insert(
            connection,
            "memories",
            a_row(sequence=2, id="c", tier="conversation", scope_key="c1", lifetime="conversation"),
        )
        (count,) = connection.execute("SELECT count(*) FROM memories").fetchone()

    assert count == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"tier": "account", "scope_key": "account"},
        {"tier": "server"},
        {"tier": None},
        {"scope_key": ""},
        {"scope_key": "another-workspace"},
        {"tier": "conversation", "scope_key": "c1"},
        {"lifetime": "conversation"},
        {"lifetime": "for ever"},
        {"curator": "server"},
        {"imported_curator": "server"},
        {"importance": 1.2},
        {"importance": -0.1},
        {"importance": float("nan")},
        {"importance": float("inf")},
        {"importance": "much"},
        {"importance": None},
        {"content": ""},
        {"content": "x" * 65_537},
        {"content": b"bytes"},
        {"tags": "a, b"},
        {"tags": '"a"'},
        {"derived_from": "{}"},
        {"created_at": "2026-03-14"},
        {"created_at": 1.5},
        {"created_at": None},
        {"accessed_at": "yesterday"},
        {"access_count": -1},
        {"access_count": 1.5},
        {"version": 0},
        {"pinned": 2},
        {"forgotten_reason": "cap"},
        {"successor_id": "x"},
    ],
)
def test_a_wrong_row_is_refused_in_a_workspace_file(
    world: SqliteWorld, changes: dict[str, Any]
) -> None:
    with raw(world.path()) as connection, pytest.raises(Refused):
        insert(connection, "memories", a_row(**changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"tier": "workspace", "scope_key": WORKSPACE_ID},
        {"tier": "channel", "scope_key": "map-room"},
        {"tier": "conversation", "scope_key": "c1", "lifetime": "conversation"},
        {"scope_key": "someone"},
        {"source_conversation": "c1"},
        {"derived_from": '[["Harbour", ""]]'},
    ],
)
def test_a_wrong_row_is_refused_in_the_account_file(
    world: SqliteWorld, changes: dict[str, Any]
) -> None:
    with raw(world.path(None)) as connection:
        with pytest.raises(Refused):
            insert(connection, "memories", an_account_row(**changes))
        insert(connection, "memories", an_account_row())


@pytest.mark.parametrize(
    "change",
    [
        "tier = 'channel'",
        "scope_key = 'elsewhere'",
        "id = 'another'",
        "sequence = 99",
        "tier = 'account', scope_key = 'account'",
    ],
)
def test_a_memory_never_changes_its_place(world: SqliteWorld, change: str) -> None:
    with raw(world.path()) as connection:
        insert(connection, "memories", a_row())

        with pytest.raises(Refused):
            connection.execute(f"UPDATE memories SET {change}")  # noqa: S608  cases of this test


@pytest.mark.parametrize(
    "statement",
    ["UPDATE meta SET kind = 'account'", "UPDATE meta SET workspace_id = 'x'", "DELETE FROM meta"],
)
def test_a_file_never_changes_its_identity(world: SqliteWorld, statement: str) -> None:
    with raw(world.path()) as connection, pytest.raises(Refused):
        connection.execute(statement)


def test_a_file_has_one_identity(world: SqliteWorld) -> None:
    with raw(world.path()) as connection, pytest.raises(Refused):
        connection.execute("INSERT INTO meta SELECT 2, kind, 'x', 0, 0, 0 FROM meta")


@pytest.fixture
def logged(world: SqliteWorld) -> SqliteWorld:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        for _ in range(3):
            unit.events.append(EventDraft(EventKind.DENIED, "researcher", "agent", "mcp"), NOON)
        unit.commit()
    return world


OTHERS = "at, kind, actor, actor_kind, door, tier, scope_key, ids, counts, marks, chain_hash"


@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE events SET kind = 'x'",
        "UPDATE events SET kind = 'x' WHERE seq = 2",
        "UPDATE OR IGNORE events SET kind = 'x'",
        "UPDATE OR REPLACE events SET seq = 3 WHERE seq = 2",
        "UPDATE events SET rowid = 9 WHERE seq = 2",
        "DELETE FROM events",
        "DELETE FROM events WHERE seq = 3",
        "INSERT OR REPLACE INTO events SELECT seq, {others} FROM events WHERE seq = 2",
        "REPLACE INTO events SELECT seq, {others} FROM events WHERE seq = 3",
        "INSERT OR IGNORE INTO events SELECT seq, {others} FROM events WHERE seq = 1",
        "INSERT INTO events SELECT seq, {others} FROM events WHERE true ON CONFLICT DO NOTHING",
        "INSERT INTO events SELECT seq + 10, {others} FROM events",
        "INSERT INTO events SELECT 0, {others} FROM events WHERE seq = 1",
        "INSERT INTO events SELECT NULL, {others} FROM events LIMIT 1",
        "INSERT INTO events SELECT -1, {others} FROM events LIMIT 1",
    ],
)
def test_the_event_log_refuses_every_rewrite(logged: SqliteWorld, attack: str) -> None:
    with raw(logged.path()) as connection:
        before = connection.execute("SELECT * FROM events").fetchall()

        with pytest.raises(Refused):
            connection.execute(attack.format(others=OTHERS))

        assert connection.execute("SELECT * FROM events").fetchall() == before


PROPOSAL = {
    "id": "p1",
    "kind": "memory_edit",
    "tier": "workspace",
    "scope_key": WORKSPACE_ID,
    "target": "m1",
    "target_name": "",
    "base_version": 1,
    "payload": "{}",
    "reason": "",
    "client": "researcher",
    "state": "pending",
    "note": "",
    "created_at": 0,
    "decided_at": None,
    "changed_seq": 1,
}


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM proposals",
        "UPDATE proposals SET payload = '[]'",
        "UPDATE proposals SET client = 'writer'",
        "UPDATE proposals SET target_name = 'SOUL'",
        "UPDATE proposals SET scope_key = 'elsewhere'",
        "UPDATE proposals SET state = 'accepted'",
        "UPDATE proposals SET state = 'perhaps', decided_at = 1",
        "UPDATE proposals SET state = 'overtaken', decided_at = 1",
    ],
)
def test_a_proposal_is_decided_and_nothing_else(world: SqliteWorld, statement: str) -> None:
    with raw(world.path()) as connection:
        insert(connection, "proposals", PROPOSAL)

        with pytest.raises(Refused):
            connection.execute(statement)


def test_a_proposal_begins_pending_and_is_decided_once(world: SqliteWorld) -> None:
    with raw(world.path()) as connection:
        with pytest.raises(Refused):
            insert(connection, "proposals", PROPOSAL | {"state": "accepted", "decided_at": 1})
        insert(connection, "proposals", PROPOSAL)
        connection.execute("UPDATE proposals SET state = 'overtaken'")
        connection.execute("UPDATE proposals SET state = 'rejected', decided_at = 1, note = 'no'")

        with pytest.raises(Refused):
            connection.execute("UPDATE proposals SET state = 'accepted'")


def test_a_vector_has_the_length_it_claims(world: SqliteWorld) -> None:
    with raw(world.path()) as connection:
        insert(connection, "memories", a_row())
        good = {"sequence": 1, "model_id": "m", "dimension": 2, "vector": bytes(8)}

        for bad in ({"vector": bytes(7)}, {"dimension": 0, "vector": b""}, {"vector": "text"}):
            with pytest.raises(Refused):
                insert(connection, "memory_vectors", good | bad)
        insert(connection, "memory_vectors", good)
