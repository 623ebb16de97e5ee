"""A workspace's file as the agent's process has it open: for the tables of runs, and no others."""

from __future__ import annotations

import threading
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseTooNewError,
    DatabaseTooOldError,
    ForeignDatabaseError,
    NotFoundError,
)
from inklings_desktop.storage.engine.connecting import (
    BUSY_TIMEOUT_MS,
    SHARED_PRAGMAS,
    connect_in_place,
    connect_raw,
    node_of,
)
from inklings_desktop.storage.engine.driver import sqlite_module, storage_error, translated
from inklings_desktop.storage.places import DATABASE_NAME, workspace_folder
from inklings_desktop.storage.schema.marks import (
    APPLICATION_ID,
    FINGERPRINTS,
    SCHEMA_VERSION,
    FileKind,
    fingerprint,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from pathlib import Path

OWN_TABLES = frozenset(
    {
        "runs", "run_checkpoints", "run_writes", "run_compactions", "run_traces",
        "permission_rules", "leases",
    }
)  # fmt: skip
"""What this way into the file can read and write."""

_PRAGMAS = (
    f"busy_timeout={BUSY_TIMEOUT_MS}",
    *SHARED_PRAGMAS,
    "synchronous=NORMAL",
    "cache_size=-2000",
    # The memory server writes to the same file in every turn, and folds the WAL then: a step of a
    # run never waits for the disk.
    "wal_autocheckpoint=0",
    "busy_timeout=0",  # from here on the waiting is done outside the driver
)
_BETWEEN_TRIES_SECONDS = 0.005


class RunFile:
    """One workspace's file; safe to use from any thread, one transaction at a time.

    What is written is safe against a killed process, and in a power cut the last of it may be lost:
    a turn then goes on from an earlier step.
    """

    def __init__(
        self, root: Path, workspace_id: str, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS
    ) -> None:
        """Know the file; it is opened when it is first used.

        Args:
            workspace_id: Whose it is.
            busy_timeout_ms: How long a write waits for another program, in milliseconds.

        Raises:
            NotFoundError: No workspace can have this id.
        """
        self.path = workspace_folder(root, workspace_id) / DATABASE_NAME
        self._workspace_id = workspace_id
        self._patience_seconds = busy_timeout_ms / 1000
        self._lock = threading.Lock()
        self._opened: tuple[sqlite3.Connection, tuple[int, int] | None] | None = None

    @contextmanager
    def transaction(
        self, begin: str = "BEGIN IMMEDIATE", *, is_patient: bool = True
    ) -> Iterator[sqlite3.Connection]:
        """One transaction; it is committed at the end, and undone by whatever is raised.

        Args:
            begin: How it begins.
            is_patient: Whether it waits for others who have the file to themselves.

        Raises:
            NotFoundError: There is no such workspace.
            DatabaseBusyError: Somebody else writes to it.
            StorageError: The file is not ours, damaged, of another version, or out of reach.
        """
        if not self._lock.acquire(blocking=is_patient):
            raise DatabaseBusyError(self.path, "write lane")
        try:
            with translated(self.path):
                connection = self._begun(begin, self._patience_seconds if is_patient else 0.0)
                try:
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    # SQLite has undone it already where the disk is full.
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
        finally:
            self._lock.release()

    def rest(self) -> None:
        """Let go of the file until it is used again."""
        with self._lock:
            self._let_go()

    def _begun(self, begin: str, seconds: float) -> sqlite3.Connection:
        end = time.monotonic() + seconds
        while True:
            connection, node = self._opened or self._open()
            try:
                connection.execute(begin)
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                # Another program may have put a file in its place before the lock was there, and
                # what is written to the old one is lost; or brought it to a version of its own.
                if node_of(self.path) == node:
                    _require_version(self.path, version)
                    return connection
                self._let_go()
            except BaseException as error:
                is_busy = isinstance(storage_error(error, self.path), DatabaseBusyError)
                if not is_busy:
                    self._let_go()
                elif connection.in_transaction:
                    connection.execute("ROLLBACK")
                if not is_busy or time.monotonic() >= end:
                    raise
                time.sleep(_BETWEEN_TRIES_SECONDS)

    def _open(self) -> tuple[sqlite3.Connection, tuple[int, int] | None]:
        while True:
            node = node_of(self.path)
            if node is None:
                raise NotFoundError("workspace", self._workspace_id)
            _require_own(self.path, self._workspace_id)
            connection = connect_in_place(self.path, _PRAGMAS, connect_raw)
            if node_of(self.path) == node:
                connection.set_authorizer(_authorizer())
                self._opened = connection, node
                return self._opened
            connection.close()

    def _let_go(self) -> None:
        if self._opened is not None:
            self._opened[0].close()
        self._opened = None


def _require_own(path: Path, workspace_id: str) -> None:
    """Return only if the file is this workspace's and of this version; never writes.

    Raises:
        StorageError: It is not.
    """
    with closing(connect_raw(path, read_only=True)) as connection:
        connection.execute("BEGIN")
        (application_id,) = connection.execute("PRAGMA application_id").fetchone()
        if application_id != APPLICATION_ID:
            raise ForeignDatabaseError(path, "application")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        _require_version(path, version)
        if fingerprint(connection) != FINGERPRINTS[FileKind.WORKSPACE]:
            # An extra trigger would run unseen.
            raise DatabaseCorruptError(path, "schema")
        row = connection.execute("SELECT kind, workspace_id FROM meta").fetchone()
    if row != (FileKind.WORKSPACE, workspace_id):
        raise ForeignDatabaseError(path, "workspace")


def _require_version(path: Path, version: int) -> None:
    if version > SCHEMA_VERSION:
        raise DatabaseTooNewError(path, version, SCHEMA_VERSION)
    if version < SCHEMA_VERSION:
        raise DatabaseTooOldError(path, version, SCHEMA_VERSION)


def _authorizer() -> Callable[..., int]:
    """Refuse everything but rows of the own tables."""
    module = sqlite_module()
    rows = {module.SQLITE_READ, module.SQLITE_INSERT, module.SQLITE_UPDATE, module.SQLITE_DELETE}
    plain = {module.SQLITE_SELECT, module.SQLITE_TRANSACTION, module.SQLITE_FUNCTION}
    ok, deny, pragma = int(module.SQLITE_OK), int(module.SQLITE_DENY), module.SQLITE_PRAGMA

    def authorize(action: int, first: str | None, second: str | None, *_: object) -> int:
        if action in rows:
            return ok if first in OWN_TABLES else deny
        if action == pragma:
            return ok if (first, second) == ("user_version", None) else deny
        return ok if action in plain else deny

    return authorize
