"""Makes a database again from all that was written, where only what follows from it is damaged.

Nothing is written to the damaged file but what its WAL holds: its rows go into a new one, whose
indexes, search index and counts are made from them, and only when that one is whole does it take
the place. The damaged file is kept byte for byte beside the backups. Meanwhile nobody else can
have it open, so that no write falls between the reading and the replacing.
"""

from __future__ import annotations

import os
import secrets
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DatabaseCorruptError, InvalidValueError
from inklings_desktop.domain.log.backup import Rebuilt
from inklings_desktop.storage.backups.backup_making import (
    only_one_keeper,
    require_room,
    size_with_wal,
    verify_database,
)
from inklings_desktop.storage.backups.backups import backup_folder
from inklings_desktop.storage.checks.soundness import broken_references
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.engine.driver_errors import translated
from inklings_desktop.storage.engine.files import (
    make_folder,
    remove_spare,
    replace_file,
    require_writable,
    sync_file,
    write_private,
)
from inklings_desktop.storage.engine.holding import hold_alone
from inklings_desktop.storage.engine.lossy_text import read_text
from inklings_desktop.storage.engine.maintenance import bare, take_triggers_off, upkeep_transaction
from inklings_desktop.storage.keeping.noted_head import note_head
from inklings_desktop.storage.keeping.replacing import set_aside_file
from inklings_desktop.storage.log.event_chain import Head
from inklings_desktop.storage.log.event_log import SqliteEventLog
from inklings_desktop.storage.places import DATABASE_NAME
from inklings_desktop.storage.rows.transaction import Transaction
from inklings_desktop.storage.salvage.derived_damage import (
    holds_all_that_was_written,
    written_tables,
)
from inklings_desktop.storage.salvage.drift import drift_of, make_again
from inklings_desktop.storage.salvage.salvage import copy_table
from inklings_desktop.storage.schema.schema_rules import create_schema, kind_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.log.events import EventDraft
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.usecases.ports.store import Clock

_UNFINISHED = f".{DATABASE_NAME}.rebuilt-"
_COPIES = 3
"""The new file, what its transactions keep beside it, and the damaged one where no link is made."""

_VECTORS = "memory_vectors"
_DROP_STRAY_VECTORS = (
    "DELETE FROM memory_vectors WHERE sequence NOT IN (SELECT sequence FROM memories)"
)
_WITHOUT_VECTOR = (
    "SELECT count(*) FROM memories WHERE forgotten_at IS NULL"
    " AND sequence NOT IN (SELECT sequence FROM memory_vectors)"
)


def rebuild_database(
    databases: Databases, workspace_id: str | None, draft: EventDraft, at: datetime, clock: Clock
) -> Rebuilt:
    """Put a whole database with the same rows in the place of a damaged one, and keep that.

    Args:
        workspace_id: Whose file; None for the account's.
        draft: The event that records it, without figures.
        clock: For the name under which the damaged file is kept.

    Raises:
        DatabaseCorruptError: Something that was written cannot be read; nothing was changed.
        InvalidValueError: A scrub of it is not finished; nothing was changed.
        DatabaseInUseError: Another program has the file open; nothing was changed.
        StorageError: No room, or no right to write; nothing was changed.
    """
    path = databases.file(workspace_id).path
    folder = path.parent
    require_writable(folder)
    backups = backup_folder(databases.root, workspace_id)
    with only_one_keeper(databases.root):
        make_folder(backups)
        require_room(backups, _COPIES * size_with_wal(path))
        fresh = folder / f"{_UNFINISHED}{os.getpid()}-{secrets.token_hex(4)}"
        _remove_left_over(folder)
        with databases.withheld(workspace_id):
            noted = databases.log_heads().read().heads.get(workspace_id, Head())
            try:
                with _held(path) as source:
                    _require_repairable(source, path, noted)
                    write_private(fresh, b"")
                    has_all_vectors = _filled(source, path, fresh, workspace_id)
                    rebuilt, log = _finished(
                        fresh,
                        workspace_id,
                        draft,
                        at,
                        databases.key(),
                        has_all_vectors=has_all_vectors,
                    )
                    verify_database(fresh, workspace_id)
                    sync_file(fresh)
                    kept = set_aside_file(path, backups, clock)
                    replace_file(fresh, path)
            finally:
                _remove_left_over(folder)
        note_head(databases, path, workspace_id, log)
    return replace(rebuilt, kept=kept or "")


@contextmanager
def _held(path: Path) -> Iterator[sqlite3.Connection]:
    """A reading connection beside which nobody else has the database open.

    It outlives the replacing, as that of ``held_alone`` does, and for the same reason may.

    Raises:
        DatabaseInUseError: Another program has.
        StorageError: What the driver says about the environment.
    """
    with translated(path), closing(connect_raw(path)) as connection:
        connection.execute("PRAGMA cell_size_check = ON")
        connection.text_factory = read_text
        hold_alone(connection, path)
        # What a program that was killed left in the WAL goes into the file, as at every close.
        # Else a kill between both steps of the replacing would leave the file without it.
        connection.execute("COMMIT")  # which keeps the lock
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("BEGIN")
        yield connection


def _require_repairable(source: sqlite3.Connection, path: Path, noted: Head) -> None:
    """Return only if everything that was written can be read.

    Raises:
        DatabaseCorruptError: Something cannot.
        InvalidValueError: A scrub is not finished: what it is removing would be kept.
    """
    if not holds_all_that_was_written(source, noted):
        raise DatabaseCorruptError(path, "rows")
    if source.execute("SELECT count(*) FROM purges").fetchone()[0]:
        raise InvalidValueError("backup", "purge_pending")


def _filled(source: sqlite3.Connection, path: Path, fresh: Path, workspace_id: str | None) -> bool:
    """Put every row that was written into the new file; whether every vector could be read.

    Raises:
        DatabaseCorruptError: One of them does not go in.
    """
    with translated(fresh), closing(connect_raw(fresh)) as target:
        create_schema(target, kind_of(workspace_id), workspace_id or "", 0)
        target.execute("BEGIN IMMEDIATE")
        triggers = take_triggers_off(target)
        for table in written_tables(target):
            target.execute(f'DELETE FROM "{table}"')  # noqa: S608 - names of ours
            _, is_whole = copy_table(source, target, table)
            if not is_whole:
                raise DatabaseCorruptError(path, table)
        _, has_all_vectors = copy_table(source, target, _VECTORS)
        target.execute(_DROP_STRAY_VECTORS)
        if broken_references(target):
            raise DatabaseCorruptError(path, "references")
        for statement in triggers:
            target.execute(statement)
        target.execute("COMMIT")
    return has_all_vectors


def _finished(
    fresh: Path,
    workspace_id: str | None,
    draft: EventDraft,
    at: datetime,
    key: bytes,
    *,
    has_all_vectors: bool,
) -> tuple[Rebuilt, SqliteEventLog]:
    """Make what follows from the rows, and record it; what was done, and the log of it."""
    with upkeep_transaction(fresh) as connection:
        drift = drift_of(connection)
        make_again(connection, drift)
        (n_memories,) = bare(connection).execute("SELECT count(*) FROM memories").fetchone()
        n_to_embed = 0
        if drift.vectors or not has_all_vectors:
            (n_to_embed,) = bare(connection).execute(_WITHOUT_VECTOR).fetchone()
        transaction = Transaction(connection, workspace_id, initiator=draft.actor)
        log = SqliteEventLog(transaction, key)
        counts = {"memories": n_memories, "vectors": n_to_embed}
        event = log.append(replace(draft, counts=counts), at)
        connection.commit()
    with translated(fresh), closing(connect_raw(fresh)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
    return Rebuilt("", n_memories, n_to_embed, event.number), log


def _remove_left_over(folder: Path) -> None:
    for one in folder.glob(f"{_UNFINISHED}*"):
        remove_spare(one)
