"""Says above every page that a scrub is not finished, until it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.panes.banner_slot import BannerCause, BannerSlot
from inklings_desktop.ui.window.banners.words import purge_banner

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings

LOOK_AFTER_MS = 3_000
"""A scrub that nobody holds up is finished by then, and nothing need be said of it."""


class PurgeDesk(QObject):
    """Looks after a start and after every scrub, and again for as long as one is open."""

    def __init__(
        self, background: Background, inklings: Inklings, slot: BannerSlot, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._slot = slot
        self._looking = Latest(background)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LOOK_AFTER_MS)
        self._timer.timeout.connect(self._on_timeout)
        self._timer.start()

    def close(self) -> None:
        """Look no more."""
        self._timer.stop()
        self._looking.cancel()

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Look soon: a scrub, here or elsewhere, lets everything be read anew."""
        if changes.reload:
            self._timer.start()

    @Slot()
    def _on_timeout(self) -> None:
        self._looking.run(self._look())

    async def _look(self) -> None:
        is_open = await self._background.read(self._inklings.resume_scrubs.has_work)
        self._slot.say(BannerCause.PURGE, purge_banner() if is_open else None)
        if is_open:
            self._timer.start()
