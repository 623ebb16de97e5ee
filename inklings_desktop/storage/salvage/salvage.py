"""Reads what a damaged database still gives, into a copy that an export can be made of.

The copy stands among the unfinished backups of its place while it is needed: there a scrub and a
check find it, should the program be killed meanwhile. The damaged file is only read.
"""

from __future__ import annotations

import os
import secrets
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
    DatabaseReadOnlyError,
    NotFoundError,
)
from inklings_desktop.storage.backups.backup_making import (
    only_one_keeper,
    require_room,
    size_with_wal,
)
from inklings_desktop.storage.backups.backups import (
    UNFINISHED_PREFIX,
    backup_folder,
    remove_unfinished,
)
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.driver_errors import translated
from inklings_desktop.storage.engine.files import make_folder, require_writable, write_private
from inklings_desktop.storage.engine.lossy_text import LossyText
from inklings_desktop.storage.engine.maintenance import sealed_view, take_triggers_off
from inklings_desktop.storage.places import DATABASE_NAME
from inklings_desktop.storage.repositories.filter_repository import SqliteFilterRepository
from inklings_desktop.storage.repositories.golden_repository import SqliteGoldenRepository
from inklings_desktop.storage.repositories.proposal_repository import SqliteProposalRepository
from inklings_desktop.storage.repositories.transfer_repository import SqliteTransferRepository
from inklings_desktop.storage.rows.memories import to_ms
from inklings_desktop.storage.rows.transaction import Transaction
from inklings_desktop.storage.salvage.readable_rows import ReadableRows
from inklings_desktop.storage.salvage.salvage_mending import mend_salvage
from inklings_desktop.storage.schema.marks import FileKind
from inklings_desktop.storage.schema.schema_rules import create_schema, kind_of
from inklings_desktop.usecases.ports.keeping import Salvage

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path
    from typing import NoReturn

    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.usecases.ports.store import Clock

_MEMORY_TABLES = (
    "memories",
    "memory_versions",
    "memory_vectors",
    "named_entries",
    "named_entry_revisions",
    "golden_questions",
    "saved_filters",
    "proposals",
)
_ROOM_TABLES = ("channels", "conversations", "conversation_participants", "messages", "notes")
_ACTIVE = "SELECT count(*) FROM memories WHERE forgotten_at IS NULL"
_COPIES = 2


class SqliteSalvager:
    """The ``Salvager`` of one data root."""

    def __init__(self, databases: Databases, clock: Clock) -> None:
        """Read the files of these databases.

        Args:
            databases: The files under the data root; damaged ones are not opened through it.
            clock: For what has to be made up because it cannot be read.
        """
        self._databases = databases
        self._clock = clock

    @contextmanager
    def readable(self, workspace_id: str | None) -> Iterator[Salvage]:
        root = self._databases.root
        place = root if workspace_id is None else self._databases.workspace_folder(workspace_id)
        path = place / DATABASE_NAME
        if not path.is_file():
            raise NotFoundError("workspace", workspace_id or "account")
        with only_one_keeper(root):
            folder = backup_folder(root, workspace_id)
            make_folder(folder)
            require_writable(folder)
            remove_unfinished(folder)
            require_room(folder, _COPIES * size_with_wal(path))
            fresh = folder / f"{UNFINISHED_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
            write_private(fresh, b"")
            try:
                n_missing, is_whole = self._salvaged(path, fresh, workspace_id)
                yield Salvage(_SalvagedStore(fresh, workspace_id), n_missing, is_whole)
            finally:
                remove_unfinished(folder)

    def _salvaged(
        self, path: Path, fresh: Path, workspace_id: str | None
    ) -> tuple[int | None, bool]:
        """Fill the copy; memories that are missing if that is known, and whether all is there."""
        kind, now = kind_of(workspace_id), to_ms(self._clock())
        with translated(fresh), closing(connect_raw(fresh)) as target:
            create_schema(target, kind, workspace_id or "", now)
            target.execute("BEGIN IMMEDIATE")
            take_triggers_off(target)
            target.execute("DELETE FROM named_entry_revisions")
            target.execute("DELETE FROM named_entries")
            with closing(connect_raw(path, read_only=True)) as source:
                source.execute("PRAGMA cell_size_check = ON")
                # Where a line of the schema is damaged, or the end of the file is gone, SQLite
                # gives up what it still can read; with this it does not.
                source.execute("PRAGMA writable_schema = ON")
                rooms = _ROOM_TABLES if kind is FileKind.WORKSPACE else ()
                copied = [copy_table(source, target, one) for one in (*rooms, *_MEMORY_TABLES)]
                n_active = _counted(source)
            if not any(n for n, _ in copied):
                raise DatabaseCorruptError(path, "nothing readable")
            n_senseless = mend_salvage(target, workspace_id, now)
            n_kept = int(target.execute(_ACTIVE).fetchone()[0])
            target.execute("COMMIT")
        n_missing = None if n_active is None else max(0, n_active - n_kept)
        is_whole = all(is_whole for _, is_whole in copied) and not n_senseless
        return n_missing, is_whole and not n_missing


class _SalvagedStore:
    """The ``TransferStore`` over a copy of what could be read; whole rows are all it gives."""

    def __init__(self, path: Path, workspace_id: str | None) -> None:
        self._path = path
        self._workspace_id = workspace_id

    @contextmanager
    def read(self, workspace_id: str | None) -> Iterator[Any]:
        """The rows of the one place that was salvaged.

        Raises:
            NotFoundError: It is not this one.
        """
        if workspace_id != self._workspace_id:
            raise NotFoundError("workspace", workspace_id or "account")
        with sealed_view(self._path) as connection:
            yield _SalvagedView(Transaction(connection, workspace_id))

    find = read

    def write(self, _workspace_id: str | None, *, initiator: str, durable: bool = True) -> NoReturn:
        """Refuse: what is written to the copy goes with it.

        Raises:
            DatabaseReadOnlyError: Always.
        """
        raise DatabaseReadOnlyError(self._path, f"{initiator} {durable}")


class _SalvagedView:
    """What an export asks a view for."""

    def __init__(self, transaction: Transaction) -> None:
        self.transfers = SqliteTransferRepository(transaction)
        self.golden = SqliteGoldenRepository(transaction)
        self.filters = SqliteFilterRepository(transaction)
        self.proposals = SqliteProposalRepository(transaction)


def copy_table(
    source: sqlite3.Connection, target: sqlite3.Connection, table: str
) -> tuple[int, bool]:
    """Copy the rows that can be read and that a sound file could hold; how many, and if all."""
    columns = [row[1] for row in target.execute(f'PRAGMA table_info("{table}")')]
    names = ", ".join(f'"{one}"' for one in columns)
    into = f'INSERT INTO "{table}" ({names}) VALUES'
    rows = ReadableRows(source, table, columns)
    n_copied = 0
    is_whole = True
    for row in rows:
        try:
            # Text that is none goes over as the bytes that it is.
            places = ("CAST(? AS TEXT)" if type(one) is LossyText else "?" for one in row)
            values = [one.stored if type(one) is LossyText else one for one in row]
            target.execute(f"{into} ({', '.join(places)})", values)
            n_copied += 1
        except sqlite_module().IntegrityError:
            is_whole = False  # damage made values of it that no file of ours holds
    return n_copied, is_whole and rows.are_whole


def _counted(source: sqlite3.Connection) -> int | None:
    """How many active memories the file says it holds; None when it no longer tells."""
    try:
        (number,) = source.execute("SELECT ifnull(sum(active), 0) FROM scope_counts").fetchone()
    except (sqlite_module().Error, UnicodeDecodeError):  # damage that is quoted is met twice
        return None
    return number if isinstance(number, int) else None
