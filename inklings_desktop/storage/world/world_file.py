"""``world.db`` of one workspace: made, checked, set aside when it is wrong, opened, dropped."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import threading
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DatabaseBusyError, DatabaseCorruptError, NotFoundError
from inklings_desktop.storage.engine.connecting import (
    BUSY_TIMEOUT_MS,
    CACHE,
    SHARED_PRAGMAS,
    connect_raw,
    connector,
    node_of,
    publish_new,
    remove_spare_database,
    write_private,
)
from inklings_desktop.storage.engine.driver import (
    file_error,
    sqlite_module,
    storage_error,
    translated,
)
from inklings_desktop.storage.engine.maintenance import TextReading
from inklings_desktop.storage.engine.ways_in import BareReaders
from inklings_desktop.storage.places import WORLD_ASIDE, WORLD_NAME, workspace_folder
from inklings_desktop.storage.rows.snapshot import View
from inklings_desktop.storage.world.index_schema import create_index, is_index_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import TypeAlias

    _Node: TypeAlias = tuple[int, int] | None
    """Device and inode of the file."""

_SHARED = (f"busy_timeout={BUSY_TIMEOUT_MS}", *SHARED_PRAGMAS, CACHE, "synchronous=NORMAL")
_LANE_SECONDS = 30.0

_log = logging.getLogger("inklings.storage")


class WorldFile:
    """One workspace's index as a file; safe to use from any thread, one writer at a time.

    What is written survives a killed process; a power cut may take the last of it, which the next
    look finds again.
    """

    def __init__(self, root: Path, workspace_id: str, now_ms: Callable[[], int]) -> None:
        """Know the file; it is made and opened when it is first used.

        Raises:
            NotFoundError: No workspace can have this id.
        """
        self.path = workspace_folder(root, workspace_id) / WORLD_NAME
        self._workspace_id, self._now_ms = workspace_id, now_ms
        self._lock, self._lane = threading.Lock(), threading.Lock()
        self._readers = BareReaders(
            connector(self.path, (*_SHARED, "query_only=ON")), TextReading()
        )
        self._node: _Node = None
        self._writer: tuple[sqlite3.Connection, _Node] | None = None

    @contextlib.contextmanager
    def reading(self) -> Iterator[View]:
        """One consistent view.

        Raises:
            NotFoundError: There is no such workspace.
            StorageError: The file cannot be read; a damaged one is set aside for the next use.
        """
        with self._guarded():
            self._settle()
            with self._readers.connection() as connection:
                yield View(connection, self._workspace_id)

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, committed at the end, undone by whatever is raised.

        Raises:
            NotFoundError: There is no such workspace.
            StorageError: The file cannot be written; a damaged one is set aside for the next use.
        """
        if not self._lane.acquire(timeout=_LANE_SECONDS):
            raise DatabaseBusyError(self.path, "write lane")
        try:
            with self._guarded():
                connection = self._writing_to(self._settle())
                connection.execute("BEGIN IMMEDIATE")
                try:
                    connection.execute("UPDATE meta SET change_seq = change_seq + 1")
                    yield connection
                    connection.execute("COMMIT")
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
        finally:
            self._lane.release()

    def drop(self) -> None:
        """Remove the file; the next use makes it anew."""
        self.close()
        with self._lane, self._lock:
            remove_spare_database(self.path)

    def close(self) -> None:
        """Let go of the file until it is used again."""
        with self._lane, self._lock:
            self._readers.dispose()
            if self._writer is not None:
                self._writer[0].close()
            self._writer = self._node = None

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            with translated(self.path):
                yield
        except DatabaseCorruptError:
            with self._lock:
                self._set_aside()
            raise

    def _settle(self) -> _Node:
        """The file at the path once it is a sound one of this workspace, and the one that is read.

        Another process may have dropped it, and made another.
        """
        with self._lock:
            node = node_of(self.path)
            if node is None or node != self._node:
                self._readers.dispose()
                if node is not None and not self._is_own():
                    self._set_aside()
                    node = None
                if node is None:
                    self._make()
                self._node = node_of(self.path)
            return self._node

    def _writing_to(self, node: _Node) -> sqlite3.Connection:
        if self._writer is not None and self._writer[1] != node:
            self._writer[0].close()
            self._writer = None
        if self._writer is None:
            self._writer = connector(self.path, _SHARED)(), node
        return self._writer[0]

    def _is_own(self) -> bool:
        try:
            with contextlib.closing(connect_raw(self.path, read_only=True)) as connection:
                return is_index_of(connection, self._workspace_id)
        except UnicodeDecodeError:
            return False
        except sqlite_module().Error as error:
            known = storage_error(error, self.path)
            if known is not None and not isinstance(known, DatabaseCorruptError):
                raise  # busy or out of reach, which says nothing of what it holds
            return False

    def _make(self) -> None:
        if not self.path.parent.is_dir():
            raise NotFoundError("workspace", self._workspace_id)
        fresh = self.path.with_name(f".{WORLD_NAME}.{os.getpid()}-{secrets.token_hex(4)}.new")
        write_private(fresh, b"")
        try:
            with contextlib.closing(connect_raw(fresh)) as connection:
                create_index(connection, self._workspace_id, self._now_ms())
                connection.execute("PRAGMA journal_mode = WAL")
        except sqlite_module().Error:
            remove_spare_database(fresh)
            raise
        publish_new(fresh, self.path)

    def _set_aside(self) -> None:
        """Keep what cannot be used under another name, in place of what was kept before."""
        self._readers.dispose()
        self._node = None
        aside = self.path.with_name(WORLD_ASIDE)
        remove_spare_database(aside)
        try:
            self.path.replace(aside)
        except FileNotFoundError:
            return  # another process was faster
        except OSError as error:
            raise file_error(error, self.path) from error
        remove_spare_database(self.path)
        _log.warning("%s could not be used. It is made anew from the pages.", self.path)
