"""What of a data root is at work first: the list, and the rail that leads to its places.

All that acts on what they show is imported and built once the first rows are on show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.kit.ops.change_bridge import ChangeBridge
from inklings_desktop.ui.memory.listing import ListDesk
from inklings_desktop.ui.rail.rail import RailDesk

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.memory.view import MemoryPage
    from inklings_desktop.ui.rail.pane import RailPane
    from inklings_desktop.usecases.bundle import Inklings


class FirstDesks(QObject):
    """List and rail over one data root, kept true from the beginning.

    Attributes:
        list: The list and its place.
        rail: The rail.

    Signals:
        surroundings_changed: ``Surroundings``, for the window's title.
        message_raised: A ``Message`` for the person.
        page_chosen: Id of the page that the rail leads to.
    """

    surroundings_changed = Signal(object)
    message_raised = Signal(object)
    page_chosen = Signal(str)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        rail: RailPane,
        page: MemoryPage,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge = ChangeBridge(self)
        self._unsubscribe = inklings.feed.subscribe(self._bridge.publish)
        self.list = ListDesk(background, inklings, page, self)
        self.list.message_raised.connect(self.message_raised)
        self.list.surroundings_changed.connect(self.surroundings_changed)
        self.hear(self.list.on_changes)
        self.rail = RailDesk(rail, self.list.shell, offers_sample=page.offers_sample, parent=self)
        self.rail.page_chosen.connect(self.page_chosen)

    async def open(self) -> None:
        """Show the workspace that was asked for, or the first that can be read.

        Raises:
            InklingsError: Not one can be read; these desks are of no more use then.
        """
        try:
            await self.list.open()
        except InklingsError:
            self.close()
            self.deleteLater()
            raise

    def hear(self, slot: Callable[..., None]) -> None:
        """Let a method of a QObject know of every commit, on the UI thread."""
        self._bridge.memories_changed.connect(slot, Qt.ConnectionType.QueuedConnection)

    def close(self) -> None:
        """Hear no more of changes."""
        self._unsubscribe()
