"""Makes a database again where only what follows from the rest is damaged, and tells if so.

Nothing is written to the damaged file but what its WAL holds: its rows go into a new one, whose
indexes, search index and counts are made from them, and only when that one is whole does it take
the place. The damaged file is kept byte for byte beside the backups. Meanwhile nobody else can
have it open, so that no write falls between the reading and the replacing.
"""

from __future__ import annotations

import os
import re
import secrets
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

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
from inklings_desktop.storage.engine.connecting import (
    connect_raw,
    hold_alone,
    make_folder,
    remove_spare,
    replace_file,
    require_writable,
    sync_file,
    write_private,
)
from inklings_desktop.storage.engine.driver import sqlite_module, translated
from inklings_desktop.storage.engine.maintenance import (
    bare,
    read_text,
    take_triggers_off,
    upkeep_transaction,
)
from inklings_desktop.storage.keeping.backup_keeper import note_head
from inklings_desktop.storage.keeping.restoring import set_aside_file
from inklings_desktop.storage.log.event_chain import Head
from inklings_desktop.storage.log.event_log import SqliteEventLog
from inklings_desktop.storage.places import DATABASE_NAME
from inklings_desktop.storage.rows.transaction import Transaction
from inklings_desktop.storage.salvage.drift import drift_of, make_again
from inklings_desktop.storage.salvage.salvage import copy_table
from inklings_desktop.storage.schema.schema_rules import create_schema, kind_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.log.events import EventDraft
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.usecases.ports.store import Clock

DERIVED_TABLES = frozenset(
    {
        *("memory_search", "memory_vectors", "coming_vectors", "memory_tokens", "tag_tokens"),
        "scope_counts",
    }
)
"""Tables that are made again from the memories; vectors by the model that made them."""

_FULL_TEXT = "memory_fts"
_NO_COMPLAINT = re.compile(r"ok|\*\*\* in database .*")
_OF_A_TREE = re.compile(r"Tree (\d+) ")
_OF_A_PAGE = re.compile(r"(Fragmentation of|Multiple uses for byte) ")
_COUNTED = re.compile(r"wrong # of entries in index (.+)")
_SHARED = "reference to page"
_WHERE = " WHERE "


class _Index(NamedTuple):
    """An index of a table.

    Attributes:
        root: Number of its first page, by which SQLite names its tree.
        terms: What it holds of each row, as it stands in a statement.
        condition: Of which rows it holds it; empty for all.
    """

    name: str
    root: int
    terms: str
    condition: str


def is_only_derived_damaged(path: Path, noted: Head) -> bool:
    """Whether everything that was written can be read, though the file is damaged.

    Args:
        path: A database of ours whose identity has been checked; it is only read.
        noted: How far its log had come at least.
    """
    try:
        with closing(connect_raw(path, read_only=True)) as connection:
            connection.text_factory = read_text
            connection.execute("BEGIN")
            return holds_all_that_was_written(connection, noted)
    except sqlite_module().Error:
        return False


def holds_all_that_was_written(connection: sqlite3.Connection, noted: Head) -> bool:
    """The same, of a file that a transaction of this connection sees."""
    try:
        tables = written_tables(connection)
        return (
            all(_is_whole(connection, one) for one in tables)
            and not any(_points_nowhere(connection, one) for one in tables)
            and _holds(connection, noted)
        )
    except (sqlite_module().Error, UnicodeDecodeError):
        return False


def written_tables(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Every table that cannot be made again from the others, by name."""
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table'"
        " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    ).fetchall()
    return tuple(
        name for (name,) in names if name not in DERIVED_TABLES and not name.startswith(_FULL_TEXT)
    )


def _is_whole(connection: sqlite3.Connection, table: str) -> bool:
    """Whether all rows of a table are there, and nothing casts doubt on one of them."""
    indexes = tuple(_indexes(connection, table))
    complaints = _complaints(connection, table)
    if any(_SHARED in one for one in complaints):
        return False
    named = {int(found[1]) for one in complaints if (found := _OF_A_TREE.match(one))}
    broken = {one.name for one in indexes if one.root in named}
    unnamed = [one for one in complaints if not _is_of(one, broken)]
    if not named <= {one.root for one in indexes} or not all(map(_OF_A_PAGE.match, unnamed)):
        return False
    is_attested = False
    for index in indexes:
        if index.root in named:
            continue
        verdict = _agrees(connection, table, index)
        if verdict is False:
            return False
        is_attested = is_attested or (verdict is True and not index.condition)
    # A complaint that names but a page may mean the table, unless an index speaks for every row.
    return _rows_can_be_read(connection, table) and (not unnamed or is_attested)


def _is_of(complaint: str, broken: AbstractSet[str]) -> bool:
    """Whether a complaint names a tree, or the length of an index whose tree is named."""
    counted = _COUNTED.fullmatch(complaint)
    return bool(_OF_A_TREE.match(complaint)) or (counted is not None and counted[1] in broken)


def _complaints(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """What SQLite's quick check says of a table and its indexes.

    It stops at a hundred. Those of the table come first, and an index that it did not come to is
    read and compared like one that is whole.
    """
    found = connection.execute(f'PRAGMA quick_check("{table}")').fetchall()
    lines = [line for (said,) in found for line in str(said).splitlines()]
    return tuple(one for one in lines if not _NO_COMPLAINT.fullmatch(one))


def _indexes(connection: sqlite3.Connection, table: str) -> Iterator[_Index]:
    found = connection.execute(
        "SELECT name, rootpage, ifnull(sql, '') FROM sqlite_schema"
        " WHERE type = 'index' AND tbl_name = ?",
        (table,),
    ).fetchall()
    for name, root, sql in found:
        head, _, condition = sql.partition(_WHERE)
        yield _Index(name, root, _terms(connection, name, head), condition)


def _terms(connection: sqlite3.Connection, name: str, head: str) -> str:
    """What an index is over; one that a table makes by itself has no statement that says it."""
    if head:
        return head[head.index("(") + 1 : head.rindex(")")]
    columns = connection.execute(f'PRAGMA index_info("{name}")').fetchall()
    return ", ".join(f'"{column}"' for _, _, column in columns)


def _agrees(connection: sqlite3.Connection, table: str, index: _Index) -> bool | None:
    """Whether an index says the same as the rows; None where it cannot be read."""
    condition = f"{_WHERE}{index.condition}" if index.condition else ""
    ask = f'SELECT rowid, {index.terms} FROM "{table}"'  # noqa: S608 - names of ours
    held = set(connection.execute(f"{ask} NOT INDEXED{condition}"))
    try:
        said = connection.execute(f'{ask} INDEXED BY "{index.name}"{condition}').fetchall()
    except (sqlite_module().Error, UnicodeDecodeError):
        return None
    return len(said) == len(held) and set(said) == held


def _rows_can_be_read(connection: sqlite3.Connection, table: str) -> bool:
    for _ in connection.execute(f'SELECT * FROM "{table}" NOT INDEXED'):  # noqa: S608 - as above
        pass
    return True


def _points_nowhere(connection: sqlite3.Connection, table: str) -> bool:
    """Whether a row of it points to a row that is not there, whatever the indexes say."""
    for _, _, other, column, key, *_ in connection.execute(f'PRAGMA foreign_key_list("{table}")'):
        # Of the bare key SQLite would look into its index, which may be what is damaged.
        there = f'SELECT +"{key}" FROM "{other}" NOT INDEXED'  # noqa: S608 - as above
        stray = f'"{column}" IS NOT NULL AND "{column}" NOT IN ({there})'
        ask = f'SELECT 1 FROM "{table}" NOT INDEXED WHERE {stray} LIMIT 1'  # noqa: S608 - as above
        if connection.execute(ask).fetchone():
            return True
    return False


def _holds(connection: sqlite3.Connection, noted: Head) -> bool:
    """Whether the event that was noted last is there as it was."""
    if not noted.number:
        return True
    found = connection.execute("SELECT chain_hash FROM events WHERE seq = ?", (noted.number,))
    return bool(found.fetchone() == (noted.digest,))


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
