"""Watches how much room the disk of the data root has left; knows no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.logs import topic
from inklings_desktop.ui.kit.ops.background import Latest

if TYPE_CHECKING:
    from inklings_desktop.domain.log.disk_room import DiskRoom
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings

LOOK_MS = 60_000

_log = topic("ui")


class DiskPresenter(QObject):
    """Looks at start, every minute, and when something could not be stored; off the UI thread.

    Signals:
        room_changed: A ``DiskRoom`` while it is low, None once there is enough.
        looked: A person asked, and this is still so: a ``DiskRoom``.
    """

    room_changed = Signal(object)
    looked = Signal(object)

    def __init__(self, background: Background, inklings: Inklings, parent: QObject) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._looking = Latest(background)
        self._low: DiskRoom | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)

    def open(self) -> None:
        """Look now and from now on."""
        self._timer.start()
        self.look()

    def close(self) -> None:
        """Look no more."""
        self._timer.stop()
        self._looking.cancel()

    @Slot()
    def look(self) -> None:
        """Look now."""
        self._looking.run(self._look(is_asked=False))

    def look_again(self) -> None:
        """Look now, because a person wants to know."""
        self._looking.run(self._look(is_asked=True))

    async def _look(self, *, is_asked: bool) -> None:
        try:
            room = await self._background.read(self._inklings.measure_disk, self._inklings.caller)
        except InklingsError as error:
            # A disk that does not answer says so itself at the next read.
            _log.warning("room on the disk is not known: %s", type(error).__name__)
            return
        low = room if room.is_low(was_low=self._low is not None) else None
        if low != self._low:
            self._low = low
            self.room_changed.emit(low)
        if is_asked and low is not None:
            self.looked.emit(low)
