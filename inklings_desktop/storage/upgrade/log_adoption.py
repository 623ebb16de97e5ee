"""What becomes of a file's event log when the file is opened: known, new, or adopted."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DatabaseCorruptError, StorageError
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.storage.engine.connecting import connect_raw, connect_sealed
from inklings_desktop.storage.engine.driver import sqlite_module, storage_error
from inklings_desktop.storage.log.event_chain import (
    Head,
    adopted_marks,
    chained,
    digest_of,
    event_values,
    gave_up,
    is_ours,
    last_head,
)
from inklings_desktop.storage.log.log_heads import HeadsState

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.storage.log.event_chain import Fetch
    from inklings_desktop.storage.log.log_heads import LogHeads

ADOPTER = "Inklings"


def receive_log(
    path: Path,
    workspace_id: str | None,
    heads: LogHeads,
    key: bytes,
    *,
    now: datetime,
    busy_timeout_ms: int,
) -> bool:
    """Note the head of an empty log, or adopt one that another installation wrote.

    A log whose head is noted is left alone, whatever it holds: what is wrong with it is for the
    check to tell. The same goes for one of this installation whose head is gone. Only where a
    restore had replaced the log, and was killed before it could note that, is it noted now.

    Args:
        path: A database of ours whose identity has been checked.
        workspace_id: Whose it is; None for the account's.
        now: Time of the adoption.
        busy_timeout_ms: How long another program is waited for, in milliseconds.

    Returns:
        Whether an event was appended.

    Raises:
        StorageError: The log cannot be read, or the adoption not be written.
    """
    noted = heads.read()
    if noted.state is HeadsState.EDITED:
        return False
    held = noted.heads.get(workspace_id)
    if held is not None:
        # Where it cannot be settled now, for want of room perhaps, the next opening does it.
        with suppress(sqlite_module().Error, StorageError):
            _settle_restore(path, workspace_id, heads, key, held)
        return False
    try:
        with closing(open_log(path)) as connection:
            whose = is_ours(fetch_of(connection), key)
            if whose is None:
                heads.enter(workspace_id)
            if whose is not False:
                return False
            connection.execute(f"PRAGMA busy_timeout = {busy_timeout_ms}")
            head = _adopt(connection, key, now)
    except sqlite_module().Error as error:
        raise storage_error(error, path) or DatabaseCorruptError(path, str(error)) from error
    if head is not None:
        heads.advance(workspace_id, head, first=1, digest_at=lambda _number: None)
    return head is not None


def _settle_restore(
    path: Path, workspace_id: str | None, heads: LogHeads, key: bytes, held: Head
) -> None:
    """Note the head of a log that a restore has put in the place of the one that is noted."""
    with closing(open_log(path, read_only=True)) as connection:
        fetch = fetch_of(connection)
        is_there = held.number == 0 or digest_of(fetch, held.number) == held.digest
        if not is_there and gave_up(fetch, key, held):
            heads.put({workspace_id: last_head(fetch)})


def open_log(path: Path, *, read_only: bool = False, is_sealed: bool = False) -> sqlite3.Connection:
    """A bare connection that reads any text, also one that is no valid UTF-8 any more.

    Args:
        read_only: Refuse every write.
        is_sealed: It lies in a folder where nothing can be made.
    """
    connection = connect_sealed(path) if is_sealed else connect_raw(path, read_only=read_only)
    connection.text_factory = read_any_text
    return connection


def fetch_of(connection: sqlite3.Connection) -> Fetch:
    """How the chain is read through a bare connection."""
    return connection.execute


def _adopt(connection: sqlite3.Connection, key: bytes, now: datetime) -> Head | None:
    """Begin a new segment; None if another program was faster."""
    fetch = fetch_of(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        if is_ours(fetch, key):
            connection.execute("ROLLBACK")
            return None
        n_events, marks = adopted_marks(fetch)
        draft = EventDraft(
            EventKind.LOG_ADOPTED,
            ADOPTER,
            "clock",
            "clock",
            counts={"events": n_events},
            marks=marks,
        )
        head = _appended(connection, draft, Head(n_events, marks["previous"]), key, now)
        connection.execute("UPDATE meta SET change_seq = change_seq + 1")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return head


def append_bare(
    connection: sqlite3.Connection, draft: EventDraft, key: bytes, now: datetime
) -> Head:
    """Append an event to a log of this installation where no unit of work can; the new head.

    Args:
        connection: Inside an immediate transaction.
    """
    last = connection.execute(
        "SELECT seq, chain_hash FROM events ORDER BY seq DESC LIMIT 1"
    ).fetchone()
    return _appended(connection, draft, Head(*last) if last else Head(), key, now)


def _appended(
    connection: sqlite3.Connection, draft: EventDraft, head: Head, key: bytes, now: datetime
) -> Head:
    values = event_values(draft, head.number + 1, now)
    digest = chained(key, head.digest, values)
    columns = ", ".join([*values, "chain_hash"])
    holes = ", ".join("?" * (len(values) + 1))
    connection.execute(
        f"INSERT INTO events ({columns}) VALUES ({holes})",  # noqa: S608  our own columns
        (*values.values(), digest),
    )
    return Head(head.number + 1, digest)


def read_any_text(text: bytes) -> str:
    """What a driver makes of text, so that the bytes can be had back from it."""
    return text.decode("utf-8", "surrogateescape")
