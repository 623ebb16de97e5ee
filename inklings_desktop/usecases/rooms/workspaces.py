"""List, create, rename and delete workspaces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    authorize_management,
    authorize_person,
)
from inklings_desktop.domain.errors import (
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
    StorageError,
)
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL, Channel, checked_name
from inklings_desktop.domain.rooms.workspace import Workspace, WorkspaceSummary
from inklings_desktop.usecases.rooms.list_places import ListWorkspaces

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.domain.log.backup import WorkspaceDeletion
    from inklings_desktop.usecases.ports.keeping import WorkspaceEraser
    from inklings_desktop.usecases.ports.store import Clock, IdSource, Store, WorkspaceDirectory


@dataclass(frozen=True, slots=True)
class SurveyWorkspaces:
    """How much each workspace holds; one that cannot be read says why and hides none."""

    directory: WorkspaceDirectory
    store: Store

    def __call__(self, caller: Caller) -> tuple[WorkspaceSummary, ...]:
        """Oldest first; opens every file that can be opened.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(caller)
        return tuple(found for one in self.directory.workspaces() for found in self._surveyed(one))

    def _surveyed(self, workspace: Workspace) -> Iterator[WorkspaceSummary]:
        folder = self.directory.folder(workspace.id)
        try:
            with self.store.read(workspace.id) as view:
                n_memories = sum(view.memories.active_counts().values())
        except NotFoundError:
            return  # deleted since the list was made
        except StorageError as error:
            yield WorkspaceSummary(workspace, folder, problem=error)
            return
        yield WorkspaceSummary(workspace, folder, n_memories)


@dataclass(frozen=True, slots=True)
class FindWorkspace:
    """One workspace by id or name."""

    directory: WorkspaceDirectory

    def __call__(self, caller: Caller, key: str) -> Workspace:
        """The workspace.

        Raises:
            ScopeDeniedError: All of it is closed to this agent, or there is none.
            NotFoundError: There is none.
        """
        if caller.is_agent:
            known = [
                one for one in ListWorkspaces(self.directory)(caller) if key in {one.id, one.name}
            ]
            if not known:
                raise ScopeDeniedError(Action.READ.value, Tier.WORKSPACE.value)
            return known[0]
        return self.directory.get(key)


@dataclass(frozen=True, slots=True)
class CreateWorkspace:
    """Begin a new world: its own file, with the channel ``general``."""

    directory: WorkspaceDirectory
    clock: Clock
    new_id: IdSource

    def __call__(self, caller: Caller, name: str) -> Workspace:
        """The new workspace.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name is no single line of text.
            ConflictError: The name is taken.
        """
        authorize_management(caller)
        now = self.clock()
        workspace = Workspace(self.new_id(), checked_name(name), now)
        self.directory.create(workspace, Channel(self.new_id(), DEFAULT_CHANNEL, "", now))
        return workspace


@dataclass(frozen=True, slots=True)
class AdoptWorkspace:
    """Take in a copy of a workspace's folder, from a stick or another machine say."""

    directory: WorkspaceDirectory

    def __call__(self, caller: Caller, folder: Path) -> Workspace:
        """The workspace, which is here now; the folder stays as it is.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The folder holds no workspace, or a whole data root.
            ConflictError: This workspace is here already; the key is its name here.
            StorageError: Its database is not ours, newer, damaged or out of reach.
        """
        authorize_management(caller)
        return self.directory.adopt(folder)


@dataclass(frozen=True, slots=True)
class RenameWorkspace:
    """Give a workspace another name; its folder stays where it is."""

    directory: WorkspaceDirectory

    def __call__(self, caller: Caller, key: str, name: str) -> Workspace:
        """The workspace under its new name; ``key`` is its id or name.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is none.
            ConflictError: The name is taken.
        """
        authorize_management(caller)
        workspace = replace(self.directory.get(key), name=checked_name(name))
        self.directory.rename(workspace)
        return workspace


@dataclass(frozen=True, slots=True)
class PreviewWorkspaceDeletion:
    """What deleting a workspace would remove; asking changes nothing."""

    directory: WorkspaceDirectory
    eraser: WorkspaceEraser

    def __call__(self, caller: Caller, key: str) -> WorkspaceDeletion:
        """How much is in it, and the phrase that confirms; ``key`` is its id or name.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is none.
            StorageError: Its file cannot be read.
        """
        authorize_person(caller, Action.MANAGE, Tier.WORKSPACE)
        return self.eraser.measure(self.directory.get(key))


@dataclass(frozen=True, slots=True)
class DeleteWorkspace:
    """Remove a workspace with its file, history, backups and log; only the record of it stays."""

    directory: WorkspaceDirectory
    eraser: WorkspaceEraser
    clock: Clock

    def __call__(self, caller: Caller, key: str, *, confirm: str) -> WorkspaceDeletion:
        """What was removed, and the number of the event that records it.

        Args:
            caller: The person.
            key: The workspace's id or name.
            confirm: What the person typed: ``delete``, a space and the workspace's name.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is none.
            InvalidValueError: The phrase is another one; nothing was changed.
            DatabaseBusyError: Another program is writing to it; nothing was changed.
            StorageError: Nothing was changed, or the removal goes on at the next start.
        """
        authorize_person(caller, Action.MANAGE, Tier.WORKSPACE)
        workspace = self.directory.get(key)
        from inklings_desktop.domain.log.backup import deletion_phrase  # with all about backups

        if confirm.strip() != deletion_phrase(workspace.name):
            raise InvalidValueError("confirm", "phrase")
        draft = EventDraft(
            EventKind.WORKSPACE_DELETED, caller.name, caller.kind.value, caller.door.value
        )
        return self.eraser.erase(workspace, draft, self.clock())
