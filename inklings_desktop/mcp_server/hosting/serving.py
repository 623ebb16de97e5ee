"""Run the server in this process: over stdio, or over HTTP on the loopback; warm it up."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.freed_memory import give_back
from inklings_desktop.mcp_server.server import LOOPBACK, InklingsServer
from inklings_desktop.mcp_server.session import ClientSession, served_workspace
from inklings_desktop.mcp_server.words.answers import sentence_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from inklings_desktop.usecases.bundle import Inklings

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

    from inklings_desktop.mcp_server.hosting.loopback import HTTP_PATH, Served, serve

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
