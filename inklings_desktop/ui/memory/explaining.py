"""Joins a search to its reasons: why a hit was found, and why another memory was not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.memory import MemoryRef
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.memory.explain.missing_presenter import MissingPresenter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.memory.explain.missing_popover import MissingPopover
    from inklings_desktop.ui.memory.explain.missing_words import MissingFacts
    from inklings_desktop.ui.memory.inspector.view import InspectorView
    from inklings_desktop.ui.memory.list.presenter import ListPresenter
    from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter
    from inklings_desktop.ui.memory.view import MemoryPage
    from inklings_desktop.usecases.bundle import Inklings


class WhyDesk(QObject):
    """Explains the search of the Memory view; reading an explanation counts as no read.

    Signals:
        memory_wanted: The ``MemoryRef`` to open in the inspector.
        message_raised: A ``Message`` for the person.
    """

    memory_wanted = Signal(object)
    message_raised = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        found: ListPresenter,
        subject: InspectorPresenter,
        page: MemoryPage,
        inspector: InspectorView,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._list = found
        self._subject = subject
        self._page = page
        self._inspector = inspector
        self._folding = Latest(background)
        self.missing = MissingPresenter(background, inklings, self)
        self.missing.candidates_changed.connect(self._on_candidates_changed)
        self.missing.answered.connect(self._on_answered)
        self.missing.message_raised.connect(self.message_raised)
        self.popover: MissingPopover | None = None
        found.content_changed.connect(self._tell)
        subject.state_changed.connect(self._tell)
        inspector.body.why.folded_requested.connect(self._on_folded_requested)
        inspector.body.why.open_requested.connect(self.memory_wanted)
        page.foot.missing_requested.connect(self._on_missing_requested)

    @Slot()
    def _tell(self) -> None:
        shown = self._subject.current_ref
        self._inspector.show_why(self._list.why_of(shown.id) if shown is not None else None)

    # -- what says the same --------------------------------------------------------------------

    @Slot(object)
    def _on_folded_requested(self, ids: tuple[str, ...]) -> None:
        entry = self._subject.current_entry
        if entry is not None:
            refs = [MemoryRef(entry.scope, one) for one in ids]
            self._folding.run(self._show_folded(refs))

    async def _show_folded(self, refs: Sequence[MemoryRef]) -> None:
        try:
            entries = await self._background.read(_looked_up, self._inklings, refs)
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
            return
        self._inspector.show_duplicates(entries)

    # -- what was not found ---------------------------------------------------------------------

    @Slot()
    def _on_missing_requested(self) -> None:
        from inklings_desktop.ui.memory.explain.missing_popover import MissingPopover

        request = self._list.request
        self._forget_popover()
        popover = MissingPopover(self._page.theme, request.sought, self._page)
        popover.text_changed.connect(self.missing.find)
        popover.chosen.connect(self.missing.explain)
        popover.open_requested.connect(self.memory_wanted)
        self.popover = popover
        popover.closed.connect(self._forget_popover)
        popover.popup_below(self._page.foot.missing)
        popover.field.setFocus()
        self.missing.begin(request, self._list.found_ids)

    @Slot()
    def _forget_popover(self) -> None:
        if self.popover is not None:
            self.popover.deleteLater()
            self.popover = None

    @Slot(object)
    def _on_candidates_changed(self, candidates: object) -> None:
        if self.popover is not None and isinstance(candidates, tuple):
            self.popover.show_candidates(candidates)

    @Slot(object)
    def _on_answered(self, facts: MissingFacts) -> None:
        if self.popover is not None:
            self.popover.show_answer(facts)


def _looked_up(inklings: Inklings, refs: Sequence[MemoryRef]) -> list[MemoryEntry]:
    """Memories by their addresses; runs on a reader.

    Raises:
        InklingsError: One of them is gone.
    """
    return [inklings.show_memory(inklings.caller, ref).entry for ref in refs]
