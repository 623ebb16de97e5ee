"""The change feed as one Qt signal, brought to the UI thread, bursts as one change."""

from __future__ import annotations

from enum import Flag, auto
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from inklings_desktop.ui.kit.ops.timers import timer

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.memories.changes import MemoryChanges

BURST_MS = 400
"""Whatever is committed so soon after a change that was passed on is passed on together."""


class About(Flag):
    """What a commit can be about; one after which everything is read anew is about all of it.

    ``CLOCK`` is whatever the clock did by itself, beside what it did it to.
    """

    MEMORIES = auto()
    ENTRIES = auto()
    TYPING = auto()
    ROOMS = auto()
    NOTES = auto()
    CLIENTS = auto()
    EVENTS = auto()
    SCRUBS = auto()
    SCRUB_REQUESTS = auto()
    WORKSPACES = auto()
    SETTINGS = auto()
    CLOCK = auto()


NOTHING = About(0)
EVERYTHING = ~NOTHING


class ChangeBridge(QObject):
    """Says on the UI thread what was committed on any other.

    The first change is passed on at once. A consolidation commits twenty times a second; if each
    were passed on alone, lists would be read and drawn again twenty times a second, and threads
    that read for them would keep the window from drawing.
    """

    _arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ears: dict[About, _Ear] = {}
        self._waiting: dict[tuple[str | None, str, bool], MemoryChanges] = {}
        self._pause = timer(self, self._on_pause_over, BURST_MS)
        self._arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)

    def hear(self, slot: Callable[..., Any], about: About = EVERYTHING) -> None:
        """Let a method of a QObject know of commits (``MemoryChanges``), on its own thread.

        Args:
            slot: What is called.
            about: Of which commits; those about none of it are never told.
        """
        ear = self._ears.get(about)
        if ear is None:
            ear = self._ears[about] = _Ear(self)
        ear.heard.connect(slot, Qt.ConnectionType.QueuedConnection)

    def publish(self, changes: MemoryChanges) -> None:
        """Pass a change record on; callable from any thread."""
        self._arrived.emit(changes)

    @Slot(object)
    def _on_arrived(self, changes: MemoryChanges) -> None:
        if not self._pause.isActive():
            self._pass_on(changes)
            return
        key = (changes.workspace_id, changes.initiator, changes.own)
        before = self._waiting.get(key)
        self._waiting[key] = changes if before is None else before.followed_by(changes)

    @Slot()
    def _on_pause_over(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for changes in waiting.values():
            self._pass_on(changes)

    def _pass_on(self, changes: MemoryChanges) -> None:
        self._pause.start()
        about = _about(changes)
        for wanted, ear in self._ears.items():
            if about & wanted:
                ear.heard.emit(changes)


class _Ear(QObject):
    """Those who want to hear of the same kinds of change."""

    heard = Signal(object)


def _about(changes: MemoryChanges) -> About:
    # The first page is on show by now; it waits for no word of the clock's.
    from inklings_desktop.domain.background.tasks import TaskKind

    if changes.reload:
        return EVERYTHING
    found = {
        About.MEMORIES: changes.scopes or changes.added or changes.updated or changes.forgotten,
        About.ENTRIES: changes.entries or changes.proposals,
        About.TYPING: changes.drafts_dropped,
        About.ROOMS: changes.rooms,
        About.NOTES: changes.note_conversations,
        About.CLIENTS: changes.clients,
        About.EVENTS: changes.events,
        About.SCRUBS: changes.scrubbed,
        About.SCRUB_REQUESTS: changes.scrub_requests,
        About.WORKSPACES: changes.workspaces,
        About.SETTINGS: changes.settings,
    }
    about = NOTHING
    for kind, is_so in found.items():
        if is_so:
            about |= kind
    about = about or EVERYTHING  # of what is not known here nobody is left out
    return about | About.CLOCK if changes.initiator in set(TaskKind) else about
