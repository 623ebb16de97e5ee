"""The only caller of tools, which lets each process call its own, and the servers it calls."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from inklings_desktop.acp_wire.shapes import dict_of
from inklings_desktop.acp_wire.words import (
    INVALID_VALUE,
    MEMORY_UNREACHABLE,
    NOT_GRANTED,
    OWN,
    RUN_DAMAGED,
    TOOL_REFUSED,
)
from inklings_desktop.agent.memory_door.briefs import is_listed, permits
from inklings_desktop.agent.memory_door.filters import LOCAL, is_left
from inklings_desktop.agent.planning import Tool
from inklings_desktop.domain.errors import AgentError, InvalidValueError, StorageError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from mcp import ClientSession

    from inklings_desktop.agent.memory_door.briefs import Brief
    from inklings_desktop.domain.errors import InklingsError

IDLE_SECONDS = 300.0
"""How long a server stays that no conversation uses."""
START_SECONDS = 60.0
"""Longest wait for one; its host may have to load a model on a busy machine."""
CALL_SECONDS = 120.0
_log = logging.getLogger("inklings.agent")
Answer = TypeVar("Answer")


class ServerGoneError(Exception):
    """The server ended, or was never there; the call may or may not have been carried out."""


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """How a memory server is started: an absolute program, its arguments, its environment."""

    program: str
    arguments: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool answered.

    Attributes:
        answer: The structured answer; of an error ``word`` and ``message``.
        is_error: Whether it was refused or failed.
        may_pass: Whether the same may work a moment later.
    """

    answer: Mapping[str, Any]
    is_error: bool = False
    may_pass: bool = False

    @property
    def word(self) -> str:
        """What went wrong; empty where nothing did."""
        return str(self.answer.get("word") or "failed") if self.is_error else ""


class MemoryServer:
    """One server process and the session with it; started when it is first needed."""

    def __init__(self, command: ServerCommand, errors: TextIO) -> None:
        """Know how to start it.

        Args:
            errors: Takes what it says on standard error; a real file.
        """
        self._command = command
        self._errors = errors
        self._life: asyncio.Task[None] | None = None
        self._session: asyncio.Future[ClientSession] | None = None
        self._over = asyncio.Event()

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        """What a tool answers.

        Raises:
            ServerGoneError: The server ended before it answered, or cannot be started.
        """
        result = await self._asked(lambda session: session.call_tool(tool, dict(arguments)))
        if result.is_error:
            own = dict_of((result.meta or {}).get(OWN))
            said = " ".join(one.text for one in result.content if one.type == "text")
            answer = {"word": own.get("word") or "failed", "message": said}
            return Outcome(answer, is_error=True, may_pass=own.get("retry") is True)
        return Outcome(result.structured_content or {})

    async def offers(self) -> tuple[Tool, ...]:
        """The tools that it lists at the moment.

        Raises:
            ServerGoneError: The server ended before it answered, or cannot be started.
        """
        listed = await self._asked(lambda session: session.list_tools())
        return tuple(
            Tool(one.name, one.description or "", one.input_schema) for one in listed.tools
        )

    async def close(self) -> None:
        """End it; it ends by itself once nothing more can come."""
        self._over.set()
        life, self._life, self._session = self._life, None, None
        if life is not None:
            with suppress(Exception):
                await life

    async def _asked(self, ask: Callable[[ClientSession], Awaitable[Answer]]) -> Answer:
        """What the server answers; one that does not is ended, and the next call starts another.

        Only that one: another conversation may have started the next by now.
        """
        mine = self._begun()
        try:
            return await ask(await asyncio.shield(mine))
        except Exception as error:
            _log.warning("memory server: %s", type(error).__name__)
            if self._session is mine:
                await self.close()
            raise ServerGoneError from error

    def _begun(self) -> asyncio.Future[ClientSession]:
        if self._session is None:
            self._over = asyncio.Event()
            self._session = asyncio.get_running_loop().create_future()
            self._life = asyncio.create_task(self._live(self._session, self._over))
        return self._session

    async def _live(self, ready: asyncio.Future[ClientSession], over: asyncio.Event) -> None:
        """One life of the server, in one task: its scopes must be left where they were entered."""
        try:
            async with _served(self._command, self._errors) as session:
                ready.set_result(session)
                await over.wait()
        except Exception as error:  # noqa: BLE001 - of whatever it dies, it is gone
            _log.warning("memory server: %s", type(error).__name__)
            if not ready.done():
                ready.set_exception(ServerGoneError())
                ready.exception()  # whoever waits hears it; nobody may
        finally:
            if self._session is ready:
                self._session = None


@asynccontextmanager
async def _served(command: ServerCommand, errors: TextIO) -> AsyncIterator[ClientSession]:
    from mcp.client.session import ClientSession
    from mcp.client.stdio import StdioServerParameters, stdio_client

    class MemorySession(ClientSession):
        async def validate_tool_result(self, *_: Any) -> None:
            """Take the answer as it is: its reader takes from it what is there.

            The library would have every tool listed for that, before the first answer, and again
            with each answer of a tool that is not listed, as where a right was taken away.
            """

    parameters = StdioServerParameters(
        command=command.program,
        args=list(command.arguments),
        env=dict(command.environment),
    )
    async with (
        stdio_client(parameters, errors) as (incoming, outgoing),
        MemorySession(incoming, outgoing, read_timeout_seconds=CALL_SECONDS) as session,
    ):
        async with asyncio.timeout(START_SECONDS):
            await session.initialize()
        yield session


class MemoryPool:
    """Hands out servers, and ends those that nobody has used for a while."""

    def __init__(self, errors: TextIO, idle_seconds: float = IDLE_SECONDS) -> None:
        """Hold none yet.

        Args:
            errors: Takes what they say on standard error; a real file.
            idle_seconds: How long a server stays that nobody uses.
        """
        self._errors = errors
        self._idle_seconds = idle_seconds
        self._servers: dict[ServerCommand, MemoryServer] = {}
        self._users: dict[ServerCommand, int] = {}
        self._idle: dict[ServerCommand, asyncio.TimerHandle] = {}
        self._closing: set[asyncio.Task[None]] = set()

    @property
    def n_servers(self) -> int:
        """How many there are."""
        return len(self._servers)

    def take(self, command: ServerCommand) -> MemoryServer:
        """The server of a command, for one more user."""
        if timer := self._idle.pop(command, None):
            timer.cancel()
        self._users[command] = self._users.get(command, 0) + 1
        if command not in self._servers:
            self._servers[command] = MemoryServer(command, self._errors)
        return self._servers[command]

    def give_back(self, command: ServerCommand) -> None:
        """One user less; after the last one it stays for a while."""
        self._users[command] -= 1
        if not self._users[command]:
            loop = asyncio.get_running_loop()
            self._idle[command] = loop.call_later(self._idle_seconds, self._end, command)

    async def close(self) -> None:
        """End them all."""
        for timer in self._idle.values():
            timer.cancel()
        servers, self._servers = list(self._servers.values()), {}
        await asyncio.gather(*(one.close() for one in servers), *self._closing)

    def _end(self, command: ServerCommand) -> None:
        self._idle.pop(command, None)
        server = self._servers.pop(command)
        closing = asyncio.ensure_future(server.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)


def unreachable(detail: str = "") -> AgentError:
    """That the memory cannot be opened."""
    return AgentError(MEMORY_UNREACHABLE, retry=True, detail=detail)


def agent_error(error: InklingsError) -> AgentError:
    """What the agent says of an error: its own as it is.

    Files that are busy, full or out of reach may be what they were before, and a turn goes on then;
    of all else its state cannot.
    """
    if isinstance(error, AgentError):
        return error
    kind = type(error).__name__
    if isinstance(error, InvalidValueError):
        return AgentError(INVALID_VALUE, detail=f"{error.field}: {error.rule}")
    is_files = isinstance(error, StorageError)
    return unreachable(kind) if is_files else AgentError(RUN_DAMAGED, detail=kind)


PATIENCE_SECONDS = 30.0
"""How long somebody who writes to the same files is waited for: an import, or a scrub."""
_BETWEEN_TRIES_SECONDS = 0.2
NOT_LET_IN = frozenset({"not_let_in", "scope_denied"})
"""Words of the server for what the author has not granted."""
STORAGE = "storage"
"""Its word for files that cannot be used."""


@dataclass(slots=True)
class MemoryDoor:
    """Memory as one turn, or one request, reaches it.

    Every call here can be sent again without doing more: reads, notes, and writes with a key. So a
    server that ends is replaced once, in silence, and asked again; so is one that has to wait.

    Attributes:
        restarts_left: How often a server that ended is replaced.
        patience_seconds: How long one that has to wait is asked again.
        brief: What the one who calls was sent for; None for who was not sent by anybody.
        only: What the skills leave that are worked by; None where they do not say.
    """

    server: MemoryServer
    restarts_left: int = 1
    patience_seconds: float = PATIENCE_SECONDS
    brief: Brief | None = None
    only: frozenset[str] | None = None

    async def call(
        self, process: str, tool: str, arguments: Mapping[str, Any], request_key: str | None = None
    ) -> Outcome:
        """What a tool answers; one that the process may not call is not called.

        Raises:
            AgentError: Memory cannot be reached, also not by another server.
        """
        if tool in LOCAL or not permits(process, tool, arguments, self.brief, self.only):
            return Outcome({"word": TOOL_REFUSED, "message": ""}, is_error=True)
        whole = dict(arguments)
        if request_key is not None:
            whole["request_key"] = request_key
        until = time.monotonic() + self.patience_seconds
        while True:
            outcome = await self._again(lambda: self.server.call(tool, whole))
            if not outcome.may_pass or time.monotonic() >= until:
                return outcome
            await asyncio.sleep(_BETWEEN_TRIES_SECONDS)

    async def offers(self, process: str) -> tuple[Tool, ...]:
        """The tools that a process may call, as the server lists them.

        Raises:
            AgentError: Memory cannot be reached, also not by another server.
        """
        listed = await self._again(self.server.offers)
        own = (one for one in listed if one.name not in LOCAL and is_left(one.name, self.only))
        return tuple(one for one in own if is_listed(process, one.name, self.brief))

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

    async def _again(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """What the server answers, or the one that takes its place.

        Raises:
            AgentError: It ended, as did the one before it.
        """
        while True:
            try:
                return await ask()
            except ServerGoneError:
                if not self.restarts_left:
                    raise unreachable() from None
                self.restarts_left -= 1
