from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.agent.memory_door.call import MemoryDoor
from inklings_desktop.agent.memory_door.filters import ORCHESTRATOR, PIPELINE, RECORDS, may_call
from inklings_desktop.agent.memory_door.pool import (
    MemoryPool,
    Outcome,
    ServerCommand,
    ServerGoneError,
)
from inklings_desktop.domain.errors import AgentError
from inklings_desktop.mcp_server import server as mcp_server

if TYPE_CHECKING:
    from collections.abc import Mapping

TOOLS = tuple(mcp_server._LISTINGS)
PROCESSES = (ORCHESTRATOR, PIPELINE, RECORDS, "researcher", "")
NEVER = ("scrub_preview", "scrub_execute", "run_state_purge", "memory_put_many")


class FakeServer:
    """Notes what it is asked; it is gone as often as a test says."""

    def __init__(self, n_gone: int = 0) -> None:
        self.called: list[tuple[str, dict[str, Any]]] = []
        self.n_gone = n_gone
        self.n_restarts = 0

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        self.called.append((tool, dict(arguments)))
        if self.n_gone:
            self.n_gone -= 1
            raise ServerGoneError
        return Outcome({"status": "stored"})

    async def tools(self) -> tuple[str, ...]:
        return TOOLS

    async def restart(self) -> None:
        self.n_restarts += 1


def called(server: FakeServer, process: str, tool: str) -> Outcome:
    door = MemoryDoor(server)  # type: ignore[arg-type]  # as much of it as a door needs
    return asyncio.run(door.call(process, tool, {"tier": "workspace"}, "t1:1"))


@pytest.mark.parametrize("process", PROCESSES)
def test_what_a_process_is_not_told_of_it_cannot_call(process: str) -> None:
    door = MemoryDoor(FakeServer())  # type: ignore[arg-type]
    told = set(asyncio.run(door.tools(process)))
    for tool in TOOLS:
        server = FakeServer()
        outcome = called(server, process, tool)
        assert outcome.is_error == (tool not in told), tool
        assert bool(server.called) == (tool in told), tool
        assert outcome.word == ("" if tool in told else "tool_refused")


def test_no_process_scrubs_and_only_the_program_keeps_messages() -> None:
    for process in PROCESSES:
        assert not any(may_call(process, tool) for tool in NEVER)
    assert may_call(RECORDS, "message_append")
    assert not may_call(ORCHESTRATOR, "message_append")
    assert not may_call(ORCHESTRATOR, "message_list")
    assert may_call(ORCHESTRATOR, "skill_weather")
    assert not may_call(PIPELINE, "skill_weather")


def test_server_that_ends_is_replaced_once() -> None:
    once, twice = FakeServer(n_gone=1), FakeServer(n_gone=2)
    assert not called(once, ORCHESTRATOR, "memory_put").is_error
    assert once.n_restarts == 1
    assert once.called[0] == once.called[1]
    assert once.called[0][1]["request_key"] == "t1:1"
    with pytest.raises(AgentError) as raised:
        called(twice, ORCHESTRATOR, "memory_put")
    assert raised.value.word == "memory_unreachable"
    assert twice.n_restarts == 1


@pytest.mark.parametrize("word", ["not_let_in", "scope_denied"])
def test_what_is_not_granted_is_said_so(word: str) -> None:
    class Closed(FakeServer):
        async def call(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
            return Outcome({"word": word, "message": "No."}, is_error=True)

    door = MemoryDoor(Closed())  # type: ignore[arg-type]
    with pytest.raises(AgentError) as raised:
        asyncio.run(door.sure(RECORDS, "conversation_start", {}))
    assert raised.value.word == "not_granted"


def test_servers_are_shared_and_end_when_nobody_uses_them() -> None:
    async def used() -> list[int]:
        pool = MemoryPool(sys.stderr, idle_seconds=0.01)
        one, other = ServerCommand("/no/such/program"), ServerCommand("/no/such/program", ("x",))
        assert pool.take(one) is pool.take(one)
        assert pool.take(other) is not pool.take(one)
        counts = [pool.n_servers]
        for command in (one, one, other):
            pool.give_back(command)
        await asyncio.sleep(0.05)
        counts.append(pool.n_servers)  # one is used once more
        pool.give_back(one)
        pool.take(one)
        await asyncio.sleep(0.05)
        counts.append(pool.n_servers)
        await pool.close()
        return counts

    assert asyncio.run(used()) == [2, 1, 1]


def test_program_that_cannot_be_started_is_a_memory_out_of_reach() -> None:
    async def called() -> str:
        pool = MemoryPool(sys.stderr)
        door = MemoryDoor(pool.take(ServerCommand("/no/such/program")))
        with pytest.raises(AgentError) as raised:
            await door.call(RECORDS, "workspace_overview", {})
        await pool.close()
        return raised.value.word

    assert asyncio.run(called()) == "memory_unreachable"
