"""What the use cases need from outside, written from the caller's side.

Each port has one adapter: ``Store`` is filled by ``storage``, ``Embedder`` by
``embeddings``, ``ChangePublisher`` by ``usecases.change_feed``. What a view of the store holds
stands in ``memory_ports``, ``log_ports``, ``room_ports``, ``entry_ports``, ``scrub_ports`` and
``task_ports``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.likeness.calibration import Calibration
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.settings import Settings
    from inklings_desktop.settings_file import Problem, Row, Value
    from inklings_desktop.usecases.ports.activities import ActivityRepository
    from inklings_desktop.usecases.ports.clients import ClientRepository
    from inklings_desktop.usecases.ports.entries import (
        DraftRepository,
        NamedEntryRepository,
        ProposalRepository,
    )
    from inklings_desktop.usecases.ports.knowledge import KnowledgeRepository
    from inklings_desktop.usecases.ports.log import EventLog
    from inklings_desktop.usecases.ports.memories import (
        FullTextIndex,
        MemoryRepository,
        OverviewIndex,
        TraitsReader,
        VectorIndex,
    )
    from inklings_desktop.usecases.ports.rooms import ConversationRepository, NoteRepository
    from inklings_desktop.usecases.ports.scrub import ScrubRepository, ScrubRequestRepository
    from inklings_desktop.usecases.ports.skills import SkillRepository
    from inklings_desktop.usecases.ports.talk import (
        MessageRepository,
        RequestRepository,
        TalkUpkeep,
    )
    from inklings_desktop.usecases.ports.tasks import (
        ConsolidationIndex,
        FilterRepository,
        GoldenRepository,
        TaskRepository,
    )
    from inklings_desktop.usecases.ports.tokens import TokenIndex
    from inklings_desktop.usecases.ports.world_rows import WorldRepository


class Clock(Protocol):
    """Tells the time."""

    def __call__(self) -> datetime:
        """Now, aware, in UTC."""
        ...


class SettingsSource(Protocol):
    """Says what is set; asked at every call, so that a change holds from the next one on."""

    def __call__(self) -> Settings:
        """What is set now."""
        ...


class SettingsFile(SettingsSource, Protocol):
    """The same, and changes them."""

    def save(self, values: Mapping[str, Value]) -> None:
        """Write some settings, by their place in the file; None takes one out.

        Raises:
            OutsideFileError: The file cannot be written.
            InvalidValueError: The file is no TOML; it is left alone.
        """
        ...

    def put_row(self, place: str, row: Row) -> None:
        """Write a row of a list of tables; it raises what ``save`` raises."""
        ...

    def remove_row(self, place: str, id_: str) -> None:
        """Take the row with an id out of a list; it raises what ``save`` raises."""
        ...

    def problems(self) -> tuple[Problem, ...]:
        """What in the file cannot be used, by line."""
        ...


class IdSource(Protocol):
    """Makes fresh ids."""

    def __call__(self) -> str:
        """A random UUID as text."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of length 1."""

    @property
    def model_id(self) -> str:
        """Name of the model; vectors of another name are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        ...

    @property
    def is_available(self) -> bool:
        """Whether a model is there; cheap, loads nothing."""
        ...

    def pinned(self) -> Embedder:
        """The model in use, whatever is selected meanwhile: texts and id belong together."""
        ...

    @property
    def calibration(self) -> Calibration:
        """What its cosines say."""
        ...

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """One vector per text of a memory.

        Returns:
            float32, shape (n_texts, dimension), every row of length 1.

        Raises:
            EmbeddingUnavailableError: No model, or it failed.
        """
        ...

    def embed_question(self, text: str) -> FloatVector:
        """The vector of what is looked for: some models take a question for something else.

        Returns:
            float32, shape (dimension,), of length 1.

        Raises:
            EmbeddingUnavailableError: No model, or it failed.
        """
        ...


class ChangePublisher(Protocol):
    """Hears of every committed change."""

    def publish(self, changes: MemoryChanges) -> None:
        """Pass on a change record; called after commit, from any thread."""
        ...


class FindView(Protocol):
    """One consistent view of what is looked for in the memories of one file."""

    @property
    def full_text(self) -> FullTextIndex:
        """Its keyword index."""
        ...

    @property
    def vectors(self) -> VectorIndex:
        """Its vectors."""
        ...

    @property
    def traits(self) -> TraitsReader:
        """What ranking weighs of its memories."""
        ...

    @property
    def tokens(self) -> TokenIndex:
        """The words of its memories and tags."""
        ...

    def found(self, ids: Sequence[str]) -> Mapping[str, MemoryEntry]:
        """Memories by id, whatever their scope; unknown ids are left out."""
        ...


class StoreView(FindView, Protocol):
    """One consistent view of one file."""

    @property
    def memories(self) -> MemoryRepository:
        """Its memories."""
        ...

    @property
    def overview(self) -> OverviewIndex:
        """Figures of its tiers as a whole."""
        ...

    @property
    def conversations(self) -> ConversationRepository:
        """Its channels and conversations; a workspace's file only."""
        ...

    @property
    def notes(self) -> NoteRepository:
        """Its working notes; a workspace's file only."""
        ...

    @property
    def messages(self) -> MessageRepository:
        """What was said in its conversations; a workspace's file only."""
        ...

    @property
    def requests(self) -> RequestRepository:
        """Writes that their clients may send again."""
        ...

    @property
    def talk_upkeep(self) -> TalkUpkeep:
        """What agents leave behind in it."""
        ...

    @property
    def entries(self) -> NamedEntryRepository:
        """Its named entries and their revisions."""
        ...

    @property
    def drafts(self) -> DraftRepository:
        """Unsaved typing in its named entries and memories."""
        ...

    @property
    def proposals(self) -> ProposalRepository:
        """What agents ask the author to accept in this file."""
        ...

    @property
    def scrubs(self) -> ScrubRepository:
        """What a scrub of it would remove, and open purges."""
        ...

    @property
    def clients(self) -> ClientRepository:
        """The programs that agents come in by; the account's file only."""
        ...

    @property
    def scrub_requests(self) -> ScrubRequestRepository:
        """Scrubs that agents ask for, and open windows; the account's file only."""
        ...

    @property
    def tasks(self) -> TaskRepository:
        """Runs, leases and marks of background work on it."""
        ...

    @property
    def golden(self) -> GoldenRepository:
        """Its golden questions."""
        ...

    @property
    def filters(self) -> FilterRepository:
        """Its saved filters."""
        ...

    @property
    def world(self) -> WorldRepository:
        """Linked folders, and what its memories come from; a workspace's file only."""
        ...

    @property
    def knowledge(self) -> KnowledgeRepository:
        """What its facts and rules have, domains, roles, what agents keep."""
        ...

    @property
    def activities(self) -> ActivityRepository:
        """What agents are asked at their time; a workspace's file only."""
        ...

    @property
    def skills(self) -> SkillRepository:
        """Its skills, and what came of their runs."""
        ...

    @property
    def consolidation(self) -> ConsolidationIndex:
        """What planning a consolidation asks of it."""
        ...

    @property
    def events(self) -> EventLog:
        """Its event log."""
        ...


class UnitOfWork(StoreView, Protocol):
    """One write transaction; leaving it without ``commit`` rolls everything back."""

    def commit(self) -> None:
        """Make it durable, then publish what changed."""
        ...


class Store(Protocol):
    """Opens transactions on the account's file or a workspace's."""

    def find(self, workspace_id: str | None) -> AbstractContextManager[FindView]:
        """A consistent view for finding memories alone: cheaper than ``read``, raises like it."""
        ...

    def read(self, workspace_id: str | None) -> AbstractContextManager[StoreView]:
        """A consistent view; None names the account's file.

        Raises:
            NotFoundError: There is no such workspace.
            StorageError: The file cannot be read.
        """
        ...

    def write(
        self, workspace_id: str | None, *, initiator: str, durable: bool = True
    ) -> AbstractContextManager[UnitOfWork]:
        """A write transaction, begun at once; one at a time per file.

        Args:
            workspace_id: None names the account's file.
            initiator: Name of the caller, for the change record.
            durable: False for read counters and vectors, which may be lost with the power.

        Raises:
            NotFoundError: There is no such workspace.
            StorageError: The file cannot be written to.
        """
        ...


class WorkspaceDirectory(Protocol):
    """The workspaces under one data root."""

    def workspaces(self) -> tuple[Workspace, ...]:
        """All of them, oldest first."""
        ...

    def get(self, key: str) -> Workspace:
        """The workspace with this id, or this name regardless of case.

        Raises:
            NotFoundError: There is none.
        """
        ...

    def create(self, workspace: Workspace, *channels: Channel) -> None:
        """Make its folder and database with these channels, whole or not at all.

        Raises:
            ConflictError: The name is taken, regardless of case.
            StorageError: The folder cannot be made.
        """
        ...

    def discard(self, workspace_id: str) -> None:
        """Remove a workspace that was made a moment ago for what then failed.

        Raises:
            StorageError: It cannot be removed.
        """
        ...

    def adopt(self, folder: Path) -> Workspace:
        """Copy a workspace in that lies elsewhere; that folder stays as it is.

        Raises:
            InvalidValueError: The folder holds no workspace, or a whole data root.
            ConflictError: This workspace is here already; the key is its name here.
            StorageError: Its database is not ours, newer, damaged or out of reach.
        """
        ...

    def rename(self, workspace: Workspace) -> None:
        """Store its new name.

        Raises:
            NotFoundError: It is not there.
            ConflictError: The name is taken.
        """
        ...

    def folder(self, workspace_id: str) -> Path:
        """Where a workspace lies, whether or not it can be read.

        Raises:
            NotFoundError: No workspace can have this id.
        """
        ...
