"""The head of a conversation: its name, where it belongs, what it holds, and its menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.conversation.words import clock_time, day_words
from inklings_desktop.ui.kit.controls.buttons import IconButton, LinkButton
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox
from inklings_desktop.ui.kit.look.memory_marks import TierMark
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.marks.labels import elided_label

if TYPE_CHECKING:
    from datetime import datetime

    from PySide6.QtGui import QMouseEvent

    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.ui.kit.look.theme import Theme

_HEIGHT, _SIDE = 60, 24


class ConversationHeader(QWidget):
    """One line; narrow, its links are icons.

    Signals:
        rename_wanted: The name was double-clicked.
    """

    rename_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("conversationHeader")
        self._theme = theme
        self._is_narrow = False
        self._told, self._n_memories = ("", ""), ("", "")
        self.title = elided_label("", "title", self)
        self.title.setObjectName("conversationTitle")
        self.where = elided_label("", "meta", self)
        self._ring = TierMark(theme, inked=1, role="tierConversation", edge=16, parent=self)
        self.memories = LinkButton("", self)
        self.memories.setObjectName("conversationMemories")
        self._page = IconButton(theme, "notepad", tr("Working notes"), parent=self)
        self._page.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.notes = LinkButton("", self)
        self.notes.setObjectName("conversationNotes")
        self._page.clicked.connect(self.notes.click)
        self.more = IconButton(theme, "dots-three", tr("More about it"), bold=True, parent=self)
        self.more.setObjectName("conversationMore")
        row = hbox(self, margins=(_SIDE, 0, 16, 0), spacing=0)
        fill(row, self.title, 12, self.where, STRETCH, self._ring, 4, self.memories, 10)
        fill(row, self._page, self.notes, 12, self.more)
        theme.hold_height(self, _HEIGHT)

    def show_conversation(
        self, talk: Conversation | None, channel: str, n_memories: int, n_notes: int, now: datetime
    ) -> None:
        """Show another conversation, or the same after something changed."""
        for part in (self.where, self._ring, self.memories, self._page, self.notes, self.more):
            part.setVisible(talk is not None)
        if talk is None:
            self.title.setText(tr("Conversation"))
            return
        self.title.setText(talk.title or talk.ref_code)
        since = clock_time(talk.started_at)
        began = talk.started_at.astimezone().date()
        if began != now.astimezone().date():
            since = day_words(began, now.astimezone().date())
        self._told = (
            f"#{channel}",
            tr("#{channel}, since {time}").format(channel=channel, time=since),
        )
        words = counted(n_memories, "1 memory", "{n} memories")
        self._n_memories = (words, grouped(n_memories))
        self.notes.setText(counted(n_notes, "1 working note", "{n} working notes"))
        self._page.setToolTip(self.notes.text())
        self._fit()

    def set_narrow(self, *, narrow: bool) -> None:
        """Leave out words where the window is narrow."""
        self._is_narrow = narrow
        self._fit()

    def tab_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self.memories, self.notes, self.more]

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click on the name is to change it."""
        if self.childAt(event.position().toPoint()) is self.title:
            self.rename_wanted.emit()

    @Slot()
    def _fit(self) -> None:
        self.where.setText(self._told[0] if self._is_narrow else self._told[1])
        self.memories.setText(self._n_memories[1 if self._is_narrow else 0])
        self.memories.setAccessibleName(self._n_memories[0])
        is_shown = self.more.isVisibleTo(self)
        self.notes.setVisible(is_shown and not self._is_narrow)
        policy = Qt.FocusPolicy.TabFocus if self._is_narrow else Qt.FocusPolicy.NoFocus
        self._page.setFocusPolicy(policy)
        # Beside its words the icon is no button of its own to who listens.
        self._page.setAccessibleName(self.notes.text() if self._is_narrow else "")
