"""Joins the inspector with what its memory came from, and with the question that found it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.memory.subject.family_presenter import FamilyPresenter

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memory import MemoryRef
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.memory.inspector.view import InspectorView
    from inklings_desktop.ui.memory.list.presenter import ListPresenter
    from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter
    from inklings_desktop.ui.memory.view import MemoryPage
    from inklings_desktop.usecases.bundle import Inklings


class FamilyDesk(QObject):
    """Follows the memory in the inspector: its sources, its successor, its golden question.

    Signals:
        golden_wanted: What was searched for, and the memory on show.
        message_raised: A ``Message`` for the person.
    """

    golden_wanted = Signal(str, object)
    message_raised = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        subject: InspectorPresenter,
        memories: ListPresenter,
        page: MemoryPage,
        inspector: InspectorView,
        may_leave: Callable[[], Awaitable[bool]],
        parent: QObject,
    ) -> None:
        """Join them.

        Args:
            background: Runs what takes long.
            inklings: The opened data root.
            subject: What the inspector is about.
            memories: The list beside it.
            page: Shows the list.
            inspector: Shows the memory.
            may_leave: Whether the inspector may show something else; asks if text would be lost.
            parent: Owner.
        """
        super().__init__(parent)
        self._background = background
        self._subject, self._memories = subject, memories
        self._page, self._inspector = page, inspector
        self._only_looks = inklings.caller.is_agent
        self._may_leave = may_leave
        self._opening = Latest(background)
        self.family = FamilyPresenter(background, inklings, self)
        self.family.state_changed.connect(inspector.show_family)
        self.family.returned.connect(self._on_returned)
        self.family.message_raised.connect(self.message_raised)
        subject.state_changed.connect(self._on_subject_changed)
        memories.content_changed.connect(self._on_subject_changed)
        inspector.relative_requested.connect(self._on_relative_requested)
        inspector.return_requested.connect(self._on_return_requested)
        inspector.golden_requested.connect(self._on_golden_requested)

    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        self.family.on_changes(changes)

    async def _open(self, ref: MemoryRef) -> None:
        """Show a source or the merged memory; the list follows if it is there."""
        if await self._may_leave():
            await self._subject.open_memory(ref)
            if not self._page.list_cursor.select(ref.id):
                self._page.list_cursor.clear()
            self._inspector.focus_editor()

    @Slot()
    def _on_subject_changed(self) -> None:
        entry = self._subject.current_entry
        self.family.show(entry)
        is_found = self._memories.request.is_search
        self._inspector.header.golden.setVisible(
            not self._only_looks and entry is not None and not entry.is_forgotten and is_found
        )

    @Slot(object)
    def _on_relative_requested(self, ref: MemoryRef) -> None:
        self._opening.run(self._open(ref))

    @Slot(object)
    def _on_return_requested(self, ref: MemoryRef) -> None:
        self._background.spawn(self.family.bring_back(ref))

    @Slot(str)
    def _on_returned(self, text: str) -> None:
        announce(self._page, self.tr("Brought back: {text}").format(text=text))

    @Slot()
    def _on_golden_requested(self) -> None:
        entry = self._subject.current_entry
        if entry is not None:
            self.golden_wanted.emit(self._memories.request.sought, entry)
