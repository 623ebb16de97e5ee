"""The conversations that a client has open here, and what each of them stands on."""

from __future__ import annotations

import asyncio
import os
import uuid
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.acp_door.updates import Permissions, Updates
from inklings_desktop.agent.memory_door.call import MemoryDoor, MemoryPool, ServerCommand
from inklings_desktop.agent.memory_door.filters import RECORDS
from inklings_desktop.domain.errors import AgentError, StorageError
from inklings_desktop.domain.runs.run_rows import (
    SESSION_LEASE_SECONDS,
    SESSION_RENEWAL_SECONDS,
    session_lease,
)

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator, Mapping, Sequence

    from inklings_desktop.agent.acp_door.updates import Client
    from inklings_desktop.agent.graph.turn import Limits, Stop
    from inklings_desktop.agent.memory_door.call import MemoryServer
    from inklings_desktop.agent.ports import RunState
    from inklings_desktop.agent.providers.catalogue import Catalogue
    from inklings_desktop.agent.providers.keys import Keys
    from inklings_desktop.agent.providers.routing import RoutedModels
    from inklings_desktop.agent.scripts.executor import Interpreter
    from inklings_desktop.agent_settings import AgentSettings


STOP_SECONDS = 0.07
"""How long a stop waits for what is still told and kept before the client hears of the end."""
ROOT = os.path.abspath(os.sep)  # noqa: PTH100 - a word of the protocol, no folder of ours


class Workplace(Protocol):
    """What the process was started for.

    Attributes:
        language: Language to answer in where a message does not tell its own.
        limits: What a turn may use that nobody watches; None where somebody does.
    """

    version: str
    language: str
    limits: Limits | None

    def memory_command(self) -> ServerCommand:
        """How the memory server is started where a client names none."""

    def root(self) -> str:
        """What tells the data root that the state of runs is kept in from others."""

    def run_state(self, workspace_id: str) -> RunState:
        """The state of the runs of a workspace; always the same object."""

    def settings(self) -> AgentSettings:
        """What is set about agents now."""

    @property
    def models(self) -> RoutedModels:
        """The models that are set."""

    def catalogue(self) -> tuple[Catalogue, Keys]:
        """The providers and their keys; always the same. It loads them: call it on a thread."""

    def interpreter(self) -> Interpreter:
        """What runs scripts; always the same."""

    def skill_head(self, text: str) -> Mapping[str, object]:
        """What the head of a SKILL.md says.

        Raises:
            InvalidValueError: It has none, or one that cannot be read.
        """

    def spent_since(self, since: int) -> int:
        """What every workspace has spent since then, in millionths.

        Args:
            since: Milliseconds since 1970, UTC.
        """


@dataclass(slots=True)
class Session:
    """One conversation that is open here.

    Attributes:
        channel: Its channel's id.
        server: Carries out its tools.
        command: How that was started.
        ref_code: The short name of the conversation.
        language: The language that was last heard in it.
        is_resting: Whether the conversation has ended, and goes on with the next message.
        write_policy: Whether writes are decided by rules, all asked about, or never made.
        model: What was chosen to answer here, as ``provider/model`` or ``mechanical``; empty for
            what is set.
        effort: How much it thinks; empty for as it likes.
        options: What the client was last told that it may choose.
        stop: Stops the prompt that is answered; None while there is none.
        said: The last turn that was begun here for what the person said, and what that was; empty
            while there is none.
        works: What is done for prompts: for the one that is answered, and what is still to be done
            for those that were stopped. One after the other, by ``ordered``.
    """

    id: str
    channel: str
    workspace_id: str
    server: MemoryServer
    command: ServerCommand
    runs: RunState
    updates: Updates
    permissions: Permissions
    ref_code: str = ""
    language: str = ""
    is_resting: bool = False
    write_policy: str = "decide"
    model: str = ""
    effort: str = ""
    options: list[dict[str, Any]] = field(default_factory=list)
    n_turns: int = 0
    stop: Stop | None = None
    said: tuple[str, list[dict[str, Any]]] = ("", [])
    works: set[asyncio.Task[Any]] = field(default_factory=set)
    ordered: asyncio.Lock = field(default_factory=asyncio.Lock)
    attached: asyncio.Task[None] | None = None

    def door(self) -> MemoryDoor:
        """Memory, for one request."""
        return MemoryDoor(self.server)

    def cancel(self) -> None:
        if self.stop is not None:
            self.stop.ask("cancelled")

    async def answered(
        self, stop: Stop, work: Coroutine[Any, Any, dict[str, Any]]
    ) -> dict[str, Any] | None:
        """What some work for a prompt came to; None where it was stopped and is not over yet.

        Whatever it waits for, be it memory, its turn behind other work, or the graph that is not
        loaded yet, a stop waits no longer than a moment. What is left to do is done all the same:
        what was said is kept, and nothing that was begun is cut off.

        Raises:
            AgentError: It failed.
        """
        self.stop = stop
        task = asyncio.create_task(work)
        self.works.add(task)
        task.add_done_callback(self._over)
        asked = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait((task, asked), return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                await asyncio.wait((task,), timeout=STOP_SECONDS)
            return task.result() if task.done() else None
        finally:
            asked.cancel()
            self.stop = None

    async def settled(self) -> None:
        """Return once nothing is done for any prompt."""
        if self.works:
            await asyncio.wait(self.works)

    def _over(self, task: asyncio.Task[Any]) -> None:
        self.works.discard(task)
        if not task.cancelled():
            task.exception()  # of one that was stopped nobody else asks for it

    def next_turn(self) -> str:
        """The id of the next turn."""
        self.n_turns += 1
        return f"t{self.n_turns}-{uuid.uuid4().hex[:8]}"


class Sessions:
    """Opens and closes them."""

    def __init__(self, workplace: Workplace, client: Client, pool: MemoryPool, holder: str) -> None:
        self._workplace = workplace
        self._client = client
        self._pool = pool
        self._holder = holder
        self._open: dict[str, Session] = {}
        self._folders: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._open)

    def get(self, session_id: str) -> Session:
        """One that is open.

        Raises:
            AgentError: It is not.
        """
        session = self._open.get(session_id)
        if session is None:
            raise AgentError(words.UNKNOWN_SESSION, detail=session_id[:40])
        return session

    def every(self) -> list[Session]:
        """All that are open."""
        return list(self._open.values())

    def folder(self, session_id: str) -> str:
        """The folder that a client opened it with: given back, never used; the root for none."""
        return self._folders.get(session_id, ROOT)

    def command(self, servers: Sequence[Any]) -> ServerCommand:
        """How the memory server is started that a client names, or our own."""
        for one in servers:
            if getattr(one, "name", "") == words.MEMORY_SERVER and hasattr(one, "command"):
                environment = tuple((each.name, each.value) for each in one.env)
                return ServerCommand(one.command, tuple(one.args), environment)
        return self._workplace.memory_command()

    async def begin(self, servers: Sequence[Any], cwd: str, channel: str) -> Session:
        """A new conversation.

        Raises:
            AgentError: Memory cannot be reached, or is not granted.
        """
        with self._taken(servers) as (command, server):
            door = MemoryDoor(server)
            overview = await door.sure(RECORDS, "workspace_overview", {})
            wanted = {"channel": channel} if channel else {}
            key = f"new-{uuid.uuid4().hex}"
            started = await door.sure(RECORDS, "conversation_start", wanted, key)
            return self._attach(command, server, overview, started["conversation"], cwd)

    async def attach(self, session_id: str, servers: Sequence[Any], cwd: str) -> Session:
        """A conversation that there is.

        Raises:
            AgentError: It is not there, or memory cannot be reached or is not granted.
        """
        if (session := self._open.get(session_id)) is not None:
            return session
        with self._taken(servers) as (command, server):
            door = MemoryDoor(server)
            overview = await door.sure(RECORDS, "workspace_overview", {})
            found = await door.call(RECORDS, "conversation_get", {"conversation": session_id})
            if found.is_error:
                raise AgentError(words.UNKNOWN_SESSION, detail=session_id[:40])
            room = found.answer["conversation"]
            if room["state"] == "archived":
                raise AgentError(words.CONVERSATION_ARCHIVED, detail=session_id[:40])
            return self._attach(command, server, overview, room, cwd)

    async def close(self, session: Session) -> None:
        """Let go of one; that ends nothing."""
        if self._open.pop(session.id, None) is None:
            return
        if session.attached is not None:
            session.attached.cancel()
        self._pool.give_back(session.command)
        with suppress(StorageError):  # it runs out by itself
            name = session_lease(session.id)
            await asyncio.to_thread(session.runs.release_lease, name, self._holder)

    @contextmanager
    def _taken(self, servers: Sequence[Any]) -> Iterator[tuple[ServerCommand, MemoryServer]]:
        """A memory server; it is given back where what it was taken for fails."""
        command = self.command(servers)
        try:
            yield command, self._pool.take(command)
        except BaseException:
            self._pool.give_back(command)
            raise

    def _attach(
        self,
        command: ServerCommand,
        server: MemoryServer,
        overview: Mapping[str, Any],
        room: Mapping[str, Any],
        cwd: str,
    ) -> Session:
        self._require_own(overview)
        if (session := self._open.get(room["id"])) is not None:
            self._pool.give_back(command)  # opened by another request meanwhile
            return session
        if cwd:
            self._folders[room["id"]] = cwd
        workspace_id = overview["workspace"]["id"]
        runs = self._workplace.run_state(workspace_id)
        session = Session(
            id=room["id"],
            channel=room["channel"] or "",
            workspace_id=workspace_id,
            server=server,
            command=command,
            runs=runs,
            updates=Updates(self._client, room["id"]),
            permissions=Permissions(self._client, room["id"]),
            ref_code=room["ref_code"],
            language=self._workplace.language,
            write_policy=self._workplace.settings().write_policy,
            is_resting=room["state"] != "active",
        )
        session.attached = asyncio.create_task(self._stay_attached(session))
        self._open[session.id] = session
        return session

    def _require_own(self, overview: Mapping[str, Any]) -> None:
        """Return only where memory and the state of runs are of one data root.

        Raises:
            AgentError: They are not; the state of a run lies beside its memory, or nowhere.
        """
        if overview.get("root") != self._workplace.root():
            raise AgentError(words.MEMORY_UNREACHABLE, detail="root")

    async def _stay_attached(self, session: Session) -> None:
        """Say again and again that somebody has the conversation open."""
        name = session_lease(session.id)
        while True:
            with suppress(StorageError):  # the next time will do
                await asyncio.to_thread(
                    session.runs.note_lease, name, self._holder, SESSION_LEASE_SECONDS
                )
            if not session.works:  # whoever restores a backup needs the file alone
                await asyncio.to_thread(session.runs.rest)
            await asyncio.sleep(SESSION_RENEWAL_SECONDS)
