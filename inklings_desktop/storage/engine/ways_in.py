"""The ways into one database file, each made by the first who takes it.

Who only looks something up is given the driver's own connection; SQLAlchemy is loaded for the first
who reads or writes more.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from inklings_desktop.storage.engine.connecting import (
    BUSY_TIMEOUT_MS,
    CACHE,
    READ_CONNECTIONS,
    READING_PRAGMAS,
    SHARED_PRAGMAS,
    connector,
)
from inklings_desktop.storage.engine.maintenance import TextReading, read_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Engine

    Connect = Callable[[], sqlite3.Connection]
    MakeEngine = Callable[[], Engine]


class BareReaders:
    """Connections of the driver that cannot write, a few of which are kept."""

    def __init__(self, connect: Connect, text: TextReading) -> None:
        self._connect = connect
        self._text = text
        self._lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._n_in_use = 0
        self._n_disposals = 0

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """One inside a transaction that sees one state from its first statement to its last.

        Raises:
            sqlite3.Error: What the driver says.
        """
        with self._lock:
            connection = self._idle.pop() if self._idle else None
            self._n_in_use += 1
            n_disposals = self._n_disposals
        try:
            if connection is None:
                connection = self._connect()
            if self._text.is_tolerant:
                connection.text_factory = read_text
            connection.execute("BEGIN")
            yield connection
        finally:
            with self._lock:
                self._n_in_use -= 1
            if connection is not None:
                self._take_back(connection, n_disposals)

    @property
    def n_idle(self) -> int:
        """Connections that nobody uses."""
        return len(self._idle)

    @property
    def n_in_use(self) -> int:
        """Connections in somebody's hands."""
        return self._n_in_use

    def dispose(self) -> None:
        """Close what nobody uses now, and the others when they come back."""
        with self._lock:
            idle, self._idle = self._idle, []
            self._n_disposals += 1
        for one in idle:
            one.close()

    def _take_back(self, connection: sqlite3.Connection, n_disposals: int) -> None:
        if connection.in_transaction:
            connection.rollback()
        with self._lock:
            is_kept = n_disposals == self._n_disposals and len(self._idle) < READ_CONNECTIONS
            if is_kept:
                self._idle.append(connection)
        if not is_kept:
            connection.close()


class StoreEngines:
    """The ways into one database file.

    Attributes:
        text: How they read text.
        readers: Bare connections that cannot write.
    """

    def __init__(
        self,
        path: Path,
        text: TextReading,
        readers: BareReaders,
        make: tuple[MakeEngine, MakeEngine, MakeEngine],
    ) -> None:
        """Know how to make them.

        Args:
            text: How they read text.
            readers: Bare connections that cannot write.
            make: Makes the engine that reads, the durable and the relaxed one.
        """
        self.path = path
        self.text = text
        self.readers = readers
        self._make = make
        self._lock = threading.Lock()
        self._made: dict[MakeEngine, Engine] = {}

    @property
    def read(self) -> Engine:
        """Deferred transactions that cannot write."""
        return self._engine(0)

    @property
    def durable(self) -> Engine:
        """Immediate transactions, on the disk when committed."""
        return self._engine(1)

    @property
    def relaxed(self) -> Engine:
        """Immediate transactions, safe against a killed process only."""
        return self._engine(2)

    def dispose(self) -> None:
        """Close every pooled connection; the last one to close folds the WAL back."""
        self.readers.dispose()
        for engine in self._engines():
            engine.dispose()

    @property
    def n_idle(self) -> int:
        """Pooled connections that nobody uses."""
        return self.readers.n_idle + sum(one.pool.checkedin() for one in self._engines())  # type: ignore[attr-defined] # queues, all of them

    @property
    def n_in_use(self) -> int:
        """Connections in somebody's hands."""
        return self.readers.n_in_use + sum(one.pool.checkedout() for one in self._engines())  # type: ignore[attr-defined] # queues, all of them

    def _engines(self) -> list[Engine]:
        with self._lock:
            return list(self._made.values())

    def _engine(self, place: int) -> Engine:
        make = self._make[place]
        with self._lock:
            if make not in self._made:
                self._made[make] = make()
            return self._made[make]


def open_engines(path: Path, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> StoreEngines:
    """The ways into a file whose identity has been checked; nothing is opened yet.

    Args:
        path: An existing database of ours.
        busy_timeout_ms: How long a write waits for another program, in milliseconds.
    """
    text = TextReading()
    shared = (f"busy_timeout={busy_timeout_ms}", *SHARED_PRAGMAS, CACHE)

    def way(begin: str, *pragmas: str, n_kept: int = 1) -> MakeEngine:
        return partial(_engine, path, text, begin, connector(path, (*shared, *pragmas)), n_kept)

    reading = ("synchronous=FULL", "query_only=ON")
    return StoreEngines(
        path,
        text,
        BareReaders(connector(path, (*shared, *reading)), text),
        (
            way("BEGIN", *reading, n_kept=READ_CONNECTIONS),
            way("BEGIN IMMEDIATE", "synchronous=FULL"),
            way("BEGIN IMMEDIATE", "synchronous=NORMAL"),
        ),
    )


def open_sealed_engines(path: Path) -> StoreEngines:
    """The ways into a file that cannot be written to just now: every one of them only reads.

    Args:
        path: An existing database of ours.
    """
    text = TextReading()
    pragmas = ("busy_timeout=0", *READING_PRAGMAS, "query_only=ON")
    connect = connector(path, pragmas, sealed=True)
    make = partial(_engine, path, text, "BEGIN", connect, READ_CONNECTIONS)
    return StoreEngines(path, text, BareReaders(connect, text), (make, make, make))


def _engine(path: Path, text: TextReading, begin: str, connect: Connect, n_kept: int) -> Engine:
    from inklings_desktop.storage.engine.engine import engine_of

    return engine_of(path, text, begin, connect, n_kept)
