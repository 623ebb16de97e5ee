"""The buttons of the channels section: new, archived, and all rooms where it is narrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.ui.kit.look.theme import Theme

_RIGHT = 2
_TOP_SHARE = 0.26  # of its height, like the name beneath it
_COMPACT_BELOW = 18


class RailSectionBar(QWidget):
    """Stands over the section's row; the name beneath it is the delegate's.

    Signals:
        new_requested: A new channel is wanted.
        archived_requested: The list of archived rooms is wanted.
        rooms_requested: The list of all rooms is wanted; in the narrow rail only.
    """

    new_requested = Signal()
    archived_requested = Signal()
    rooms_requested = Signal()

    def __init__(
        self, theme: Theme, *, compact: bool, has_archived: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self._is_compact = compact
        row = QHBoxLayout(self)
        row.setSpacing(0)
        if compact:
            row.setContentsMargins(0, 0, 0, _COMPACT_BELOW)
            self.rooms = IconButton(
                theme, "chats-circle", self.tr("Channels and conversations"), size=20, parent=self
            )
            self.rooms.setObjectName("railRooms")
            self.rooms.clicked.connect(self.rooms_requested)
            row.addWidget(self.rooms, 0, Qt.AlignmentFlag.AlignCenter)
            return
        row.setContentsMargins(0, 0, _RIGHT, 0)
        row.addStretch(1)
        self.archived = IconButton(
            theme, "archive", self.tr("Archived channels and conversations"), size=14, parent=self
        )
        self.archived.setObjectName("railArchived")
        self.archived.clicked.connect(self.archived_requested)
        self.archived.setVisible(has_archived)
        self.new = IconButton(theme, "plus", self.tr("New channel"), size=14, parent=self)
        self.new.setObjectName("railNewChannel")
        self.new.clicked.connect(self.new_requested)
        storing(self.new)
        row.addWidget(self.archived, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.new, 0, Qt.AlignmentFlag.AlignVCenter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the buttons level with the section's name."""
        super().resizeEvent(event)
        layout = self.layout()
        if layout is not None and not self._is_compact:
            layout.setContentsMargins(0, round(_TOP_SHARE * self.height()), _RIGHT, 0)

    def tab_stops(self) -> tuple[QWidget, ...]:
        """What the Tab key goes through, in order."""
        return tuple(self.findChildren(IconButton))
