from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from inklings_desktop.domain.entries.named_entry import EntryAction, EntryRevision
from inklings_desktop.domain.memory import Curator
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.rows.entry_rows import named_entry_values, revision_values
from tests.support.builders import NOON, a_companion
from tests.support.sqlite_store import SqliteWorld, raw

Refused = sqlite_module().IntegrityError


def insert(connection: sqlite3.Connection, table: str, values: dict[str, Any]) -> None:
    names = ", ".join(values)
    marks = ", ".join("?" * len(values))
    statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608  names of ours
    connection.execute(statement, tuple(values.values()))


def a_row(**changes: Any) -> dict[str, Any]:
    return named_entry_values(a_companion(entry_id="e1"), 1) | changes


def a_revision(number: int, **changes: Any) -> dict[str, Any]:
    revision = EntryRevision(
        "e1", number, "One.", NOON, "Ada", "cli", Curator.AUTHOR, EntryAction.SAVED
    )
    return revision_values(revision) | changes


def begin_removal(connection: sqlite3.Connection) -> None:
    """Open the gate that only a scrub opens."""
    values = {
        "number": 1, "state": "removing", "tier": "workspace", "scope_key": "w", "mode": "full",
        "executed_at": 0, "n_removed": 0, "salt": b"", "needles": b"", "rewritten": "[]",
        "deleted": "[]",
    }  # fmt: skip
    insert(connection, "purges", values)


def test_a_sound_row_is_accepted(world: SqliteWorld) -> None:
    with raw(world.path()) as connection:
        insert(connection, "named_entries", a_row())
        insert(connection, "named_entry_revisions", a_revision(1))
        (count,) = connection.execute("SELECT count(*) FROM named_entries").fetchone()
    assert count == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"tier": "account"},
        {"tier": "channel"},
        {"name": "SOUL"},
        {"name": "VOICE"},
        {"name": "VOICE", "is_built_in": 1},
        {"name": "RULES", "is_built_in": 1},
        {"name": "rules"},
        {"name": "RULES "},
        {"name": "R\u0423LES"},
        {"name": "A"},
        {"name": "A" * 41},
        {"curator": "agent"},
        {"version": 0},
        {"is_template": 1},
        {"is_template": 2},
        {"body": b"bytes"},
        {"body": None},
        {"body": "x" * 262_145},
        {"created_at": "today"},
        {"deleted_at": 1.5},
        {"id": ""},
    ],
)
def test_a_wrong_row_is_refused_in_a_workspace_file(
    world: SqliteWorld, changes: dict[str, Any]
) -> None:
    with raw(world.path()) as connection, pytest.raises(Refused):
        insert(connection, "named_entries", a_row(**changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"tier": "workspace"},
        {"name": "VOICE"},
        {"name": "VOICE", "is_built_in": 1},
        {"name": "SOUL"},
        {"curator": "agent"},
    ],
)
def test_a_wrong_row_is_refused_in_the_account_file(
    world: SqliteWorld, changes: dict[str, Any]
) -> None:
    with raw(world.path(None)) as connection:
        with pytest.raises(Refused):
            insert(connection, "named_entries", a_row(tier="account") | changes)
        insert(connection, "named_entries", a_row(tier="account"))


@pytest.mark.parametrize(
    "change",
    [
        "name = 'SOUL'",
        "name = 'OTHER'",
        "tier = 'account'",
        "is_built_in = 0",
        "id = 'e2'",
        "created_at = 0",
        "deleted_at = 1",
        "curator = 'agent'",
    ],
)
def test_voice_keeps_its_name_and_its_place(world: SqliteWorld, change: str) -> None:
    with raw(world.path()) as connection:
        before = connection.execute("SELECT * FROM named_entries").fetchall()
        with pytest.raises(Refused):
            connection.execute(
                f"UPDATE named_entries SET {change}"  # noqa: S608  cases of this test
            )
        assert connection.execute("SELECT * FROM named_entries").fetchall() == before


@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE named_entry_revisions SET body = 'x'",
        "UPDATE OR REPLACE named_entry_revisions SET number = 2",
        "UPDATE OR IGNORE named_entry_revisions SET saved_by = 'x'",
        "DELETE FROM named_entry_revisions",
        "DELETE FROM named_entry_revisions WHERE number = 1",
        "REPLACE INTO named_entry_revisions SELECT * FROM named_entry_revisions",
    ],
)
def test_revisions_are_never_rewritten(world: SqliteWorld, attack: str) -> None:
    with raw(world.path()) as connection:
        connection.execute("PRAGMA recursive_triggers = ON")
        before = connection.execute("SELECT * FROM named_entry_revisions").fetchall()
        with pytest.raises(Refused):
            connection.execute(attack)
        assert connection.execute("SELECT * FROM named_entry_revisions").fetchall() == before


@pytest.mark.parametrize("number", [0, 2, 7, None])
def test_revisions_are_numbered_without_a_gap(world: SqliteWorld, number: int | None) -> None:
    with raw(world.path()) as connection:
        insert(connection, "named_entries", a_row())
        with pytest.raises(Refused):
            insert(connection, "named_entry_revisions", a_revision(1) | {"number": number})


@pytest.mark.parametrize("changes", [{"curator": "agent"}, {"action": "x"}, {"body": b"bytes"}])
def test_a_wrong_revision_is_refused(world: SqliteWorld, changes: dict[str, Any]) -> None:
    with raw(world.path()) as connection:
        insert(connection, "named_entries", a_row())
        with pytest.raises(Refused):
            insert(connection, "named_entry_revisions", a_revision(1, **changes))


def test_an_entry_takes_its_revisions_and_its_draft_along_or_stays(world: SqliteWorld) -> None:
    with raw(world.path()) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        insert(connection, "named_entries", a_row())
        insert(connection, "named_entry_revisions", a_revision(1))
        insert(
            connection,
            "drafts",
            {"entry_id": "e1", "base_version": 1, "kept_at": 0, "body": "x"},
        )
        with pytest.raises(Refused):
            connection.execute("DELETE FROM named_entries WHERE id = 'e1'")
        connection.execute("BEGIN")
        begin_removal(connection)
        connection.execute("DELETE FROM named_entries WHERE id = 'e1'")
        with pytest.raises(Refused):
            connection.execute("COMMIT")
        connection.execute("ROLLBACK")

        connection.execute("BEGIN")
        begin_removal(connection)
        connection.execute("DELETE FROM named_entries WHERE id = 'e1'")
        connection.execute("DELETE FROM named_entry_revisions WHERE entry_id = 'e1'")
        connection.execute("COMMIT")
        for table in ("named_entries", "named_entry_revisions", "drafts"):
            statement = f"SELECT count(*) FROM {table}"  # noqa: S608  names of ours
            (count,) = connection.execute(statement).fetchone()
            assert count == (0 if table == "drafts" else 1)
