"""Removes a workspace for good: recorded in the account's log first, then nothing of it is left.

An empty note beside the workspaces says that a deletion has begun. Once the account's log says that
it happened it is carried through, at the next start if the program is killed; before that, a kill
leaves everything as it was. The folder gets another name while nobody can write to it, so that
other programs find the workspace gone instead of writing to a ghost.
"""

from __future__ import annotations

import json
import logging
import shutil
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    NotFoundError,
    StorageError,
)
from inklings_desktop.domain.log.backup import WorkspaceDeletion, deletion_phrase
from inklings_desktop.domain.log.events import TERMINAL_KINDS, EventDraft, EventKind
from inklings_desktop.storage.backups.backup_making import only_one_keeper
from inklings_desktop.storage.backups.backups import backup_folder, backups_of
from inklings_desktop.storage.checks.soundness import state_of
from inklings_desktop.storage.engine.connecting import (
    held_alone,
    remove_spare,
    replace_file,
    sync_folder,
    write_private,
)
from inklings_desktop.storage.engine.driver import file_error
from inklings_desktop.storage.engine.maintenance import upkeep_connection
from inklings_desktop.storage.log.event_chain import document_of
from inklings_desktop.storage.places import (
    DATABASE_NAME,
    DELETION_NOTE,
    WORKSPACES_FOLDER,
    deletion_notes,
)
from inklings_desktop.storage.rows.memories import from_ms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.storage.store import SqliteStore
    from inklings_desktop.storage.workspaces.workspace_directory import SqliteWorkspaceDirectory

_GONE = ".deleted-"
_SCRUBS = (
    "SELECT seq, at, kind, actor, actor_kind, door, tier, scope_key, counts, marks, chain_hash"
    " FROM events WHERE kind IN (SELECT value FROM json_each(?)) ORDER BY seq"
)
_RECORDED = (
    "SELECT 1 FROM events, json_each(events.ids) AS named"
    " WHERE events.kind = ? AND named.value = ? LIMIT 1"
)

_log = logging.getLogger("inklings.storage")


class SqliteWorkspaceEraser:
    """The ``WorkspaceEraser`` of one data root."""

    def __init__(
        self, databases: Databases, store: SqliteStore, directory: SqliteWorkspaceDirectory
    ) -> None:
        self._databases = databases
        self._store = store
        self._directory = directory

    def measure(self, workspace: Workspace) -> WorkspaceDeletion:
        """What deleting it would remove; a damaged file is said to be one."""
        try:
            file = self._databases.file(workspace.id)
        except DatabaseCorruptError:
            return self._damaged(workspace)
        with upkeep_connection(file.path) as connection:
            connection.execute("BEGIN")
            return self._measured(workspace, connection)

    def erase(self, workspace: Workspace, draft: EventDraft, at: datetime) -> WorkspaceDeletion:
        root = self._databases.root
        # One of an earlier version comes up to date when it is opened, which makes a backup.
        with suppress(DatabaseCorruptError):
            self._databases.file(workspace.id)
        with self._directory.locked(), only_one_keeper(root):
            note = self._note(workspace.id)
            if not note.exists():
                write_private(note, b"")
            sync_folder(note.parent)
            try:
                deletion = self._recorded(workspace, draft, at)
            except BaseException:
                if not self._is_recorded(workspace.id):
                    remove_spare(note)
                raise
            self._finish(workspace.id)
        return deletion

    def finish_all(self) -> int:
        """Carry through what a killed program began to delete; how many workspaces went.

        Called at every start. What cannot be finished now waits for the next one.
        """
        if not self._notes():
            return 0
        n_gone = 0
        try:
            with self._directory.locked(), only_one_keeper(self._databases.root):
                for note in self._notes():
                    workspace_id = note.name.removeprefix(DELETION_NOTE)
                    if self._is_recorded(workspace_id):
                        self._finish(workspace_id)
                        n_gone += 1
                    else:
                        remove_spare(note)
        except StorageError as error:
            _log.warning("a deletion waits for the next start: %s", type(error).__name__)
        return n_gone

    def _recorded(self, workspace: Workspace, draft: EventDraft, at: datetime) -> WorkspaceDeletion:
        """Append the events and move the folder away, while nobody can write to the workspace."""
        try:
            file = self._databases.file(workspace.id)
        except DatabaseCorruptError:
            return self._recorded_unread(workspace, draft, at)
        file.enter_write_lane()
        try:
            with upkeep_connection(file.path) as connection:
                connection.execute("BEGIN IMMEDIATE")
                if not file.is_in_place:
                    raise DatabaseBusyError(file.path, "replaced")
                deletion = self._measured(workspace, connection)
                copies = _copies_of_scrubs(connection, workspace.id)
                counts = {
                    "memories": deletion.n_memories,
                    "named_entries": deletion.n_named_entries,
                    "conversations": deletion.n_conversations,
                    "events": deletion.n_events,
                    "backups": deletion.n_backups,
                    "scrubs": sum(one.kind is EventKind.SCRUB_EXECUTED for one in copies),
                }
                draft = replace(draft, ids=(workspace.id,), counts=counts)
                number = self._appended([*copies, draft], at)
                self._move_away(workspace.id)
        finally:
            file.write_lane.release()
        return replace(deletion, event_number=number)

    def _recorded_unread(
        self, workspace: Workspace, draft: EventDraft, at: datetime
    ) -> WorkspaceDeletion:
        """The same for a file that is damaged; its scrubs cannot be told any more."""
        deletion = self._damaged(workspace)
        counts = {"backups": deletion.n_backups, "unreadable": 1}
        with held_alone(self._databases.workspace_folder(workspace.id) / DATABASE_NAME):
            number = self._appended([replace(draft, ids=(workspace.id,), counts=counts)], at)
            self._move_away(workspace.id)
        return replace(deletion, event_number=number)

    def _appended(self, drafts: Sequence[EventDraft], at: datetime) -> int:
        """Append to the account's log in one commit; number of the last event."""
        with self._store.write(None, initiator=drafts[-1].actor) as unit:
            appended = [unit.events.append(draft, at) for draft in drafts]
            unit.commit()
        return appended[-1].number

    def _damaged(self, workspace: Workspace) -> WorkspaceDeletion:
        return WorkspaceDeletion(
            workspace.id,
            workspace.name,
            deletion_phrase(workspace.name),
            0,
            0,
            0,
            0,
            len(backups_of(self._databases.root, workspace.id)),
            is_damaged=True,
        )

    def _measured(self, workspace: Workspace, connection: sqlite3.Connection) -> WorkspaceDeletion:
        state = state_of(connection)
        return WorkspaceDeletion(
            workspace.id,
            workspace.name,
            deletion_phrase(workspace.name),
            state.n_rows["memories"],
            state.n_rows["named_entries"],
            state.n_rows["conversations"],
            state.n_events,
            len(backups_of(self._databases.root, workspace.id)),
        )

    def _is_recorded(self, workspace_id: str) -> bool:
        with upkeep_connection(self._databases.file(None).path) as connection:
            found = connection.execute(
                _RECORDED, (EventKind.WORKSPACE_DELETED.value, workspace_id)
            ).fetchone()
        return found is not None

    def _move_away(self, workspace_id: str) -> None:
        folder = self._databases.workspace_folder(workspace_id)
        if folder.exists():
            self._databases.drop_world(workspace_id)
            gone = folder.with_name(f"{_GONE}{workspace_id}")
            _remove_tree(gone)
            replace_file(folder, gone)

    def _finish(self, workspace_id: str) -> None:
        """Remove whatever is left; every step may be done already."""
        root = self._databases.root
        self._databases.let_go(workspace_id)
        self._move_away(workspace_id)
        _remove_tree(backup_folder(root, workspace_id))
        self._databases.forget(workspace_id)
        _remove_tree(root / WORKSPACES_FOLDER / f"{_GONE}{workspace_id}")
        remove_spare(self._note(workspace_id))
        sync_folder(root / WORKSPACES_FOLDER)

    def _note(self, workspace_id: str) -> Path:
        return self._databases.workspace_folder(workspace_id).with_name(
            f"{DELETION_NOTE}{workspace_id}"
        )

    def _notes(self) -> Sequence[Path]:
        found = []
        for note in deletion_notes(self._databases.root):
            try:
                self._databases.workspace_folder(note.name.removeprefix(DELETION_NOTE))
            except NotFoundError:
                continue  # no name of ours
            found.append(note)
        return sorted(found)


def _copies_of_scrubs(connection: sqlite3.Connection, workspace_id: str) -> list[EventDraft]:
    """The workspace's scrubs for the account's log: their figures and hashes, and where from."""
    kinds = json.dumps([kind.value for kind in TERMINAL_KINDS])
    copies = []
    for row in connection.execute(_SCRUBS, (kinds,)).fetchall():
        number, at, kind, actor, actor_kind, door, tier, scope_key, counts, marks, digest = row
        origin = {
            "workspace": workspace_id,
            "number": str(number),
            "at": from_ms(at).isoformat(timespec="milliseconds"),
            "chain_hash": digest,
        }
        copies.append(
            EventDraft(
                EventKind(kind),
                actor,
                actor_kind,
                door,
                tier,
                scope_key,
                (),
                document_of(counts, dict),
                document_of(marks, dict) | origin,
            )
        )
    return copies


def _remove_tree(folder: Path) -> None:
    if not folder.exists():
        return
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise file_error(error, folder) from error
    sync_folder(folder.parent)
