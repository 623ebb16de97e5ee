"""List, create and rename workspaces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access import Caller, authorize_management
from inklings_desktop.domain.conversation import DEFAULT_CHANNEL, Channel, checked_name
from inklings_desktop.domain.workspace import Workspace

if TYPE_CHECKING:
    from inklings_desktop.usecases.ports import Clock, IdSource, Store, WorkspaceDirectory


@dataclass(frozen=True, slots=True)
class ListWorkspaces:
    """The workspaces of this data root."""

    directory: WorkspaceDirectory

    def __call__(self, caller: Caller) -> tuple[Workspace, ...]:
        """Oldest first.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(caller)
        return self.directory.workspaces()


@dataclass(frozen=True, slots=True)
class FindWorkspace:
    """One workspace by id or name."""

    directory: WorkspaceDirectory

    def __call__(self, caller: Caller, key: str) -> Workspace:
        """The workspace.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is none.
        """
        authorize_management(caller)
        return self.directory.get(key)


@dataclass(frozen=True, slots=True)
class CreateWorkspace:
    """Begin a new world: its own file, with the channel ``general``."""

    directory: WorkspaceDirectory
    store: Store
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
        self.directory.create(workspace)
        with self.store.write(workspace.id, initiator=caller.name) as unit:
            unit.conversations.add_channel(Channel(self.new_id(), DEFAULT_CHANNEL, "", now))
            unit.commit()
        return workspace


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
