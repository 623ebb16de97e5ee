"""Takes what a scrub removed out of managed backups: rewritten where we can, else deleted."""

from __future__ import annotations

import os
import secrets
from contextlib import closing
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.domain.log.backup import BackupFault
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.scrub.manifest import BackupFate
from inklings_desktop.storage.backups.backups import UNFINISHED_PREFIX
from inklings_desktop.storage.engine.compaction import rebuild_index
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.files import (
    remove_spare_database,
    replace_file,
    sync_file,
    write_private,
)
from inklings_desktop.storage.engine.maintenance import upkeep_connection
from inklings_desktop.storage.schema.marks import SCHEMA_VERSION, FileKind, fingerprint
from inklings_desktop.storage.schema.purge_schema import REMOVING
from inklings_desktop.storage.schema.schema_rules import expected_fingerprint

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.storage.backups.backups import BackupFile
    from inklings_desktop.storage.repositories.scrub_rows import ScrubRows
    from inklings_desktop.storage.repositories.scrub_talk import QuotedRows
    from inklings_desktop.storage.schema.schema_rules import TemplateSource

_GATE = (
    "INSERT INTO purges (number, state, tier, scope_key, mode, executed_at, n_removed, salt,"
    " needles, rewritten, deleted) VALUES (1, ?, ?, ?, 'full', 0, 0, x'', x'', '[]', '[]')"
)


def fate_of(
    backup: BackupFile, rows: ScrubRows | QuotedRows, executed: tuple[int, str] | None = None
) -> BackupFate | None:
    """What a scrub does with a backup; None when it holds nothing of it, or is not ours.

    The file is only looked at, without a lock and without a trace.

    Args:
        rows: What the scrub removes.
        executed: Number and hash of the scrub's event once there is one: a backup that knows the
            event was made afterwards.
    """
    if backup.fault is BackupFault.FOREIGN:
        return None
    if backup.fault is not None or backup.schema_version != SCHEMA_VERSION:
        return BackupFate.DELETED
    kind = FileKind.ACCOUNT if backup.workspace_id is None else FileKind.WORKSPACE
    try:
        with closing(connect_raw(backup.path, read_only=True, immutable=True)) as connection:
            if fingerprint(connection) != expected_fingerprint(kind):
                return BackupFate.DELETED
            if executed is not None:
                later = connection.execute(
                    "SELECT 1 FROM events WHERE seq = ? AND chain_hash = ? AND kind = ?",
                    (*executed, EventKind.SCRUB_EXECUTED.value),
                ).fetchone()
                if later is not None:
                    return None
            return BackupFate.REWRITTEN if rows.are_held(connection.execute) else None
    except sqlite_module().Error:
        return BackupFate.DELETED


def rewrite_backup(
    backup: BackupFile, rows: ScrubRows | QuotedRows, template_of: TemplateSource, created_at: int
) -> None:
    """Put a verified copy without these rows in the place of a backup, in one step.

    Whoever calls this holds the lock on the backups; a killed run leaves an unfinished file that
    the next one removes.

    Args:
        backup: Of the current schema, holding some of them.
        rows: What goes.
        template_of: Body of a built-in named entry that begins anew.
        created_at: Milliseconds since 1970, UTC, for that entry.

    Raises:
        DatabaseCorruptError: The copy is not sound; the backup was left as it is.
        StorageError: The disk refuses it; the backup was left as it is.
    """
    folder = backup.path.parent
    fresh = folder / f"{UNFINISHED_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
    from inklings_desktop.storage.backups.backup_making import verify_database

    try:
        write_private(fresh, b"")
        with upkeep_connection(backup.path) as connection:
            connection.execute("VACUUM INTO ?", (str(fresh.absolute()),))
        clear_rows(fresh, rows, template_of, created_at)
        verify_database(fresh, backup.workspace_id)
        sync_file(fresh)
        replace_file(fresh, backup.path)
    finally:
        remove_spare_database(fresh)


def clear_rows(
    fresh: Path, rows: ScrubRows | QuotedRows, template_of: TemplateSource, created_at: int
) -> None:
    """Take the rows of a scrub out of a copy that nobody else has open.

    Raises:
        DatabaseCorruptError: Some of them are still held.
        StorageError: The disk refuses it.
    """
    with upkeep_connection(fresh) as connection:
        run = connection.execute
        run("BEGIN IMMEDIATE")
        run(_GATE, (REMOVING, rows.tier, rows.key))
        rows.delete(run, template_of, created_at, 0)
        run("DELETE FROM purges")
        run("COMMIT")
        rebuild_index(connection)
        run("VACUUM")
        if rows.are_held(run):
            raise DatabaseCorruptError(fresh, "rewritten backup")
