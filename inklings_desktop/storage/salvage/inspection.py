"""Looks a data root over, file by file, and repairs what is derived."""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseCorruptError,
    DatabaseFullError,
    DatabaseReadOnlyError,
    DatabaseTooNewError,
    DatabaseTooOldError,
    ForeignDatabaseError,
    MigrationFailedError,
    NotFoundError,
    StorageError,
)
from inklings_desktop.domain.log.backup import FileCheck, Finding, FindingKind
from inklings_desktop.domain.log.events import LOST_ANCHORS, LogFault
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.storage.backups.backup_making import only_one_keeper, verify_database
from inklings_desktop.storage.backups.backups import BACKUPS_FOLDER, all_backups, unfinished_in
from inklings_desktop.storage.checks.soundness import (
    broken_references,
    index_disagreements,
    is_full_text_sound,
    page_faults,
    state_of,
    unreadable_rows,
)
from inklings_desktop.storage.engine.compaction import fold_wal
from inklings_desktop.storage.engine.connecting import FILE_MODE, FOLDER_MODE, OTHERS
from inklings_desktop.storage.engine.driver import file_error
from inklings_desktop.storage.engine.maintenance import (
    sealed_connection,
    sealed_view,
    upkeep_connection,
    upkeep_transaction,
)
from inklings_desktop.storage.keeping.backup_keeper import note_head
from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit, first_forged
from inklings_desktop.storage.log.event_chain import Head
from inklings_desktop.storage.log.event_log import SqliteEventLog
from inklings_desktop.storage.log.witness import WITNESS_FOLDER
from inklings_desktop.storage.outside.client_tokens import CLIENT_TOKENS_FOLDER
from inklings_desktop.storage.places import DATABASE_NAME, WORKSPACES_FOLDER
from inklings_desktop.storage.rows.transaction import Transaction
from inklings_desktop.storage.salvage.drift import drift_of, make_again
from inklings_desktop.storage.salvage.rebuilding import is_only_derived_damaged, rebuild_database
from inklings_desktop.storage.search.side_file.folders import FIND_FOLDER, UNFINISHED
from inklings_desktop.storage.settling import linked_folders
from inklings_desktop.storage.workspaces.own_files import stray_copies

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.log.backup import Rebuilt
    from inklings_desktop.domain.log.events import EventDraft
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.usecases.ports.store import ChangePublisher

LEFT_OVER_AFTER_SECONDS = 3_600.0
"""Age from which a half-made file is nobody's work in progress any more."""
DEAD_AFTER_SECONDS = 60.0
"""The same where the program that made it runs no more; one in a container may be unseen."""

_LEFT_OVER = (
    f".{DATABASE_NAME}.*",
    ".settings-*",
    "install.key.*.new",
    ".log_heads.json.new",
    f"{WITNESS_FOLDER}/.*.new",
    f"{CLIENT_TOKENS_FOLDER}/.*.new",
    f"{WORKSPACES_FOLDER}/.new-*",
    f"{WORKSPACES_FOLDER}/*/.{DATABASE_NAME}.*",
    f"{WORKSPACES_FOLDER}/*/workspace.json.*.new",
    f"{FIND_FOLDER}/{UNFINISHED}",
    f"{WORKSPACES_FOLDER}/*/{FIND_FOLDER}/{UNFINISHED}",
)
_PRIVATE = (
    f"{DATABASE_NAME}*",
    "install.key",
    "log_heads.json",
    WITNESS_FOLDER,
    f"{WITNESS_FOLDER}/*",
    CLIENT_TOKENS_FOLDER,
    f"{CLIENT_TOKENS_FOLDER}/*",
    WORKSPACES_FOLDER,
    f"{WORKSPACES_FOLDER}/*",
    f"{WORKSPACES_FOLDER}/*/{DATABASE_NAME}*",
    f"{WORKSPACES_FOLDER}/*/workspace.json",
    f"{FIND_FOLDER}/*/*",
    f"{WORKSPACES_FOLDER}/*/{FIND_FOLDER}/*/*",
    BACKUPS_FOLDER,
    f"{BACKUPS_FOLDER}/*",
    f"{BACKUPS_FOLDER}/*/*",
)
"""Whatever holds a text of the memory, or a key to its log."""
_MAKER = re.compile(r"[.-](\d+)-[0-9a-z_]{8}(?:\.|-|$)")
"""Number of the process in the name of what it was making."""
_UNUSABLE: dict[type[StorageError], str] = {
    DatabaseCorruptError: "damaged",
    DatabaseTooNewError: "newer",
    DatabaseTooOldError: "older",
    MigrationFailedError: "migration",
    ForeignDatabaseError: "foreign",
}
_ENVIRONMENT = (DatabaseBusyError, DatabaseFullError, DatabaseReadOnlyError)


class SqliteInspector:
    """The ``Inspector`` of one data root."""

    def __init__(self, databases: Databases, publisher: ChangePublisher) -> None:
        self._databases = databases
        self._publisher = publisher

    def files(self) -> tuple[str | None, ...]:
        """What there is to look at: the account as None, then every workspace there is or was.

        A workspace that was deleted is not among them; one whose folder is gone is.
        """
        folder = self._databases.root / WORKSPACES_FOLDER
        found = folder.iterdir() if folder.is_dir() else ()
        there = {one.name for one in found if one.is_dir() and one.name[:1] != "."}
        return (None, *sorted(there | SqliteLogAudit(self._databases).noted_workspaces()))

    def look(self, workspace_id: str | None) -> FileCheck:
        """What is wrong with one file; a file that cannot be used is a finding, no error.

        Raises:
            StorageError: Another program keeps it busy, or the system refuses to let it be read.
        """
        try:
            path = self._databases.file(workspace_id).path
        except tuple(_UNUSABLE) as error:
            word = "schema" if error.detail == "schema" else _UNUSABLE[type(error)]
            return _unusable(workspace_id, word)
        except NotFoundError:  # a folder that no id names is a copy, if it holds anything
            folder = self._databases.root / WORKSPACES_FOLDER / str(workspace_id)
            word = "foreign" if (folder / DATABASE_NAME).exists() else "missing"
            return _unusable(workspace_id, word)
        try:
            return self._looked(path, workspace_id, is_sealed=self._databases.is_sealed_at(path))
        except DatabaseFullError:  # it was filled meanwhile
            return self._looked(path, workspace_id, is_sealed=True)
        except DatabaseCorruptError:
            return self._broken(path, workspace_id, 1)

    def stamp(self, workspace_id: str | None) -> tuple[int, ...]:
        root = self._databases.root
        folder = root if workspace_id is None else self._databases.workspace_folder(workspace_id)
        try:
            status = (folder / DATABASE_NAME).stat()
        except OSError:
            return ()
        return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns

    def mend(self, workspace_id: str | None, draft: EventDraft, at: datetime) -> Mapping[str, int]:
        """Make everything derived in one file again, and record it; what was wrong, by kind.

        Args:
            workspace_id: Whose file; None for the account's.
            draft: The event that records it, without figures.

        Raises:
            StorageError: The file cannot be written to; nothing was changed.
        """
        file = self._databases.file(workspace_id)
        file.enter_write_lane()
        try:
            with upkeep_transaction(file.path) as connection:
                drift = drift_of(connection)
                make_again(connection, drift)
                counts = {kind.value: number for kind, number in drift.counts.items()}
                transaction = Transaction(connection, workspace_id, initiator=draft.actor)
                log = SqliteEventLog(transaction, self._databases.key())
                log.append(replace(draft, counts=counts or {FindingKind.FULL_TEXT.value: 1}), at)
                file.own_changes.add(transaction.change_seq)
                connection.commit()
            note_head(self._databases, file.path, workspace_id, log)
        finally:
            file.write_lane.release()
        self._publisher.publish(MemoryChanges(workspace_id, reload=True, initiator=draft.actor))
        return counts

    def rebuild(self, workspace_id: str | None, draft: EventDraft, at: datetime) -> Rebuilt:
        """Put a whole database with the same rows in the place of one with damaged indexes.

        Args:
            workspace_id: Whose file; None for the account's.
            draft: The event that records it, without figures.

        Raises:
            DatabaseCorruptError: Something that was written cannot be read; nothing was changed.
            InvalidValueError: A scrub of it is not finished; nothing was changed.
            StorageError: Another program has it open, or there is no room; nothing was changed.
        """
        done = rebuild_database(self._databases, workspace_id, draft, at, lambda: at)
        is_workspace = workspace_id is not None
        self._publisher.publish(
            MemoryChanges(
                workspace_id,
                rooms=is_workspace,
                proposals=True,
                reload=True,
                initiator=draft.actor,
            )
        )
        return done

    def backup_names(self) -> tuple[str, ...]:
        """Every managed backup, damaged databases that were set aside left out."""
        return tuple(one.name for one in all_backups(self._databases.root) if not one.is_set_aside)

    def look_at_backup(self, name: str) -> Finding | None:
        """What speaks against restoring a backup; None when nothing does or it is gone by now."""
        for backup in all_backups(self._databases.root):
            if backup.name == name:
                break
        else:
            return None
        word = None if backup.fault is None else backup.fault.value
        if word is None:
            try:
                verify_database(backup.path, backup.workspace_id, self._databases.lineage)
            except _ENVIRONMENT:
                raise
            except StorageError:
                word = "damaged"
            else:
                forged = first_forged(self._databases, backup.path, backup.workspace_id)
                word = None if forged is None else f"forged_log {forged}"
        if word is None:
            return None
        return Finding(FindingKind.BACKUP, backup.workspace_id, 1, f"{word} {name}")

    def left_over(self, *, remove: bool) -> tuple[Finding, ...]:
        """Half-made files of runs that were killed, and side files that are damaged.

        They are removed if asked for. Copies that somebody made of a database are named after
        them, and are never removed.
        """
        # A start makes an inspector, and does without arrays.
        from inklings_desktop.storage.search.side_file.array_folder import damaged_folders

        root = self._databases.root
        found: list[Finding] = []
        if (root / BACKUPS_FOLDER).is_dir() and not (root / BACKUPS_FOLDER).is_symlink():
            # On a disk that cannot be written to nobody makes a backup, so nobody is waited for.
            with nullcontext() if self._databases.is_sealed else only_one_keeper(root):
                folders = [one for one in (root / BACKUPS_FOLDER).iterdir() if one.is_dir()]
                paths = [path for folder in sorted(folders) for path in unfinished_in(folder)]
                found += [_left_over(root, path, remove=remove) for path in paths]
        for pattern in _LEFT_OVER:
            found += [
                _left_over(root, path, remove=remove)
                for path in sorted(root.glob(pattern))
                if _is_nobodys(path)
            ]
        for database in (
            root / DATABASE_NAME,
            *root.glob(f"{WORKSPACES_FOLDER}/*/{DATABASE_NAME}"),
        ):
            for folder in damaged_folders(database):
                if remove:
                    shutil.rmtree(folder, ignore_errors=True)
                name = folder.relative_to(root).as_posix()
                found.append(Finding(FindingKind.SIDE_FILE, None, 1, name, is_repaired=remove))
        strays = stray_copies(self._databases)
        return (*found, *(Finding(FindingKind.STRAY, None, 1, name) for name in strays))

    def loosened(self, *, tighten: bool) -> tuple[Finding, ...]:
        if os.name == "nt":  # access follows from the folder there, not from a mode
            return ()
        root = self._databases.root
        found = [
            Finding(FindingKind.LINK, None, 1, path.relative_to(root).as_posix())
            for path in linked_folders(root)
        ]
        private = {path for pattern in _PRIVATE for path in root.glob(pattern)}
        for path in (root, *sorted(private)):
            if path != root and "/." in f"/{path.relative_to(root).as_posix()}":
                continue  # left over, or somebody's work in progress
            try:
                mode = path.lstat().st_mode
                if stat.S_ISLNK(mode) or not mode & OTHERS:
                    continue
                if tighten:
                    path.chmod(FOLDER_MODE if stat.S_ISDIR(mode) else FILE_MODE)
            except FileNotFoundError:
                continue  # a WAL that was folded since
            except OSError as error:
                raise file_error(error, path) from error
            name = str(root) if path == root else path.relative_to(root).as_posix()
            found.append(Finding(FindingKind.LOOSENED, None, 1, name, is_repaired=tighten))
        return tuple(found)

    def _looked(self, path: Path, workspace_id: str | None, *, is_sealed: bool) -> FileCheck:
        with _opened(path, is_sealed=is_sealed) as connection:
            n_faults = page_faults(connection)
            if n_faults:
                return self._broken(path, workspace_id, n_faults)
            if n_faults := index_disagreements(connection):
                return FileCheck(0, 0, (Finding(FindingKind.PAGES, workspace_id, n_faults),))
            counts: dict[FindingKind, int] = {
                FindingKind.REFERENCES: broken_references(connection),
                FindingKind.FULL_TEXT: int(not is_full_text_sound(connection)),
            }
            connection.execute("BEGIN")
            state = state_of(connection)
            connection.execute("ROLLBACK")
            unreadable = unreadable_rows(connection)
            open_purges = connection.execute("SELECT number, n_removed FROM purges").fetchall()
            is_free = not open_purges or is_sealed or fold_wal(connection)
        with sealed_view(path) if is_sealed else upkeep_transaction(path, is_read=True) as reading:
            counts.update(drift_of(reading).counts)
        findings = [Finding(FindingKind.TEXT, workspace_id, 1, where) for where in unreadable]
        findings += [
            Finding(kind, workspace_id, number) for kind, number in counts.items() if number
        ]
        findings += [
            Finding(
                FindingKind.PURGE,
                workspace_id,
                n_removed,
                f"{'start' if is_free else 'snapshot'} {number}",
            )
            for number, n_removed in open_purges
        ]
        verdict = SqliteLogAudit(self._databases).verify(workspace_id)
        if verdict.lost is not None:
            findings.append(
                Finding(
                    FindingKind.LOST_WRITES,
                    workspace_id,
                    verdict.lost.n_writes,
                    lost=verdict.lost,
                )
            )
        if verdict.reason not in (None, LogFault.WRITES_LOST):
            is_anchor = verdict.reason in LOST_ANCHORS
            kind = FindingKind.EVENT_ANCHOR if is_anchor else FindingKind.EVENT_CHAIN
            words = [verdict.reason.value, str(verdict.first_broken or "")]
            findings.append(Finding(kind, workspace_id, 1, " ".join(words).strip()))
        return FileCheck(state.n_rows["memories"], state.n_events, tuple(findings))

    def _broken(self, path: Path, workspace_id: str | None, n_faults: int) -> FileCheck:
        """A file with damaged pages: only what follows from the rest, or what was written too."""
        noted = self._databases.log_heads().read().heads.get(workspace_id, Head())
        is_derived = is_only_derived_damaged(path, noted)
        kind = FindingKind.INDEX_PAGES if is_derived else FindingKind.PAGES
        return FileCheck(0, 0, (Finding(kind, workspace_id, n_faults),))


def _opened(path: Path, *, is_sealed: bool) -> AbstractContextManager[sqlite3.Connection]:
    return sealed_connection(path) if is_sealed else upkeep_connection(path)


def _unusable(workspace_id: str | None, word: str) -> FileCheck:
    return FileCheck(0, 0, (Finding(FindingKind.UNREADABLE, workspace_id, 1, word),))


def _is_nobodys(path: Path) -> bool:
    """Whether no living program can be at work on a half-made file."""
    try:
        quiet_seconds = time.time() - path.lstat().st_mtime
    except FileNotFoundError:
        return False  # finished since the folder was read
    maker = _MAKER.search(path.name)
    is_dead = maker is not None and _is_dead(int(maker[1]))
    return quiet_seconds > (DEAD_AFTER_SECONDS if is_dead else LEFT_OVER_AFTER_SECONDS)


def _is_dead(process: int) -> bool:
    if os.name == "nt":  # to ask there is to end it
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _left_over(root: Path, path: Path, *, remove: bool) -> Finding:
    try:
        if remove and path.is_dir():
            for one in path.iterdir():
                one.unlink()
            path.rmdir()
        elif remove:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise file_error(error, path) from error
    name = path.relative_to(root).as_posix()
    return Finding(FindingKind.LEFT_OVER, None, 1, name, is_repaired=remove)
