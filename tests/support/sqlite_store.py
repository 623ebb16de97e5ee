"""Real stores in a temporary folder, and what tests look at them with."""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.storage.databases import Databases
from inklings_desktop.storage.engine.connecting import BUSY_TIMEOUT_MS
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.rows.snapshot import View
from inklings_desktop.storage.rows.transaction import Transaction
from inklings_desktop.storage.store import SqliteStore
from inklings_desktop.storage.workspaces.workspace_directory import SqliteWorkspaceDirectory
from tests.support.asking import asked_by
from tests.support.builders import NOON, WORKSPACE_ID, FixedClock, a_person, a_template
from tests.support.fake_publisher import FakePublisher

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Engine

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(slots=True)
class SqliteWorld:
    """A data root with its adapters."""

    root: Path
    clock: FixedClock
    databases: Databases
    store: SqliteStore
    directory: SqliteWorkspaceDirectory
    publisher: FakePublisher
    adapters: SimpleNamespace = field(default_factory=SimpleNamespace)

    def path(self, workspace_id: str | None = WORKSPACE_ID) -> Path:
        """The database file of a workspace, or of the account."""
        return self.databases.file(workspace_id).path

    def asked_by(self, caller: Caller) -> Inklings:
        """Every use case, by noun, as somebody asks it."""
        return asked_by(caller, self, feed=self.publisher)

    @property
    def person(self) -> Inklings:
        """Every use case, by noun, as the person asks it."""
        return self.asked_by(a_person())

    def rows(
        self, statement: str, *values: object, workspace_id: str | None = WORKSPACE_ID
    ) -> list[tuple[Any, ...]]:
        """What a statement says of one file, or does to it past every use case."""
        with raw(self.path(workspace_id)) as connection:
            return connection.execute(statement, values).fetchall()

    def memories(self, workspace_id: str | None = WORKSPACE_ID) -> tuple[MemoryEntry, ...]:
        """Every memory of one file, in order of writing."""
        ids = [id_ for (id_,) in self.rows("SELECT id FROM memories", workspace_id=workspace_id)]
        with self.store.read(workspace_id) as view:
            found = view.memories.get_many(ids).values()
        return tuple(sorted(found, key=lambda one: one.sequence))


@contextmanager
def sqlite_world(
    root: Path,
    *,
    workspace_ids: tuple[str, ...] = (WORKSPACE_ID,),
    busy_timeout_ms: int = BUSY_TIMEOUT_MS,
    is_sealed: bool = False,
) -> Iterator[SqliteWorld]:
    """Adapters over a data root with these workspaces, made if they are not there yet."""
    clock = FixedClock()
    databases = Databases(
        root, clock, busy_timeout_ms=busy_timeout_ms, template_of=a_template, is_sealed=is_sealed
    )
    publisher = FakePublisher()
    directory = SqliteWorkspaceDirectory(databases)
    known = {workspace.id for workspace in directory.workspaces()}
    for workspace_id in workspace_ids:
        if workspace_id not in known:
            directory.create(Workspace(workspace_id, f"World {workspace_id[:8]}", NOON))
    try:
        yield SqliteWorld(
            root, clock, databases, SqliteStore(databases, publisher), directory, publisher
        )
    finally:
        databases.close()


@contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    """A bare connection, as any other program of the user could open one."""
    with closing(sqlite_module().connect(str(path), isolation_level=None)) as connection:
        yield connection


def integrity_faults(path: Path) -> list[str]:
    """What SQLite's own check and the full-text index's stricter one find wrong."""
    with raw(path) as connection:
        faults = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        try:
            connection.execute(
                "INSERT INTO memory_fts(memory_fts, rank) VALUES ('integrity-check', 1)"
            )
        except sqlite_module().Error as error:
            faults.append(str(error))
    return faults


@dataclass(slots=True)
class StatementCounter:
    """Counts what is sent to an engine, BEGIN included."""

    statements: list[str] = field(default_factory=list)

    def __call__(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        """Called before every statement."""
        self.statements.append(statement)

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """A call that sends a statement, counted."""

        def counted(snapshot: Snapshot, text: str, *values: Any) -> Any:
            self.statements.append(text)
            return call(snapshot, text, *values)

        return counted


@contextmanager
def counted_statements(engine: Engine | type[Engine]) -> Iterator[StatementCounter]:
    """Count the statements of one engine, or of all, and of whoever asks the driver itself."""
    counter = StatementCounter()
    event.listen(engine, "before_cursor_execute", counter)
    try:
        with pytest.MonkeyPatch.context() as patch:
            for kind in (Transaction, View):  # what goes to the driver as it is
                for name in ("rows", "parts"):
                    patch.setattr(kind, name, counter.around(getattr(kind, name)))
            yield counter
    finally:
        event.remove(engine, "before_cursor_execute", counter)
