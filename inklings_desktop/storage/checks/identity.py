"""What a database file is, how one is made, and what the workspace beside it is called.

The first is asked before anything may be written to a file.
"""

from __future__ import annotations

import json
import os
import stat
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
    DatabaseFullError,
    DatabaseTooNewError,
    DatabaseTooOldError,
    ForeignDatabaseError,
    InvalidValueError,
)
from inklings_desktop.domain.rooms.conversation import checked_name
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.storage.engine.connecting import (
    connect_raw,
    connect_sealed,
    has_wal,
    publish_new,
    remove_spare_database,
    write_private,
)
from inklings_desktop.storage.engine.driver import file_error, sqlite_module, storage_error
from inklings_desktop.storage.migrations.lineage import EARLY, LINEAGE
from inklings_desktop.storage.rows.memories import from_ms
from inklings_desktop.storage.schema.marks import (
    APPLICATION_ID,
    SEARCH_TEXT,
    SEARCH_TEXT_VERSION,
    FileKind,
    fingerprint,
)
from inklings_desktop.storage.schema.schema_rules import create_schema, no_template

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from inklings_desktop.storage.migrations.lineage import Lineage
    from inklings_desktop.storage.schema.schema_rules import TemplateSource

WORKSPACE_FILE = "workspace.json"


def description_of(workspace: Workspace) -> bytes:
    """What stands in the file of a workspace."""
    fields = {
        "id": workspace.id,
        "name": workspace.name,
        "created_at": workspace.created_at.astimezone(UTC).isoformat(),
    }
    return (json.dumps(fields, ensure_ascii=False, indent=2) + "\n").encode()


def described(folder: Path) -> Workspace:
    """The workspace of a folder; one without a readable description keeps its id for a name."""
    try:
        fields = json.loads((folder / WORKSPACE_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        fields = {}
    return read_description(fields, folder.name, folder)


def read_description(fields: Any, workspace_id: str, folder: Path) -> Workspace:
    """What a description says, whatever JSON it is; without a sound one the id is the name."""
    try:
        created_at = datetime.fromisoformat(fields["created_at"])
        name = checked_name(fields["name"])
    except (ValueError, KeyError, TypeError, InvalidValueError):
        made = from_ms(int(folder.stat().st_ctime * 1000))
        return Workspace(workspace_id, workspace_id, made)
    return Workspace(workspace_id, name, created_at.astimezone(UTC))


_SMALLEST_PAGE = 512


def create_database(
    path: Path,
    kind: FileKind,
    workspace_id: str,
    created_at: int,
    template_of: TemplateSource = no_template,
) -> None:
    """Make a database of ours with nothing but its built-in named entry, unless it exists by now.

    It is finished under another name first: a killed program leaves no half of it behind, and of
    two programs that start at once one file wins.

    Args:
        path: Where it shall be; its folder exists.
        workspace_id: Its workspace; empty for the account's.
        created_at: Milliseconds since 1970, UTC.
        template_of: Body that the built-in named entry of this name begins with.

    Raises:
        StorageError: The folder is full or cannot be written to.
    """
    import secrets

    fresh = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.new")
    write_private(fresh, b"")
    try:
        with closing(connect_raw(fresh)) as connection:
            create_schema(connection, kind, workspace_id, created_at, template_of)
            connection.execute("PRAGMA journal_mode = WAL")
    except sqlite_module().Error as error:
        remove_spare_database(fresh)
        raise storage_error(error, path) or error from error
    publish_new(fresh, path)


class Counters(NamedTuple):
    """How far a file has come: its last change and reload number, its last memory's sequence.

    The last is the version by which the rows of its full-text index were made; 0 where none is
    noted.
    """

    change_seq: int
    reload_seq: int
    last_sequence: int
    search_text: int = SEARCH_TEXT_VERSION


def read_counters(connection: sqlite3.Connection) -> Counters:
    """The counters as this connection sees them."""
    row = connection.execute(
        "SELECT change_seq, reload_seq, (SELECT ifnull(max(sequence), 0) FROM memories),"
        " (SELECT ifnull(max(compared_seq), 0) FROM task_states WHERE kind = ?) FROM meta",
        (SEARCH_TEXT,),
    ).fetchone()
    return Counters(*row)


def check_identity(
    path: Path,
    kind: FileKind,
    workspace_id: str,
    *,
    sealed: bool = False,
    lineage: Lineage = LINEAGE,
    or_older: bool = False,
) -> Counters:
    """The file's counters, only if it is ours, sound and of this workspace. Never writes.

    Args:
        path: An existing file.
        kind: Which kind it must be.
        workspace_id: Whose it must be; empty for the account's.
        sealed: Whether its folder cannot be written to, so that nothing is locked either;
            that of a full disk is found out.
        lineage: The versions that this program understands.
        or_older: Whether a sound file of an earlier version will do.

    Raises:
        DatabaseCorruptError: Damaged, cut short, or no database at all.
        ForeignDatabaseError: Another program's, of the other kind, or of another workspace.
        DatabaseTooNewError: Written by a newer version of the program.
        DatabaseTooOldError: Sound, and of an earlier version, where that will not do.
        StorageError: It cannot be read.
    """
    try:
        _check_header(path, lineage)
        opened = connect_sealed(path) if sealed else connect_raw(path, read_only=True)
        with closing(opened) as connection:
            connection.execute("BEGIN")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            _check_version(path, version, lineage)
            row = connection.execute("SELECT kind, workspace_id FROM meta").fetchone()
            found = fingerprint(connection)
            counters = read_counters(connection)
    except sqlite_module().Error as error:
        known = storage_error(error, path) or DatabaseCorruptError(path, str(error))
        if isinstance(known, DatabaseFullError) and not sealed:
            # No room for what SQLite makes beside it, so nobody else has it open.
            return check_identity(
                path, kind, workspace_id, sealed=True, lineage=lineage, or_older=or_older
            )
        raise known from error
    except UnicodeDecodeError as error:
        # The driver quotes the damaged schema in its message, and fails to read that.
        raise DatabaseCorruptError(path, "schema") from error
    if row is None or row[0] not in set(FileKind):
        raise DatabaseCorruptError(path, "kind")
    if row[0] != kind.value:
        raise ForeignDatabaseError(path, "kind")
    if row[1] != workspace_id:
        raise ForeignDatabaseError(path, "workspace")
    is_early = found in EARLY[kind]
    if not is_early and not lineage.is_expected(kind, version, found):
        # An extra trigger would run unseen; such a file is set aside, not adopted.
        raise DatabaseCorruptError(path, "schema")
    if (is_early or version < lineage.version) and not or_older:
        raise DatabaseTooOldError(path, version, lineage.version)
    return counters


def _check_header(path: Path, lineage: Lineage) -> None:
    """What the file's first page tells, with nothing locked and nothing left beside it.

    Asked through SQLite and not through a file of our own: closing one would drop the locks that
    another connection of this process may hold on the same database.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise file_error(error, path) from error
    if not stat.S_ISREG(status.st_mode) or status.st_size < _SMALLEST_PAGE:
        raise DatabaseCorruptError(path, "not a database")
    is_in_wal = has_wal(path)
    with closing(connect_raw(path, read_only=True, immutable=True)) as connection:
        if is_in_wal:
            # A program that died while it folded the WAL back may have written the new first
            # page and not yet the pages that it promises: they are in the WAL. Without this,
            # SQLite calls a file that is shorter than its header says malformed.
            connection.execute("PRAGMA writable_schema = ON")
        (application_id,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
    if application_id != APPLICATION_ID:
        raise ForeignDatabaseError(path, "application")
    _check_version(path, version, lineage)
    # With a WAL beside it a file may honestly end in the middle: the rest is still in there.
    if status.st_size % page_bytes and not is_in_wal:
        raise DatabaseCorruptError(path, "cut short")


def _check_version(path: Path, version: int, lineage: Lineage) -> None:
    if version > lineage.version:
        raise DatabaseTooNewError(path, version, lineage.version)
    if version < 1:
        raise DatabaseCorruptError(path, "version")
