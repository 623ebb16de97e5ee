"""Backups after a scrub: what it removed is taken out of them, adopted files are cleaned first.

The file itself is only read, and stays where it is.
"""

from __future__ import annotations

import os
import secrets
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    BackupDamagedError,
    DatabaseCorruptError,
    ForeignDatabaseError,
    NotFoundError,
    StorageError,
)
from inklings_desktop.domain.log.backup import BackupFault, BackupReason
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.scrub.manifest import BackupFate, ScrubMode
from inklings_desktop.storage.backups.backup_making import (
    only_one_keeper,
    require_no_open_purge,
    require_room,
    verify_database,
)
from inklings_desktop.storage.backups.backups import (
    UNFINISHED_PREFIX,
    BackupNote,
    backup_folder,
    backups_of,
    free_backup_path,
    remove_unfinished,
    write_note,
)
from inklings_desktop.storage.checks.identity import check_identity
from inklings_desktop.storage.checks.soundness import state_of
from inklings_desktop.storage.engine.compaction import rebuild_index
from inklings_desktop.storage.engine.connecting import (
    connect_raw,
    make_folder,
    remove_spare_database,
    replace_file,
    require_writable,
    sync_file,
    write_private,
)
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.maintenance import (
    KEPT_SCHEMA,
    bare,
    sealed_connection,
    upkeep_connection,
    upkeep_transaction,
)
from inklings_desktop.storage.keeping.restoring import require_same_history
from inklings_desktop.storage.log.event_chain import document_of
from inklings_desktop.storage.repositories.scrub_rows import ScrubRows
from inklings_desktop.storage.schema.marks import SCHEMA_VERSION, FileKind, fingerprint
from inklings_desktop.storage.schema.purge_schema import REMOVING
from inklings_desktop.storage.schema.schema_rules import expected_fingerprint, kind_of
from inklings_desktop.storage.upgrade.migrating import migrate_copy

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.storage.backups.backups import BackupFile
    from inklings_desktop.storage.databases import Databases, OpenFile
    from inklings_desktop.storage.repositories.scrub_talk import QuotedRows
    from inklings_desktop.storage.schema.schema_rules import TemplateSource
    from inklings_desktop.usecases.ports.store import Clock

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


_COPIES = 3
_SCRUBS_SINCE = (
    "SELECT tier, iif(ids = '[]', scope_key, ids), marks, at FROM main.events WHERE kind = ?"
    " AND seq > (SELECT ifnull(max(seq), 0) FROM kept.events) ORDER BY seq"
)


def adopt_backup(databases: Databases, path: Path, clock: Clock) -> BackupFile:
    """A managed backup of what a file holds.

    Args:
        path: A database of ours, as ``inklings backup create`` makes it.
        clock: For the backup's name.

    Raises:
        BackupDamagedError: It is damaged.
        ForeignDatabaseError: It is none of ours, or of a workspace that is not here.
        InvalidValueError: It is of another history, or a scrub is not finished.
        StorageError: It cannot be read, is newer, or there is no room.
    """
    try:
        with sealed_connection(path) as connection:
            owner = connection.execute("SELECT workspace_id FROM meta").fetchone()[0] or None
    except (StorageError, sqlite_module().Error, TypeError) as error:
        raise ForeignDatabaseError(path, "no database of ours") from error
    kind, lineage = kind_of(owner), databases.lineage
    try:
        check_identity(path, kind, owner or "", sealed=True, lineage=lineage, or_older=True)
        file = databases.file(owner)
    except NotFoundError as error:
        raise ForeignDatabaseError(path, "another workspace") from error
    except DatabaseCorruptError as error:
        raise BackupDamagedError(path, error.detail) from error
    folder = backup_folder(databases.root, owner)
    with only_one_keeper(databases.root):
        make_folder(folder)
        require_writable(folder)
        remove_unfinished(folder)
        require_room(folder, _COPIES * path.stat().st_size)
        fresh = folder / f"{UNFINISHED_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
        try:
            write_private(fresh, b"")
            with sealed_connection(path) as connection:
                connection.execute("VACUUM INTO ?", (str(fresh.absolute()),))
            migrate_copy(fresh, kind, lineage, path.name)
            _take_out_scrubbed(file, fresh)
            try:
                verify_database(fresh, owner, lineage)
            except DatabaseCorruptError as error:
                raise BackupDamagedError(path, error.detail) from error
            sync_file(fresh)
            final = free_backup_path(folder, clock())
            write_note(final, BackupNote(BackupReason.FROM_FILE))
            replace_file(fresh, final)
        finally:
            with suppress(StorageError):
                remove_unfinished(folder)
    return next(one for one in backups_of(databases.root, owner) if one.path == final)


def _take_out_scrubbed(file: OpenFile, fresh: Path) -> None:
    """Remove from a copy what was scrubbed after it was made.

    Raises:
        InvalidValueError: It is of another history, or a scrub of it is not finished.
    """
    with upkeep_transaction(file.path, attached=fresh, is_read=True) as connection:
        raw = bare(connection)
        require_same_history(raw)
        require_no_open_purge(state_of(raw, KEPT_SCHEMA))
        scrubs = raw.execute(_SCRUBS_SINCE, (EventKind.SCRUB_EXECUTED.value,)).fetchall()
    for tier, key, marks, at in scrubs:
        mode = ScrubMode(document_of(marks, dict).get("mode", ScrubMode.FULL.value))
        clear_rows(fresh, ScrubRows.of_place(tier, key, mode), file.template_of, at)
