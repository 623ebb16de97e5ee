"""Joins presenter and page of the next turn's preview: who says what to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.turn.folding import is_section
from inklings_desktop.ui.turn.presenter import PreviewPresenter

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.turn.state import PreviewContent
    from inklings_desktop.ui.turn.view import PreviewPage
    from inklings_desktop.usecases.bundle import Inklings


class PreviewDesk(QObject):
    """One opened data root behind the page *What the agent will see*.

    Signals:
        message_raised: A ``Message`` for the person.
        memory_wanted: The ``MemoryEntry`` that the Memory view is to open.
    """

    message_raised = Signal(object)
    memory_wanted = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, *, page: PreviewPage, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._here: Surroundings | None = None
        self.presenter = PreviewPresenter(background, inklings, self)
        self.presenter.content_changed.connect(self._on_content_changed)
        self.presenter.waiting_changed.connect(page.set_waiting)
        self.presenter.rebuilt.connect(self._on_rebuilt)
        self.presenter.message_raised.connect(self.message_raised)
        page.conversation_chosen.connect(self._on_conversation_chosen)
        page.message_changed.connect(self.presenter.ask)
        page.rebuild_requested.connect(self.presenter.refresh)
        page.row_chosen.connect(self._on_row_chosen)
        page.memory_opened.connect(self._on_memory_opened)
        page.shown_changed.connect(self._watch)
        self._watch()

    @property
    def page(self) -> PreviewPage:
        """Shows the next turn."""
        return self._page

    def open(self, here: Surroundings, conversation: str | None = None) -> None:
        """Preview a workspace, in this conversation or else the one that was begun last."""
        self._here = here
        chosen = conversation or _likeliest(here)
        self._page.clear_message()
        self._page.show_rooms(here, chosen)
        self.presenter.open(here.workspace.id, chosen)

    def show_surroundings(self, here: Surroundings) -> None:
        """Offer the conversations there are now; one that is gone gives way to another."""
        is_other = self._here is None or self._here.workspace.id != here.workspace.id
        if is_other:
            self.open(here)
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

    @Slot()
    def _watch(self) -> None:
        self.presenter.set_watched(watched=self._page.isVisible())

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
            self.memory_wanted.emit(place.entry)


def _likeliest(here: Surroundings) -> str | None:
    """The conversation whose turn comes next: an active one, the latest begun; None without."""
    rooms = here.open_conversations
    active = [one for one in rooms if one.state is ConversationState.ACTIVE]
    return next((one.id for one in (*active, *rooms)), None)
