"""A clockwork that is not there before it is needed.

A window shows its first page before the clock begins; what a clock is made of would be imported
while that page is awaited.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.background.tasks import TaskTarget
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.scheduler.clockwork import Clockwork
    from inklings_desktop.scheduler.memos import TaskNews
    from inklings_desktop.usecases.background.background_work import BackgroundStatus


class LateClockwork:
    """Stands for a ``Clockwork`` and makes it when something is asked of it, or has waited long.

    Every method may be called from any thread; ``loop`` is the host's.

    Attributes:
        on_news: As the clockwork's; set before ``loop``.
        on_state: Likewise.
        rest: Likewise.
    """

    def __init__(self, make: Callable[[], Clockwork], most_seconds: float) -> None:
        """Make nothing yet.

        Args:
            make: Makes the clockwork; called once, on whichever thread needs it first.
            most_seconds: The clock begins after so long although nobody told it to.
        """
        self._make = make
        self._most_seconds = most_seconds
        self._made: Clockwork | None = None
        self._missed: list[MemoryChanges] = []
        self._is_closed = False
        self._needed = threading.Event()
        self._lock = threading.RLock()
        self.on_news: Callable[[TaskNews], None] | None = None
        self.on_state: Callable[[BackgroundStatus], None] | None = None
        self.rest: Callable[[], None] | None = None

    def on_changes(self, changes: MemoryChanges) -> None:
        """Hear of a commit of this or another process; it is told once there is a clockwork."""
        with self._lock:
            if self._made is not None:
                self._made.on_changes(changes)
            elif not self._is_closed:
                self._missed.append(changes)
                if changes.own:
                    self._needed.set()  # what is written here gets its vector soon

    def request(self, target: TaskTarget) -> None:
        """Do this next, whatever the clock says."""
        self._clockwork().request(target)

    def cancel(self, target: TaskTarget | None = None) -> None:
        """Stop this work, or whatever runs, after its current step."""
        self._clockwork().cancel(target)

    def pause(self) -> None:
        """Stop what runs after its current step, and begin nothing until ``resume``."""
        self._clockwork().pause()

    def resume(self) -> None:
        """Go on after ``pause``."""
        self._clockwork().resume()

    def begin(self) -> None:
        """Wait no longer with the first look."""
        self._needed.set()  # the loop makes the clockwork: nobody waits for it here

    def note_activity(self) -> None:
        """The person is doing something; before there is a clockwork nothing yields to that."""
        if self._made is not None:
            self._made.note_activity()

    def status(self) -> BackgroundStatus:
        """What there is to do and how far it has come."""
        return self._clockwork().status()

    def close(self, *, drain_seconds: float) -> None:
        """End the loop; what was written is still embedded as far as the time allows."""
        with self._lock:
            self._is_closed = True
            if self._made is None and self._missed:
                self._clockwork()
            if self._made is not None:
                self._made.close(drain_seconds=drain_seconds)
        self._needed.set()

    def loop(self) -> None:
        """Work until ``close``."""
        self._needed.wait(self._most_seconds)
        with self._lock:
            if self._is_closed and self._made is None:
                return  # nothing was begun, and nothing written
            clockwork = self._clockwork()
        clockwork.loop()

    def _clockwork(self) -> Clockwork:
        with self._lock:
            if self._made is None:
                made = self._make()
                for name in ("on_news", "on_state", "rest"):
                    if (given := getattr(self, name)) is not None:
                        setattr(made, name, given)
                missed, self._missed = self._missed, []
                for changes in missed:
                    made.on_changes(changes)
                self._made = made
            self._needed.set()
            return self._made
