"""``event_log_attacks``: what rewrites a log through SQL is blocked, through the file detected."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DatabaseError

from inklings_desktop.domain.errors import DatabaseCorruptError, InklingsError
from inklings_desktop.domain.log.events import EventDraft, EventKind, LogFault, LogVerdict
from inklings_desktop.storage.engine.connecting import KEY_FILE
from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit
from inklings_desktop.storage.log.event_chain import GENESIS
from inklings_desktop.storage.log.log_heads import HEADS_FILE
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.sqlite_store import SqliteWorld, raw, sqlite_world

N_EVENTS = 5
LATER = NOON + timedelta(days=1)
DRAFT = EventDraft(
    EventKind.SCRUB_EXECUTED,
    "Ada",
    "person",
    "window",
    "workspace",
    WORKSPACE_ID,
    ("id-1", "id-2"),
    {"memories": 2},
    {"mode": "full"},
)
OTHERS = "at, kind, actor, actor_kind, door, tier, scope_key, ids, counts, marks, chain_hash"

SQL_ATTACKS: dict[str, Sequence[str]] = {
    "update": ["UPDATE events SET actor = 'Eve' WHERE seq = 2"],
    "delete": ["DELETE FROM events WHERE seq = 2"],
    "delete all": ["DELETE FROM events"],
    "update or ignore": ["UPDATE OR IGNORE events SET actor = 'Eve'"],
    "update or replace": ["UPDATE OR REPLACE events SET seq = 3 WHERE seq = 2"],
    "insert or replace": [
        "INSERT OR REPLACE INTO events SELECT seq, {others} FROM events WHERE seq = 2"
    ],
    "upsert": [
        "INSERT INTO events SELECT seq, {others} FROM events WHERE 1 ON CONFLICT DO UPDATE SET at=0"
    ],
    "rowid update": ["UPDATE events SET rowid = 99 WHERE rowid = 2"],
    "drop trigger": [
        "DROP TRIGGER events_are_not_edited",
        "UPDATE events SET actor = 'Eve' WHERE seq = 2",
    ],
    "drop table": ["DROP TABLE events"],
    "rename": ["ALTER TABLE events RENAME TO gone", "DELETE FROM gone"],
    "writable schema": [
        "PRAGMA writable_schema = ON",
        "DELETE FROM sqlite_master WHERE name LIKE 'events_are_%'",
        "UPDATE sqlite_schema SET sql = '' WHERE name LIKE 'events_are_%'",
    ],
    "attach and copy": [
        "ATTACH DATABASE ':memory:' AS elsewhere",
        "CREATE TABLE elsewhere.events AS SELECT * FROM main.events",
    ],
    "recursive triggers off": [
        "PRAGMA recursive_triggers = OFF",
        "REPLACE INTO events SELECT seq, {others} FROM events WHERE seq = {last}",
    ],
    "a gap": ["INSERT INTO events SELECT seq + 7, {others} FROM events WHERE seq = 2"],
    "a number before all others": [
        "INSERT INTO events SELECT 0, {others} FROM events WHERE seq = 2",
        "INSERT INTO events SELECT -3, {others} FROM events WHERE seq = 2",
    ],
    "a number chosen by the table": [
        "INSERT INTO events ({others}) SELECT {others} FROM events WHERE seq = 2"
    ],
}


def append(
    world: SqliteWorld,
    times: int = 1,
    workspace_id: str | None = WORKSPACE_ID,
    *,
    at: datetime = NOON,
) -> None:
    """Append events, each in a transaction of its own."""
    for _ in range(times):
        with world.store.write(workspace_id, initiator="Ada") as unit:
            unit.events.append(DRAFT, at)
            unit.commit()


def verdict(world: SqliteWorld, workspace_id: str | None = WORKSPACE_ID) -> LogVerdict:
    """What the check says."""
    return SqliteLogAudit(world.databases).verify(workspace_id)


def rows_of(path: Path) -> list[tuple[Any, ...]]:
    with raw(path) as connection:
        return connection.execute("SELECT * FROM events ORDER BY seq").fetchall()


@pytest.mark.parametrize("attack", SQL_ATTACKS)
@pytest.mark.parametrize("engine", ["durable", "relaxed", "read"])
def test_no_statement_of_ours_rewrites_the_log(
    world: SqliteWorld, engine: str, attack: str
) -> None:
    append(world, N_EVENTS)
    before = rows_of(world.path())
    schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    with raw(world.path()) as connection:
        schema_before = connection.execute(schema).fetchall()

    chosen = getattr(world.databases.file(WORKSPACE_ID).engines, engine)
    for statement in SQL_ATTACKS[attack]:
        attempt = statement.format(others=OTHERS, last=N_EVENTS)
        with chosen.connect() as connection, pytest.raises((DatabaseError, InklingsError)):
            connection.exec_driver_sql(attempt)

    assert rows_of(world.path()) == before
    with raw(world.path()) as connection:
        assert connection.execute(schema).fetchall() == schema_before
    assert verdict(world).is_whole


def rewritten(connection: sqlite3.Connection) -> None:
    """Take the triggers away, as any other program can."""
    for trigger in ("events_are_not_edited", "events_are_not_deleted", "events_are_appended"):
        connection.execute(f"DROP TRIGGER {trigger}")


def rehashed(connection: sqlite3.Connection, first: int) -> None:
    """Make the chain fit again from one event on, by somebody who lacks the key."""
    previous = GENESIS
    for row in connection.execute("SELECT * FROM events ORDER BY seq").fetchall():
        digest = row[-1]
        if row[0] >= first:
            message = json.dumps([previous, *row[:-1]], ensure_ascii=False, separators=(",", ":"))
            digest = hashlib.sha256(message.encode()).hexdigest()
            connection.execute("UPDATE events SET chain_hash = ? WHERE seq = ?", (digest, row[0]))
        previous = digest


def edit_and_rehash(path: Path) -> None:
    with raw(path) as connection:
        rewritten(connection)
        connection.execute("UPDATE events SET counts = '{\"memories\": 1}' WHERE seq = 3")
        rehashed(connection, 3)


def rehash_everything(path: Path) -> None:
    with raw(path) as connection:
        rewritten(connection)
        rehashed(connection, 1)


def cut_the_tail(path: Path) -> None:
    with raw(path) as connection:
        rewritten(connection)
        connection.execute("DELETE FROM events WHERE seq >= ?", (N_EVENTS,))


def empty_it(path: Path) -> None:
    with raw(path) as connection:
        rewritten(connection)
        connection.execute("DELETE FROM events")


def swap_two(path: Path) -> None:
    with raw(path) as connection:
        rewritten(connection)
        connection.execute("UPDATE events SET seq = -2 WHERE seq = 2")
        connection.execute("UPDATE events SET seq = 2 WHERE seq = 3")
        connection.execute("UPDATE events SET seq = 3 WHERE seq = -2")


def delete_the_middle(path: Path) -> None:
    with raw(path) as connection:
        rewritten(connection)
        connection.execute("DELETE FROM events WHERE seq = 3")


def delete_the_middle_and_renumber(path: Path) -> None:
    with raw(path) as connection:
        rewritten(connection)
        connection.execute("DELETE FROM events WHERE seq = 3")
        connection.execute("UPDATE events SET seq = seq - 1 WHERE seq > 3")


def insert_a_forged_one(path: Path) -> None:
    with raw(path) as connection:
        forge = "INSERT INTO events SELECT seq + 1, {others} FROM events WHERE seq = {last}"
        connection.execute(forge.format(others=OTHERS, last=N_EVENTS))


def put_bytes_that_are_no_text(path: Path) -> None:
    with raw(path) as connection:
        rewritten(connection)
        connection.execute("UPDATE events SET actor = CAST(x'ff416461' AS TEXT) WHERE seq = 4")


def put_a_blob(path: Path) -> None:
    with raw(path) as connection:
        rewritten(connection)
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE events SET marks = x'00', tier = 5 WHERE seq = 4")


FILE_ATTACKS: dict[Callable[[Path], None], tuple[LogFault, int | None]] = {
    edit_and_rehash: (LogFault.EDITED, 3),
    rehash_everything: (LogFault.FOREIGN, 1),
    cut_the_tail: (LogFault.CUT, N_EVENTS),
    empty_it: (LogFault.CUT, 1),
    swap_two: (LogFault.EDITED, 2),
    delete_the_middle: (LogFault.GAP, 3),
    delete_the_middle_and_renumber: (LogFault.EDITED, 3),
    insert_a_forged_one: (LogFault.EDITED, N_EVENTS + 1),
    put_bytes_that_are_no_text: (LogFault.EDITED, 4),
    put_a_blob: (LogFault.EDITED, 4),
}


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """The file of a workspace with five events, closed."""
    with sqlite_world(tmp_path, workspace_ids=(WORKSPACE_ID, OTHER_WORKSPACE_ID)) as world:
        append(world, N_EVENTS)
        append(world, 2, OTHER_WORKSPACE_ID)
        append(world, 2, None)
        assert verdict(world).is_whole
        return world.path()


def restored_triggers(path: Path) -> None:
    """Hide the traces in the schema: what a careful attacker does."""
    from inklings_desktop.storage.schema.marks import FileKind
    from inklings_desktop.storage.schema.schema_rules import schema_statements

    with raw(path) as connection:
        there = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
        for statement in schema_statements(FileKind.WORKSPACE):
            if statement.startswith("CREATE TRIGGER events_") and statement.split()[2] not in there:
                connection.execute(statement)


@pytest.mark.parametrize("attack", FILE_ATTACKS, ids=lambda one: one.__name__)
def test_every_rewrite_of_the_file_shows(
    tmp_path: Path, closed: Path, attack: Callable[[Path], None]
) -> None:
    attack(closed)
    restored_triggers(closed)
    reason, number = FILE_ATTACKS[attack]

    with sqlite_world(tmp_path) as world:
        found = verdict(world)
        assert (found.reason, found.first_broken) == (reason, number)
        assert not found.is_whole
        assert verdict(world, OTHER_WORKSPACE_ID).is_whole
        assert verdict(world, None).is_whole

        # What is appended afterwards does not heal it.
        append(world, N_EVENTS, at=LATER)
        assert not verdict(world).is_whole
    with sqlite_world(tmp_path) as world:
        assert not verdict(world).is_whole


@pytest.mark.parametrize("attack", [one for one in FILE_ATTACKS if one is not insert_a_forged_one])
def test_what_was_rewritten_is_named_while_the_triggers_are_gone(
    tmp_path: Path, closed: Path, attack: Callable[[Path], None]
) -> None:
    attack(closed)
    with sqlite_world(tmp_path) as world:
        with pytest.raises(DatabaseCorruptError):
            world.databases.file(WORKSPACE_ID)
        found = verdict(world)
        assert (found.reason, found.first_broken) == FILE_ATTACKS[attack]
        assert verdict(world, None).is_whole


def test_dropped_triggers_alone_are_no_fault_of_the_events(tmp_path: Path, closed: Path) -> None:
    with raw(closed) as connection:
        rewritten(connection)
    with sqlite_world(tmp_path) as world:
        found = verdict(world)
        assert (found.reason, found.n_events) == (LogFault.FILE_ALTERED, N_EVENTS)
        assert found.first_broken is None


def test_a_file_without_the_table_of_events_cannot_be_read(tmp_path: Path, closed: Path) -> None:
    with raw(closed) as connection:
        rewritten(connection)
        connection.execute("DROP TABLE events")
    with sqlite_world(tmp_path) as world:
        assert verdict(world).reason is LogFault.UNREADABLE


@pytest.mark.parametrize("n_later", [0, 1, 2, 3, 10])
def test_an_older_copy_of_the_whole_file_shows_however_long_it_grows(
    tmp_path: Path, n_later: int
) -> None:
    copy = tmp_path / "copy.db"
    root = tmp_path / "root"
    with sqlite_world(root) as world:
        append(world, N_EVENTS - 3)
        path = world.path()
    shutil.copyfile(path, copy)
    with sqlite_world(root) as world:
        append(world, 3)
    shutil.copyfile(copy, path)

    with sqlite_world(root) as world:
        append(world, n_later, at=LATER)
        found = verdict(world)
    expected = (LogFault.REPLACED, 5) if n_later >= 3 else (LogFault.CUT, 3 + n_later)
    assert (found.reason, found.first_broken) == expected


def lowered(heads: Path) -> None:
    document = json.loads(heads.read_text())
    document["logs"][f"workspace {WORKSPACE_ID}"]["events"] = N_EVENTS - 1
    heads.write_text(json.dumps(document))


def without_the_log(heads: Path) -> None:
    document = json.loads(heads.read_text())
    del document["logs"][f"workspace {WORKSPACE_ID}"]
    heads.write_text(json.dumps(document))


def resealed_without_the_key(heads: Path) -> None:
    document = json.loads(heads.read_text())
    document["logs"] = {}
    document["seal"] = hashlib.sha256(b"{}").hexdigest()
    heads.write_text(json.dumps(document))


def of_another_key(heads: Path) -> None:
    document = json.loads(heads.read_text())
    document["key"] = "0" * 16
    heads.write_text(json.dumps(document))


def emptied(heads: Path) -> None:
    heads.write_bytes(b"")


def no_object(heads: Path) -> None:
    heads.write_text('["key"]')


def deleted(heads: Path) -> None:
    heads.unlink()


@pytest.mark.parametrize("with_cut", [False, True], ids=["alone", "with a cut tail"])
@pytest.mark.parametrize(
    ("attack", "reason"),
    [
        (lowered, LogFault.HEADS_EDITED),
        (without_the_log, LogFault.HEADS_EDITED),
        (resealed_without_the_key, LogFault.HEADS_EDITED),
        (emptied, LogFault.HEADS_EDITED),
        (no_object, LogFault.HEADS_EDITED),
        (of_another_key, LogFault.KEY_NEW),
        (deleted, LogFault.HEAD_MISSING),
    ],
)
def test_an_edited_or_missing_head_shows_and_keeps_showing(
    tmp_path: Path,
    closed: Path,
    attack: Callable[[Path], None],
    reason: LogFault,
    *,
    with_cut: bool,
) -> None:
    if with_cut:
        cut_the_tail(closed)
        restored_triggers(closed)
    attack(tmp_path / HEADS_FILE)

    for _ in range(2):
        with sqlite_world(tmp_path) as world:
            for workspace_id in (WORKSPACE_ID, OTHER_WORKSPACE_ID, None):
                found = verdict(world, workspace_id)
                assert (found.reason, found.first_broken) == (reason, None)
                append(world, 2, workspace_id)


def key_deleted(root: Path) -> None:
    (root / KEY_FILE).unlink()


def key_replaced(root: Path) -> None:
    (root / KEY_FILE).write_bytes(bytes(32))


def key_and_heads_deleted(root: Path) -> None:
    key_deleted(root)
    deleted(root / HEADS_FILE)


def key_replaced_and_heads_deleted(root: Path) -> None:
    key_replaced(root)
    deleted(root / HEADS_FILE)


@pytest.mark.parametrize(
    ("attack", "reason"),
    [
        (key_deleted, LogFault.KEY_NEW),
        (key_replaced, LogFault.KEY_NEW),
        (key_and_heads_deleted, LogFault.KEY_NEW),
        # Nothing shows any more that there was another key, but the heads are missed.
        (key_replaced_and_heads_deleted, LogFault.HEAD_MISSING),
    ],
)
def test_a_log_is_never_whole_after_its_key_is_lost_until_that_is_accepted(
    tmp_path: Path, closed: Path, attack: Callable[[Path], None], reason: LogFault
) -> None:
    cut_the_tail(closed)
    restored_triggers(closed)
    attack(tmp_path)

    everything = [None, WORKSPACE_ID, OTHER_WORKSPACE_ID]
    for _ in range(2):
        with sqlite_world(tmp_path) as world:
            for workspace_id in everything:
                assert verdict(world, workspace_id).reason is reason
                append(world, 2, workspace_id)
    with sqlite_world(tmp_path) as world:
        SqliteLogAudit(world.databases).anchor(everything)
        for workspace_id in everything:
            found = verdict(world, workspace_id)
            assert (found.reason, found.n_segments) == (None, 2)
            append(world, 1, workspace_id)
            assert verdict(world, workspace_id).is_whole


def test_a_log_of_ours_is_never_adopted_away(tmp_path: Path, closed: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    with sqlite_world(elsewhere) as other:
        append(other, N_EVENTS + 3)
        foreign = other.path()
    shutil.copyfile(foreign, closed)

    with sqlite_world(tmp_path) as world:
        found = verdict(world)
        assert (found.reason, found.first_broken, found.n_segments) == (LogFault.FOREIGN, 1, 1)
        assert found.n_events == N_EVENTS + 3


def test_a_broken_log_is_not_adopted_after_the_heads_were_noted_anew(
    tmp_path: Path, closed: Path
) -> None:
    rehash_everything(closed)
    restored_triggers(closed)
    (tmp_path / HEADS_FILE).write_bytes(b"{}")
    with sqlite_world(tmp_path) as world:
        SqliteLogAudit(world.databases).anchor([None, OTHER_WORKSPACE_ID], [WORKSPACE_ID])
    with sqlite_world(tmp_path) as world:
        assert verdict(world, None).is_whole
        assert verdict(world, OTHER_WORKSPACE_ID).is_whole
        found = verdict(world)
        assert (found.reason, found.n_events) == (LogFault.FOREIGN, N_EVENTS)


def test_no_secret_of_the_key_is_in_the_heads(closed: Path, tmp_path: Path) -> None:
    key = (tmp_path / "install.key").read_bytes()
    text = (tmp_path / HEADS_FILE).read_text()
    assert key.hex() not in text
    document = json.loads(text)
    assert set(document) == {"format", "key", "logs", "seal"}
    with raw(closed) as connection:
        last = connection.execute("SELECT max(seq), chain_hash FROM events").fetchone()
    held = document["logs"][f"workspace {WORKSPACE_ID}"]
    assert (held["events"], held["hash"]) == last


def test_edited_heads_are_replaced_only_when_that_is_asked_for(
    tmp_path: Path, closed: Path
) -> None:
    lowered(tmp_path / HEADS_FILE)
    cut_the_tail(closed)
    restored_triggers(closed)
    with sqlite_world(tmp_path) as world:
        append(world, 2)
        assert verdict(world).reason is LogFault.HEADS_EDITED
        SqliteLogAudit(world.databases).anchor([WORKSPACE_ID, None])
        assert verdict(world).is_whole
        assert verdict(world, None).is_whole
        # Nobody anchored this one.
        assert verdict(world, OTHER_WORKSPACE_ID).reason is LogFault.HEAD_MISSING
        append(world, 2)
        assert verdict(world).is_whole
