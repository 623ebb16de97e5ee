"""What export and import need from outside: whole rows in and out, and a file beside the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.ports.store import FindView, StoreView, UnitOfWork

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.domain.memory import MemoryVersion, ScopeKey
    from inklings_desktop.domain.rooms.messages import Message
    from inklings_desktop.domain.transfer.document import (
        ChannelRecord,
        ConversationRecord,
        EntryRecord,
        ExportNote,
        MemoryRecord,
        NoteRecord,
    )
    from inklings_desktop.domain.transfer.import_plan import (
        ImportRun,
        ImportStep,
    )


class TransferRepository(Protocol):
    """Rows of one database as they lie there, and what left it or came into it."""

    def memories(
        self,
        *,
        scopes: Sequence[ScopeKey] | None,
        ids: Sequence[str] | None,
        forgotten: bool,
        after: int,
        limit: int,
    ) -> tuple[MemoryRecord, ...]:
        """Memories in order of their sequence, with their vectors and without their history.

        Args:
            scopes: Only of these scope keys; None for every one.
            ids: Only these; None for every one.
            forgotten: Whether forgotten ones are wanted as well.
            after: The last sequence seen; 0 begins.
            limit: Most rows.
        """
        ...

    def n_memories(
        self, *, scopes: Sequence[ScopeKey] | None, ids: Sequence[str] | None, forgotten: bool
    ) -> int:
        """How many ``memories`` would hand out in all."""
        ...

    def histories(self, ids: Sequence[str]) -> Mapping[str, tuple[MemoryVersion, ...]]:
        """Earlier states of these memories, the oldest first."""
        ...

    def channels(self) -> tuple[ChannelRecord, ...]:
        """Every channel, archived ones included."""
        ...

    def conversations(self) -> tuple[ConversationRecord, ...]:
        """Every conversation, archived ones included."""
        ...

    def notes(self) -> tuple[NoteRecord, ...]:
        """Every working note."""
        ...

    def messages(self) -> tuple[Message, ...]:
        """Everything that was said, in the order in which it was stored."""
        ...

    def entries(self) -> tuple[EntryRecord, ...]:
        """Every named entry with its revisions, deleted ones included."""
        ...

    def is_empty(self) -> bool:
        """Whether nobody has written anything here yet: nothing that a restore could replace."""
        ...

    def restored_last(self) -> str | None:
        """Digest of the file that was restored here, if nothing has happened since; else None."""
        ...

    def restore_memories(self, records: Sequence[MemoryRecord]) -> None:
        """Store memories exactly as they were: ids, order, vectors and history."""
        ...

    def restore_rooms(
        self, channels: Sequence[ChannelRecord], conversations: Sequence[ConversationRecord]
    ) -> None:
        """Store channels and conversations exactly as they were."""
        ...

    def restore_notes(self, notes: Sequence[NoteRecord]) -> None:
        """Store working notes exactly as they were."""
        ...

    def restore_messages(self, messages: Sequence[Message]) -> None:
        """Store messages exactly as they were."""
        ...

    def restore_entry(self, record: EntryRecord) -> None:
        """Store a named entry exactly as it was; an untouched template gives way to it."""
        ...

    def note_export(self, note: ExportNote) -> None:
        """Remember that something was exported."""
        ...

    def exports(self) -> tuple[ExportNote, ...]:
        """What was exported from here, the latest first."""
        ...

    def put_import(self, run: ImportRun, steps: Iterable[ImportStep] = ()) -> None:
        """Store an import, or replace it, and what it did."""
        ...

    def imports(self) -> tuple[ImportRun, ...]:
        """Imports into this database, the latest first."""
        ...

    def import_steps(self, import_id: str) -> tuple[ImportStep, ...]:
        """What an import did here."""
        ...

    def reload(self) -> None:
        """Let every process drop what it holds of this database and ask again."""
        ...


class TransferView(StoreView, Protocol):
    """A view that hands out whole rows."""

    @property
    def transfers(self) -> TransferRepository:
        """Its rows as they lie there."""
        ...


class TransferUnit(UnitOfWork, Protocol):
    """A write transaction that takes whole rows."""

    @property
    def transfers(self) -> TransferRepository:
        """Its rows as they lie there."""
        ...


class TransferStore(Protocol):
    """Opens transactions on the account's file or a workspace's."""

    def find(self, workspace_id: str | None) -> AbstractContextManager[FindView]:
        """A consistent view for finding memories alone: cheaper than ``read``, raises like it."""
        ...

    def read(self, workspace_id: str | None) -> AbstractContextManager[TransferView]:
        """A consistent view; None names the account's file.

        Raises:
            NotFoundError: There is no such workspace.
            StorageError: The file cannot be read.
        """
        ...

    def write(
        self, workspace_id: str | None, *, initiator: str, durable: bool = True
    ) -> AbstractContextManager[TransferUnit]:
        """A write transaction, begun at once; one at a time per file.

        Raises:
            NotFoundError: There is no such workspace.
            StorageError: The file cannot be written to.
        """
        ...


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that is to be read.

    Attributes:
        path: Where it lies.
        name: As a person would name it; inside a folder with the folders below that.
        is_inside: Whether it was found in a folder, and not named by itself.
    """

    path: Path
    name: str
    is_inside: bool = False


class ExportFiles(Protocol):
    """Writes and reads files outside the data root."""

    def found(
        self, paths: Sequence[Path], suffixes: Collection[str]
    ) -> tuple[tuple[InputFile, ...], tuple[str, ...]]:
        """The files that some paths stand for, and the names of those of other kinds in folders.

        Args:
            paths: Files and folders. What is hidden in a folder, and links in it, are passed by.
            suffixes: Endings in small letters, with a dot, of what is read out of a folder.

        Raises:
            ImportRefusedError: There are too many files, or none that is read.
            StorageError: A folder cannot be read.
        """
        ...

    def write(self, path: Path, parts: Iterable[str]) -> int:
        """Write a file of the owner's alone, whole or not at all; its size in bytes.

        Raises:
            InvalidValueError: It would lie in the data root, or replace a database.
            StorageError: It cannot be written; whatever had this name is as it was.
        """
        ...

    def read(self, path: Path, limit: int) -> bytes:
        """The bytes of a file.

        Raises:
            ImportRefusedError: It is larger than the limit; nothing of it was read.
            StorageError: It cannot be read.
        """
        ...
