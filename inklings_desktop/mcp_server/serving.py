"""Run the server: over stdio, or over HTTP on the loopback with a bearer token."""

from __future__ import annotations

import hmac
import os
import secrets
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from inklings_desktop.mcp_server.server import LOOPBACK, InklingsServer
from inklings_desktop.mcp_server.session import ClientSession
from inklings_desktop.mcp_server.warming import WarmUp

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, MutableMapping
    from contextlib import AbstractContextManager
    from typing import Any

    from inklings_desktop.usecases.bundle import Inklings

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
    App = Callable[[Scope, Receive, Send], Awaitable[None]]

HTTP_PATH = "/mcp"
TOKEN_BYTES = 32
CLOSING_SECONDS = 1
"""Longest wait for a model that is being loaded."""
STREAM_SECONDS = 0.4
"""Longest wait for requests under way; clients hold streams open for as long as they are there."""
_UNAUTHORIZED = b'{"error": "This server needs the bearer token it was started with."}'
_ASKED_TO_LEAVE = (signal.SIGINT, signal.SIGTERM)


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
    client: str,
    opener: Callable[[], AbstractContextManager[Inklings]],
    *,
    port: int,
    say: Callable[[str, str], None],
) -> None:
    """Serve one client on the loopback until it is interrupted or terminated.

    Every request needs the token; hosts and origins other than this address are refused by the
    transport, and so is another port: that is another program's.

    Args:
        client: Name of the client.
        opener: Opens the data root.
        port: TCP port on 127.0.0.1; 0 takes a free one.
        say: Hears the address and a fresh bearer token; never standard output.

    Raises:
        OSError: The port is taken, or may not be used.
        InklingsError: The data root cannot be opened.
    """
    import socket

    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    from inklings_desktop.mcp_server.prompt_requests import PromptProtocol

    session = ClientSession(client, opener)
    warm_up = WarmUp(session)
    server = InklingsServer(session)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen()  # whoever hears the address may knock at once
        hosts = [f"{name}:{listening.getsockname()[1]}" for name in (LOOPBACK, "localhost")]
        app = server.streamable_http_app(
            streamable_http_path=HTTP_PATH,
            host=LOOPBACK,
            transport_security=TransportSecuritySettings(
                allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
            ),
        )
        token = secrets.token_urlsafe(TOKEN_BYTES)
        config = uvicorn.Config(
            with_token(app, token),
            log_level="warning",
            access_log=False,
            lifespan="on",
            ws="none",
            http=PromptProtocol,
        )
        # Typed as whole seconds, and handed to asyncio, which takes any.
        config.timeout_graceful_shutdown = STREAM_SECONDS  # type: ignore[assignment]
        # The server stops by itself and passes the signal on; the store is closed after it.
        with _asked_to_leave(lambda: None):
            try:
                _ = session.inklings
                warm_up.begin()
                say(f"http://{LOOPBACK}:{listening.getsockname()[1]}{HTTP_PATH}", token)
                uvicorn.Server(config).run(sockets=[listening])
            finally:
                _end(session, warm_up)


def with_token(app: App, token: str) -> App:
    """The same application for requests that carry the bearer token; others get 401."""
    wanted = token.encode()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await app(scope, receive, send)
            return
        scheme, _, given = dict(scope["headers"]).get(b"authorization", b"").partition(b" ")
        if scheme.lower() == b"bearer" and hmac.compare_digest(given.strip(), wanted):
            await app(scope, receive, send)
            return
        headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": _UNAUTHORIZED})

    return guarded


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
