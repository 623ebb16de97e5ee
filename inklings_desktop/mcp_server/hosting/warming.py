"""Open the store and load the model once the first answer is out, in a thread of its own."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.freed_memory import give_back
from inklings_desktop.mcp_server.words.answers import sentence_of

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from inklings_desktop.mcp_server.session import ClientSession


PAUSE_SECONDS = 0.1
"""Between the first request and the work, so that the answer is on its way before it."""


class WarmUp:
    """Gets a session ready without anybody waiting for it.

    Until it is done, searches of the session are answered by words alone.
    """

    def __init__(self, session: ClientSession) -> None:
        """Know what is to be warmed; nothing happens yet."""
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
