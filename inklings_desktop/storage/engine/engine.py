"""SQLAlchemy's engines over one database file: explicit BEGIN, driver errors translated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import create_engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.pool import QueuePool
from sqlalchemy.util import LRUCache

from inklings_desktop.storage.engine.driver import sqlite_module, storage_error, translated
from inklings_desktop.storage.engine.maintenance import read_text
from inklings_desktop.storage.engine.prepared import FILE_OPTION

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection, Engine
    from sqlalchemy.engine import ExceptionContext
    from sqlalchemy.engine.interfaces import CompiledCacheType

    from inklings_desktop.storage.engine.maintenance import TextReading

STATEMENTS_KEPT = 150
"""Compiled statements in use; up to half as many more are kept before the oldest ones go.

Some 26 KiB each (measured): what a day of searches leaves behind is thus at most 6 MiB.
"""

URL: Final = "sqlite+shared://"

COMPILED: CompiledCacheType = LRUCache(STATEMENTS_KEPT)
"""For the execution option ``compiled_cache`` of an engine made from ``URL``."""


class SharedDialect(SQLiteDialect_pysqlite):
    """One like any other: all of them speak to the same driver, with the same options.

    A compiled statement is kept by the dialect that compiled it. Every file has three engines, and
    dialects that count as equal share what would else be kept three times for each workspace.
    """

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


registry.register("sqlite.shared", __name__, SharedDialect.__name__)


def engine_of(
    path: Path,
    text: TextReading,
    begin: str,
    connect: Callable[[], sqlite3.Connection],
    n_kept: int,
) -> Engine:
    """An engine over a file; nothing is opened yet.

    Args:
        path: The file, for the words of an error.
        text: How text is read.
        begin: What begins a transaction.
        connect: Makes a connection.
        n_kept: How many connections are kept.
    """
    engine = create_engine(
        URL,
        module=sqlite_module(),
        creator=connect,
        poolclass=QueuePool,
        pool_size=n_kept,
        max_overflow=4 * n_kept,
        # The connection used last has the pages at hand; the others stay small.
        pool_use_lifo=True,
        execution_options={FILE_OPTION: path, "compiled_cache": COMPILED},
    )

    def send_begin(connection: Connection) -> None:
        driver: Any = connection.connection.dbapi_connection
        if text.is_tolerant:
            driver.text_factory = read_text
        # Handed to the driver itself: through SQLAlchemy it costs five times as much.
        with translated(path):
            driver.execute(begin)

    def translate(context: ExceptionContext) -> BaseException | None:
        return storage_error(context.original_exception, path)

    event.listen(engine, "begin", send_begin)
    event.listen(engine, "handle_error", translate)
    return engine
