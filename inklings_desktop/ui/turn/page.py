"""Joins presenter and page of the next turn's preview: who says what to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.ui.kit.look.announcement import announce
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.page.destinations import ToMemory, ToTurn
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.turn.folding import is_section
from inklings_desktop.ui.turn.presenter import PreviewPresenter
from inklings_desktop.ui.turn.view import TurnView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.turn.state import PreviewContent


class TurnPage(Page[None]):
    """One opened data root behind the page *What the agent will see*."""

    view: TurnView

    def __init__(self, context: Context, parent: QWidget) -> None:
        page = self._page = TurnView(context.theme, parent)
        self.presenter = PreviewPresenter(context.background, context.inklings)
        super().__init__(context, page)
        self.presenter.setParent(self)
        self.remark = self.tr("Previewing does not count as a read")
        self._here: Surroundings | None = None
        self.presenter.content_changed.connect(self._on_content_changed)
        self.presenter.waiting_changed.connect(page.set_waiting)
        self.presenter.rebuilt.connect(self._on_rebuilt)
        self.presenter.message_raised.connect(context.say)
        page.conversation_chosen.connect(self._on_conversation_chosen)
        page.message_changed.connect(self.presenter.ask)
        page.rebuild_requested.connect(self.presenter.refresh)
        page.row_chosen.connect(self._on_row_chosen)
        page.memory_opened.connect(self._on_memory_opened)

    async def open(self, workspace_id: str) -> None:  # noqa: ARG002 - it is where the person is
        """Preview a workspace, in the conversation that is looked at or else the likeliest."""
        here, place = self.context.here(), self.context.place()
        if here is not None:
            is_room = place.tier is Tier.CONVERSATION
            self._stand_to(here, place.room if is_room else None)

    def _stand_to(self, here: Surroundings, conversation: str | None = None) -> None:
        self._here = here
        self.workspace_id = here.workspace.id
        chosen = conversation or _likeliest(here)
        self._page.clear_message()
        self._page.show_rooms(here, chosen)
        self.presenter.open(here.workspace.id, chosen)

    def show_surroundings(self, here: Surroundings) -> None:
        """Offer the conversations there are now; one that is gone gives way to another."""
        is_other = self._here is None or self._here.workspace.id != here.workspace.id
        if is_other:
            self._stand_to(here)
            return
        self._here = here
        chosen = self.presenter.request.conversation
        open_ids = {one.id for one in here.open_conversations}
        if chosen is not None and chosen not in open_ids:
            chosen = _likeliest(here)
            self.presenter.choose(chosen)
        self._page.show_rooms(here, chosen)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        self.presenter.on_changes(changes)

    def refresh(self) -> None:
        """Build again what is on show."""
        if self._page.isVisible():
            self.presenter.refresh()

    def on_shown(self, *, is_shown: bool) -> None:
        """Build it while somebody looks."""
        self.presenter.set_watched(watched=is_shown)

    def arrive(self, where: Destination) -> None:
        """Build the turn for a sample message."""
        if isinstance(where, ToTurn):
            self._page.message.set_text(where.message)

    def bring_focus(self, reason: Qt.FocusReason) -> None:  # noqa: ARG002 - it is always a key
        """Bring the keyboard to the rows."""
        self._page.focus_list()

    def panes(self) -> Panes:
        """What F6 goes through."""
        return self._page.panes()

    def key_hints(self) -> tuple[KeyHint, ...]:
        """What can be done with the rows."""
        return (
            KeyHint(("J", "K"), self.tr("move")),
            KeyHint(("Enter",), self.tr("open memory")),
            KeyHint(("M",), self.tr("markdown")),
            KeyHint(("/",), self.tr("message")),
            KeyHint(("F5",), self.tr("rebuild")),
        )

    @Slot(object)
    def _on_content_changed(self, content: PreviewContent) -> None:
        self._page.show_content(content)

    @Slot()
    def _on_rebuilt(self) -> None:
        announce(self._page, self.tr("The preview is up to date."))

    @Slot(object)
    def _on_conversation_chosen(self, conversation: str | None) -> None:
        if self._here is not None:
            self._page.show_rooms(self._here, conversation)
        self.presenter.choose(conversation)

    @Slot(str)
    def _on_row_chosen(self, row_id: str) -> None:
        if is_section(row_id):  # what was explained last stays beside the open list
            return
        place = self.presenter.place_of(row_id)
        if place is not None:
            self._page.pane.show_place(place)
            return
        entry = self.presenter.standing_of(row_id)
        if entry is not None:
            self._page.pane.show_entry(entry)
        else:
            self._page.pane.show_nothing()

    @Slot(str)
    def _on_memory_opened(self, memory_id: str) -> None:
        place = self.presenter.place_of(memory_id)
        if place is not None:
            self.context.go(ToMemory(place.entry))


def _likeliest(here: Surroundings) -> str | None:
    """The conversation whose turn comes next: an active one, the latest begun; None without."""
    rooms = here.open_conversations
    active = [one for one in rooms if one.state is ConversationState.ACTIVE]
    return next((one.id for one in (*active, *rooms)), None)
