"""A workspace's folder outside the data root: looked at and copied in, never written to."""

from __future__ import annotations

import json
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
    ForeignDatabaseError,
    InvalidValueError,
)
from inklings_desktop.storage.checks.identity import check_identity
from inklings_desktop.storage.engine.connecting import (
    connect_raw,
    connect_sealed,
    is_writable,
    write_private,
)
from inklings_desktop.storage.engine.driver import sqlite_module, storage_error
from inklings_desktop.storage.migrations.lineage import LINEAGE
from inklings_desktop.storage.places import DATABASE_NAME
from inklings_desktop.storage.schema.marks import FileKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.storage.migrations.lineage import Lineage

_MOST_DESCRIPTION_BYTES = 64 * 1024


class OutsideWorkspace:
    """One folder that is said to hold a workspace."""

    def __init__(self, folder: Path, lineage: Lineage = LINEAGE) -> None:
        self._lineage = lineage
        self.database = folder / DATABASE_NAME
        self._description = folder / "workspace.json"
        self._is_sealed = not is_writable(folder)

    def id(self) -> str:
        """Whose it is, once the file is known to be a sound one of ours.

        Raises:
            InvalidValueError: The folder holds no workspace, or a whole data root.
            StorageError: Its database is not ours, newer, damaged or out of reach.
        """
        if not self.database.is_file():
            raise InvalidValueError("workspace_folder", "none")
        try:
            self._check("")  # everything but whose it is
        except ForeignDatabaseError as error:
            if error.detail != "workspace":
                rule = "data_root" if error.detail == "kind" else "none"
                raise InvalidValueError("workspace_folder", rule) from error
        workspace_id = self._claimed_id()
        self._check(workspace_id)
        return workspace_id

    def description(self) -> object:
        """What stands beside the database, as JSON; None where that cannot be read."""
        try:
            with self._description.open("rb") as file:
                found: object = json.loads(file.read(_MOST_DESCRIPTION_BYTES))
        except (OSError, ValueError, RecursionError):
            return None
        return found

    def copy_into(self, path: Path) -> None:
        """Write a compact copy of the database, its WAL included.

        Raises:
            StorageError: It cannot be read, or the copy not be written.
        """
        write_private(path, b"")
        with self._connected() as connection:
            connection.execute("VACUUM INTO ?", (str(path.absolute()),))
        with closing(connect_raw(path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")

    def _check(self, workspace_id: str) -> None:
        kind, sealed = FileKind.WORKSPACE, self._is_sealed
        # One of an earlier version is copied as it is, and brought up to date when it is opened.
        check_identity(
            self.database,
            kind,
            workspace_id,
            sealed=sealed,
            lineage=self._lineage,
            or_older=True,
        )

    def _claimed_id(self) -> str:
        with self._connected() as connection:
            row = connection.execute("SELECT workspace_id FROM meta").fetchone()
        return str(row[0]) if row is not None else ""

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        path = self.database
        try:
            opened = connect_sealed(path) if self._is_sealed else connect_raw(path, read_only=True)
            with closing(opened) as connection:
                yield connection
        except sqlite_module().Error as error:
            raise storage_error(error, path) or DatabaseCorruptError(path, str(error)) from error
