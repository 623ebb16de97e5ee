"""The only caller of tools: every process of the agent goes through it, with its own filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire.words import NOT_GRANTED, TOOL_REFUSED
from inklings_desktop.agent.memory_door.filters import listed, may_call
from inklings_desktop.agent.memory_door.pool import Outcome, ServerGoneError, unreachable
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.memory_door.pool import MemoryServer

NOT_LET_IN = frozenset({"not_let_in", "scope_denied"})
"""Words of the server for what the author has not granted."""


@dataclass(slots=True)
class MemoryDoor:
    """Memory as one turn, or one request, reaches it.

    Every call here can be sent again without doing more: reads, notes, and writes with a key. So a
    server that ends is replaced once, in silence, and asked again.

    Attributes:
        server: Carries the tools out.
        restarts_left: How often a server that ended is replaced.
    """

    server: MemoryServer
    restarts_left: int = 1

    async def tools(self, process: str) -> tuple[str, ...]:
        """The tools that a process is told of.

        Raises:
            AgentError: Memory cannot be reached.
        """
        try:
            return listed(process, await self.server.tools())
        except ServerGoneError:
            raise unreachable() from None

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
        while True:
            try:
                return await self.server.call(tool, whole)
            except ServerGoneError:
                if not self.restarts_left:
                    raise unreachable() from None
                self.restarts_left -= 1
                await self.server.restart()

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
        raise AgentError(outcome.word, detail=tool)
