"""Collects cyclic garbage on the UI thread only.

Python collects in whatever thread happens to allocate. A widget or timer that is part of a cycle
would then be destroyed by a worker, and Qt goes on to serve its timers and events: that ends the
process (seen as a segmentation fault in ``QTimerInfoList``). While a window is open, automatic
collection is off and a timer does the same work here.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

from inklings_desktop.freed_memory import give_back

INTERVAL_MS = 500
GIVE_BACK_MS = 5_000


class GarbageCollection(QObject):
    """Switches automatic collection off until ``stop``; lives on the UI thread.

    What was freed is handed back to the system every few seconds: what stays longer soon has
    something in use beside it, and cannot go any more.
    """

    def __init__(self, parent: QObject | None = None, *, is_opening: bool = False) -> None:
        """Collect here from now on.

        Args:
            parent: Whose life it shares.
            is_opening: Whether to wait for ``settle``: while a window opens, nearly everything that
                is made stays, and looking through it again and again finds next to nothing.
        """
        super().__init__(parent)
        self._was_enabled = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.collect_due)
        if not is_opening:
            self._timer.start()
        self._giving_back = QTimer(self)
        self._giving_back.setInterval(GIVE_BACK_MS)
        self._giving_back.timeout.connect(self.give_back)
        self._giving_back.start()

    def settle(self) -> None:
        """Leave what is there by now out of later collections: it stays for good, and is much."""
        gc.freeze()
        self._timer.start()

    @Slot()
    def collect_due(self) -> None:
        """Collect the oldest generation whose turn it is, as the interpreter would have."""
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation]:
                gc.collect(generation)
                return

    @Slot()
    def give_back(self) -> None:
        """Hand free pages to the system."""
        give_back()

    def stop(self) -> None:
        """Let the interpreter collect by itself again."""
        self._timer.stop()
        self._giving_back.stop()
        gc.unfreeze()
        if self._was_enabled:
            gc.enable()
