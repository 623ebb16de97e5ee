"""The one host of a data root: a session for each relay, one store, one model.

Every connection has threads of its own for its lines; requests are worked on in one loop.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Listener, answer_challenge, deliver_challenge
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio import (
    BrokenResourceError,
    CapacityLimiter,
    create_memory_object_stream,
    create_task_group,
    to_thread,
)
from anyio.from_thread import start_blocking_portal
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.freed_memory import give_back, share_one_heap
from inklings_desktop.mcp_server.hosting.serving import WarmUp
from inklings_desktop.mcp_server.server import REPEATABLE, InklingsServer
from inklings_desktop.mcp_server.session import ClientSession, Warmth, served_workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from multiprocessing.connection import Connection

    from anyio.from_thread import BlockingPortal
    from anyio.streams.memory import MemoryObjectReceiveStream

    from inklings_desktop.relay.meeting_point import MeetingPoint
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.store import Embedder

    Opener = Callable[[Embedder | None], AbstractContextManager[Inklings]]
    """Opens the data root; with the model of the time before, if there was one."""
    Failing = Callable[[InklingsError], tuple[str, int]]
    """What to tell a client of an error: the sentence, and the exit status."""

BACKLOG = 128
STORE_SECONDS = 2.0
"""How long the store stays open after the last client: the next one often follows at once."""
FIRST_SECONDS = 30.0
"""Longest wait for the first client."""
LOOK_SECONDS = 0.5
GIVE_BACK_SECONDS = 10.0
"""How often what requests freed goes back to the system."""
MOST_CLIENTS = 256
_HELLO_BYTES = 100_000
_LOST = (OSError, EOFError, AuthenticationError, BrokenResourceError)

_log = logging.getLogger("inklings.mcp")


class SharedStore:
    """The data root, open while somebody is here and a little longer, its model from then on."""

    def __init__(self, opener: Opener) -> None:
        self._opener = opener
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._inklings: Inklings | None = None
        self._embedder: Embedder | None = None
        self._n_users = 0
        self._left_at = 0.0

    @contextmanager
    def opened(self) -> Iterator[Inklings]:
        """The use cases, shared with all who have them open.

        Raises:
            InklingsError: The data root cannot be opened.
        """
        with self._lock:
            if self._inklings is None:
                self._inklings = self._stack.enter_context(self._opener(self._embedder))
                self._embedder = self._inklings.embedder
            inklings = self._inklings
            self._n_users += 1
        try:
            yield inklings
        finally:
            with self._lock:
                self._n_users -= 1
                self._left_at = time.monotonic()

    def close_unused(self, seconds: float) -> None:
        """Close it if nobody has used it for so long; others may then do what they like with it."""
        with self._lock:
            if not self._n_users and time.monotonic() - self._left_at >= seconds:
                self._inklings = None
                self._stack.close()


class Host:
    """Listens for relays until it has been alone for a while."""

    def __init__(
        self, place: MeetingPoint, root: Path, opener: Opener, failing: Failing, linger: float
    ) -> None:
        """Get ready; nothing is listened to yet.

        Args:
            place: Where relays look for it.
            failing: Says what went wrong.
            linger: How long it stays after its last client, in seconds.
        """
        self._place = place
        self._root = root
        self._store = SharedStore(opener)
        self._failing = failing
        self._linger = linger
        self._warmth = Warmth()
        self._warm_up: WarmUp | None = None
        self._lock = threading.Lock()
        self._n_clients = 0
        # Whoever started it is about to come, however short it stays after that.
        self._left_at = time.monotonic() + FIRST_SECONDS
        self._is_over = False
        self._writers = CapacityLimiter(MOST_CLIENTS)

    def run(self) -> None:
        """Serve until nobody has been here for a while, or the data root is gone."""
        share_one_heap()
        with suppress(FileNotFoundError):
            Path(self._place.address).unlink()  # of a host that was killed; a pipe leaves nothing
        with (
            Listener(self._place.address, self._place.family, BACKLOG) as listener,
            start_blocking_portal() as portal,
        ):
            listening = self._in_thread(self._listen, listener, portal)
            next_give_back = time.monotonic() + GIVE_BACK_SECONDS
            while not self._has_to_end():
                time.sleep(LOOK_SECONDS)
                self._store.close_unused(STORE_SECONDS)
                if time.monotonic() >= next_give_back:
                    give_back()
                    next_give_back = time.monotonic() + GIVE_BACK_SECONDS
            with suppress(*_LOST):  # what closes a listener does not wake who waits at it
                Client(self._place.address, self._place.family).close()
            listening.join(LOOK_SECONDS)  # not for ever: the address may be gone
        self._store.close_unused(0)

    def _has_to_end(self) -> bool:
        """Whether it is over; from then on whoever comes is sent to the next host."""
        with self._lock:
            is_of_use = self._place.is_reachable and self._root.is_dir()
            alone = 0.0 if self._n_clients else time.monotonic() - self._left_at
            self._is_over = not self._n_clients and (alone >= self._linger or not is_of_use)
            return self._is_over

    def _listen(self, listener: Listener, portal: BlockingPortal) -> None:
        while True:
            try:
                connection = listener.accept()
            except OSError:  # closed, or the other side is gone by now
                if self._is_over:
                    return
                continue
            if self._is_over:
                connection.close()
                return
            self._in_thread(self._attend, connection, portal)

    def _in_thread(self, target: Callable[..., None], *arguments: Any) -> threading.Thread:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        thread.start()
        return thread

    def _attend(self, connection: Connection, portal: BlockingPortal) -> None:
        """Hear who it is and serve it to its end."""
        with suppress(*_LOST), connection:
            deliver_challenge(connection, self._place.key)
            answer_challenge(connection, self._place.key)
            hello = json.loads(connection.recv_bytes(_HELLO_BYTES))
            with self._lock:
                if self._is_over:
                    return
                self._n_clients += 1
            try:
                self._serve(connection, portal, hello["client"], hello["workspace"])
            finally:
                with self._lock:
                    self._n_clients -= 1
                    self._left_at = time.monotonic()

    def _serve(
        self, connection: Connection, portal: BlockingPortal, client: str, workspace: str | None
    ) -> None:
        try:
            with self._store.opened() as inklings:
                found = served_workspace(inklings, client, workspace)
                bound = replace(inklings, workspace=found)
                session = ClientSession(client, lambda: nullcontext(bound), self._warmth)
                server = self._server(session)
                welcome = {"repeatable": sorted(REPEATABLE)}
                connection.send_bytes(json.dumps(welcome).encode())
                self._talk(connection, portal, server)
        except InklingsError as error:
            sentence, status = self._failing(error)
            refused = {"refused": sentence, "status": status}
            connection.send_bytes(json.dumps(refused).encode())

    def _server(self, session: ClientSession) -> InklingsServer:
        """A server for this session; the first answer of all begins to load the model."""
        server = InklingsServer(session)
        with self._lock:
            self._warm_up = self._warm_up or WarmUp(session)
        server.middleware.append(self._warm_up.after_first_answer)
        return server

    def _talk(self, connection: Connection, portal: BlockingPortal, server: InklingsServer) -> None:
        """Pass on lines until the relay says that there are no more, or is gone."""
        sending, incoming = create_memory_object_stream[SessionMessage | Exception]()
        serving = portal.start_task_soon(self._answer, connection, server, incoming)
        try:
            with suppress(*_LOST):
                while line := connection.recv_bytes():
                    portal.call(sending.send, _message(line))
        finally:
            portal.call(sending.aclose)
            try:
                serving.result()
            except Exception as error:  # noqa: BLE001 - whatever it is, the others go on
                _log.warning("session ended: %s", type(error).__name__)
        connection.send_bytes(b"")

    async def _answer(
        self,
        connection: Connection,
        server: InklingsServer,
        incoming: MemoryObjectReceiveStream[SessionMessage | Exception],
    ) -> None:
        sending, outgoing = create_memory_object_stream[SessionMessage]()
        async with create_task_group() as group:
            group.start_soon(self._write, connection, outgoing)
            await server.serve(incoming, sending)

    async def _write(
        self, connection: Connection, outgoing: MemoryObjectReceiveStream[SessionMessage]
    ) -> None:
        """Pass on answers; what nobody is there to hear is dropped."""
        async with outgoing:
            async for one in outgoing:
                text = one.message.model_dump_json(by_alias=True, exclude_unset=True)
                with suppress(OSError):
                    await to_thread.run_sync(
                        connection.send_bytes, text.encode(), limiter=self._writers
                    )


def _message(line: bytes) -> SessionMessage | Exception:
    """What a line says, or why it says nothing, as the library's own transports do it."""
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error
