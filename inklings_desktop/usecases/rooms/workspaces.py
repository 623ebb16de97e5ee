"""Workspaces as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_management, authorize_person
from inklings_desktop.domain.errors import (
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
    StorageError,
)
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL, Channel, checked_name
from inklings_desktop.domain.rooms.workspace import Workspace, WorkspaceSummary
from inklings_desktop.usecases.parts import Asked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.domain.log.backup import WorkspaceDeletion


class Workspaces(Asked):
    """The workspaces of a data root; ``key`` is the id or name of one."""

    def survey(self) -> tuple[WorkspaceSummary, ...]:
        """How much each holds, oldest first; one that cannot be read says why and hides none.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(self.caller)
        return tuple(
            found for one in self.parts.directory.workspaces() for found in self._surveyed(one)
        )

    def find(self, key: str) -> Workspace:
        """One workspace.

        Raises:
            ScopeDeniedError: All of it is closed to this agent, or there is none.
            NotFoundError: There is none.
        """
        caller = self.caller
        if caller.is_agent:
            for one in self.parts.directory.workspaces():
                if key in {one.id, one.name} and caller.may_read_in(one.id):
                    return one
            raise ScopeDeniedError(Action.READ.value, Tier.WORKSPACE.value)
        return self.parts.directory.get(key)

    def create(self, name: str) -> Workspace:
        """Begins a new world: its own file, with the channel ``general``.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The name is no single line of text.
            ConflictError: The name is taken.
        """
        authorize_management(self.caller)
        now = self.clock()
        workspace = Workspace(self.new_id(), checked_name(name), now)
        self.parts.directory.create(workspace, Channel(self.new_id(), DEFAULT_CHANNEL, "", now))
        return workspace

    def adopt(self, folder: Path) -> Workspace:
        """Takes in a copy of a workspace from elsewhere; the folder stays as it is.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InvalidValueError: The folder holds no workspace, or a whole data root.
            ConflictError: This workspace is here already; the key is its name here.
            StorageError: Its database is not ours, newer, damaged or out of reach.
        """
        authorize_management(self.caller)
        return self.parts.directory.adopt(folder)

    def rename(self, key: str, name: str) -> Workspace:
        """Gives a workspace another name; its folder stays where it is.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is none.
            ConflictError: The name is taken.
        """
        authorize_management(self.caller)
        workspace = replace(self.parts.directory.get(key), name=checked_name(name))
        self.parts.directory.rename(workspace)
        return workspace

    def preview_deletion(self, key: str) -> WorkspaceDeletion:
        """What deleting a workspace would remove, and the phrase that confirms it.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is none.
            StorageError: Its file cannot be read.
        """
        authorize_person(self.caller, Action.MANAGE, Tier.WORKSPACE)
        return self.parts.adapters().workspace_eraser.measure(self.parts.directory.get(key))

    def delete(self, key: str, *, confirm: str) -> WorkspaceDeletion:
        """Removes a workspace with its file, history, backups and log; only the record of it stays.

        Args:
            confirm: What the person typed: ``delete``, a space and the workspace's name.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is none.
            InvalidValueError: The phrase is another one; nothing was changed.
            DatabaseBusyError: Another program is writing to it; nothing was changed.
            StorageError: Nothing was changed, or the removal goes on at the next start.
        """
        caller = self.caller
        authorize_person(caller, Action.MANAGE, Tier.WORKSPACE)
        workspace = self.parts.directory.get(key)
        from inklings_desktop.domain.log.backup import deletion_phrase  # with all about backups

        if confirm.strip() != deletion_phrase(workspace.name):
            raise InvalidValueError("confirm", "phrase")
        draft = EventDraft(
            EventKind.WORKSPACE_DELETED, caller.name, caller.kind.value, caller.door.value
        )
        return self.parts.adapters().workspace_eraser.erase(workspace, draft, self.clock())

    def _surveyed(self, workspace: Workspace) -> Iterator[WorkspaceSummary]:
        folder = self.parts.directory.folder(workspace.id)
        try:
            with self.store.read(workspace.id) as view:
                n_memories = sum(view.memories.active_counts().values())
        except NotFoundError:
            return  # deleted since the list was made
        except StorageError as error:
            yield WorkspaceSummary(workspace, folder, problem=error)
            return
        yield WorkspaceSummary(workspace, folder, n_memories)
