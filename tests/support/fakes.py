"""The ports in memory: the same promises as the real adapters, kept in the simplest way."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.memories.changes import MemoryChanges
from tests.support.fake_clients import FakeClientRepository
from tests.support.fake_entries import (
    FakeDraftRepository,
    FakeNamedEntryRepository,
    FakeProposalRepository,
    new_file,
)
from tests.support.fake_file import FakeChanges, FakeFile, compared
from tests.support.fake_indexes import FakeFullTextIndex, FakeTraitsReader, FakeVectorIndex
from tests.support.fake_memories import FakeMemoryRepository
from tests.support.fake_overview import FakeOverviewIndex
from tests.support.fake_rooms import FakeConversationRepository, FakeEventLog, FakeNoteRepository
from tests.support.fake_scrub_requests import FakeScrubRequestRepository
from tests.support.fake_scrubs import FakeScrubRepository
from tests.support.fake_talk import FakeMessageRepository, FakeRequestRepository, FakeTalkUpkeep
from tests.support.fake_tasks import (
    FakeConsolidationIndex,
    FakeFilterRepository,
    FakeGoldenRepository,
    FakeTaskRepository,
)
from tests.support.fake_tokens import FakeTokenIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.ports.store import ChangePublisher


class FakePublisher:
    """Remembers every change record."""

    def __init__(self) -> None:
        self.published: list[MemoryChanges] = []

    def publish(self, changes: MemoryChanges) -> None:
        """Remember it."""
        self.published.append(changes)


class FakeUnitOfWork:
    """A view of one file; as a unit of work, a copy that takes its place on commit."""

    def __init__(
        self,
        store: FakeStore,
        file: FakeFile,
        workspace_id: str | None,
        initiator: str,
        lane: threading.Lock | None = None,
    ) -> None:
        self._store = store
        self._file = file
        self._workspace_id = workspace_id
        self._initiator = initiator
        self._lane = lane
        self._changes = FakeChanges()
        self.memories = FakeMemoryRepository(file, self._changes, workspace_id)
        self.full_text = FakeFullTextIndex(file)
        self.vectors = FakeVectorIndex(file)
        self.overview = FakeOverviewIndex(file, workspace_id)
        self.traits = FakeTraitsReader(file)
        self.tokens = FakeTokenIndex(file)
        self.conversations = FakeConversationRepository(file, self._changes)
        self.notes = FakeNoteRepository(file, self._changes)
        self.messages = FakeMessageRepository(file, self._changes)
        self.requests = FakeRequestRepository(file)
        self.talk_upkeep = FakeTalkUpkeep(file)
        self.entries = FakeNamedEntryRepository(file, self._changes, workspace_id)
        self.drafts = FakeDraftRepository(file, workspace_id)
        self.proposals = FakeProposalRepository(file, self._changes)
        self.scrubs = FakeScrubRepository(file, self._changes, workspace_id)
        self.clients = FakeClientRepository(file, self._changes)
        self.scrub_requests = FakeScrubRequestRepository(file, self._changes)
        self.tasks = FakeTaskRepository(file)
        self.golden = FakeGoldenRepository(file)
        self.filters = FakeFilterRepository(file)
        self.consolidation = FakeConsolidationIndex(file)
        self.events = FakeEventLog(file)
        self._n_events = len(file.events)

    def found(self, ids: Sequence[str]) -> Mapping[str, MemoryEntry]:
        """Memories by id."""
        return self.memories.get_many(ids)

    def commit(self) -> None:
        """Put the copy in place, then publish what changed."""
        self._store.files[self._workspace_id] = self._file
        self.leave()
        changes = MemoryChanges(
            self._workspace_id,
            frozenset(self._changes.scopes),
            self._changes.named("added"),
            self._changes.named("updated"),
            self._changes.named("forgotten"),
            self._changes.rooms,
            frozenset(self._changes.note_conversations),
            frozenset(self._changes.entries),
            self._changes.proposals,
            self._changes.clients,
            self._changes.scrub_requests,
            events=len(self._file.events) > self._n_events,
            reload=self._changes.reload,
            initiator=self._initiator,
        )
        if not changes.is_empty:
            self._store.publisher.publish(changes)

    def leave(self) -> None:
        """Let the next writer in; what was not committed is gone."""
        if self._lane is not None:
            self._lane.release()
            self._lane = None


class FakeStore:
    """The ``Store`` in memory; the account's file is always there."""

    def __init__(
        self, publisher: ChangePublisher | None = None, workspace_ids: Iterable[str] = ()
    ) -> None:
        self.publisher: ChangePublisher = publisher or FakePublisher()
        self.files: dict[str | None, FakeFile] = {None: new_file(None)}
        self._lanes: dict[str | None, threading.Lock] = {}
        for workspace_id in workspace_ids:
            self.files[workspace_id] = new_file(workspace_id)

    @contextmanager
    def read(self, workspace_id: str | None) -> Iterator[FakeUnitOfWork]:
        """A consistent view."""
        yield FakeUnitOfWork(self, self._file(workspace_id).copy(), workspace_id, "")

    find = read

    @contextmanager
    def write(
        self,
        workspace_id: str | None,
        *,
        initiator: str,
        durable: bool = True,
    ) -> Iterator[FakeUnitOfWork]:
        """A write transaction; one at a time per file."""
        self._file(workspace_id)
        lane = self._lanes.setdefault(workspace_id, threading.Lock())
        lane.acquire()
        unit = FakeUnitOfWork(self, self._file(workspace_id).copy(), workspace_id, initiator, lane)
        try:
            yield unit
        finally:
            unit.leave()

    def _file(self, workspace_id: str | None) -> FakeFile:
        try:
            return self.files[workspace_id]
        except KeyError:
            raise NotFoundError("workspace", workspace_id or "") from None


class FakeWorkspaceDirectory:
    """The ``WorkspaceDirectory`` over a ``FakeStore``."""

    def __init__(self, store: FakeStore) -> None:
        self._store = store
        self._workspaces: dict[str, Workspace] = {}

    def workspaces(self) -> tuple[Workspace, ...]:
        """All of them, oldest first."""
        return tuple(sorted(self._workspaces.values(), key=lambda one: (one.created_at, one.id)))

    def get(self, key: str) -> Workspace:
        """The workspace with this id or name."""
        if key in self._workspaces:
            return self._workspaces[key]
        for workspace in self._workspaces.values():
            if compared(workspace.name) == compared(key):
                return workspace
        raise NotFoundError("workspace", key)

    def create(self, workspace: Workspace, *channels: Channel) -> None:
        """Make it and its file."""
        self._require_free_name(workspace)
        if workspace.id in self._workspaces:
            raise ConflictError("workspace", workspace.id)
        self._workspaces[workspace.id] = workspace
        file = self._store.files[workspace.id] = new_file(workspace.id, workspace.created_at)
        file.channels |= {one.id: one for one in channels}

    def folder(self, workspace_id: str) -> Path:
        """Where it would lie."""
        return Path("workspaces") / workspace_id

    def discard(self, workspace_id: str) -> None:
        """Remove it."""
        self._workspaces.pop(workspace_id, None)

    def adopt(self, folder: Path) -> Workspace:
        """There is nothing outside of memory."""
        raise InvalidValueError("workspace_folder", "none")

    def rename(self, workspace: Workspace) -> None:
        """Store its new name."""
        if workspace.id not in self._workspaces:
            raise NotFoundError("workspace", workspace.id)
        self._require_free_name(workspace)
        self._workspaces[workspace.id] = workspace

    def _require_free_name(self, workspace: Workspace) -> None:
        for other in self._workspaces.values():
            if other.id != workspace.id and compared(other.name) == compared(workspace.name):
                raise ConflictError("workspace", workspace.name)
