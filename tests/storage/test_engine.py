from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import DatabaseError

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseFullError,
    DatabaseReadOnlyError,
)
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.engine.ways_in import open_engines
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, raw, sqlite_world


def pragma(engine: Engine, name: str) -> Any:
    with engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


def fill(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("x" * 60_000) for _ in range(4)])
        unit.commit()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("journal_mode", "wal"),
        ("foreign_keys", 1),
        ("secure_delete", 1),
        ("recursive_triggers", 1),
        ("trusted_schema", 0),
        ("cell_size_check", 1),
        ("busy_timeout", 2_000),
    ],
)
def test_every_connection_is_hardened(world: SqliteWorld, name: str, value: object) -> None:
    engines = world.databases.file(WORKSPACE_ID).engines

    for engine in (engines.read, engines.durable, engines.relaxed):
        assert pragma(engine, name) == value


def test_what_was_told_saved_is_on_the_disk_and_counters_need_not_be(world: SqliteWorld) -> None:
    engines = world.databases.file(WORKSPACE_ID).engines

    assert pragma(engines.durable, "synchronous") == 2
    assert pragma(engines.relaxed, "synchronous") == 1


def test_readers_cannot_write(world: SqliteWorld) -> None:
    engines = world.databases.file(WORKSPACE_ID).engines

    with engines.read.connect() as connection, pytest.raises(DatabaseReadOnlyError):
        connection.exec_driver_sql("UPDATE meta SET change_seq = 9")


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TRIGGER events_are_not_edited",
        "DROP TABLE events",
        "ALTER TABLE events RENAME TO gone",
        "CREATE TRIGGER spy AFTER INSERT ON memories BEGIN SELECT 1; END",
        "CREATE TEMP TABLE scratch (a)",
        "PRAGMA writable_schema = ON",
        "PRAGMA recursive_triggers = OFF",
        "ATTACH DATABASE ':memory:' AS other",
        "DELETE FROM events",
        "UPDATE events SET kind = 'x'",
    ],
)
def test_no_connection_changes_the_schema_or_rewrites_the_log(
    world: SqliteWorld, statement: str
) -> None:
    engines = world.databases.file(WORKSPACE_ID).engines

    for engine in (engines.durable, engines.relaxed):
        with engine.connect() as connection, pytest.raises(DatabaseError, match="not authorized"):
            connection.exec_driver_sql(statement)


def test_a_writer_waits_no_longer_than_it_was_told(tmp_path: Path) -> None:
    with sqlite_world(tmp_path, busy_timeout_ms=20) as world, raw(world.path()) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusyError):  # noqa: SIM117  the error comes on entering
            with world.store.write(WORKSPACE_ID, initiator="Ada"):
                pass
        other.execute("ROLLBACK")
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory()])
            unit.commit()

        assert len(world.publisher.published) == 1


def test_readers_see_the_last_commit_while_another_writes(world: SqliteWorld) -> None:
    with raw(world.path()) as other:
        other.execute("BEGIN IMMEDIATE")
        with world.store.read(WORKSPACE_ID) as view:
            assert view.memories.active_counts() == {}
        other.execute("ROLLBACK")


def test_a_full_disk_is_named_and_loses_nothing(world: SqliteWorld) -> None:
    engines = world.databases.file(WORKSPACE_ID).engines
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory("kept")])
        unit.commit()
    with engines.durable.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.set_authorizer(None)
        pages = driver.execute("PRAGMA page_count").fetchone()[0]
        driver.execute(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(DatabaseFullError):
        fill(world)

    with world.store.read(WORKSPACE_ID) as view:
        assert list(view.memories.active_counts().values()) == [1]


def test_a_bare_connection_never_makes_a_file(tmp_path: Path) -> None:
    missing = tmp_path / "agents.db"

    with pytest.raises(Exception, match="unable to open"):
        connect_raw(missing)

    assert not missing.exists()


def test_engines_open_nothing_before_they_are_asked(tmp_path: Path) -> None:
    missing = tmp_path / "agents.db"
    engines = open_engines(missing)

    engines.dispose()

    assert not missing.exists()
