"""Connections for upkeep, done only inside ``storage``, and reading text that is no UTF-8.

They have no authorizer, so that a copy, a repair or a restore can work on whole tables, and text
that is none does not stop them. Whoever
writes through one holds the file's write lane and records what was done as an event.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import StoppedError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.engine.connecting import (
    BUSY_TIMEOUT_MS,
    connect_in_place,
    connect_raw,
    connect_sealed,
)
from inklings_desktop.storage.engine.driver import sqlite_module, storage_error, translated

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection, Engine

    from inklings_desktop.usecases.ports.progress import Progress


class LossyText(str):
    """A text in which U+FFFD stands for bytes that are none.

    Attributes:
        stored: The bytes as they lie in the file.
    """

    __slots__ = ("stored",)
    stored: bytes


@dataclass(slots=True)
class TextReading:
    """How transactions that begin from now on read text.

    Attributes:
        is_tolerant: Whether text that is none is read with marks in it.
    """

    is_tolerant: bool = False


def read_text(stored: bytes) -> str:
    """What a driver makes of the bytes of a text, whatever they are.

    Twice as dear as the driver's own way (measured: .27 s against .13 for 600,000 texts), so files
    in use are read so only once bad text was met in them.
    """
    try:
        return stored.decode()
    except UnicodeDecodeError:
        text = LossyText(stored.decode(errors="replace"))
        text.stored = stored
        return text


KEPT_SCHEMA = "kept"
"""Name under which a backup is attached."""

UPKEEP_PRAGMAS = (
    "synchronous=FULL",
    # Whole tables are replaced here; what points where is checked before the commit instead.
    "foreign_keys=OFF",
    "secure_delete=ON",
    "recursive_triggers=ON",
    "trusted_schema=OFF",
    "cell_size_check=ON",
    "journal_size_limit=67108864",
)
_INTERRUPTED = 9
_STEPS_BETWEEN_LOOKS = 20_000


@contextmanager
def upkeep_connection(
    path: Path, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS
) -> Iterator[sqlite3.Connection]:
    """A bare connection for upkeep, in autocommit mode; driver errors come out translated.

    Args:
        path: A database of ours whose identity has been checked.
        busy_timeout_ms: How long another program's write is waited for, in milliseconds.

    Raises:
        StorageError: What the driver says about the environment.
    """
    with translated(path):
        connection = _connected(path, busy_timeout_ms)
        try:
            yield connection
        finally:
            connection.close()


@contextmanager
def upkeep_transaction(
    path: Path,
    *,
    attached: Path | None = None,
    is_read: bool = False,
    busy_timeout_ms: int = BUSY_TIMEOUT_MS,
) -> Iterator[Connection]:
    """One immediate transaction without an authorizer; leaving it without a commit undoes all.

    Args:
        path: A database of ours whose identity has been checked.
        attached: A finished backup to read beside it under the name ``kept``; never written to.
        is_read: Whether it only looks, beside a program that writes.
        busy_timeout_ms: How long another program's write is waited for, in milliseconds.

    Raises:
        StorageError: What the driver says about the environment.
    """
    from sqlalchemy import event

    begin = "BEGIN" if is_read else "BEGIN IMMEDIATE"

    def create() -> sqlite3.Connection:
        connection = _connected(path, busy_timeout_ms)
        if attached is not None:
            place = f"{attached.absolute().as_uri()}?mode=ro&immutable=1"
            connection.execute(f"ATTACH DATABASE ? AS {KEPT_SCHEMA}", (place,))
        return connection

    engine = _engine(path, create)
    event.listen(engine, "begin", lambda begun: begun.exec_driver_sql(begin))
    with translated(path), engine.connect() as connection:
        connection.begin()
        yield connection


def bare(connection: Connection) -> sqlite3.Connection:
    """The driver's connection behind this one, inside the same transaction."""
    found: sqlite3.Connection | None = connection.connection.dbapi_connection  # type: ignore[assignment]
    assert found is not None
    return found


@contextmanager
def sealed_connection(path: Path) -> Iterator[sqlite3.Connection]:
    """A bare connection to a database that nobody can write to."""
    with translated(path), closing(_connected_sealed(path)) as connection:
        yield connection


@contextmanager
def sealed_view(path: Path) -> Iterator[Connection]:
    """A database that nobody can write to, read without a lock or a new file beside it."""
    with _engine(path, lambda: _connected_sealed(path)).connect() as connection:
        yield connection


@contextmanager
def stoppable(connection: sqlite3.Connection, progress: Progress) -> Iterator[None]:
    """Let the person stop a long statement in the middle.

    Raises:
        StoppedError: They did; the statement left nothing behind.
    """
    connection.set_progress_handler(progress.is_cancelled, _STEPS_BETWEEN_LOOKS)
    try:
        yield
    except sqlite_module().Error as error:
        if getattr(error, "sqlite_errorcode", None) == _INTERRUPTED:
            raise StoppedError from error
        raise
    finally:
        connection.set_progress_handler(None, 0)


def take_triggers_off(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Drop every trigger inside the running transaction; the statements that bring them back.

    A rollback brings them back as well. Whole tables are moved without them: what they would
    copy or count is copied and counted once, at the end.
    """
    found = connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name"
    ).fetchall()
    for name, _ in found:
        connection.execute(f'DROP TRIGGER "{name}"')
    return tuple(sql for _, sql in found)


def _engine(path: Path, create: Callable[[], sqlite3.Connection]) -> Engine:
    # A start looks at its files before anything else needs SQLAlchemy.
    from sqlalchemy import create_engine, event
    from sqlalchemy.pool import NullPool

    engine = create_engine("sqlite://", module=sqlite_module(), creator=create, poolclass=NullPool)
    event.listen(
        engine, "handle_error", lambda context: storage_error(context.original_exception, path)
    )
    return engine


def _connected(path: Path, busy_timeout_ms: int) -> sqlite3.Connection:
    pragmas = (f"busy_timeout={busy_timeout_ms}", *UPKEEP_PRAGMAS)
    connection = connect_in_place(path, pragmas, connect_raw)
    connection.text_factory = read_text
    return connection


def _connected_sealed(path: Path) -> sqlite3.Connection:
    connection = connect_sealed(path)
    connection.text_factory = read_text
    return connection
