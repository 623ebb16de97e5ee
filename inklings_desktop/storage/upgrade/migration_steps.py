"""Runs the steps between two schema versions on one connection, each in one transaction."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import MigrationFailedError
from inklings_desktop.storage.engine.connecting import connect_in_place, connect_raw
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.driver_errors import storage_error, translated
from inklings_desktop.storage.engine.maintenance import UPKEEP_PRAGMAS, take_triggers_off
from inklings_desktop.storage.migrations.early_marks import EARLY
from inklings_desktop.storage.migrations.lineage import Migration
from inklings_desktop.storage.schema.marks import SCHEMA_VERSION, fingerprint

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from inklings_desktop.storage.migrations.lineage import Lineage
    from inklings_desktop.storage.schema.marks import FileKind


def connected_alone(
    path: Path, connect: Callable[[Path], sqlite3.Connection] = connect_raw
) -> sqlite3.Connection:
    """A connection on which steps can run.

    Args:
        path: A file that nobody else writes to.
        connect: Makes the bare connection.
    """
    # A table that is renamed to make room for its new self takes no reference along.
    return connect_in_place(path, (*UPKEEP_PRAGMAS, "legacy_alter_table=ON"), connect)


@contextmanager
def step_taken(
    connection: sqlite3.Connection,
    path: Path,
    kind: FileKind,
    step: Migration,
    lineage: Lineage,
    kept: str,
) -> Iterator[None]:
    """Take one step in one transaction; what is done inside belongs to it.

    Whoever closes the connection of a step that failed has undone it.

    Args:
        connection: From ``connected_alone``; a transaction that has begun is used.
        path: The file, for messages.
        step: What to do.
        lineage: The versions and the steps between them.
        kept: Name of the backup that shows the file as it was.

    Raises:
        MigrationFailedError: The step does not fit this file.
    """
    versions = (step.to_version - 1, step.to_version)
    try:
        if not connection.in_transaction:
            connection.execute("BEGIN IMMEDIATE")
        _run(connection, step.statements[kind])
        # By these numbers a side file is told to be of other contents.
        connection.execute(
            "UPDATE meta SET change_seq = change_seq + 1, reload_seq = reload_seq + 1"
        )
        connection.execute(f"PRAGMA user_version = {step.to_version}")
        if not lineage.is_expected(kind, step.to_version, fingerprint(connection)):
            raise MigrationFailedError(path, "another schema", *versions, kept)
        yield
        connection.execute("COMMIT")
    except sqlite_module().Error as error:
        if storage_error(error, path) is not None:
            raise
        raise MigrationFailedError(path, str(error), *versions, kept) from error


def steps_before(
    connection: sqlite3.Connection, kind: FileKind, lineage: Lineage
) -> tuple[Migration, ...]:
    """The steps that a file has before it, as it is now."""
    found = fingerprint(connection)
    if found in EARLY[kind]:
        from inklings_desktop.storage.migrations.early import renewing_statements

        statements = {kind: renewing_statements(connection, kind)}
        name = f"tables of {EARLY[kind][found]}"
        renewal = Migration(SCHEMA_VERSION, name, {kind: found}, statements)
        return (renewal, *lineage.after(SCHEMA_VERSION))
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return lineage.after(version)


def migrate_copy(path: Path, kind: FileKind, lineage: Lineage, kept: str) -> None:
    """Bring a copy that nobody else knows up to date; its log stays as it is.

    Args:
        path: The copy.
        lineage: The versions and the steps between them.
        kept: Name of the backup that it is a copy of.

    Raises:
        MigrationFailedError: A step does not fit it.
        StorageError: What the driver says about the environment.
    """
    with translated(path), closing(connected_alone(path)) as connection:
        for step in steps_before(connection, kind, lineage):
            with step_taken(connection, path, kind, step, lineage, kept):
                pass


def _run(connection: sqlite3.Connection, statements: Iterable[str]) -> None:
    """Run the statements of a step without triggers, and put back those that it did not make."""
    before = _triggers(connection)
    take_triggers_off(connection)
    for statement in statements:
        connection.execute(statement)
    made = _triggers(connection)
    for name, statement in before.items():
        if name not in made:
            connection.execute(statement)


def _triggers(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(
        connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    )
