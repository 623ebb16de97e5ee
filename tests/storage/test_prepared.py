"""Statements that go to the driver itself: same values, same transaction, same errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import bindparam, insert, select, update

from inklings_desktop.domain.errors import DatabaseReadOnlyError
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.prepared import ROWS_AT_ONCE, Prepared
from inklings_desktop.storage.schema.tables import channels, meta
from tests.support.builders import WORKSPACE_ID
from tests.support.sqlite_store import sqlite_world

STAMP = (
    update(meta).values(change_seq=meta.c.change_seq + bindparam("by")).returning(meta.c.change_seq)
)
NAMED = select(channels.c.id).where(
    channels.c.name == bindparam("name"), channels.c.description == "fixed"
)


def room(number: int) -> dict[str, object]:
    return {
        "sequence": number,
        "id": f"room-{number}",
        "name": f"Room {number}",
        "name_key": f"room {number}",
        "description": "fixed",
        "created_at": 1,
        "archived_at": None,
        "changed_seq": 1,
    }


def test_it_finds_and_writes_what_the_same_statement_does_by_sqlalchemy(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        engines = world.databases.file(WORKSPACE_ID).engines
        with engines.durable.connect() as connection:
            begun = connection.execute(STAMP, {"by": 1}).scalar_one()
            assert Prepared(STAMP).scalar(connection, {"by": 5}) == begun + 5
            Prepared(insert(channels)).each(connection, [room(1), room(2)])
            named = Prepared(NAMED)
            assert named.rows(connection, {"name": "Room 2"}) == [("room-2",)]
            assert named.rows(connection, {"name": "Room 3"}) == []
            assert named.scalar(connection, {"name": "Room 3"}) is None
            assert connection.execute(NAMED, {"name": "Room 1"}).scalar_one() == "room-1"
            connection.rollback()
            assert named.rows(connection, {"name": "Room 2"}) == []


@pytest.mark.parametrize(
    "n_rows", [0, 1, *ROWS_AT_ONCE, sum(ROWS_AT_ONCE), 2 * sum(ROWS_AT_ONCE) + 3]
)
def test_many_rows_are_inserted_as_one_by_one(tmp_path: Path, n_rows: int) -> None:
    with sqlite_world(tmp_path) as world:
        engines = world.databases.file(WORKSPACE_ID).engines
        with engines.durable.connect() as connection:
            rows = [room(number) for number in range(1, n_rows + 1)]
            Prepared(insert(channels)).insert(connection, rows)
            stored = connection.execute(select(channels).order_by(channels.c.sequence))
            assert [dict(row) for row in stored.mappings()] == rows


def test_a_view_that_begins_with_it_sees_one_state_to_its_end(tmp_path: Path) -> None:
    looked = Prepared(select(meta.c.change_seq))
    with sqlite_world(tmp_path) as world:
        engines = world.databases.file(WORKSPACE_ID).engines
        with engines.read.connect() as view:
            before = looked.scalar(view)
            with engines.durable.begin() as connection:
                Prepared(STAMP).scalar(connection, {"by": 1})
            assert looked.scalar(view) == before
        with engines.read.connect() as view:
            assert looked.scalar(view) == before + 1


def test_what_the_environment_does_wrong_is_said_in_the_words_of_the_error_tree(
    tmp_path: Path,
) -> None:
    with sqlite_world(tmp_path) as world:
        file = world.databases.file(WORKSPACE_ID)
        with file.engines.read.connect() as view, pytest.raises(DatabaseReadOnlyError) as refused:
            Prepared(STAMP).rows(view, {"by": 1})
        assert refused.value.path == file.path


def test_a_row_that_breaks_a_rule_is_the_drivers_own_error_and_is_not_kept(tmp_path: Path) -> None:
    adding = Prepared(insert(channels))
    with sqlite_world(tmp_path) as world:
        engines = world.databases.file(WORKSPACE_ID).engines
        with engines.durable.connect() as connection:
            with pytest.raises(sqlite_module().IntegrityError):
                adding.each(connection, [room(1), room(1)])
            connection.rollback()
            assert connection.execute(select(channels.c.id)).all() == []


def test_a_value_that_is_not_given_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    short = room(1)
    del short["name"]
    with sqlite_world(tmp_path) as world:
        engines = world.databases.file(WORKSPACE_ID).engines
        with engines.durable.connect() as connection, pytest.raises(KeyError, match="name"):
            Prepared(insert(channels)).rows(connection, short)
