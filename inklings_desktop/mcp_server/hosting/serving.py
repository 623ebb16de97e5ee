"""Runs the server in this process: over stdio, or over HTTP on the loopback with bearer tokens."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from anyio import TASK_STATUS_IGNORED, Lock, create_task_group, sleep_forever, to_thread
from mcp.server.transport_security import TransportSecuritySettings
from uvicorn.protocols.http.h11_impl import H11Protocol

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.freed_memory import give_back
from inklings_desktop.mcp_server.server import LOOPBACK, InklingsServer
from inklings_desktop.mcp_server.session import ClientSession, served_workspace
from inklings_desktop.mcp_server.words.answers import sentence_of

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Iterator, MutableMapping
    from contextlib import AbstractContextManager
    from socket import socket

    from anyio.abc import TaskGroup, TaskStatus
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
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


CLOSING_SECONDS = 1
"""Longest wait for a model that is being loaded."""
_ASKED_TO_LEAVE = (signal.SIGINT, signal.SIGTERM)

PAUSE_SECONDS = 0.1
"""Between the first request and the work, so that the answer is on its way before it."""


def serve_stdio(client: str, opener: Callable[[], AbstractContextManager[Inklings]]) -> None:
    """Serve one client until its end of standard input; nothing else goes to standard output.

    The first answer does not wait for the model, which is loaded right after. Interrupted or
    terminated, the process ends here: nothing wakes a thread that waits for a line.

    Raises:
        InklingsError: The data root cannot be opened, or the workspace is not there.
    """
    session = ClientSession(client, opener)
    warm_up = WarmUp(session)
    server = InklingsServer(session)
    server.middleware.append(warm_up.after_first_answer)

    def leave() -> None:
        session.close()
        _leave()

    def leave_soon() -> None:
        # Not in the signal's own frame, which may hold what closing waits for.
        threading.Thread(target=leave, name="leaving", daemon=True).start()
        threading.Timer(CLOSING_SECONDS, _leave).start()

    with _asked_to_leave(leave_soon):
        try:
            _ = session.inklings
            server.run("stdio")
        finally:
            _end(session, warm_up)


def serve_http(
    opener: Callable[[], AbstractContextManager[Inklings]],
    *,
    client: str | None,
    workspace: str | None,
    port: int,
    say: Callable[[str, str | None], None],
    failing: Callable[[InklingsError], str],
) -> None:
    """Serve the clients that have a token on the loopback, until interrupted or terminated.

    Args:
        client: Name of the only client; None serves every one that has a token.
        workspace: Name or id of the only workspace; None takes for each client the only one there
            is, or the only one that it may enter.
        port: TCP port on 127.0.0.1; 0 takes a free one.
        say: Hears the address, and the bearer token of the only client; never standard output.
        failing: What to tell a client of an error.

    Raises:
        OSError: The port is taken, or may not be used.
        InklingsError: The data root cannot be opened, or the workspace is not there.
    """
    import asyncio
    import socket

    # Opens the store for the sessions of all clients; no request is made under its name.
    own = ClientSession("", opener)
    warm_up = WarmUp(own)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen()  # whoever hears the address may knock at once
        # The server stops by itself and passes the signal on; the store is closed after it.
        with _asked_to_leave(lambda: None):
            try:
                inklings = own.inklings
                if client is not None or workspace is not None:
                    served_workspace(inklings, client or "", workspace)
                token = None
                if client is not None:
                    token = inklings.clients.show_token(client)
                warm_up.begin()
                say(f"http://{LOOPBACK}:{listening.getsockname()[1]}{HTTP_PATH}", token)
                served = Served(inklings, workspace, client, failing, own.warmth)
                asyncio.run(serve(served, listening))
            finally:
                _end(own, warm_up)


def _end(session: ClientSession, warm_up: WarmUp) -> None:
    """Let go of everything; a model that is still being loaded takes the process with it.

    Python's own end would tear the libraries down under the thread that loads them, and abort.
    """
    warm_up.stop()
    session.close()
    if not warm_up.has_ended(CLOSING_SECONDS):
        _leave()


def _leave() -> None:
    """End the process at once; what was acknowledged is on the disk."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)


@contextmanager
def _asked_to_leave(then: Callable[[], None]) -> Iterator[None]:
    """Call this when the process is interrupted or terminated, instead of dying half-way."""
    before = {sign: signal.signal(sign, lambda *_: then()) for sign in _ASKED_TO_LEAVE}
    try:
        yield
    finally:
        for sign, handler in before.items():
            signal.signal(sign, handler)


class WarmUp:
    """Gets a session ready without anybody waiting for it.

    Until it is done, searches of the session are answered by words alone.
    """

    def __init__(self, session: ClientSession) -> None:
        self._session = session
        # A model that is loading cannot be interrupted; the end of the process does not wait.
        self._thread = threading.Thread(target=self._run, name="warm-up", daemon=True)
        self._lock = threading.Lock()
        self._has_begun = False
        self._is_over = threading.Event()

    async def after_first_answer(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Middleware of the server: begin once the first request is answered."""
        try:
            return await call_next(ctx)
        finally:
            self.begin()

    def begin(self) -> None:
        """Start, once; returns at once."""
        with self._lock:
            if self._has_begun:
                return
            self._has_begun = True
        self._session.warmth.is_warming = True
        self._thread.start()

    def has_ended(self, seconds: float) -> bool:
        """Whether nothing of it runs any more; waits at most this long for it."""
        if self._has_begun:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Do not start on what was not started on yet."""
        self._is_over.set()

    def _run(self) -> None:
        try:
            if self._is_over.wait(PAUSE_SECONDS):
                return
            inklings = self._session.inklings
            if inklings.embedder.is_available and not self._is_over.is_set():
                inklings.embedder.embed(["ready"])
        except InklingsError as error:
            # The first request says it to the client; this is for whoever reads the log.
            sys.stderr.write(f"inklings: {sentence_of(error)}\n")
        finally:
            give_back()  # a third of what loading a model takes is of no more use
            self._session.warmth.is_warming = False
