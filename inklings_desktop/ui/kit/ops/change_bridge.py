"""The change feed as one Qt signal, brought to the UI thread, bursts as one change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges

BURST_MS = 400
"""Whatever is committed so soon after a change that was passed on is passed on together."""


class ChangeBridge(QObject):
    """Says on the UI thread what was committed on any other.

    The first change is passed on at once. A consolidation commits twenty times a second; if each
    were passed on alone, lists would be read and drawn again twenty times a second, and threads
    that read for them would keep the window from drawing.

    Signals:
        memories_changed: A ``MemoryChanges`` record. Receivers must be methods of QObjects:
            only those are brought to their own thread.
    """

    memories_changed = Signal(object)
    _arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[tuple[str | None, str, bool], MemoryChanges] = {}
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(BURST_MS)
        self._pause.timeout.connect(self._on_pause_over)
        self._arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)

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
        self.memories_changed.emit(changes)
