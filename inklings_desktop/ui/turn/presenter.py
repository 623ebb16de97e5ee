"""The preview of the next turn: built off the UI thread, and again when something changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.keep_up import KeepUp
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.turn.facts import (
    place_facts,
    preview_content,
    standing_facts,
)
from inklings_desktop.ui.turn.state import PreviewRequest

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.turn.state import (
        PlaceFacts,
        PreviewContent,
        StandingFacts,
    )
    from inklings_desktop.usecases.bundle import Inklings


class PreviewPresenter(QObject):
    """Keeps the document true while somebody looks at it; knows no widgets.

    Building it counts as no read. While nobody looks, nothing is built.

    Signals:
        content_changed: A ``PreviewContent``.
        waiting_changed: Whether an answer to a new question is awaited.
        rebuilt: What a person asked to be built again has been.
        message_raised: A ``Message`` when building failed.
    """

    content_changed = Signal(object)
    waiting_changed = Signal(bool)
    rebuilt = Signal()
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._building = Latest(background)
        self._request = PreviewRequest()
        self._content: PreviewContent | None = None
        self._is_asked_for = False
        self._keep_up = KeepUp(self)
        self._keep_up.due.connect(self._on_due)

    @property
    def request(self) -> PreviewRequest:
        """What the document is built for."""
        return self._request

    @property
    def content(self) -> PreviewContent | None:
        """The document on show; None before the first answer."""
        return self._content

    def open(self, workspace_id: str, conversation: str | None) -> None:
        """Preview another workspace; the message does not carry over."""
        self._ask(PreviewRequest(workspace_id, conversation))

    def choose(self, conversation: str | None) -> None:
        """Preview another conversation's next turn."""
        self._ask(replace(self._request, conversation=conversation))

    def ask(self, message: str) -> None:
        """Preview what the turn would begin with if this were asked."""
        self._ask(replace(self._request, message=message))

    def refresh(self) -> None:
        """Build again at once, because a person asked for it."""
        self._is_asked_for = True
        self._build_anew()

    def set_watched(self, *, watched: bool) -> None:
        """Keep up from now on, or only note that something changed."""
        self._keep_up.set_watched(watched=watched)

    def on_changes(self, changes: MemoryChanges) -> None:
        """Build again soon if the change touches the open workspace or the account."""
        if changes.workspace_id in {self._request.workspace_id, None}:
            self._keep_up.note_change()

    async def settled(self) -> None:
        """Return once the latest question is answered."""
        await self._building.settled()

    def place_of(self, memory_id: str) -> PlaceFacts | None:
        """Why a memory stands where it stands; None when it is not in the document."""
        if self._content is None:
            return None
        return place_facts(self._content.document, memory_id, self._inklings.settings.decay)

    def standing_of(self, entry_id: str) -> StandingFacts | None:
        """Why a named entry is in the document; None when it is not."""
        return standing_facts(self._content.document, entry_id) if self._content else None

    def _ask(self, request: PreviewRequest) -> None:
        self._request = request
        if self._keep_up.is_watched:
            self.waiting_changed.emit(True)
        self._keep_up.ask()

    def _build_anew(self) -> None:
        if self._request.workspace_id:
            self._keep_up.begin()
            self._building.run(self._build(self._request))

    async def _build(self, request: PreviewRequest) -> None:
        try:
            content = await self._background.read(built_preview, self._inklings, request)
        except InklingsError as error:
            self._keep_up.fail()
            self.waiting_changed.emit(False)
            self.message_raised.emit(message_of(error))
            return
        self._content = content
        self.waiting_changed.emit(False)
        self.content_changed.emit(content)
        if self._is_asked_for:
            self._is_asked_for = False
            self.rebuilt.emit()

    @Slot()
    def _on_due(self) -> None:
        self._build_anew()


def built_preview(inklings: Inklings, request: PreviewRequest) -> PreviewContent:
    """The document for a request; runs on a reader.

    Raises:
        InklingsError: The workspace or conversation is gone, or cannot be read.
    """
    from inklings_desktop.usecases.rooms.orient import OrientationRequest

    document = inklings.preview_orientation(
        inklings.caller,
        OrientationRequest(request.workspace_id, request.conversation, request.message),
    )
    return preview_content(document, request)
