from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from mcp.types import CallToolResult

from inklings_desktop.agent.memory_door import call as pool_module
from inklings_desktop.agent.memory_door.briefs import Brief, Right, is_listed, permits
from inklings_desktop.agent.memory_door.call import (
    MemoryDoor,
    MemoryPool,
    Outcome,
    ServerCommand,
    ServerGoneError,
)
from inklings_desktop.agent.memory_door.filters import (
    ANALYSIS,
    COMPOSER,
    DRY_RUN_SKILL,
    LOCAL,
    NOTE_OUTCOME,
    ORCHESTRATOR,
    PIPELINE,
    RECORDS,
    RESEARCHER,
    RUN_SCRIPT,
    SET_PLAN,
    SPAWN,
    TEAM,
    VALIDATE_SKILL,
    WORKER,
    may_call,
)
from inklings_desktop.agent.planning import MEMORY_WRITES, Tool
from inklings_desktop.domain.errors import AgentError
from inklings_desktop.mcp_server import server as mcp_server

TOOLS = tuple(mcp_server._LISTINGS)
PROCESSES = (ORCHESTRATOR, *TEAM, PIPELINE, RECORDS, "")
MORE = (
    "skill_search",
    "skill_read",
    "skill_propose",
    "skill_weather",
    "spawn",
    "set_plan",
    "run_script",
    "validate_skill",
    "dry_run_skill",
)
"""Not listed by any server yet, or by none ever."""
NEVER = ("scrub_preview", "scrub_execute", "run_state_purge", "memory_put_many")


class FakeServer:
    """Notes what it is asked; it is gone as often as a test says."""

    def __init__(self, n_gone: int = 0) -> None:
        self.called: list[tuple[str, dict[str, Any]]] = []
        self.n_gone = n_gone

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        self.called.append((tool, dict(arguments)))
        if self.n_gone:
            self.n_gone -= 1
            raise ServerGoneError
        return Outcome({"status": "stored"})

    async def offers(self) -> tuple[Tool, ...]:
        return tuple(Tool(one, "", {}) for one in (*TOOLS, *MORE))


def called(
    server: FakeServer, process: str, tool: str, brief: Brief | None = None, **arguments: Any
) -> Outcome:
    door = MemoryDoor(server, brief=brief)  # type: ignore[arg-type]  # as much as a door needs
    return asyncio.run(door.call(process, tool, arguments or {"tier": "workspace"}, "t1:1"))


def sent(process: str, *allowed: Right) -> Brief | None:
    """A brief for one of the team; nobody else has one."""
    return (
        Brief("3", process, "c1", "Look", allowed=frozenset(allowed)) if process in TEAM else None
    )


@pytest.mark.parametrize("process", PROCESSES)
def test_filter_matrix(process: str) -> None:
    brief = sent(process)
    door = MemoryDoor(FakeServer(), brief=brief)  # type: ignore[arg-type]
    listed = {one.name for one in asyncio.run(door.offers(process))}
    for tool in (*TOOLS, *MORE):
        server = FakeServer()
        arguments = {"tier": "workspace", "conversation": "c1", "key": "finding/3/all"}
        outcome = called(server, process, tool, brief, **arguments)
        assert outcome.is_error == (tool not in listed), tool
        assert bool(server.called) == (tool in listed), tool
        assert outcome.word == ("" if tool in listed else "tool_refused")
    assert bool(listed) is bool(process)
    assert process == ORCHESTRATOR or not listed & LOCAL


def test_what_the_team_may_do_at_most() -> None:
    allowed = {one: {tool for tool in (*TOOLS, *MORE) if is_listed(one, tool, sent(one))}
               for one in TEAM}  # fmt: skip
    whole = {tool for tool in TOOLS if may_call(ORCHESTRATOR, tool)}
    writes = MEMORY_WRITES | {"named_entry_propose", "world_propose", "memory_restore"}
    assert all(not (tools & writes) for tools in allowed.values())
    read_by_scripts = {tool for tool in TOOLS if may_call(ANALYSIS, tool)}
    assert allowed[WORKER] & set(TOOLS) <= whole | read_by_scripts
    assert "note_clear" not in allowed[RESEARCHER]
    assert all(not is_listed(one, SPAWN, sent(one)) for one in TEAM)
    assert may_call(ORCHESTRATOR, SPAWN)


@pytest.mark.parametrize("process", [*PROCESSES, ANALYSIS])
def test_local_tools_are_each_for_one_process_and_reach_no_server(process: str) -> None:
    own = {
        ORCHESTRATOR: {SPAWN, SET_PLAN, NOTE_OUTCOME}, WORKER: {RUN_SCRIPT},
        COMPOSER: {VALIDATE_SKILL, DRY_RUN_SKILL},
    }.get(process, set())  # fmt: skip
    brief, server = sent(process), FakeServer()
    assert {one for one in LOCAL if is_listed(process, one, brief)} == own
    assert {one for one in LOCAL if permits(process, one, {}, brief)} == own
    assert {called(server, process, one, brief).word for one in LOCAL} == {"tool_refused"}
    assert server.called == []


@pytest.mark.parametrize(
    ("process", "tool", "arguments", "is_made"),
    [
        (RESEARCHER, "note_write", {"conversation": "c1", "key": "finding/3/tolls"}, True),
        (RESEARCHER, "note_write", {"conversation": "c1", "key": "finding/4/tolls"}, False),
        (RESEARCHER, "note_write", {"conversation": "c1", "key": "summary"}, False),
        (RESEARCHER, "note_read", {"conversation": "c2", "key": "finding/3/tolls"}, False),
        (WORKER, "note_write", {"conversation": "c1", "key": "list"}, True),
        (WORKER, "note_write", {"conversation": "c2", "key": "list"}, False),
        (WORKER, "memory_put", {"tier": "channel", "scope": "tolls"}, True),
        (WORKER, "memory_put", {"tier": "channel", "scope": "maps"}, False),
        (WORKER, "memory_put", {"tier": "workspace"}, False),
        (WORKER, "memory_put", {"tier": "account"}, False),
        (WORKER, "memory_put", {"tier": "channel", "scope": "tolls", "replaces": "m1"}, False),
        (WORKER, "memory_forget", {"tier": "channel", "scope": "tolls"}, False),
        (ORCHESTRATOR, "memory_read", {"tier": "channel", "scope": "tolls"}, False),
    ],
)
def test_brief_holds_at_the_call(
    process: str, tool: str, arguments: dict[str, Any], *, is_made: bool
) -> None:
    server = FakeServer()
    whose = RESEARCHER if process == RESEARCHER else WORKER
    rights = () if whose == RESEARCHER else (Right("memory_put", "channel", "tolls"),)
    outcome = called(server, process, tool, sent(whose, *rights), **arguments)
    assert outcome.is_error is not is_made
    assert bool(server.called) is is_made


def test_no_process_scrubs_and_only_the_program_keeps_messages() -> None:
    for process in PROCESSES:
        assert not any(is_listed(process, tool, sent(process)) for tool in NEVER)
    assert may_call(RECORDS, "message_append")
    assert not may_call(ORCHESTRATOR, "message_append")
    assert not may_call(ORCHESTRATOR, "message_list")
    assert may_call(ORCHESTRATOR, "skill_weather")
    assert not may_call(PIPELINE, "skill_weather")


def test_server_that_ends_is_replaced_once() -> None:
    once, twice = FakeServer(n_gone=1), FakeServer(n_gone=2)
    assert not called(once, ORCHESTRATOR, "memory_put").is_error
    assert len(once.called) == 2
    assert once.called[0] == once.called[1]
    assert once.called[0][1]["request_key"] == "t1:1"
    with pytest.raises(AgentError) as raised:
        called(twice, ORCHESTRATOR, "memory_put")
    assert raised.value.word == "memory_unreachable"
    assert len(twice.called) == 2


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
        call = MemoryPool(sys.stderr, idle_seconds=0.01)
        one, other = ServerCommand("/no/such/program"), ServerCommand("/no/such/program", ("x",))
        assert call.take(one) is call.take(one)
        assert call.take(other) is not call.take(one)
        counts = [call.n_servers]
        for command in (one, one, other):
            call.give_back(command)
        await asyncio.sleep(0.05)
        counts.append(call.n_servers)  # one is used once more
        call.give_back(one)
        call.take(one)
        await asyncio.sleep(0.05)
        counts.append(call.n_servers)
        await call.close()
        return counts

    assert asyncio.run(used()) == [2, 1, 1]


def test_program_that_cannot_be_started_is_a_memory_out_of_reach() -> None:
    async def called() -> str:
        call = MemoryPool(sys.stderr)
        door = MemoryDoor(call.take(ServerCommand("/no/such/program")))
        with pytest.raises(AgentError) as raised:
            await door.call(RECORDS, "workspace_overview", {})
        await call.close()
        return raised.value.word

    assert asyncio.run(called()) == "memory_unreachable"


def test_server_that_never_says_hello_is_a_memory_out_of_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool_module, "START_SECONDS", 0.2)
    silent = ServerCommand(sys.executable, ("-c", "import sys; sys.stdin.read()"))

    async def called() -> str:
        call = MemoryPool(sys.stderr)
        door = MemoryDoor(call.take(silent))
        with pytest.raises(AgentError) as raised:
            await door.call(RECORDS, "workspace_overview", {})
        await call.close()
        return raised.value.word

    assert asyncio.run(asyncio.wait_for(called(), 30)) == "memory_unreachable"


class FakeSession:
    """A session with a server; the first one of all dies under what it is asked."""

    def __init__(self, *, dies: bool) -> None:
        self.dies = dies
        self.is_closed = asyncio.Event()

    async def call_tool(self, tool: str, *_: object, **__: object) -> CallToolResult:
        if self.dies:
            await asyncio.sleep(0.05 if tool == "memory_get" else 0)
            raise ConnectionError
        with suppress(TimeoutError):
            await asyncio.wait_for(self.is_closed.wait(), 0.2)
            raise ConnectionError
        return CallToolResult(content=[], structured_content={"tool": tool})


def test_conversations_that_share_a_server_do_not_end_it_under_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sessions: list[FakeSession] = []

    @asynccontextmanager
    async def served(*_: object) -> AsyncIterator[FakeSession]:
        sessions.append(FakeSession(dies=not sessions))
        yield sessions[-1]
        sessions[-1].is_closed.set()

    monkeypatch.setattr(pool_module, "_served", served)

    async def called() -> tuple[Outcome, Outcome]:
        call = MemoryPool(sys.stderr)
        server = call.take(ServerCommand("/no/such/program"))
        one, other = MemoryDoor(server), MemoryDoor(server)
        found = await asyncio.gather(
            one.call(RECORDS, "message_list", {}), other.call(RECORDS, "memory_get", {})
        )
        await call.close()
        return found

    answers = asyncio.run(asyncio.wait_for(called(), 10))
    assert [one.answer["tool"] for one in answers] == ["message_list", "memory_get"]
    assert len(sessions) == 2


class Busy(FakeServer):
    """Somebody else writes to its files, for so many calls."""

    def __init__(self, n_busy: int) -> None:
        super().__init__()
        self.n_busy = n_busy

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        await super().call(tool, arguments)
        if len(self.called) <= self.n_busy:
            return Outcome({"word": "storage", "message": "Busy."}, is_error=True, may_pass=True)
        return Outcome({"status": "stored"})


def test_files_that_are_busy_are_waited_for_and_then_out_of_reach() -> None:
    passing, lasting = Busy(1), Busy(1_000_000)
    kept = asyncio.run(MemoryDoor(passing).sure(RECORDS, "message_append", {}, "t1:0"))  # type: ignore[arg-type]
    assert kept == {"status": "stored"}
    assert passing.called[0] == passing.called[1]
    with pytest.raises(AgentError) as raised:
        asyncio.run(MemoryDoor(lasting, patience_seconds=0).sure(RECORDS, "message_append", {}))  # type: ignore[arg-type]
    assert (raised.value.word, raised.value.retry) == ("memory_unreachable", True)
