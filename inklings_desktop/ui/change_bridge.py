"""The change feed as one Qt signal, brought to the UI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from inklings_desktop.domain.changes import MemoryChanges


class ChangeBridge(QObject):
    """Says on the UI thread what was committed on any other.

    Signals:
        memories_changed: A ``MemoryChanges`` record. Receivers must be methods of QObjects:
            only those are brought to their own thread.
    """

    memories_changed = Signal(object)

    def publish(self, changes: MemoryChanges) -> None:
        """Pass a change record on; callable from any thread."""
        self.memories_changed.emit(changes)
