"""When what is on show has to be read again."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot

COALESCE_MS = 400
GROW_OLD_MS = 60_000


class KeepUp(QObject):
    """Gathers changes while somebody looks, and remembers that there were some while nobody does.

    However many changes come in a row, they fall due together. Once a minute something falls due
    without any: relevance fades and ages grow without anybody writing.

    Signals:
        due: Read again.
    """

    due = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._is_watched = False
        self._is_stale = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(COALESCE_MS)
        self._soon.timeout.connect(self._on_due)
        self._old = QTimer(self)
        self._old.setInterval(GROW_OLD_MS)
        self._old.timeout.connect(self._on_due)

    def set_watched(self, *, watched: bool) -> None:
        """Fall due from now on, at once if something changed; or only take note."""
        self._is_watched = watched
        if not watched:
            self._old.stop()
            self._is_stale = self._is_stale or self._soon.isActive()
            self._soon.stop()
            return
        self._old.start()
        if self._is_stale:
            self.due.emit()

    def note_change(self) -> None:
        """Something changed: it falls due soon, or once somebody looks."""
        if not self._is_watched:
            self._is_stale = True
        elif not self._soon.isActive():
            self._soon.start()

    def ask(self) -> None:
        """Something else is wanted: it falls due now, or once somebody looks."""
        self._is_stale = True
        if self._is_watched:
            self.due.emit()

    def begin(self) -> None:
        """It is being read; changes up to now are in it."""
        self._is_stale = False
        self._soon.stop()

    def fail(self) -> None:
        """It could not be read: once somebody looks again it falls due."""
        self._is_stale = True

    @Slot()
    def _on_due(self) -> None:
        self.due.emit()
