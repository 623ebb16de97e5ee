"""Engines over one database file: pragmas, explicit BEGIN, driver errors translated.

Readers use pooled connections that cannot write. There are two ways to write: durable, for
whatever a person or agent was told is saved, and relaxed, for read counters and vectors that may
be lost in a power cut and are made again.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event
from sqlalchemy.pool import QueuePool

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.engine.connecting import (
    BUSY_TIMEOUT_MS,
    SHARED_PRAGMAS,
    connect_in_place,
    connect_raw,
    connect_sealed,
)
from inklings_desktop.storage.engine.dialect import COMPILED, URL
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.engine.driver_errors import storage_error
from inklings_desktop.storage.engine.lossy_text import read_text
from inklings_desktop.storage.engine.prepared import FILE_OPTION

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection, Engine
    from sqlalchemy.engine import ExceptionContext

READ_CONNECTIONS = 4

_CACHE = "cache_size=-16000"
_READING_PRAGMAS = ("trusted_schema=OFF", "cell_size_check=ON", _CACHE)


@dataclass(slots=True)
class TextReading:
    """How transactions that begin from now on read text.

    Attributes:
        is_tolerant: Whether text that is none is read with marks in it.
    """

    is_tolerant: bool = False


@dataclass(frozen=True, slots=True)
class StoreEngines:
    """The three ways into one database file.

    Attributes:
        path: The file.
        read: Deferred transactions that cannot write.
        durable: Immediate transactions, on the disk when committed.
        relaxed: Immediate transactions, safe against a killed process only.
        text: How they read text.
    """

    path: Path
    read: Engine
    durable: Engine
    relaxed: Engine
    text: TextReading

    def dispose(self) -> None:
        """Close every pooled connection; the last one to close folds the WAL back."""
        for engine in (self.read, self.relaxed, self.durable):
            engine.dispose()

    @property
    def n_idle(self) -> int:
        """Pooled connections that nobody uses."""
        return sum(pool.checkedin() for pool in self._pools())

    @property
    def n_in_use(self) -> int:
        """Connections in somebody's hands."""
        return sum(pool.checkedout() for pool in self._pools())

    def _pools(self) -> set[QueuePool]:
        pools = {engine.pool for engine in (self.read, self.relaxed, self.durable)}
        return {pool for pool in pools if isinstance(pool, QueuePool)}


def open_engines(path: Path, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> StoreEngines:
    """Engines over a file whose identity has been checked; nothing is opened yet.

    Args:
        path: An existing database of ours.
        busy_timeout_ms: How long a write waits for another program, in milliseconds.
    """
    text = TextReading()
    engine = partial(_engine, path, text, busy_timeout_ms=busy_timeout_ms)
    read = ("synchronous=FULL", "query_only=ON")
    return StoreEngines(
        path,
        read=engine("BEGIN", read, pool_size=READ_CONNECTIONS),
        durable=engine("BEGIN IMMEDIATE", ("synchronous=FULL",)),
        relaxed=engine("BEGIN IMMEDIATE", ("synchronous=NORMAL",)),
        text=text,
    )


def open_sealed_engines(path: Path) -> StoreEngines:
    """Engines over a file that cannot be written to just now: every way in only reads.

    Args:
        path: An existing database of ours.
    """
    text = TextReading()
    engine = _engine(
        path,
        text,
        "BEGIN",
        ("query_only=ON",),
        busy_timeout_ms=0,
        pool_size=READ_CONNECTIONS,
        sealed=True,
    )
    return StoreEngines(path, read=engine, durable=engine, relaxed=engine, text=text)


def _engine(
    path: Path,
    text: TextReading,
    begin: str,
    pragmas: tuple[str, ...],
    *,
    busy_timeout_ms: int,
    pool_size: int = 1,
    sealed: bool = False,
) -> Engine:
    engine = create_engine(
        URL,
        module=sqlite_module(),
        creator=_creator(
            path,
            (
                f"busy_timeout={busy_timeout_ms}",
                *(_READING_PRAGMAS if sealed else (*SHARED_PRAGMAS, _CACHE)),
                *pragmas,
            ),
            connect_sealed if sealed else connect_raw,
        ),
        poolclass=QueuePool,
        pool_size=pool_size,
        max_overflow=4 * pool_size,
        # The connection used last has the pages at hand; the others stay small.
        pool_use_lifo=True,
        execution_options={FILE_OPTION: path, "compiled_cache": COMPILED},
    )

    def send_begin(connection: Connection) -> None:
        if text.is_tolerant:
            driver: Any = connection.connection.dbapi_connection
            driver.text_factory = read_text
        connection.exec_driver_sql(begin)

    def translate(context: ExceptionContext) -> BaseException | None:
        return storage_error(context.original_exception, path)

    event.listen(engine, "begin", send_begin)
    event.listen(engine, "handle_error", translate)
    return engine


def _creator(
    path: Path, pragmas: tuple[str, ...], connect: Callable[[Path], sqlite3.Connection]
) -> Callable[[], Any]:
    def create() -> sqlite3.Connection:
        connection = connect_in_place(path, pragmas, connect)
        connection.set_authorizer(_authorizer())
        return connection

    return create


def _authorizer() -> Callable[..., int]:
    """Refuse what the program never does: changing the schema or rewriting the log.

    Triggers stop edits of the log's rows; only an authorizer stops somebody from dropping the
    triggers first.
    """
    module = sqlite_module()
    schema_edits = {
        code
        for name, code in vars(module).items()
        if name.startswith(("SQLITE_CREATE_", "SQLITE_DROP_"))
    } | {module.SQLITE_ALTER_TABLE, module.SQLITE_ATTACH, module.SQLITE_DETACH}
    row_edits = {module.SQLITE_UPDATE, module.SQLITE_DELETE}
    insert, pragma = module.SQLITE_INSERT, module.SQLITE_PRAGMA
    ok, deny = int(module.SQLITE_OK), int(module.SQLITE_DENY)
    catalogue = {"sqlite_master", "sqlite_schema", "sqlite_temp_master"}

    def authorize(action: int, first: str | None, second: str | None, *_: object) -> int:
        if action in schema_edits:
            return deny
        if action in row_edits and (first == "events" or first in catalogue):
            return deny
        if action == insert and first in catalogue:
            return deny
        if action == pragma and second is not None:
            return deny
        return ok

    return authorize
