"""What of a data root is at work first: the list, and the rail that leads to its places.

All that acts on what they show is imported and built once the first rows are on show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.memory.listing import Listing
from inklings_desktop.ui.rail.rail import Rail
from inklings_desktop.ui.window.register import page_specs

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.words.places import Place
    from inklings_desktop.ui.memory.view import MemoryView
    from inklings_desktop.ui.rail.pane import RailPane


class FirstShown(QObject):
    """List and rail over one data root, kept true from the beginning.

    Attributes:
        list: The list and its place.
        rail: The rail.
    """

    def __init__(
        self,
        context: Context,
        *,
        rail: RailPane,
        page: MemoryView,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.list = Listing(context, page, self)
        self.rail = Rail(
            rail,
            self.list.shell,
            pages=page_specs(),
            go=context.go,
            offers_sample=page.offers_sample,
            parent=self,
        )

    async def open(self, workspace_id: str, place: Place) -> None:
        """Show the workspace that was asked for, this one, or the first that can be read.

        Args:
            workspace_id: The one that was open last; empty for none.
            place: Where in it to look.

        Raises:
            InklingsError: Not one can be read; they are of no more use then.
        """
        try:
            await self.list.open(workspace_id, place)
        except InklingsError:
            self.deleteLater()
            raise
