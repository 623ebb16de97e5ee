"""The ``LogAudit`` over the files of one data root, and which of their writes a witness misses."""

from __future__ import annotations

from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DatabaseCorruptError, NotFoundError, StorageError
from inklings_desktop.domain.log.events import LogFault, LogVerdict, LostWrites
from inklings_desktop.storage.backups.backup_making import verify_database
from inklings_desktop.storage.backups.backups import backups_of
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.engine.driver import sqlite_module, translated
from inklings_desktop.storage.log.event_chain import Head, check_chain, last_head
from inklings_desktop.storage.log.log_heads import HeadsState
from inklings_desktop.storage.rows.memories import from_ms, to_ms
from inklings_desktop.storage.upgrade.log_adoption import fetch_of, open_log, read_any_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from inklings_desktop.storage.backups.backups import BackupFile
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.storage.log.event_chain import ChainCheck
    from inklings_desktop.storage.log.log_heads import NotedHeads
    from inklings_desktop.storage.log.witness import Loss, Testimony


def lost_writes(root: Path, workspace_id: str | None, losses: Sequence[Loss]) -> LostWrites | None:
    """All that is missing in one file; None when nothing is.

    Args:
        workspace_id: Whose file; None for the account's.
        losses: What its witness misses.
    """
    writes = [write for loss in losses for write in loss.writes]
    if not writes:
        return None
    backup, n_in_backup = _best_backup(root, workspace_id, losses)
    return LostWrites(
        len(writes),
        from_ms(min(one.at for one in writes)),
        from_ms(max(one.at for one in writes)),
        sum(one.n_scrubs for one in writes),
        backup,
        n_in_backup,
    )


def _best_backup(
    root: Path, workspace_id: str | None, losses: Sequence[Loss]
) -> tuple[str | None, int]:
    """The sound backup that holds most of what is missing, the newest of several; how much."""
    holding = [(_n_held(one, losses), one) for one in backups_of(root, workspace_id)]
    for n_held, backup in sorted(holding, key=lambda one: (one[0], one[1].name), reverse=True):
        if n_held == 0:
            break
        try:
            verify_database(backup.path, workspace_id)
        except StorageError:
            continue
        return backup.name, n_held
    return None, 0


def _n_held(backup: BackupFile, losses: Sequence[Loss]) -> int:
    """How many of the missing writes a backup holds: it was made between them and their loss."""
    if backup.fault is not None:
        return 0
    made_at = to_ms(backup.created_at)
    with (
        translated(backup.path),
        closing(connect_raw(backup.path, read_only=True, immutable=True)) as kept,
    ):
        (come_to,) = kept.execute("SELECT change_seq FROM meta").fetchone()
    return sum(
        one.change_seq <= come_to and one.at <= made_at <= loss.found_at
        for loss in losses
        for one in loss.writes
    )


_COME_TO = "SELECT change_seq FROM meta"
_EVENTS = "SELECT * FROM events ORDER BY seq"


class SqliteLogAudit:
    """Checks logs as they lie on the disk, past every engine."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def verify(self, workspace_id: str | None) -> LogVerdict:
        """What the check of one log found, without the workspace's name; None is the account's.

        A file that cannot be read is a verdict, no error. One that is no longer as the program
        made it is never opened; its events are checked all the same.

        Raises:
            StorageError: The noted heads cannot be read.
        """
        key, heads = self._databases.key(), self._databases.log_heads()
        try:
            path, is_as_made = self._file_of(workspace_id)
        except (StorageError, NotFoundError):
            return _unreadable(workspace_id)
        # Before the log: whoever appends notes the head after the commit, so the log is longer.
        noted = heads.read()
        head = noted.heads.get(workspace_id)
        said = self._databases.witness().testimony(workspace_id)
        try:
            with closing(self._opened(path)) as connection:
                connection.execute("BEGIN")
                check = check_chain(fetch_of(connection), key, head)
                (change_seq,) = connection.execute(_COME_TO).fetchone()
        except (sqlite_module().Error, TypeError):
            return _unreadable(workspace_id)
        lost = self._lost(workspace_id, said, change_seq)
        altered = None if is_as_made else LogFault.FILE_ALTERED
        gone = None if lost is None else LogFault.WRITES_LOST
        reason = check.reason or altered or gone or _fault_of_head(noted, head, check)
        return LogVerdict(
            workspace_id, "", check.n_events, check.first_broken, reason, check.n_segments, lost
        )

    def lost_writes(self, workspace_id: str | None) -> LostWrites | None:
        """What one file once held and does not hold any more; None when nothing is known of.

        Raises:
            StorageError: Its witness cannot be read.
        """
        try:
            path, _ = self._file_of(workspace_id)
            said = self._databases.witness().testimony(workspace_id)
            with closing(self._opened(path)) as connection:
                (change_seq,) = connection.execute(_COME_TO).fetchone()
        except (DatabaseCorruptError, NotFoundError, sqlite_module().Error, TypeError):
            return None  # no file that is whole in itself: there is more to say of it than this
        return self._lost(workspace_id, said, change_seq)

    def accept_lost_writes(self, workspace_id: str | None) -> None:
        self._databases.witness().accept(workspace_id)

    def noted_workspaces(self) -> frozenset[str]:
        """Workspaces whose heads are noted, whether they are there or not.

        Raises:
            StorageError: The noted heads cannot be read.
        """
        noted = self._databases.log_heads().read()
        return frozenset(one for one in noted.heads if one is not None)

    def anchor(
        self, workspace_ids: Sequence[str | None], doubtful: Sequence[str | None] = ()
    ) -> None:
        """Note the heads of these logs as they are now; heads that cannot be trusted are dropped.

        A new key is accepted with them.

        Args:
            workspace_ids: Logs whose chains are whole; None is the account's.
            doubtful: Logs whose chains are not: each gets a head as well if it has none, so that
                none of them is ever taken for a new one.

        Raises:
            NotFoundError: There is no such workspace.
            StorageError: They cannot be noted.
        """
        log_heads = self._databases.log_heads()
        noted = log_heads.read().heads
        heads = {one: self._last_head(one) for one in workspace_ids}
        for one in doubtful:
            if one not in noted:
                heads[one] = replace(self._last_head(one), is_anew=True)
        log_heads.put(heads, accepts_key=True)

    def _lost(
        self, workspace_id: str | None, said: Testimony, change_seq: int
    ) -> LostWrites | None:
        losses = said.against(change_seq, self._databases.now_ms()).losses
        return lost_writes(self._databases.root, workspace_id, losses)

    def _last_head(self, workspace_id: str | None) -> Head:
        path, _ = self._file_of(workspace_id)
        with translated(path), closing(self._opened(path)) as connection:
            return last_head(fetch_of(connection))

    def _file_of(self, workspace_id: str | None) -> tuple[Path, bool]:
        """The file, and whether it is as the program made it: a trigger may have been dropped."""
        try:
            return self._databases.file(workspace_id).path, True
        except DatabaseCorruptError as error:
            if error.path is None:
                raise
            return error.path, False

    def _opened(self, path: Path) -> sqlite3.Connection:
        return open_log(path, read_only=True, is_sealed=self._databases.is_sealed_at(path))


def first_forged(databases: Databases, backup: Path, workspace_id: str | None) -> int | None:
    """The first event of a backup's log that is not what was written; None if all are.

    A log that another installation wrote as a whole cannot be judged by this one's key: it is
    held against the log of the file in use, which noted what it adopted.

    Args:
        backup: A finished file that nobody writes to.
        workspace_id: Whose it is; None for the account's.

    Raises:
        StorageError: The backup cannot be read.
    """
    with _finished(backup) as kept:
        check = check_chain(fetch_of(kept), databases.key())
        if check.reason is LogFault.FOREIGN:
            with suppress(StorageError, NotFoundError):
                path = databases.file(workspace_id).path
                with translated(path), closing(open_log(path, read_only=True)) as own:
                    written = {row[-1]: row for row in own.execute(_EVENTS)}
                rows = kept.execute(_EVENTS)
                return next((row[0] for row in rows if written.get(row[-1], row) != row), None)
            return None  # what can still be read of the other is compared when it is replaced
    return None if check.reason is None else check.first_broken or 1


@contextmanager
def _finished(path: Path) -> Iterator[sqlite3.Connection]:
    with (
        translated(path),
        closing(connect_raw(path, read_only=True, immutable=True)) as connection,
    ):
        connection.text_factory = read_any_text
        yield connection


def _unreadable(workspace_id: str | None) -> LogVerdict:
    return LogVerdict(workspace_id, "", 0, None, LogFault.UNREADABLE)


def _fault_of_head(noted: NotedHeads, head: Head | None, check: ChainCheck) -> LogFault | None:
    """What is wrong with the anchor of a chain that is whole in itself."""
    if noted.state is HeadsState.EDITED:
        return LogFault.HEADS_EDITED
    is_lost = noted.state is HeadsState.MISSING or (head is None and check.n_events > 0)
    is_lost = is_lost or (head is not None and head.is_anew)
    if noted.key_is_new and (is_lost or check.n_segments > 1):
        return LogFault.KEY_NEW
    return LogFault.HEAD_MISSING if is_lost else None
