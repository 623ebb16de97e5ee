"""The only caller of tools: every process of the agent goes through it, with its own filter."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from inklings_desktop.acp_wire.words import NOT_GRANTED, TOOL_REFUSED
from inklings_desktop.agent.memory_door.pool import Outcome, ServerGoneError, unreachable
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.memory_door.pool import MemoryServer

Process: TypeAlias = Literal["orchestrator", "pipeline", "records"]
ORCHESTRATOR: Final = "orchestrator"
PIPELINE: Final = "pipeline"
"""Gathers what a turn begins with; no planner has a say in what it calls."""
RECORDS: Final = "records"
"""The program itself: it keeps the conversation, whatever a planner wants."""

_SKILLS = "skill_"
_ALLOWED: dict[str, frozenset[str]] = {
    ORCHESTRATOR: frozenset(
        {
            "memory_read", "memory_put", "memory_update", "memory_forget", "memory_restore",
            "memory_orient", "memory_get", "memory_search", "memory_recent", "conversation_list",
            "named_entry_list", "named_entry_read", "named_entry_propose",
            "note_write", "note_read", "note_list", "note_clear", "conversation_rename",
            "skill_search", "skill_read", "skill_propose", "activity_list", "activity_propose",
        }
    ),
    PIPELINE: frozenset({"memory_orient", "skill_search", "workspace_overview"}),
    RECORDS: frozenset(
        {
            "conversation_start", "conversation_get", "conversation_list", "conversation_end",
            "conversation_archive", "conversation_resume", "conversation_rename",
            "message_append", "message_list", "memory_read", "memory_get", "memory_forget",
            "memory_restore", "note_read", "note_write", "workspace_overview",
        }
    ),
}  # fmt: skip
_NO_SKILLS = frozenset({"skill_trace_append"})
_USES_SKILLS = frozenset({ORCHESTRATOR})

PATIENCE_SECONDS = 30.0
"""How long somebody who writes to the same files is waited for: an import, or a scrub."""
_BETWEEN_TRIES_SECONDS = 0.2
NOT_LET_IN = frozenset({"not_let_in", "scope_denied"})
"""Words of the server for what the author has not granted."""
STORAGE = "storage"
"""Its word for files that cannot be used."""


def may_call(process: str, tool: str) -> bool:
    """Whether a process may call a tool; one that nobody knows may call none."""
    if tool in _ALLOWED.get(process, frozenset()):
        return True
    return process in _USES_SKILLS and tool.startswith(_SKILLS) and tool not in _NO_SKILLS


@dataclass(slots=True)
class MemoryDoor:
    """Memory as one turn, or one request, reaches it.

    Every call here can be sent again without doing more: reads, notes, and writes with a key. So a
    server that ends is replaced once, in silence, and asked again; so is one that has to wait.

    Attributes:
        restarts_left: How often a server that ended is replaced.
        patience_seconds: How long one that has to wait is asked again.
    """

    server: MemoryServer
    restarts_left: int = 1
    patience_seconds: float = PATIENCE_SECONDS

    async def call(
        self, process: str, tool: str, arguments: Mapping[str, Any], request_key: str | None = None
    ) -> Outcome:
        """What a tool answers; one that the process may not call is not called.

        Raises:
            AgentError: Memory cannot be reached, also not by another server.
        """
        if not may_call(process, tool):
            return Outcome({"word": TOOL_REFUSED, "message": ""}, is_error=True)
        whole = dict(arguments)
        if request_key is not None:
            whole["request_key"] = request_key
        until = time.monotonic() + self.patience_seconds
        while True:
            try:
                outcome = await self.server.call(tool, whole)
            except ServerGoneError:
                if not self.restarts_left:
                    raise unreachable() from None
                self.restarts_left -= 1
                continue
            if not outcome.may_pass or time.monotonic() >= until:
                return outcome
            await asyncio.sleep(_BETWEEN_TRIES_SECONDS)

    async def sure(
        self, process: str, tool: str, arguments: Mapping[str, Any], request_key: str | None = None
    ) -> Mapping[str, Any]:
        """The answer of a tool without which nothing goes on.

        Raises:
            AgentError: Memory cannot be reached, is not granted, or the tool failed.
        """
        outcome = await self.call(process, tool, arguments, request_key)
        if not outcome.is_error:
            return outcome.answer
        if outcome.word in NOT_LET_IN:
            raise AgentError(NOT_GRANTED, detail=tool)
        if outcome.word == STORAGE:
            raise unreachable(tool)
        raise AgentError(outcome.word, detail=tool, said=str(outcome.answer.get("message") or ""))
