"""Serve every client over HTTP on the loopback; the bearer token that it shows says which it is."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from anyio import TASK_STATUS_IGNORED, Lock, create_task_group, sleep_forever, to_thread
from mcp.server.transport_security import TransportSecuritySettings
from uvicorn.protocols.http.h11_impl import H11Protocol

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.mcp_server.server import LOOPBACK, InklingsServer
from inklings_desktop.mcp_server.session import ClientSession, served_workspace

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, MutableMapping
    from socket import socket

    from anyio.abc import TaskGroup, TaskStatus
    from starlette.applications import Starlette

    from inklings_desktop.mcp_server.session import Warmth
    from inklings_desktop.usecases.bundle import Inklings

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

REQUEST_SECONDS = 10.0
"""Longest wait for a whole request; on the loopback one takes milliseconds."""


class PromptProtocol(H11Protocol):
    """HTTP/1.1 that closes a connection whose request does not become whole."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop_watching()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Go on waiting only while something of the request is missing."""
        super().data_received(data)
        self._watch()

    def _watch(self) -> None:
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_watching()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.close)

    def _stop_watching(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


HTTP_PATH = "/mcp"
STREAM_SECONDS = 0.4
"""Longest wait for requests under way; clients hold streams open for as long as they are there."""
UNAUTHORIZED, UNAVAILABLE = 401, 503
_UNKNOWN = (
    "This server needs the bearer token of a client that it serves."
    " See it, or make one, with: inklings mcp token CLIENT"
)


@dataclass(frozen=True, slots=True)
class Served:
    """What the loopback server serves, and to whom.

    Attributes:
        inklings: The use cases over all workspaces.
        workspace: Name or id of the only workspace; None takes for each client the only one there
            is, or the only one that it may enter.
        client: Name of the only client; None serves every one that has a token.
        failing: What to tell a client of an error.
        warmth: Shared by the sessions of all clients.
    """

    inklings: Inklings
    workspace: str | None
    client: str | None
    failing: Callable[[InklingsError], str]
    warmth: Warmth

    def client_of(self, token: str) -> str | None:
        """The client that comes with a token; None if it is not served."""
        name = self.inklings.clients.find_token_owner(token)
        return name if self.client in {None, name} else None

    def session(self, client: str) -> ClientSession:
        """A session for a client.

        Raises:
            InklingsError: Its workspace is not there, has to be named, or cannot be opened.
        """
        found = served_workspace(self.inklings, client, self.workspace)
        bound = replace(self.inklings, workspace=found)
        return ClientSession(client, lambda: nullcontext(bound), self.warmth)


@dataclass(slots=True)
class EveryClient:
    """The application of all clients: one of its own for each, and none without a token.

    What one has opened is not there for another, as they share nothing that keeps it.
    """

    served: Served
    security: TransportSecuritySettings
    group: TaskGroup
    _apps: dict[str, Starlette] = field(default_factory=dict)
    _making: Lock = field(default_factory=Lock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        shown = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
        scheme, _, token = shown.partition(" ")
        client = self.served.client_of(token.strip()) if scheme.lower() == "bearer" else None
        if client is None:
            await _refuse(send, UNAUTHORIZED, _UNKNOWN)
            return
        try:
            app = await self._app_of(client)
        except InklingsError as error:
            await _refuse(send, UNAVAILABLE, self.served.failing(error))
            return
        await app(scope, receive, send)

    async def _app_of(self, client: str) -> Starlette:
        async with self._making:
            if client not in self._apps:
                session = await to_thread.run_sync(self.served.session, client)
                server = InklingsServer(session)
                app = server.streamable_http_app(
                    streamable_http_path=HTTP_PATH,
                    host=LOOPBACK,
                    transport_security=self.security,
                )
                await self.group.start(_run, server)
                self._apps[client] = app
            return self._apps[client]


async def serve(served: Served, listening: socket) -> None:
    """Serve until the process is interrupted or terminated.

    Every request needs a token; hosts and origins other than this address are refused by the
    transport, and so is another port: that is another program's.
    """
    hosts = [f"{name}:{listening.getsockname()[1]}" for name in (LOOPBACK, "localhost")]
    security = TransportSecuritySettings(
        allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
    )
    async with create_task_group() as group:
        config = uvicorn.Config(
            EveryClient(served, security, group),
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="none",
            http=PromptProtocol,
        )
        # Typed as whole seconds, and handed to asyncio, which takes any.
        config.timeout_graceful_shutdown = STREAM_SECONDS  # type: ignore[assignment]
        try:
            await uvicorn.Server(config).serve(sockets=[listening])
        finally:
            group.cancel_scope.cancel()


async def _run(
    server: InklingsServer, *, task_status: TaskStatus[None] = TASK_STATUS_IGNORED
) -> None:
    """Keep the sessions of one client until the server ends."""
    async with server.session_manager.run():
        task_status.started()
        await sleep_forever()


async def _refuse(send: Send, status: int, sentence: str) -> None:
    headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"error": sentence}).encode()})
