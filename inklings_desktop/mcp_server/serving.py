"""Run the server: over stdio, or over HTTP on the loopback with a bearer token."""

from __future__ import annotations

import hmac
import secrets
import sys
import threading
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.mcp_server.server import LOOPBACK, InklingsServer
from inklings_desktop.mcp_server.session import ClientSession

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from contextlib import AbstractContextManager
    from typing import Any

    from inklings_desktop.usecases.bundle import Inklings

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
    App = Callable[[Scope, Receive, Send], Awaitable[None]]

HTTP_PATH = "/mcp"
TOKEN_BYTES = 32
WARM_UP_SECONDS = 0.5
_UNAUTHORIZED = b'{"error": "This server needs the bearer token it was started with."}'


def serve_stdio(client: str, opener: Callable[[], AbstractContextManager[Inklings]]) -> None:
    """Serve one client until its end of standard input; nothing else goes to standard output.

    The first answer does not wait for the store: it is opened when the client first needs it, or
    soon after the start, whichever comes first.
    """
    session = ClientSession(client, opener)
    warming = threading.Timer(WARM_UP_SECONDS, _warm, (session,))
    warming.daemon = True
    warming.start()
    try:
        InklingsServer(session).run("stdio")
    finally:
        warming.cancel()
        session.close()


def serve_http(
    client: str,
    opener: Callable[[], AbstractContextManager[Inklings]],
    *,
    port: int,
    say: Callable[[str, str], None],
) -> None:
    """Serve one client on the loopback until it is interrupted.

    Every request needs the token; foreign hosts and origins are refused by the transport.

    Args:
        client: Name of the client.
        opener: Opens the data root.
        port: TCP port on 127.0.0.1; 0 takes a free one.
        say: Hears the address and a fresh bearer token; never standard output.
    """
    import socket

    import uvicorn

    session = ClientSession(client, opener)
    _warm(session)
    app = InklingsServer(session).streamable_http_app(streamable_http_path=HTTP_PATH, host=LOOPBACK)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        token = secrets.token_urlsafe(TOKEN_BYTES)
        say(f"http://{LOOPBACK}:{listening.getsockname()[1]}{HTTP_PATH}", token)
        config = uvicorn.Config(
            with_token(app, token), log_level="warning", access_log=False, lifespan="on"
        )
        try:
            uvicorn.Server(config).run(sockets=[listening])
        finally:
            session.close()


def with_token(app: App, token: str) -> App:
    """The same application for requests that carry the bearer token; others get 401."""
    wanted = f"Bearer {token}".encode()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        given = dict(scope["headers"]).get(b"authorization", b"")
        if hmac.compare_digest(given, wanted):
            await app(scope, receive, send)
            return
        headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": _UNAUTHORIZED})

    return guarded


def _warm(session: ClientSession) -> None:
    """Open the store and load the model before they are asked for."""
    try:
        inklings = session.inklings
        if inklings.embedder.is_available:
            inklings.embedder.embed(["ready"])
    except InklingsError as error:
        # The first request says it to the client; this is for whoever reads the log.
        sys.stderr.write(f"inklings: {type(error).__name__}\n")
