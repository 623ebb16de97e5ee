"""The page *What the agent will see*: the next turn, built while somebody looks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.page.destinations import ToKnowledge, ToMemory, ToTurn
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.turn.facts import built_preview, place_facts, standing_facts
from inklings_desktop.ui.turn.rows import PlaceFacts, PreviewContent, PreviewRequest, is_section
from inklings_desktop.ui.turn.view import TurnView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.errors import InklingsError
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes
    from inklings_desktop.ui.kit.words.places import Surroundings

RULES = "grants"
"""Key of the tab of the Knowledge page that has the house rules."""


class TurnPage(Page[PreviewContent]):
    """Keeps the document true while somebody looks at it; building it counts as no read.

    Attributes:
        request: What the document is built for.
    """

    view: TurnView

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, TurnView(context.theme, parent))
        self.remark = tr("Previewing does not count as a read")
        self.request = PreviewRequest()
        self._here: Surroundings | None = None
        self._is_asked_for = False
        view = self.view
        view.rooms.scope_chosen.connect(self._on_scope_chosen)
        view.message.query_changed.connect(
            lambda message: self._ask(replace(self.request, message=message))
        )
        view.rebuild.clicked.connect(self.refresh)
        view.table.row_chosen.connect(self._explain)
        view.table.memory_opened.connect(self._on_memory_opened)
        view.pane.edit.clicked.connect(self._on_edit_clicked)

    # -- what is built -----------------------------------------------------------------------

    async def open(self, workspace_id: str) -> None:  # noqa: ARG002 - it is where the person is
        """Preview a workspace, in the conversation that is looked at or else the likeliest."""
        here, place = self.context.here(), self.context.place()
        if here is not None:
            is_room = place.tier is Tier.CONVERSATION
            self._stand_to(here, place.room if is_room else None)

    def show_surroundings(self, here: Surroundings) -> None:
        """Offer the conversations there are now; one that is gone gives way to another."""
        if self._here is None or self._here.workspace.id != here.workspace.id:
            self._stand_to(here)
            return
        self._here = here
        chosen = self.request.conversation
        open_ids = {one.id for one in here.open_conversations}
        if chosen is not None and chosen not in open_ids:
            chosen = _likeliest(here)
            self._ask(replace(self.request, conversation=chosen))
        self.view.show_rooms(here, chosen)

    def arrive(self, where: Destination) -> None:
        if isinstance(where, ToTurn):
            self.view.message.set_text(where.message)

    def refresh(self) -> None:
        """Build again what is on show, and say when that is done."""
        if self.view.isVisible():
            self._is_asked_for = True
            self.read_again()

    def read_content(self) -> PreviewContent:
        """The document for what is asked now; runs on a reader.

        Raises:
            InklingsError: The workspace or conversation is gone, or cannot be read.
        """
        return built_preview(self.inklings, self.request)

    def show_content(self, content: PreviewContent) -> None:
        """Show the document; what is explained beside it is explained anew."""
        view = self.view
        view.show_content(content)
        place, current = view.pane.place, view.table.current_id()
        if place is not None:
            self._explain(place.entry.id)
        elif current is not None:
            self._explain(current)
        elif view.table.hasFocus():
            view.table.step(1)  # the keyboard was there before there was a row
        if self._is_asked_for:
            self._is_asked_for = False
            announce(view, tr("The preview is up to date."))

    def show_failure(self, error: InklingsError) -> None:
        """Say why nothing could be built; what stood there stays."""
        self.view.set_waiting(waiting=False)
        super().show_failure(error)

    def place_of(self, memory_id: str) -> PlaceFacts | None:
        """Why a memory stands where it stands; None when it is not in the document."""
        if self.content is None:
            return None
        return place_facts(self.content.document, memory_id, self.inklings.settings.decay)

    # -- what the window asks ----------------------------------------------------------------

    def bring_focus(self, reason: Qt.FocusReason) -> None:  # noqa: ARG002 - it is always a key
        self.view.focus_list()

    def panes(self) -> Panes:
        return self.view.panes()

    def key_hints(self) -> tuple[KeyHint, ...]:
        return (
            KeyHint(("J", "K"), tr("move")),
            KeyHint(("Enter",), tr("open memory")),
            KeyHint(("M",), tr("markdown")),
            KeyHint(("/",), tr("message")),
            KeyHint(("F5",), tr("rebuild")),
        )

    # -- inside ------------------------------------------------------------------------------

    def _stand_to(self, here: Surroundings, conversation: str | None = None) -> None:
        self._here = here
        self.workspace_id = here.workspace.id
        chosen = conversation or _likeliest(here)
        self.view.clear_message()
        self.view.show_rooms(here, chosen)
        self._ask(PreviewRequest(here.workspace.id, chosen))

    def _ask(self, request: PreviewRequest) -> None:
        self.request = request
        if self.view.isVisible():
            self.view.set_waiting(waiting=True)
        self._keep_up.ask()

    @Slot(object)
    def _on_scope_chosen(self, conversation: str | None) -> None:
        if self._here is not None:
            self.view.show_rooms(self._here, conversation)
        self._ask(replace(self.request, conversation=conversation))

    @Slot(str)
    def _explain(self, row_id: str) -> None:
        if is_section(row_id) or self.content is None:
            return  # what was explained last stays beside the open list
        if (place := self.place_of(row_id)) is not None:
            self.view.pane.show_place(place)
        elif (entry := standing_facts(self.content.document, row_id)) is not None:
            self.view.pane.show_entry(entry)
        else:
            self.view.pane.show_nothing()

    @Slot(str)
    def _on_memory_opened(self, memory_id: str) -> None:
        if (place := self.place_of(memory_id)) is not None:
            self.context.go(ToMemory(place.entry))
        elif self.content is not None and memory_id in {one.id for one in self.content.facts}:
            self.context.go(ToKnowledge(memory_id))
        elif self.content is not None and memory_id in {one.id for one in self.content.rules}:
            self.context.go(ToKnowledge(tab=RULES))

    @Slot()
    def _on_edit_clicked(self) -> None:
        if self.view.pane.place is not None:
            self.context.go(ToMemory(self.view.pane.place.entry))


def _likeliest(here: Surroundings) -> str | None:
    """The conversation whose turn comes next: an active one, the latest begun; None without."""
    rooms = here.open_conversations
    active = [one for one in rooms if one.state is ConversationState.ACTIVE]
    return next((one.id for one in (*active, *rooms)), None)
