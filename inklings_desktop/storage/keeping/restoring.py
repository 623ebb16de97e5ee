"""Puts the rows of a backup into the database in use, in one transaction.

The file itself stays: no other program is left with a ghost, no WAL lies beside a database that it
does not belong to, and a kill leaves the state before or after, never one between. The event log
is not among the rows that are replaced: it is the file's history and goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DatabaseCorruptError, InvalidValueError
from inklings_desktop.storage.checks.soundness import tables_of
from inklings_desktop.storage.engine.maintenance import take_triggers_off
from inklings_desktop.storage.migrations.lineage import LINEAGE
from inklings_desktop.storage.schema.marks import FileKind, fingerprint

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from inklings_desktop.storage.migrations.lineage import Lineage

RESTORED = "restored"
"""Why a run is parked that a backup showed under way; it cannot go on."""
_OWN = frozenset({"meta", "events", "purges"})
"""Tables that belong to the file in use and are never taken from a backup."""


def replace_rows(
    connection: sqlite3.Connection,
    path: Path,
    kind: FileKind,
    *,
    with_log: bool = True,
    lineage: Lineage = LINEAGE,
) -> None:
    """Replace what the file holds by what the attached backup holds; the log only grows.

    Args:
        connection: For upkeep, inside an immediate transaction, a backup attached.
        path: The backup, for messages.
        kind: Which kind of file both are.
        with_log: Whether the backup's log is what was written, so that it may give back the end
            that the file's has lost.
        lineage: The versions that this program understands; both are of the newest.

    Raises:
        DatabaseCorruptError: The result is not what the backup holds.
    """
    triggers = take_triggers_off(connection)
    tables = [one for one in tables_of(connection) if one not in _OWN]
    for table in tables:
        connection.execute(f'DELETE FROM main."{table}"')  # noqa: S608  names from our own schema
        connection.execute(f'INSERT INTO main."{table}" SELECT * FROM kept."{table}"')  # noqa: S608
    # A file that lost the end of its log gets it back from a backup that still has it.
    if with_log:
        connection.execute(
            "INSERT INTO main.events SELECT * FROM kept.events"
            " WHERE seq > (SELECT ifnull(max(seq), 0) FROM main.events) ORDER BY seq"
        )
    connection.execute("INSERT INTO memory_fts(memory_fts) VALUES ('rebuild')")
    for statement in triggers:
        connection.execute(statement)
    # Whoever else has the file open reads everything anew.
    connection.execute("UPDATE meta SET reload_seq = reload_seq + 1")
    is_same = lineage.is_current(kind, fingerprint(connection))
    if not is_same or any(_differs(connection, table) for table in tables):
        raise DatabaseCorruptError(path, "restored rows differ")
    park_runs(connection, kind)


def park_runs(connection: sqlite3.Connection, kind: FileKind) -> None:
    """No run that a backup shows under way is: whoever ran it has gone on, or is gone.

    Args:
        connection: Inside a transaction, on a file that a backup was put into.
        kind: Which kind of file it is; a workspace's alone has runs.
    """
    if kind is FileKind.WORKSPACE:
        connection.execute(
            "UPDATE main.runs SET state = 'parked', problem = ? WHERE state = 'running'",
            (RESTORED,),
        )


def require_same_history(connection: sqlite3.Connection) -> None:
    """Return only if one of both logs begins with the whole other one.

    Raises:
        InvalidValueError: The attached backup's log is not part of this file's history.
    """
    (n_other,) = connection.execute(
        "SELECT count(*) FROM main.events AS own"
        " JOIN kept.events AS old ON old.seq = own.seq"
        " WHERE own.chain_hash <> old.chain_hash"
    ).fetchone()
    if n_other:
        raise InvalidValueError("backup", "other_history")


def _differs(connection: sqlite3.Connection, table: str) -> bool:
    (n_missing,) = connection.execute(
        f'SELECT count(*) FROM (SELECT * FROM kept."{table}"'  # noqa: S608
        f' EXCEPT SELECT * FROM main."{table}")'
    ).fetchone()
    counts = connection.execute(
        f'SELECT (SELECT count(*) FROM main."{table}"),'  # noqa: S608
        f' (SELECT count(*) FROM kept."{table}")'
    ).fetchone()
    return bool(n_missing) or counts[0] != counts[1]
