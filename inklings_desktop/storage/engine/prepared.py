"""Statements that are compiled once and handed to the driver itself.

SQLAlchemy's road from a statement to the driver costs several times what SQLite takes for one row
(measured: 16 µs against 1.4 for a look at one counter). That is nothing beside a page of a list,
and most of the price of one durable add. The few statements on the way of every write are
therefore written in SQLAlchemy like all others, and compiled once instead of looked up at each use.
"""

from __future__ import annotations

from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from sqlalchemy.dialects.sqlite import dialect

from inklings_desktop.storage.engine.driver import sqlite_module, storage_error

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import ClauseElement, Connection

FILE_OPTION = "inklings_file"
"""Execution option of an engine that names its file, for the words of an error."""

ROWS_AT_ONCE = (500, 100)
"""Rows of one statement: as many as are left and as fit into ``VALUES_AT_ONCE``."""
VALUES_AT_ONCE = 4_000
"""A connection keeps its statements, and each value costs it some hundred bytes."""

_NOTHING: Mapping[str, Any] = {}


class Prepared:
    """One statement; its values are plain ones that SQLite knows, under the names it binds."""

    def __init__(self, statement: ClauseElement) -> None:
        """Keep the statement; it is compiled when it is first used.

        Args:
            statement: Without expanding parameters and without typed results.
        """
        self._statement = statement

    def rows(
        self, connection: Connection, values: Mapping[str, Any] = _NOTHING
    ) -> list[tuple[Any, ...]]:
        """Run it once; every row that comes back.

        Raises:
            StorageError: The file cannot be read or written.
            sqlite3.Error: The driver's own, where the statement is at fault.
        """
        text, in_order = self._compiled
        found: list[tuple[Any, ...]] = _run(
            connection, lambda driver: driver.execute(text, in_order(values)).fetchall()
        )
        return found

    def scalar(self, connection: Connection, values: Mapping[str, Any] = _NOTHING) -> Any:
        """The first value of the first row; None where there is none. Raises like ``rows``."""
        found = self.rows(connection, values)
        return found[0][0] if found else None

    def each(self, connection: Connection, values: Sequence[Mapping[str, Any]]) -> None:
        """Run it once for each of these; it gives no rows. Raises like ``rows``."""
        text, in_order = self._compiled
        _run(connection, lambda driver: driver.executemany(text, map(in_order, values)))

    def insert(self, connection: Connection, values: Sequence[Mapping[str, Any]]) -> None:
        """The same for an insert that ends with its values: many rows in one statement.

        A table with triggers keeps a journal per statement, and that costs a third of the rows
        themselves (measured: .18 s for 6,000 memories one by one, .13 in hundreds). The full-text
        index settles after every statement, and that costs more than its rows.
        """
        text, in_order = self._compiled
        start = 0
        for n_rows in ROWS_AT_ONCE:
            if n_rows > len(values) - start or n_rows * len(values[0]) > VALUES_AT_ONCE:
                continue
            _, marks = text.split(" VALUES ")
            many = text + f", {marks}" * (n_rows - 1)
            for end in range(start + n_rows, len(values) + 1, n_rows):
                flat = tuple(chain.from_iterable(map(in_order, values[start:end])))
                _run(connection, partial(_execute, many, flat))
                start = end
        if start < len(values):
            self.each(connection, values[start:])

    @cached_property
    def _compiled(self) -> tuple[str, Callable[[Mapping[str, Any]], tuple[Any, ...]]]:
        """Its text, and what brings values into the order in which the text asks for them."""
        compiled = self._statement.compile(dialect=dialect(paramstyle="qmark"))
        names = tuple(getattr(compiled, "positiontup", None) or ())
        # Constants of the statement are parameters too: their values are known by now.
        fixed = {name: value for name, value in compiled.params.items() if value is not None}

        def in_order(values: Mapping[str, Any]) -> tuple[Any, ...]:
            given = {**fixed, **values} if fixed else values
            return tuple(map(given.__getitem__, names))

        return str(compiled), in_order


def rows_of_text(
    connection: Connection, text: str, values: Sequence[Any] = ()
) -> list[tuple[Any, ...]]:
    """Every row that a statement in the driver's own words finds. Raises like ``Prepared.rows``."""
    found: list[tuple[Any, ...]] = _run(
        connection, lambda driver: driver.execute(text, values).fetchall()
    )
    return found


def parts_of_text(
    connection: Connection, text: str, values: Sequence[Any], n_rows: int
) -> Iterator[list[tuple[Any, ...]]]:
    """The same, some rows at a time."""
    cursor = _run(connection, lambda driver: driver.execute(text, values))
    return iter(partial(_run, connection, lambda _: cursor.fetchmany(n_rows)), [])


def rendered(statement: ClauseElement) -> tuple[str, tuple[Any, ...]]:
    """A statement whose values are all in it, as the driver takes it: its text and the values."""
    compiled = statement.compile(
        dialect=dialect(paramstyle="qmark"), compile_kwargs={"render_postcompile": True}
    )
    names = getattr(compiled, "positiontup", None) or ()
    return str(compiled), tuple([compiled.params[name] for name in names])


def _execute(text: str, values: tuple[Any, ...], driver: sqlite3.Connection) -> None:
    driver.execute(text, values)


def _run(connection: Connection, work: Callable[[sqlite3.Connection], Any]) -> Any:
    """Do it with the driver's connection, inside the transaction of this one."""
    if not connection.in_transaction():
        connection.begin()  # a view sees one state from its first statement to its last
    driver: Any = connection.connection.dbapi_connection
    try:
        return work(driver)
    except sqlite_module().Error as error:
        path: Path | None = connection.get_execution_options().get(FILE_OPTION)
        fault = None if path is None else storage_error(error, path)
        if fault is None:
            raise
        raise fault from error
