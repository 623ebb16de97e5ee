"""What the use cases need from outside, written from the caller's side.

Each port has one adapter and one fake: ``Store`` is filled by ``storage``, ``Embedder`` by
``embeddings``, ``ChangePublisher`` by ``usecases.change_feed``. What a view of the store holds
besides memories stands in ``room_ports``, ``entry_ports``, ``scrub_ports`` and ``task_ports``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.attention import AttentionKind
    from inklings_desktop.domain.changes import MemoryChanges
    from inklings_desktop.domain.decay import DecayConfig
    from inklings_desktop.domain.events import (
        Event,
        EventDraft,
        EventFacets,
        EventFilter,
        LogVerdict,
    )
    from inklings_desktop.domain.listing import (
        Facets,
        MemoryFilter,
        MemoryPage,
        MemorySort,
        PageCursor,
        PageOffset,
    )
    from inklings_desktop.domain.memory import (
        MemoryAction,
        MemoryEntry,
        MemoryRef,
        MemoryVersion,
        ScopeKey,
        Tier,
    )
    from inklings_desktop.domain.overview import TierOverview
    from inklings_desktop.domain.query_text import KeywordQuery
    from inklings_desktop.domain.ranking import KeywordHit, SemanticHit, Traits
    from inklings_desktop.domain.vectors import FloatMatrix, FloatVector
    from inklings_desktop.domain.workspace import Workspace
    from inklings_desktop.usecases.client_ports import ClientRepository
    from inklings_desktop.usecases.entry_ports import (
        DraftRepository,
        NamedEntryRepository,
        ProposalRepository,
    )
    from inklings_desktop.usecases.room_ports import ConversationRepository, NoteRepository
    from inklings_desktop.usecases.scrub_ports import ScrubRepository, ScrubRequestRepository
    from inklings_desktop.usecases.task_ports import (
        ConsolidationIndex,
        FilterRepository,
        GoldenRepository,
        TaskRepository,
    )


class Clock(Protocol):
    """Tells the time."""

    def __call__(self) -> datetime:
        """Now, aware, in UTC."""
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

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """One vector per text.

        Returns:
            float32, shape (n_texts, dimension), every row of length 1.

        Raises:
            EmbeddingUnavailableError: No model, or it failed.
        """
        ...


class ChangePublisher(Protocol):
    """Hears of every committed change."""

    def publish(self, changes: MemoryChanges) -> None:
        """Pass on a change record; called after commit, from any thread."""
        ...


class MemoryRepository(Protocol):
    """The memories of one database file."""

    def add(self, entries: Sequence[MemoryEntry]) -> tuple[MemoryEntry, ...]:
        """Store new memories and index their text; they come back with their sequence."""
        ...

    def get(self, ref: MemoryRef, visible_to: str | None) -> MemoryEntry:
        """One memory of one scope, forgotten ones included.

        Args:
            ref: Scope and id.
            visible_to: Agent that asks: another agent's private entry does not exist for it.
                None shows everything.

        Raises:
            NotFoundError: Not in this scope; an id of another scope gives the same answer.
        """
        ...

    def locate(self, id_prefix: str) -> MemoryEntry:
        """The memory whose id begins so, anywhere in this file; for a person's doors only.

        Raises:
            NotFoundError: No id begins so.
            InvalidValueError: Several do, or fewer than four characters were given.
        """
        ...

    def get_many(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Memories by id, whatever their scope; unknown ids are left out."""
        ...

    def save(
        self,
        entry: MemoryEntry,
        *,
        expected_version: int,
        action: MemoryAction,
        changed_by: str,
        door: str,
        changed_at: datetime,
    ) -> MemoryEntry:
        """Replace a memory's state and keep the earlier one as a version.

        Index and neighbours follow in the same transaction; a new text clears the vector.

        Returns:
            The entry with its new version.

        Raises:
            NotFoundError: It is not there.
            ConflictError: Its version is no longer the expected one.
        """
        ...

    def history(self, memory_id: str) -> tuple[MemoryVersion, ...]:
        """Earlier states of a memory, newest first."""
        ...

    def add_history(self, versions: Sequence[MemoryVersion]) -> None:
        """Store earlier states that came with a memory from elsewhere."""
        ...

    def page(
        self,
        scopes: Sequence[ScopeKey],
        *,
        where: MemoryFilter,
        sort: MemorySort,
        limit: int,
        after: PageCursor | PageOffset | None,
        decay: DecayConfig,
        as_of: datetime,
        visible_to: str | None,
    ) -> MemoryPage:
        """One page of the memories of these scope keys, all of one tier and this file."""
        ...

    def facets(self, scopes: Sequence[ScopeKey], visible_to: str | None) -> Facets:
        """Values in use among the memories of these scope keys."""
        ...

    def active_counts(self) -> Mapping[ScopeKey, int]:
        """Active memories of every scope key in this file that has any."""
        ...

    def active_count(self, scope: ScopeKey) -> int:
        """Active memories of one scope key."""
        ...

    def least_relevant(
        self, scope: ScopeKey, limit: int, decay: DecayConfig, as_of: datetime
    ) -> tuple[MemoryEntry, ...]:
        """Active memories that the cap may forget, in the order it would.

        Unpinned, unlocked, made by an agent or import; short-term before long-term, then the
        least relevant first, then the oldest sequence.
        """
        ...

    def active_of_conversation(self, scope: ScopeKey) -> tuple[MemoryEntry, ...]:
        """Every active memory of one scope key, in order of writing."""
        ...

    def count_reads(self, ids: Sequence[str], at: datetime) -> None:
        """Raise the read counter of each memory by exactly one and note the time.

        Versions stay as they are.
        """
        ...

    def without_vector(
        self, model_id: str, limit: int, ids: Sequence[str] | None = None
    ) -> tuple[tuple[str, str], ...]:
        """Id and content of retrievable memories that lack a vector of this model.

        Args:
            model_id: The model in use.
            limit: Most entries wanted.
            ids: Only among these; None asks for any, oldest sequence first.
        """
        ...

    def n_without_vector(self, model_id: str) -> int:
        """Retrievable memories of this file that lack a vector of this model."""
        ...

    def put_vectors(self, model_id: str, vectors: Sequence[tuple[str, str, FloatVector]]) -> int:
        """Store vectors for memories whose text is still what was embedded.

        Args:
            model_id: Model that made them.
            vectors: Id, the content that was embedded, the vector.

        Returns:
            How many were stored; edited, forgotten or gone memories are passed over.

        Raises:
            InvalidValueError: A vector is not finite or not of unit length.
        """
        ...


class FullTextIndex(Protocol):
    """Keyword search over the retrievable memories of one file."""

    def search(
        self,
        scopes: Sequence[ScopeKey],
        query: KeywordQuery,
        *,
        where: MemoryFilter,
        visible_to: str | None,
        limit: int,
    ) -> Mapping[ScopeKey, tuple[KeywordHit, ...]]:
        """Each scope key's matches, best first; ties by id.

        Args:
            scopes: Scope keys of one tier; one that holds no match may be missing in the answer.
            query: Any of its terms makes a match.
            where: Masks applied before the best are picked.
            visible_to: As for ``MemoryRepository.get``.
            limit: Most hits wanted of each scope key.
        """
        ...


class VectorIndex(Protocol):
    """Nearest neighbours among the retrievable memories of one file."""

    def nearest(
        self,
        scopes: Sequence[ScopeKey],
        vector: FloatVector,
        model_id: str,
        *,
        where: MemoryFilter,
        visible_to: str | None,
        limit: int,
    ) -> Mapping[ScopeKey, tuple[SemanticHit, ...]]:
        """Each scope key's memories, most similar first; ties by id.

        Args:
            scopes: Scope keys of one tier; one that holds no vector may be missing in the answer.
            vector: float32, shape (dimension,), length 1.
            model_id: Only vectors of this model are compared.
            where: Masks applied before the best are picked.
            visible_to: As for ``MemoryRepository.get``.
            limit: Most hits wanted of each scope key.

        Raises:
            DimensionMismatchError: The stored vectors of this model have another length.
        """
        ...

    def prepare(self, scopes: Sequence[ScopeKey], model_id: str) -> None:
        """Get ready for ``nearest`` under these scope keys, while its vector is being made."""
        ...


class TraitsReader(Protocol):
    """What ranking weighs of the memories of one file, without their rows."""

    def of(
        self, scopes: Sequence[ScopeKey], ids: Sequence[str], model_id: str
    ) -> Mapping[str, Traits]:
        """Traits by id.

        Args:
            scopes: Scope keys of one tier; memories of others are left out.
            ids: Any; unknown, forgotten and paused ones are left out.
            model_id: Whose vectors are wanted; a vector of another model counts as missing.
        """
        ...


class OverviewIndex(Protocol):
    """Figures of whole tiers of one file; the number of statements is fixed."""

    def tiers(
        self,
        open_rooms: Sequence[ScopeKey],
        *,
        decay: DecayConfig,
        model_id: str,
        as_of: datetime,
    ) -> tuple[TierOverview, ...]:
        """Every tier that this kind of file can hold, from the innermost outwards.

        Args:
            open_rooms: Channels and conversations that are not archived.
            decay: The rates in force.
            model_id: Whose vectors count.
            as_of: Now.
        """
        ...

    def attention(
        self, scopes: Sequence[ScopeKey], *, decay: DecayConfig, model_id: str, as_of: datetime
    ) -> Mapping[AttentionKind, Mapping[Tier, int]]:
        """How many memories of these scope keys stand in each list; nothing for none."""
        ...

    def deserving(
        self,
        scopes: Sequence[ScopeKey],
        kind: AttentionKind,
        *,
        decay: DecayConfig,
        model_id: str,
        as_of: datetime,
    ) -> frozenset[int]:
        """Sequences of the memories of these scope keys that stand in a list."""
        ...


class EventLog(Protocol):
    """The append-only log of one file."""

    def append(self, draft: EventDraft, at: datetime) -> Event:
        """Add an event to the chain, in the transaction it belongs to."""
        ...

    def latest(
        self, limit: int, before: int | None = None, where: EventFilter | None = None
    ) -> tuple[Event, ...]:
        """Events that match, newest first, with numbers below ``before``."""
        ...

    def get(self, number: int) -> Event:
        """One event.

        Raises:
            NotFoundError: There is none with this number.
        """
        ...

    def facets(self) -> EventFacets:
        """Values in use in the whole log."""
        ...


class LogAudit(Protocol):
    """Checks event logs against their chains and their noted heads."""

    def verify(self, workspace_id: str | None) -> LogVerdict:
        """What the check of one log found, without the workspace's name; None is the account's.

        A file that cannot be read is a verdict, no error.
        """
        ...

    def noted_workspaces(self) -> frozenset[str]:
        """Workspaces whose heads are noted, whether they are there or not."""
        ...

    def anchor(
        self, workspace_ids: Sequence[str | None], doubtful: Sequence[str | None] = ()
    ) -> None:
        """Note the heads of these logs as they are now; heads that cannot be trusted are dropped.

        Args:
            workspace_ids: Logs whose chains are whole; None is the account's.
            doubtful: Logs whose chains are not: each gets a head as well if it has none, so that
                none of them is ever taken for a new one.

        Raises:
            StorageError: They cannot be noted.
        """
        ...


class StoreView(Protocol):
    """One consistent view of one file."""

    @property
    def memories(self) -> MemoryRepository:
        """Its memories."""
        ...

    @property
    def full_text(self) -> FullTextIndex:
        """Its keyword index."""
        ...

    @property
    def vectors(self) -> VectorIndex:
        """Its vectors."""
        ...

    @property
    def overview(self) -> OverviewIndex:
        """Figures of its tiers as a whole."""
        ...

    @property
    def traits(self) -> TraitsReader:
        """What ranking weighs of its memories."""
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

    def create(self, workspace: Workspace) -> None:
        """Make its folder and database.

        Raises:
            ConflictError: The name is taken, regardless of case.
            StorageError: The folder cannot be made.
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
