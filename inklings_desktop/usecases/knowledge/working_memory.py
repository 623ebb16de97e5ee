"""What an agent keeps between its runs: its own among agents, in plain view of the author."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_agent
from inklings_desktop.domain.access.secrets import secrets_in
from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.domain.knowledge.working_memory import (
    WorkingMemory,
    checked_kept,
    checked_part,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.steps.recording import record_known

if TYPE_CHECKING:
    from inklings_desktop.usecases.ports.store import UnitOfWork

MAX_PARTS = 20
"""Texts that one agent keeps in one workspace."""


class WorkingMemories(Asked):
    """One text of each agent, and of each of its parts."""

    def read(self, workspace_id: str, part: str = "") -> WorkingMemory | None:
        """What the caller keeps; None if it never kept anything.

        Raises:
            ScopeDeniedError: It is no agent, or may not read the workspace tier.
        """
        self._require_agent(workspace_id)
        with self.store.read(workspace_id) as view:
            return view.knowledge.working_memory(self.caller.name, checked_part(part))

    def keeps(self, workspace_id: str) -> bool:
        """Tells whether the caller keeps anything there, itself or for one of its parts."""
        if not self.caller.may(Action.READ, ScopeKey.workspace(workspace_id)):
            return False
        with self.store.read(workspace_id) as view:
            kept = view.knowledge.working_memories()
        return any(one.body and one.agent == self.caller.name for one in kept)

    def write(
        self,
        workspace_id: str,
        body: str,
        *,
        part: str = "",
        append: bool = False,
        expected_version: int | None = None,
    ) -> WorkingMemory:
        """Keeps a text in place of the last one, or behind it.

        Raises:
            ScopeDeniedError: The caller is no agent, or may not read the workspace tier.
            ConflictError: Another version is there than the expected one.
            InvalidValueError: It is over 16 KiB, holds what looks like a key or a password, or
                the agent keeps 20 parts already.
        """
        self._require_agent(workspace_id)
        name, of = self.caller.name, checked_part(part)
        with self.writing(workspace_id) as unit:
            before = unit.knowledge.working_memory(name, of)
            version = 0 if before is None else before.version
            if expected_version not in {None, version}:
                raise ConflictError("working_memory", name, expected_version, version)
            if before is None:
                _require_room(unit, name)
            earlier = "" if before is None else before.body.removesuffix("\n")
            text = f"{earlier}\n{body}" if append and earlier else body
            if secrets_in(checked_kept(text)):
                raise InvalidValueError("kept", "secret")
            kept = WorkingMemory(name, of, text, version + 1, self.clock())
            unit.knowledge.save_working_memory(kept)
            unit.commit()
        return kept

    def list(self, workspace_id: str) -> tuple[WorkingMemory, ...]:
        """What every agent keeps.

        Raises:
            ScopeDeniedError: The caller is no person.
        """
        self.require_person("working_memory.list", Tier.WORKSPACE, workspace_id)
        with self.store.read(workspace_id) as view:
            return tuple(one for one in view.knowledge.working_memories() if one.body)

    def versions(self, workspace_id: str, agent: str, part: str = "") -> tuple[WorkingMemory, ...]:
        """Earlier texts of one, the newest first.

        Raises:
            ScopeDeniedError: The caller is no person.
        """
        self.require_person("working_memory.list", Tier.WORKSPACE, workspace_id)
        with self.store.read(workspace_id) as view:
            return view.knowledge.working_memory_versions(agent, part)

    def clear(self, workspace_id: str, agent: str, part: str = "") -> WorkingMemory:
        """Takes away what an agent keeps; the text before, which ``restore`` brings back.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: It keeps nothing.
        """
        return self._put(workspace_id, agent, part, None)

    def restore(self, workspace_id: str, agent: str, part: str, version: int) -> WorkingMemory:
        """Lets an agent keep an earlier text again; the text before.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: There is no such version.
        """
        return self._put(workspace_id, agent, part, version)

    def _put(self, workspace_id: str, agent: str, part: str, version: int | None) -> WorkingMemory:
        self.require_person("working_memory.clear", Tier.WORKSPACE, workspace_id)
        now, scope = self.clock(), ScopeKey.workspace(workspace_id)
        with self.writing(workspace_id) as unit:
            before = unit.knowledge.working_memory(agent, part)
            if before is None or (version is None and not before.body):
                raise NotFoundError("working_memory", agent)
            body = "" if version is None else _body_of(unit, agent, part, version)
            after = replace(before, body=body, version=before.version + 1, updated_at=now)
            unit.knowledge.save_working_memory(after)
            did = "cleared" if version is None else "restored"
            kind = EventKind.WORKING_MEMORY_CLEARED
            record_known(unit, self.caller, kind, scope, [agent], now, did=did)
            unit.commit()
        return before

    def _require_agent(self, workspace_id: str) -> None:
        authorize_agent(self.caller, Action.WRITE, Tier.WORKSPACE)
        authorize(self.caller, Action.READ, ScopeKey.workspace(workspace_id))


def _require_room(unit: UnitOfWork, agent: str) -> None:
    """Return only if the agent may keep one more text."""
    if sum(one.agent == agent for one in unit.knowledge.working_memories()) >= MAX_PARTS:
        raise InvalidValueError("part", "too_many", MAX_PARTS)


def _body_of(unit: UnitOfWork, agent: str, part: str, version: int) -> str:
    """The text of an earlier version.

    Raises:
        NotFoundError: It is not kept any more.
    """
    for one in unit.knowledge.working_memory_versions(agent, part):
        if one.version == version:
            return one.body
    raise NotFoundError("working_memory", agent)
