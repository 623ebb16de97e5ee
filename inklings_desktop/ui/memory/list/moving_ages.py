"""Ages in the list move on while somebody looks, though nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Slot

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.kit.lists.memory_rows import Row
    from inklings_desktop.ui.memory.list.table.table import MemoryTable

AGES_MS = 30_000
"""An age is told in whole minutes at the finest."""


class MovingAges(QObject):
    """Words the rows on show anew from time to time, and when the list comes into view."""

    def __init__(self, table: MemoryTable, aged: Callable[[Row], Row], parent: QObject) -> None:
        """Begin at once.

        Args:
            table: Shows them.
            aged: A row as it reads now; the same one where nothing changed.
            parent: Owner.
        """
        super().__init__(parent)
        self._table, self._aged = table, aged
        self._timer = QTimer(self)
        self._timer.setInterval(AGES_MS)
        self._timer.timeout.connect(self.move)
        self._timer.start()
        table.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notices that the list comes into view."""
        if event.type() is QEvent.Type.Show and watched is self._table:
            self.move()
        return False

    @Slot()
    def move(self) -> None:
        """Word the rows on show anew."""
        if self._table.isVisible():
            self._table.word_anew(self._aged)
