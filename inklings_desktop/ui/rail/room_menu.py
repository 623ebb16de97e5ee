"""What can be done with a channel or a conversation, as a menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.rail.room_words import RoomAction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.rail.room_words import RoomOffer


class RoomMenu(QMenu):
    """Offers only what would work."""

    def __init__(
        self, offer: RoomOffer, act: Callable[[RoomAction, str], None], parent: QWidget
    ) -> None:
        """Fill it.

        Args:
            offer: What can be done, and with which room.
            act: Does what is chosen.
            parent: Owner.
        """
        super().__init__(parent)
        self.setObjectName("roomMenu")
        self._offer, self._act = offer, act
        names = {
            RoomAction.START: self.tr("New conversation\u2026"),
            RoomAction.RENAME: self.tr("Rename\u2026"),
            RoomAction.END: self.tr("End\u2026"),
            RoomAction.ARCHIVE: self.tr("Archive"),
            RoomAction.UNARCHIVE: self.tr("Bring back"),
            RoomAction.NEW_CHANNEL: self.tr("New channel\u2026"),
            RoomAction.ARCHIVED: self.tr("Archived rooms\u2026"),
        }
        self._fill((one, names[one]) for one in offer.actions)
        self.triggered.connect(self._on_triggered)

    def _fill(self, offered: Iterable[tuple[RoomAction, str]]) -> None:
        for wish, name in offered:
            if wish is RoomAction.NEW_CHANNEL and not self.isEmpty():
                self.addSeparator()
            action = QAction(name, self)
            action.setData(wish)
            if wish is RoomAction.RENAME:
                action.setShortcut(QKeySequence("F2"))
                action.setShortcutVisibleInContextMenu(True)
            self.addAction(action)
            if wish is not RoomAction.ARCHIVED:
                storing(action)

    @Slot(QAction)
    def _on_triggered(self, action: QAction) -> None:
        self._act(action.data(), self._offer.room_id)
