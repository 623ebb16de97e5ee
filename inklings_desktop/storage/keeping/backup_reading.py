"""Opens a backup for reading beside the file in use, and says which rows differ."""

# ruff: noqa: S608  the statements are put together from names of ours, never from values

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from inklings_desktop.storage.engine.maintenance import (
    bare,
    sealed_view,
    upkeep_transaction,
)
from inklings_desktop.storage.keeping.restoring import require_same_history
from inklings_desktop.storage.repositories.transfer_repository import SqliteTransferRepository
from inklings_desktop.storage.rows.transaction import Transaction
from inklings_desktop.usecases.ports.keeping import KeptRows

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

_VALUES = ("content", "importance", "lifetime", "tags", "pinned", "paused", "locked")


def _row(name: str) -> str:
    return f"({', '.join(f'{name}.{one}' for one in _VALUES)})"


_ONLY_THEN = (
    "SELECT old.id AS id, old.sequence AS sequence FROM kept.memories AS old"
    " LEFT JOIN main.memories AS own ON own.id = old.id"
    " WHERE old.forgotten_at IS NULL AND (own.id IS NULL OR own.forgotten_at IS NOT NULL)"
)
_HERE = (
    "SELECT own.id AS id, own.sequence AS sequence FROM main.memories AS own"
    " LEFT JOIN kept.memories AS old ON old.id = own.id AND old.forgotten_at IS NULL"
    f" WHERE own.forgotten_at IS NULL AND (old.id IS NULL OR {_row('own')} IS NOT {_row('old')})"
)
_MEMORIES = f"SELECT id FROM ({_HERE} UNION ALL {_ONLY_THEN}) ORDER BY sequence DESC"
_ENTRIES = (
    "SELECT own.id FROM main.named_entries AS own"
    " LEFT JOIN kept.named_entries AS old ON old.id = own.id AND old.deleted_at IS NULL"
    " WHERE own.deleted_at IS NULL AND (old.id IS NULL OR own.body IS NOT old.body)"
    " UNION ALL SELECT old.id FROM kept.named_entries AS old"
    " LEFT JOIN main.named_entries AS own ON own.id = old.id AND own.deleted_at IS NULL"
    " WHERE old.deleted_at IS NULL AND own.id IS NULL"
)
_N_HERE = (
    "SELECT (SELECT count(*) FROM main.memories WHERE forgotten_at IS NULL)"
    f" - (SELECT count(*) FROM ({_HERE})),"
    " (SELECT count(*) FROM main.named_entries AS own JOIN kept.named_entries AS old"
    " ON old.id = own.id WHERE own.deleted_at IS NULL AND old.deleted_at IS NULL"
    " AND own.body IS old.body)"
)
_LAST_EVENT = "SELECT ifnull(max(seq), 0) FROM kept.events"


@contextmanager
def rows_beside(path: Path, source: Path, workspace_id: str | None) -> Iterator[KeptRows]:
    """What a backup holds, and what of it differs from the file in use.

    Args:
        path: The file in use.
        source: The backup, verified and of the current version.
        workspace_id: Whose both are; None for the account's.

    Raises:
        InvalidValueError: The backup is of another history.
        StorageError: One of them cannot be read.
    """
    with upkeep_transaction(path, attached=source, is_read=True) as connection:
        raw = bare(connection)
        require_same_history(raw)
        n_memories, n_entries = raw.execute(_N_HERE).fetchone()
        memory_ids = _ids(raw, _MEMORIES)
        entry_ids = _ids(raw, _ENTRIES)
        (n_events,) = raw.execute(_LAST_EVENT).fetchone()
    with sealed_view(source) as kept:
        yield KeptRows(
            SqliteTransferRepository(Transaction(kept, workspace_id)),
            memory_ids,
            entry_ids,
            n_memories,
            n_entries,
            n_events,
        )


def _ids(connection: sqlite3.Connection, statement: str) -> tuple[str, ...]:
    return tuple(row[0] for row in connection.execute(statement))
