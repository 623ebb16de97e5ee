"""SQLAlchemy's engines over one database file: explicit BEGIN, driver errors translated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event
from sqlalchemy.pool import QueuePool

from inklings_desktop.storage.engine.dialect import COMPILED, URL
from inklings_desktop.storage.engine.driver import sqlite_module, storage_error, translated
from inklings_desktop.storage.engine.maintenance import read_text
from inklings_desktop.storage.engine.prepared import FILE_OPTION

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection, Engine
    from sqlalchemy.engine import ExceptionContext

    from inklings_desktop.storage.engine.maintenance import TextReading


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
