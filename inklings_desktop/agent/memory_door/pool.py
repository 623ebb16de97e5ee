"""Memory servers, one for each way to start one, however many conversations use it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from inklings_desktop.acp_wire.words import MEMORY_UNREACHABLE, OWN
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from mcp import ClientSession

IDLE_SECONDS = 300.0
"""How long a server stays that no conversation uses."""
START_SECONDS = 60.0
"""Longest wait for one; its host may have to load a model on a busy machine."""
CALL_SECONDS = 120.0
_log = logging.getLogger("inklings.agent")


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
    """

    answer: Mapping[str, Any]
    is_error: bool = False

    @property
    def word(self) -> str:
        """What went wrong; empty where nothing did."""
        return str(self.answer.get("word") or "failed") if self.is_error else ""


class MemoryServer:
    """One server process and the session with it; started when it is first needed."""

    def __init__(self, command: ServerCommand, errors: TextIO) -> None:
        """Know how to start it.

        Args:
            command: What is started.
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
        session = await self._connected()
        try:
            result = await session.call_tool(
                tool, dict(arguments), read_timeout_seconds=CALL_SECONDS
            )
        except Exception as error:
            _log.warning("memory server: %s failed: %s", tool, type(error).__name__)
            raise ServerGoneError from error
        if result.is_error:
            own = (result.meta or {}).get(OWN)
            word = own.get("word") if isinstance(own, dict) else None
            said = " ".join(one.text for one in result.content if one.type == "text")
            return Outcome({"word": word or "failed", "message": said}, is_error=True)
        return Outcome(result.structured_content or {})

    async def tools(self) -> tuple[str, ...]:
        """The names of the tools that it lists for this client.

        Raises:
            ServerGoneError: It cannot say.
        """
        session = await self._connected()
        try:
            found = await session.list_tools()
        except Exception as error:
            raise ServerGoneError from error
        return tuple(one.name for one in found.tools)

    async def restart(self) -> None:
        """Start another one in its place, at the next call."""
        await self.close()
        self._over = asyncio.Event()

    async def close(self) -> None:
        """End it; it ends by itself once nothing more can come."""
        self._over.set()
        life, self._life, self._session = self._life, None, None
        if life is not None:
            with suppress(Exception):
                await life

    async def _connected(self) -> ClientSession:
        if self._session is None or (self._life is not None and self._life.done()):
            self._over = asyncio.Event()
            self._session = asyncio.get_running_loop().create_future()
            self._life = asyncio.create_task(self._live(self._session, self._over))
        try:
            return await asyncio.wait_for(asyncio.shield(self._session), START_SECONDS)
        except (TimeoutError, ServerGoneError) as error:
            raise ServerGoneError from error

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
            return


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
        MemorySession(incoming, outgoing) as session,
    ):
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


def unreachable() -> AgentError:
    """That the memory cannot be opened."""
    return AgentError(MEMORY_UNREACHABLE, retry=True)
