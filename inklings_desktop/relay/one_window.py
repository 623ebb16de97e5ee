"""One window for a data root: a second start calls the first one, and leaves.

A window that does not answer in time, frozen as it may be, is left alone: another one opens beside
it, as several programs share one data root anyway.
"""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack, contextmanager, suppress

from inklings_desktop.relay.meeting_point import MeetingPoint

TYPE_CHECKING = False  # the module that has it takes as long to import as all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ANSWER_SECONDS = 3.0
"""Longest wait for the first window; one that is just opening needs its time."""
_POLL_SECONDS = 0.05
_MOST_BYTES = 4_096
_HERE = b"here"


class OneWindow:
    """What this process is among the windows of a data root.

    Attributes:
        is_first: Whether no other one is open, as far as anybody can tell.
    """

    def __init__(self, place: MeetingPoint | None, *, is_first: bool) -> None:
        """Know the place; nobody is called and nobody heard yet.

        Args:
            place: Where they meet; None where there is none that is this user's alone.
            is_first: Whether this one holds it.
        """
        self.is_first = is_first
        self._place = place
        self._hearing: threading.Thread | None = None
        self._is_over = threading.Event()

    def call(self, text: str, seconds: float = ANSWER_SECONDS) -> bool:
        """Ask the first window to come forward; whether it did.

        Args:
            text: What it is to go to; empty for nothing in particular.
            seconds: How long it has.
        """
        heard = threading.Event()
        # What waits for the other side cannot be told to stop: it is left behind where it hangs.
        threading.Thread(target=self._call, args=(text, heard), daemon=True).start()
        is_heard = heard.wait(seconds)
        self._is_over.set()
        return is_heard

    def hear(self, come: Callable[[str], bool]) -> None:
        """Answer other starts from now on, on a thread of its own.

        Args:
            come: Brings this window forward; whether it did. Called on that thread.
        """
        if self._place is not None and self.is_first:
            hearing = threading.Thread(target=self._listen, args=(self._place, come), daemon=True)
            hearing.start()
            self._hearing = hearing

    def close(self) -> None:
        """Answer nobody any more."""
        self._is_over.set()
        if self._hearing is not None and self._place is not None:
            from multiprocessing.connection import Client

            with suppress(OSError):  # closing a listener does not wake whoever waits at it
                Client(self._place.address, self._place.family).close()
            self._hearing.join(_POLL_SECONDS)

    def _call(self, text: str, heard: threading.Event) -> None:
        from multiprocessing import AuthenticationError
        from multiprocessing.connection import Client

        place = self._place
        while place is not None and not self._is_over.wait(_POLL_SECONDS):
            with (
                suppress(OSError, EOFError, AuthenticationError),
                Client(place.address, place.family, place.key) as connection,
            ):
                connection.send_bytes(text.encode()[:_MOST_BYTES])
                if connection.recv_bytes(_MOST_BYTES) == _HERE:
                    heard.set()
                    return

    def _listen(self, place: MeetingPoint, come: Callable[[str], bool]) -> None:
        from multiprocessing import AuthenticationError
        from multiprocessing.connection import Listener

        with suppress(OSError):
            os.unlink(place.address)  # of a window that was killed; a pipe leaves nothing
        with suppress(OSError), Listener(place.address, place.family, authkey=place.key) as here:
            while not self._is_over.is_set():
                try:
                    with here.accept() as caller:
                        if come(caller.recv_bytes(_MOST_BYTES).decode(errors="replace")):
                            caller.send_bytes(_HERE)
                except (OSError, EOFError, AuthenticationError):
                    self._is_over.wait(_POLL_SECONDS)


@contextmanager
def one_window(root: str) -> Iterator[OneWindow]:
    """What this process is among the windows of a data root, while the block lasts."""
    with ExitStack() as stack:
        place, is_first = None, True
        with suppress(OSError):  # without a place of our own, each window is alone
            place = MeetingPoint(root, "window")
            is_first = stack.enter_context(place.locked("window"))
        window = OneWindow(place, is_first=is_first)
        stack.callback(window.close)
        yield window
