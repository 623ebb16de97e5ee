"""Opens transactions on the files of one data root.

What a transaction stands on is imported when it is first needed: finding takes the driver alone.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar

from inklings_desktop.domain.access.access import Caller, CallerKind, Door
from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
    DatabaseFullError,
    DatabaseReadOnlyError,
    InvalidValueError,
    StorageError,
    UnreadableTextError,
)
from inklings_desktop.storage.engine.driver import NO_TEXT, translated
from inklings_desktop.storage.engine.ways_in import open_sealed_engines
from inklings_desktop.storage.finding import SqliteFindView
from inklings_desktop.storage.rows.snapshot import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from inklings_desktop.storage.databases import Databases, OpenFile
    from inklings_desktop.storage.engine.ways_in import StoreEngines
    from inklings_desktop.storage.unit_of_work import SqliteStoreView, SqliteUnitOfWork
    from inklings_desktop.usecases.ports.store import ChangePublisher

T = TypeVar("T")

_INKLINGS = Caller(CallerKind.CLOCK, "Inklings", Door.CLOCK)


class SqliteStore:
    """The ``Store`` over the files of one data root."""

    def __init__(self, databases: Databases, publisher: ChangePublisher) -> None:
        self._databases = databases
        self._publisher = publisher

    @contextmanager
    def read(self, workspace_id: str | None) -> Iterator[SqliteStoreView]:
        """A consistent view; None names the account's file.

        Raises:
            NotFoundError: There is no such workspace.
            UnreadableTextError: Some text in it is none; the same again goes through.
            StorageError: The file cannot be read.
        """
        from inklings_desktop.storage.rows.transaction import Transaction
        from inklings_desktop.storage.unit_of_work import SqliteStoreView

        file = self._databases.file(workspace_id)
        with self._read_on(file), _taken(file, lambda ways: ways.read.connect()) as connection:
            transaction = Transaction(connection, workspace_id)
            yield SqliteStoreView(file, transaction, self._databases.key())

    @contextmanager
    def find(self, workspace_id: str | None) -> Iterator[SqliteFindView]:
        """A consistent view of what is looked for in memories; raises like ``read``."""
        file = self._databases.file(workspace_id)
        with (
            self._read_on(file),
            translated(file.path),
            _taken(file, lambda ways: ways.readers.connection()) as connection,
        ):
            yield SqliteFindView(file, View(connection, workspace_id))

    @contextmanager
    def write(
        self, workspace_id: str | None, *, initiator: str, durable: bool = True
    ) -> Iterator[SqliteUnitOfWork]:
        """A write transaction, begun at once; one at a time per file.

        Raises:
            NotFoundError: There is no such workspace.
            UnreadableTextError: Some text in it is none; the same again goes through, unless it
                was committed.
            StorageError: The file cannot be written to.
        """
        unit = self._begun(workspace_id, initiator, durable=durable)
        with self._read_on(unit.file):
            try:
                yield unit
            finally:
                unit.roll_back()

    @contextmanager
    def _read_on(self, file: OpenFile) -> Iterator[None]:
        """Let text that is none be met once: from then on it is read with marks.

        Damage that a row was found to hold says in which file that is.

        Raises:
            UnreadableTextError: It was met, and the same again goes through.
            DatabaseCorruptError: Other damage, with the file's path.
            InvalidValueError: A number was asked for that the file cannot hold.
        """
        try:
            yield
        except DatabaseCorruptError as error:
            is_here = error.path in {None, file.path}
            if is_here and error.detail == NO_TEXT and self._goes_on(file):
                raise UnreadableTextError(file.path) from error
            if error.path is not None:
                raise
            raise DatabaseCorruptError(file.path, error.detail) from error
        except OverflowError as error:  # a number of more than 64 bits, which no row has
            raise InvalidValueError("number", "range") from error

    def _goes_on(self, file: OpenFile) -> bool:
        """Whether anything could be done about text that is none."""
        text = file.engines.text
        was_strict, text.is_tolerant = not text.is_tolerant, True
        with self.read(file.workspace_id) as view:
            is_any_open = bool(view.memories.set_unreadable_aside())
        # Whoever writes just now may be the one who met it, further out.
        if not is_any_open or file.write_lane.locked():
            return was_strict
        try:
            with self.write(file.workspace_id, initiator=_INKLINGS.name) as unit:
                from inklings_desktop.domain.log.events import EventKind
                from inklings_desktop.usecases.steps.recording import record_memories

                found = unit.memories.set_unreadable_aside()
                at = self._databases.clock()
                record_memories(unit, _INKLINGS, EventKind.MEMORY_SET_ASIDE, found, at, always=True)
                unit.commit()
        except StorageError:
            return was_strict
        return True

    def _begun(
        self, workspace_id: str | None, initiator: str, *, durable: bool
    ) -> SqliteUnitOfWork:
        from inklings_desktop.storage.rows.transaction import Transaction
        from inklings_desktop.storage.unit_of_work import SqliteUnitOfWork

        if self._databases.is_sealed:
            raise DatabaseReadOnlyError(self._databases.root, "folder")
        key, heads, witness = self._databases.installation()
        while True:
            file = self._databases.file(workspace_id)
            file.enter_write_lane()
            try:
                engine = file.engines.durable if durable else file.engines.relaxed
                connection = engine.connect()
                try:
                    connection.begin()
                    if file.is_in_place:
                        transaction = Transaction(connection, workspace_id, initiator=initiator)
                        heard = witness if durable else None
                        return SqliteUnitOfWork(
                            file, transaction, key, heads, heard, self._publisher
                        )
                except BaseException:
                    connection.close()
                    raise
                # The file was replaced while this writer waited: what is written to it is lost.
                connection.close()
            except BaseException:
                file.write_lane.release()
                raise
            file.write_lane.release()


@contextmanager
def _taken(
    file: OpenFile, enter: Callable[[StoreEngines], AbstractContextManager[T]]
) -> Iterator[T]:
    """A way to read, also where the disk has no room for what SQLite makes beside the file.

    That is needed only while nobody else has the file open, so nobody changes what is read then.
    """
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(enter(file.engines))
        except DatabaseFullError:
            sealed = open_sealed_engines(file.path)
            stack.callback(sealed.dispose)
            connection = stack.enter_context(enter(sealed))
        yield connection
