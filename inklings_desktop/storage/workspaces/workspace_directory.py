"""The workspaces under one data root: a folder each, named by id; the name is data."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    ConflictError,
    NotFoundError,
    StorageError,
)
from inklings_desktop.domain.rooms.conversation import MAX_NAME_CHARACTERS, name_key
from inklings_desktop.storage.checks.identity import (
    WORKSPACE_FILE,
    check_identity,
    create_database,
    described,
    description_of,
    read_description,
)
from inklings_desktop.storage.engine.connecting import (
    locked,
    make_folder,
    replace_file,
    require_writable,
    sync_folder,
    write_private,
)
from inklings_desktop.storage.places import DATABASE_NAME, WORKSPACES_FOLDER
from inklings_desktop.storage.rows.memories import to_ms
from inklings_desktop.storage.schema.marks import FileKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.storage.databases import Databases

LOCK_FILE = ".lock"
LOCK_TIMEOUT_SECONDS = 5.0
_UNFINISHED = ".new-"
ID_CHARACTERS = 36


class SqliteWorkspaceDirectory:
    """The ``WorkspaceDirectory`` of one data root."""

    def __init__(
        self, databases: Databases, *, lock_timeout_seconds: float = LOCK_TIMEOUT_SECONDS
    ) -> None:
        self._databases = databases
        self._lock_timeout_seconds = lock_timeout_seconds

    def workspaces(self) -> tuple[Workspace, ...]:
        """All of them, oldest first; one before copies of its folder, which no id names."""
        folder = self._databases.root / WORKSPACES_FOLDER
        if not folder.is_dir():
            return ()
        found = [
            described(one)
            for one in folder.iterdir()
            if not one.name.startswith(".") and (one / DATABASE_NAME).exists()
        ]
        return tuple(
            sorted(found, key=lambda one: (one.created_at, len(one.id) != ID_CHARACTERS, one.id))
        )

    def get(self, key: str) -> Workspace:
        known = self.workspaces()
        for workspace in known:
            if workspace.id == key:
                return workspace
        for workspace in known:
            if name_key(workspace.name) == name_key(key):
                return workspace
        raise NotFoundError("workspace", key)

    def create(self, workspace: Workspace, *channels: Channel) -> None:
        """Make its folder and database with these channels, whole or not at all.

        Raises:
            ConflictError: The name is taken, regardless of case, or the id.
            StorageError: The folder cannot be made.
        """
        import shutil

        final = self._databases.workspace_folder(workspace.id)
        with self.locked():
            self._require_free_name(workspace)
            if final.exists():
                raise ConflictError("workspace", workspace.id)
            for left_over in final.parent.glob(f"{_UNFINISHED}*"):
                shutil.rmtree(left_over)
            fresh = final.with_name(f"{_UNFINISHED}{workspace.id}")
            make_folder(fresh)
            try:
                create_database(
                    fresh / DATABASE_NAME,
                    FileKind.WORKSPACE,
                    workspace.id,
                    to_ms(workspace.created_at),
                    self._databases.template_of,
                )
                if channels:
                    _add_channels(fresh / DATABASE_NAME, workspace.id, channels)
                write_private(fresh / WORKSPACE_FILE, description_of(workspace))
                sync_folder(fresh)
                # What one of this id held that is gone was never in the new one.
                self._databases.witness().drop(workspace.id)
                replace_file(fresh, final)
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
            with suppress(StorageError):  # the first opening notes it otherwise
                self._databases.log_heads().enter(workspace.id)

    def adopt(self, folder: Path) -> Workspace:
        """Copy a workspace in that lies elsewhere, whole or not at all; that folder stays.

        Raises:
            InvalidValueError: The folder holds no workspace, or a whole data root.
            ConflictError: This workspace is here already; the key is its name here.
            StorageError: Its database is not ours, newer, damaged or out of reach, or there is
                no room for the copy.
        """
        import shutil

        # Nearly nobody ever copies one in; the first page does not wait for what that needs.
        from inklings_desktop.storage.workspaces.outside_workspace import OutsideWorkspace

        lineage = self._databases.lineage
        outside = OutsideWorkspace(folder, lineage)
        workspace_id = outside.id()
        final = self._databases.workspace_folder(workspace_id)
        with self.locked():
            known = self.workspaces()
            here = next((one for one in known if one.id == workspace_id), None)
            if here is not None:
                raise ConflictError("workspace_id", here.name)
            if final.exists():
                raise ConflictError("workspace_id", workspace_id)
            theirs = read_description(outside.description(), workspace_id, folder)
            taken = {name_key(one.name) for one in known}
            workspace = replace(theirs, name=_free_name(theirs.name, taken))
            fresh = final.with_name(f"{_UNFINISHED}{workspace_id}")
            shutil.rmtree(fresh, ignore_errors=True)
            make_folder(fresh)
            try:
                outside.copy_into(fresh / DATABASE_NAME)
                check_identity(
                    fresh / DATABASE_NAME,
                    FileKind.WORKSPACE,
                    workspace_id,
                    lineage=lineage,
                    or_older=True,
                )
                write_private(fresh / WORKSPACE_FILE, description_of(workspace))
                sync_folder(fresh)
                replace_file(fresh, final)
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
        return workspace

    def discard(self, workspace_id: str) -> None:
        """Remove a workspace that this program made a moment ago for what then failed.

        Raises:
            StorageError: It cannot be removed.
        """
        import shutil

        final = self._databases.workspace_folder(workspace_id)
        gone = final.with_name(f"{_UNFINISHED}{workspace_id}")
        with self.locked():
            self._databases.let_go(workspace_id)
            if final.exists():
                replace_file(final, gone)
            shutil.rmtree(gone, ignore_errors=True)
            self._databases.forget(workspace_id)

    def rename(self, workspace: Workspace) -> None:
        import secrets

        folder = self._databases.workspace_folder(workspace.id)
        with self.locked():
            if not (folder / DATABASE_NAME).exists():
                raise NotFoundError("workspace", workspace.id)
            self._require_free_name(workspace)
            fresh = folder / f"{WORKSPACE_FILE}.{os.getpid()}-{secrets.token_hex(4)}.new"
            write_private(fresh, description_of(workspace))
            replace_file(fresh, folder / WORKSPACE_FILE)

    def folder(self, workspace_id: str) -> Path:
        return self._databases.workspace_folder(workspace_id)

    def _require_free_name(self, workspace: Workspace) -> None:
        wanted = name_key(workspace.name)
        for other in self.workspaces():
            if other.id != workspace.id and name_key(other.name) == wanted:
                raise ConflictError("workspace", workspace.name)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One program at a time makes, names or deletes workspaces.

        Raises:
            DatabaseBusyError: Another one does not end.
            StorageError: The folder cannot be made or written to.
        """
        folder = self._databases.root / WORKSPACES_FOLDER
        make_folder(folder)
        require_writable(folder)
        with locked(folder / LOCK_FILE, folder, "workspaces", self._lock_timeout_seconds):
            yield


def _add_channels(path: Path, workspace_id: str, channels: Sequence[Channel]) -> None:
    """Put channels into a database that nobody else knows of yet."""
    from inklings_desktop.storage.engine.maintenance import upkeep_transaction
    from inklings_desktop.storage.repositories.conversation_repository import (
        SqliteConversationRepository,
    )
    from inklings_desktop.storage.rows.transaction import Transaction

    with upkeep_transaction(path) as connection:
        rooms = SqliteConversationRepository(Transaction(connection, workspace_id, initiator=""))
        for channel in channels:
            rooms.add_channel(channel)
        connection.commit()


def described_folders(root: Path) -> dict[str, tuple[int, int]]:
    """Which description each workspace of a data root has, by folder name: its node, and when.

    Two that follow each other at once may be of one moment, as the system counts moments, but never
    of one node. Cheap enough to ask four times a second: a workspace that comes, goes or gets
    another name changes the answer, and nothing that is written into one does.
    """
    found: dict[str, tuple[int, int]] = {}
    with suppress(OSError), os.scandir(root / WORKSPACES_FOLDER) as folders:
        for one in folders:
            if not one.name.startswith("."):
                with suppress(OSError):
                    described = Path(one.path, WORKSPACE_FILE).stat()
                    found[one.name] = (described.st_ino, described.st_mtime_ns)
    return found


def _free_name(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where another workspace has it."""
    number, free = 2, name
    while name_key(free) in taken:
        end = f" {number}"
        free = f"{name[: MAX_NAME_CHARACTERS - len(end)]}{end}"
        number += 1
    return free
