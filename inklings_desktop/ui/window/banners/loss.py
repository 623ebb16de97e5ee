"""Says above every page that files have lost what they held, until the author knows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.logs import topic
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.panes.banner_slot import BannerCause, BannerSlot
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.window.banners.loss_words import KNOWN, loss_banner, loss_message

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.window.banners.loss_words import Lost
    from inklings_desktop.usecases.bundle import Inklings

_log = topic("ui")


class LossDesk(QObject):
    """Looks when a workspace is opened, and again when a file was replaced or restored.

    Signals:
        message_raised: A ``Message`` for the person.
    """

    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, slot: BannerSlot, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._slot = slot
        self._looking = Latest(background)
        self._lost: Lost = ()
        slot.acted.connect(self._on_acted)
        self.refresh()

    def close(self) -> None:
        """Look and hear no more."""
        self._looking.cancel()
        self._slot.acted.disconnect(self._on_acted)

    @Slot(object)
    def on_workspace_switched(self, _here: Surroundings) -> None:
        """Another workspace is opened."""
        self.refresh()

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        if changes.reload:
            self.refresh()

    def refresh(self) -> None:
        """Look what is missing."""
        self._looking.run(self._look())

    async def settled(self) -> None:
        """Return once no look is under way."""
        await self._looking.settled()

    async def _look(self) -> None:
        inklings = self._inklings
        try:
            self._lost = await self._background.read(inklings.find_lost_writes, inklings.caller)
        except InklingsError as error:
            _log.warning("lost writes not looked for: %s", type(error).__name__)
            return
        self._slot.say(BannerCause.LOST_WRITES, loss_banner(self._lost) if self._lost else None)

    async def _accept(self) -> None:
        inklings = self._inklings
        try:
            await self._background.write(inklings.accept_lost_writes, inklings.caller)
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        self.refresh()

    @Slot(object, str)
    def _on_acted(self, cause: BannerCause, key: str) -> None:
        if cause is not BannerCause.LOST_WRITES:
            return
        if key == KNOWN:
            self._background.spawn(self._accept())
        else:
            self.message_raised.emit(loss_message(self._lost))
