"""Joins the inspector with unsaved typing: of this run, to keep it, and of an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.messages import message_of, too_much_pasted
from inklings_desktop.ui.memory.typing_keeper import TypingKeeper

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.memory_typing import MemoryTyping
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.memory.inspector.view import InspectorView
    from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter
    from inklings_desktop.ui.memory.subject.state import OfferFacts
    from inklings_desktop.usecases.bundle import Inklings


class TypingDesk(QObject):
    """Keeps typing while it goes on, and offers what an earlier run had not saved.

    Signals:
        message_raised: A ``Message`` for the person.
    """

    message_raised = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        subject: InspectorPresenter,
        inspector: InspectorView,
        rest_ms: int,
        parent: QObject,
    ) -> None:
        """Join them.

        Args:
            background: Runs what takes long.
            inklings: The opened data root.
            subject: What the inspector is about.
            inspector: Shows it.
            rest_ms: From the first unkept key until what stands there is kept.
            parent: Owner.
        """
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._subject = subject
        self._inspector = inspector
        self._offer = inspector.body.offer
        self._comparing = Latest(background)
        self.keeper = TypingKeeper(background, inklings, subject, rest_ms=rest_ms, parent=self)
        self.keeper.message_raised.connect(self.message_raised)
        inspector.body.content.paste_refused.connect(self._on_paste_refused)
        self._offer.compare_requested.connect(self._on_compare_requested)
        self._offer.continue_requested.connect(self._on_continue_requested)
        self._offer.discard_requested.connect(self._on_discard_requested)

    async def of_new(self, scope: ScopeKey) -> MemoryTyping | None:
        """What was typed into the new memory of a scope and never saved."""
        typings = await self._found(scope.workspace_id)
        return next((one for one in typings if one.is_new and one.scope == scope), None)

    async def offer_latest(self, workspace_id: str) -> MemoryTyping | None:
        """Show what was typed last and never saved, in this workspace or the account.

        Returns:
            The typing on offer; None if there is none, or something is being edited already.
        """
        typings = await self._found(workspace_id)
        if not typings or self._subject.has_unsaved:
            return None
        latest = typings[0]
        if latest.is_new:
            self._subject.start_new(latest.scope, offered=latest)
        else:
            await self._subject.open_memory(MemoryRef(latest.scope, latest.memory_id))
        return latest

    async def _found(self, workspace_id: str | None) -> tuple[MemoryTyping, ...]:
        if self._inklings.caller.is_agent:
            return ()  # what was typed is the author's alone
        try:
            return await self._background.read(
                self._inklings.find_typings, self._inklings.caller, workspace_id
            )
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return ()

    async def _compare(self, offer: OfferFacts) -> None:
        diff = await self._background.read(diff_lines, offer.stored, offer.typed)
        self._offer.show_difference(diff)

    @Slot(int)
    def _on_paste_refused(self, n_bytes: int) -> None:
        self.message_raised.emit(too_much_pasted(n_bytes, MAX_CONTENT_BYTES))

    @Slot()
    def _on_compare_requested(self) -> None:
        offer = self._subject.state.offer
        if offer is not None:
            self._comparing.run(self._compare(offer))

    @Slot()
    def _on_continue_requested(self) -> None:
        typing = self._subject.continue_typing()
        if typing is not None:
            self.keeper.adopt(typing)
            self._inspector.focus_editor()

    @Slot()
    def _on_discard_requested(self) -> None:
        typing = self._subject.discard_typing()
        if typing is not None:
            self.keeper.drop(typing.scope, typing.memory_id)
            self._inspector.focus_editor()
