"""Puts a backup back: its rows in one transaction, or its file in the place of one that is gone.

The file itself stays: no other program is left with a ghost, no WAL lies beside a database that it
does not belong to, and a kill leaves the state before or after, never one between. The event log
is not among the rows that are replaced: it is the file's history and goes on.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.background.activities import Outcome
from inklings_desktop.domain.background.schedules import next_due, schedule_of
from inklings_desktop.domain.errors import DatabaseCorruptError, InvalidValueError
from inklings_desktop.domain.log.backup import Restoration
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.runs.run_rows import RESTORED
from inklings_desktop.storage.backups.backups import (
    DAMAGED_SUFFIX,
    backup_folder,
    described,
    free_backup_path,
)
from inklings_desktop.storage.checks.identity import check_identity
from inklings_desktop.storage.checks.soundness import tables_of
from inklings_desktop.storage.engine.connecting import (
    FILE_MODE,
    connect_raw,
    held_alone,
    make_folder,
    remove_spare,
    replace_file,
    require_writable,
    sync_file,
    sync_folder,
    write_private,
)
from inklings_desktop.storage.engine.driver import file_error, sqlite_module, translated
from inklings_desktop.storage.engine.maintenance import bare, take_triggers_off, upkeep_transaction
from inklings_desktop.storage.log.event_chain import GENESIS, Head, chained, lost_head
from inklings_desktop.storage.log.event_log import SqliteEventLog
from inklings_desktop.storage.migrations.lineage import LINEAGE
from inklings_desktop.storage.places import DATABASE_NAME
from inklings_desktop.storage.rows.memories import to_ms_or_none
from inklings_desktop.storage.rows.transaction import Transaction
from inklings_desktop.storage.schema.marks import FileKind, fingerprint
from inklings_desktop.storage.schema.schema_rules import kind_of
from inklings_desktop.storage.schema.tables import events
from inklings_desktop.storage.upgrade.migrating import migrate_copy

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.log.events import EventDraft
    from inklings_desktop.storage.backups.backups import BackupFile
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.storage.migrations.lineage import Lineage
    from inklings_desktop.usecases.ports.store import Clock

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


def settle_activities(connection: sqlite3.Connection, kind: FileKind, at: datetime) -> None:
    """Let every activity that a backup brings be due after now: nothing of it is caught up.

    Args:
        connection: Inside a transaction, on a file that a backup was put into.
        kind: Which kind of file it is; a workspace's alone has activities.
        at: Now.
    """
    if kind is not FileKind.WORKSPACE:
        return
    rows = connection.execute(
        "SELECT id, schedule, timezone FROM main.scheduled_activities WHERE enabled"
    ).fetchall()
    for id_, schedule, zone in rows:
        due = next_due(schedule_of(json.loads(schedule), zone), at)
        connection.execute(
            "UPDATE main.scheduled_activities SET next_due_at = ? WHERE id = ?",
            (to_ms_or_none(due), id_),
        )
    connection.execute(
        "UPDATE main.scheduled_activities SET last_outcome = ? WHERE last_outcome = ?",
        (Outcome.STOPPED.value, Outcome.RUNNING.value),
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


_UNFINISHED = f".{DATABASE_NAME}.restored-"


@dataclass(frozen=True, slots=True)
class _Salvage:
    """What is known of the file that is replaced: what can be read, and its noted head."""

    events: Sequence[tuple[Any, ...]]
    change_seq: int
    reload_seq: int
    noted: Head


def put_in_place(
    databases: Databases, backup: BackupFile, draft: EventDraft, at: datetime, clock: Clock
) -> Restoration:
    """Make the backup the file in use, and keep what was there.

    Args:
        backup: Verified.
        draft: The event that records it, without figures.
        clock: For the name under which a damaged file is kept.

    Raises:
        InvalidValueError: What can be read of the file is of another history.
        DatabaseInUseError: Another program has the file open.
        StorageError: The folder is full or cannot be written to.
    """
    workspace_id = backup.workspace_id
    folder = databases.root
    if workspace_id is not None:
        folder = databases.workspace_folder(workspace_id)
    make_folder(folder)
    require_writable(folder)
    path = folder / DATABASE_NAME
    with databases.withheld(workspace_id):
        salvage = _salvaged(path, databases.log_heads().read().heads.get(workspace_id, Head()))
        witnessed = databases.witness().newest(workspace_id)
        salvage = replace(salvage, change_seq=max(salvage.change_seq, witnessed))
        with current_copy(backup, folder, databases.lineage) as fresh:
            head, n_memories, n_lost = _continued(
                fresh, backup, salvage, databases.key(), draft, at
            )
            kind = kind_of(workspace_id)
            # Sealed, so that nothing lies beside it that a kill after the replacing would leave.
            check_identity(fresh, kind, workspace_id or "", sealed=True, lineage=databases.lineage)
            sync_file(fresh)
            with held_alone(path):
                set_aside = set_aside_file(path, backup_folder(databases.root, workspace_id), clock)
                replace_file(fresh, path)
            # Where this fails or is killed, the next opening finds the restore in the log itself.
            databases.log_heads().put({workspace_id: head})
    return Restoration(
        described(backup),
        None,
        set_aside,
        n_memories,
        n_lost,
        head.number,
    )


@contextmanager
def current_copy(backup: BackupFile, folder: Path, lineage: Lineage) -> Iterator[Path]:
    """A copy of a backup, brought up to date; it goes in the end unless it has another name then.

    Args:
        backup: Verified; it may be of an earlier version.
        folder: Where the copy is made.
        lineage: The versions that this program understands.

    Raises:
        MigrationFailedError: It cannot be brought up to date.
        StorageError: It cannot be read, or there is no room for the copy.
    """
    fresh = folder / f"{_UNFINISHED}{os.getpid()}-{secrets.token_hex(4)}"
    _remove_left_over(folder)
    write_private(fresh, b"")
    try:
        with translated(backup.path), _sealed(backup.path) as connection:
            connection.execute("VACUUM INTO ?", (str(fresh.absolute()),))
        migrate_copy(fresh, kind_of(backup.workspace_id), lineage, backup.name)
        yield fresh
    finally:
        _remove_left_over(folder)


def _continued(
    fresh: Path,
    backup: BackupFile,
    salvage: _Salvage,
    key: bytes,
    draft: EventDraft,
    at: datetime,
) -> tuple[Head, int, int]:
    """Let the log go on where the damaged file's ended; its head, memories, events lost."""
    with upkeep_transaction(fresh) as connection:
        raw = bare(connection)
        old = raw.execute("SELECT * FROM events ORDER BY seq").fetchall()
        going_on = _history_after(old, salvage.events, key)
        places = ", ".join("?" * len(events.c))
        raw.executemany(f"INSERT INTO events VALUES ({places})", going_on)  # noqa: S608
        raw.execute(
            "UPDATE meta SET change_seq = max(change_seq, ?), reload_seq = max(reload_seq, ?) + 1",
            (salvage.change_seq, salvage.reload_seq),
        )
        park_runs(raw, kind_of(backup.workspace_id))
        settle_activities(raw, kind_of(backup.workspace_id), at)
        (n_memories,) = raw.execute("SELECT count(*) FROM memories").fetchone()
        transaction = Transaction(connection, backup.workspace_id, initiator=draft.actor)
        n_lost = max(0, salvage.noted.number - len(old) - len(going_on))
        log = SqliteEventLog(transaction, key)
        counts = {"memories": n_memories, "events_lost": n_lost}
        marks = {"backup": backup.path.stem} | lost_head(salvage.noted, n_lost)
        log.append(replace(draft, counts=counts, marks=marks), at)
        connection.commit()
    with translated(fresh), closing(connect_raw(fresh)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
    return log.appended[-1], n_memories, n_lost


def _history_after(
    old: Sequence[tuple[Any, ...]], found: Sequence[tuple[Any, ...]], key: bytes
) -> list[tuple[Any, ...]]:
    """Events of the damaged file that go on from the backup's, as far as their chain holds.

    Raises:
        InvalidValueError: Both begin differently.
    """
    if any(mine[-1] != theirs[-1] for mine, theirs in zip(old, found, strict=False)):
        raise InvalidValueError("backup", "other_history")
    previous = old[-1][-1] if old else GENESIS
    names = [column.name for column in events.c][:-1]
    going_on: list[tuple[Any, ...]] = []
    for row in found[len(old) :]:
        is_next = row[0] == len(old) + len(going_on) + 1
        values = dict(zip(names, row[:-1], strict=True))
        if not is_next or chained(key, previous, values) != row[-1]:
            break
        going_on.append(row)
        previous = row[-1]
    return going_on


def _salvaged(path: Path, noted: Head) -> _Salvage:
    """Events and counters of a damaged file, as far as they can be read; it is not changed."""
    rows: list[tuple[Any, ...]] = []
    change_seq = reload_seq = n_purges = 0
    if not path.is_file():
        return _Salvage((), 0, 0, noted)
    try:
        with closing(connect_raw(path, read_only=True)) as connection:
            connection.execute("BEGIN")
            change_seq, reload_seq = connection.execute(
                "SELECT change_seq, reload_seq FROM meta"
            ).fetchone()
            rows.extend(connection.execute("SELECT * FROM events ORDER BY seq"))
            n_purges = connection.execute("SELECT count(*) FROM purges").fetchone()[0]
    except (sqlite_module().Error, TypeError):
        pass  # damaged: what was read until here is all there is
    if n_purges:
        raise InvalidValueError("backup", "purge_pending")
    return _Salvage(rows, change_seq, reload_seq, noted)


@contextmanager
def _sealed(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(connect_raw(path, read_only=True, immutable=True)) as connection:
        yield connection


def set_aside_file(path: Path, folder: Path, clock: Clock) -> str | None:
    """Give a damaged file a second name among the backups, its WAL with it; that name.

    The file keeps its own name until the backup takes it in one step, so that a kill leaves no
    data root without a database.
    """
    if not path.exists():
        return None
    make_folder(folder)
    aside = free_backup_path(folder, clock(), DAMAGED_SUFFIX)
    try:
        try:
            os.link(path, aside)
        except OSError:
            shutil.copyfile(path, aside)  # a file system without links
        aside.chmod(FILE_MODE)
        wal = path.with_name(f"{path.name}-wal")
        if wal.exists():
            wal.replace(aside.with_name(f"{aside.name}-wal"))
        path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    except OSError as error:
        raise file_error(error, path) from error
    sync_folder(folder)
    sync_folder(path.parent)
    return f"{folder.name}/{aside.name}"


def _remove_left_over(folder: Path) -> None:
    for one in folder.glob(f"{_UNFINISHED}*"):
        remove_spare(one)
