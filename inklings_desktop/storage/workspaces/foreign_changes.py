"""Notices what other processes commit, and publishes it as change records.

The watcher keeps one bare connection per open file, never inside a transaction: a pooled one with
a snapshot would hear nothing and hold up every checkpoint.
"""

from __future__ import annotations

import logging
import threading
from contextlib import closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.changes import MAX_NAMED_CHANGES, MemoryChanges
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.checks.identity import read_counters
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.maintenance import read_text
from inklings_desktop.storage.workspaces.workspace_directory import described_folders

if TYPE_CHECKING:
    import sqlite3

    from inklings_desktop.storage.checks.identity import Counters
    from inklings_desktop.storage.databases import Databases, OpenFile
    from inklings_desktop.usecases.ports.store import ChangePublisher

INTERVAL_SECONDS = 0.25
STOP_TIMEOUT_SECONDS = 5.0
_UNKNOWN_VERSION = -1

_log = logging.getLogger("inklings.storage")

_CHANGED = (
    "SELECT id, tier, scope_key, sequence, version, forgotten_at IS NOT NULL,"
    " changed_seq, read_seq FROM memories"
    " WHERE (changed_seq > ?1 AND changed_seq <= ?2)"
    " OR (read_seq > 0 AND read_seq > ?1 AND read_seq <= ?2)"
    " ORDER BY +sequence LIMIT ?3"  # by the bare column the whole table is walked
)
_ROOMS = (
    "SELECT changed_seq FROM channels WHERE changed_seq > ?1 AND changed_seq <= ?2"
    " UNION SELECT changed_seq FROM conversations WHERE changed_seq > ?1 AND changed_seq <= ?2"
    " UNION SELECT changed_seq FROM messages WHERE changed_seq > ?1 AND changed_seq <= ?2"
)
_ENTRIES = "SELECT id, changed_seq FROM named_entries WHERE changed_seq > ?1 AND changed_seq <= ?2"
_PROPOSALS = "SELECT changed_seq FROM proposals WHERE changed_seq > ?1 AND changed_seq <= ?2"
_CLIENTS = "SELECT changed_seq FROM clients WHERE changed_seq > ?1 AND changed_seq <= ?2"
_REQUESTS = "SELECT changed_seq FROM scrub_requests WHERE changed_seq > ?1 AND changed_seq <= ?2"
_EVENTS = "SELECT ifnull(max(seq), 0) FROM events"
_SCRUBS = "SELECT 1 FROM events WHERE seq > ?1 AND kind = ?2 LIMIT 1"
_DRAFTS = (
    "SELECT entry_id FROM drafts UNION ALL"
    " SELECT iif(memory_id = '', tier || '/' || scope_key, memory_id) FROM memory_drafts"
)
_NOTES = "SELECT id, notes_seq FROM conversations WHERE notes_seq > ?1 AND notes_seq <= ?2"


@dataclass(slots=True)
class _Watch:
    """One file as it was last seen."""

    file: OpenFile
    connection: sqlite3.Connection
    data_version: int
    seen: Counters
    n_events: int
    drafts: frozenset[str]


class ForeignChanges:
    """Watches every open file on a thread of its own."""

    def __init__(
        self,
        databases: Databases,
        publisher: ChangePublisher,
        *,
        interval_seconds: float = INTERVAL_SECONDS,
    ) -> None:
        """Know what to watch; nothing runs before ``start``.

        Args:
            databases: Whose open files are watched; files opened later are found by themselves.
            publisher: Hears what other processes changed, called in the watcher's thread.
            interval_seconds: Time between two looks.
        """
        self._databases = databases
        self._publisher = publisher
        self._interval_seconds = interval_seconds
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._watches: dict[str | None, _Watch] = {}
        self._folders: dict[str, tuple[int, int]] = {}

    def start(self) -> None:
        """Begin to watch; a workspace that comes or goes from here on is noticed."""
        if self._thread is None:
            self._stopping.clear()
            self._folders = described_folders(self._databases.root)
            self._thread = threading.Thread(target=self._run, name="foreign-changes", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop watching and wait for the thread; call it before the files are closed."""
        if self._thread is not None:
            self._stopping.set()
            self._thread.join(STOP_TIMEOUT_SECONDS)
            self._thread = None

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._look_at_all()
                self._stopping.wait(self._interval_seconds)
        finally:
            for watch in self._watches.values():
                watch.connection.close()
            self._watches.clear()

    def _look_at_all(self) -> None:
        self._look_for_workspaces()
        # Another program that deleted or replaced a file waits for its ghosts to go.
        self._databases.let_go_of_replaced()
        self._databases.let_rest()
        files = {file.workspace_id: file for file in self._databases.open_files()}
        for workspace_id in list(self._watches):
            if files.get(workspace_id) is not self._watches[workspace_id].file:
                self._watches.pop(workspace_id).connection.close()
        for workspace_id, file in files.items():
            file.side_file.look_after()
            try:
                if workspace_id in self._watches:
                    self._look(self._watches[workspace_id])
                else:
                    self._watches[workspace_id] = _begun(file)
                    self._look(self._watches[workspace_id])
            except sqlite_module().Error as error:
                # Busy or gone for the moment; the next look tries again with a fresh connection.
                _log.warning("watching failed: %s", type(error).__name__)
                held = self._watches.pop(workspace_id, None)
                if held is not None:
                    held.connection.close()

    def _look_for_workspaces(self) -> None:
        """Publish that a workspace came, went or was named anew, by whichever process."""
        folders = described_folders(self._databases.root)
        before, self._folders = self._folders, folders
        if before != folders:
            self._publisher.publish(MemoryChanges(None, workspaces=True, own=False))

    def _look(self, watch: _Watch) -> None:
        version = _data_version(watch.connection)
        if version == watch.data_version:
            return
        counters = read_counters(watch.connection)
        n_events = _n_events(watch.connection)
        drafts = _drafts(watch.connection)
        changes = _foreign(watch, counters, n_events)
        # What a scrub took stays gone: nobody is told to put it back. Asked after the drafts were
        # read, so that a scrub that took one of them is always seen.
        if watch.drafts - drafts and not _was_scrubbed(watch):
            changes = replace(changes, drafts_dropped=watch.drafts - drafts)
        watch.data_version, watch.seen, watch.n_events = version, counters, n_events
        watch.drafts = drafts
        if not changes.is_empty:
            self._publisher.publish(changes)


def _begun(file: OpenFile) -> _Watch:
    """A watch that has seen what there was when the file was opened.

    Whatever was committed since is found at the first look, so nothing falls between opening a
    file and watching it.
    """
    connection = connect_raw(file.path)
    connection.execute("PRAGMA query_only = ON")
    connection.text_factory = read_text
    return _Watch(
        file,
        connection,
        _UNKNOWN_VERSION,
        file.seen_at_opening,
        _n_events(connection),
        _drafts(connection),
    )


def _data_version(connection: sqlite3.Connection) -> int:
    with closing(connection.execute("PRAGMA data_version")) as cursor:
        version: int = cursor.fetchone()[0]
    return version


def _n_events(connection: sqlite3.Connection) -> int:
    with closing(connection.execute(_EVENTS)) as cursor:
        number: int = cursor.fetchone()[0]
    return number


def _drafts(connection: sqlite3.Connection) -> frozenset[str]:
    """Whose unsaved typing is kept, as a ``MemoryChanges`` names them; there are few."""
    with closing(connection.execute(_DRAFTS)) as cursor:
        return frozenset(mark for (mark,) in cursor)


def _was_scrubbed(watch: _Watch) -> bool:
    """Whether something was destroyed for good since the last look."""
    asked = (watch.n_events, EventKind.SCRUB_EXECUTED.value)
    with closing(watch.connection.execute(_SCRUBS, asked)) as cursor:
        return cursor.fetchone() is not None


def _foreign(watch: _Watch, now: Counters, n_events: int) -> MemoryChanges:
    """What others did since the last look; what this process did is known already."""
    workspace_id = watch.file.workspace_id
    span = (watch.seen.change_seq, now.change_seq)
    own = watch.file.own_changes.among(*span)
    must_reload = now.reload_seq != watch.seen.reload_seq
    if len(own) == span[1] - span[0] and not must_reload:
        return MemoryChanges(workspace_id, own=False)
    rows = watch.connection.execute(_CHANGED, (*span, MAX_NAMED_CHANGES + 1)).fetchall()
    scopes = set()
    added, updated, forgotten = [], [], []
    for id_, tier, key, sequence, version, is_forgotten, changed_seq, read_seq in rows:
        was_changed = span[0] < changed_seq <= span[1] and changed_seq not in own
        was_read = span[0] < read_seq <= span[1] and read_seq not in own
        if not (was_changed or was_read):
            continue
        with suppress(ValueError, InvalidValueError):  # damage left it in no scope
            scopes.add(ScopeKey(Tier(tier), workspace_id, key))
        if was_changed and is_forgotten:
            forgotten.append(id_)
        elif was_changed and version == 1 and sequence > watch.seen.last_sequence:
            added.append(id_)
        else:
            updated.append(id_)
    rooms = clients = scrub_requests = False
    note_conversations: frozenset[str] = frozenset()
    if workspace_id is not None:
        rooms = any(row[0] not in own for row in watch.connection.execute(_ROOMS, span))
        note_conversations = frozenset(
            id_ for id_, number in watch.connection.execute(_NOTES, span) if number not in own
        )
    else:
        clients = any(row[0] not in own for row in watch.connection.execute(_CLIENTS, span))
        scrub_requests = any(row[0] not in own for row in watch.connection.execute(_REQUESTS, span))
    entries = frozenset(
        id_ for id_, number in watch.connection.execute(_ENTRIES, span) if number not in own
    )
    proposals = any(row[0] not in own for row in watch.connection.execute(_PROPOSALS, span))
    reload = must_reload or len(rows) > MAX_NAMED_CHANGES
    return MemoryChanges(
        workspace_id,
        frozenset(scopes),
        () if reload else tuple(added),
        () if reload else tuple(updated),
        () if reload else tuple(forgotten),
        rooms,
        note_conversations,
        entries,
        proposals,
        clients,
        scrub_requests,
        # Some of them may be this process's own; asking once too often is harmless.
        events=n_events > watch.n_events,
        scrubbed=_was_scrubbed(watch),
        reload=reload,
        own=False,
    )
