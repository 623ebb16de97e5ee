from __future__ import annotations

from inklings_desktop.domain.memories.changes import MAX_NAMED_CHANGES
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.rows.transaction import Transaction
from tests.support.builders import WORKSPACE_ID
from tests.support.sqlite_store import SqliteWorld

SCOPE = ScopeKey.workspace(WORKSPACE_ID)


def test_a_memory_is_named_under_its_last_change(world: SqliteWorld) -> None:
    engine = world.databases.file(WORKSPACE_ID).engines.durable
    with engine.connect() as connection:
        transaction = Transaction(connection, WORKSPACE_ID, initiator="Ada")
        transaction.added(SCOPE, ["new", "short-lived"])
        transaction.updated(SCOPE, ["new", "old", "back"])
        transaction.forgotten(SCOPE, "short-lived", None)
        transaction.forgotten(SCOPE, "gone", "new")
        transaction.forgotten(SCOPE, "back", None)
        transaction.updated(SCOPE, ["back"])

        changes = transaction.changes()

    assert changes.added == ("new",)
    assert set(changes.updated) == {"old", "back"}
    assert set(changes.forgotten) == {"short-lived", "gone"}
    assert changes.successors == {"new"}
    assert changes.initiator == "Ada"


def test_too_many_changes_are_not_named(world: SqliteWorld) -> None:
    engine = world.databases.file(WORKSPACE_ID).engines.durable
    with engine.connect() as connection:
        transaction = Transaction(connection, WORKSPACE_ID, initiator="Ada")
        transaction.added(SCOPE, [f"m{n}" for n in range(MAX_NAMED_CHANGES + 1)])

        changes = transaction.changes()

    assert changes.reload
    assert changes.added == ()
    assert changes.scopes == {SCOPE}


def test_the_change_number_is_taken_with_the_first_change(world: SqliteWorld) -> None:
    engine = world.databases.file(WORKSPACE_ID).engines.durable
    with engine.connect() as connection:
        transaction = Transaction(connection, WORKSPACE_ID, initiator="Ada")
        assert not transaction.has_written
        assert transaction.counters() == (0, 0)

        assert transaction.change_seq == transaction.change_seq == 1

        assert transaction.counters() == (1, 0)
