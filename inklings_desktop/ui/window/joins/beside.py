"""Lends the inspector of the Memory page to another page, for one memory that is opened there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.page_spec import CONVERSATION_PAGE

if TYPE_CHECKING:
    from inklings_desktop.ui.conversation.page import ConversationPage
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import ToMemoryBeside
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.pages import WindowPages


class Beside(QObject):
    """The inspector beside the Conversation page.

    Attributes:
        steps: Whether there is a memory of the same turn before the one that is open, and after it.

    Signals:
        steps_changed: The same.
    """

    steps_changed = Signal(bool, bool)

    def __init__(
        self, context: Context, memory: MemoryPage, pages: WindowPages, page: ConversationPage
    ) -> None:
        """Lend nothing yet.

        Args:
            context: What every page is given.
            memory: Leads the inspector.
            pages: Has it.
            page: Whom it is lent to; owner.
        """
        super().__init__(page)
        self._context, self._memory, self._pages, self._page = context, memory, pages, page
        self._inspector = pages.inspector
        self.steps, self._talk_id = (False, False), ""
        page.told.connect(self._on_told)
        page.view.run_opened.connect(self.close)
        header = self._inspector.header
        header.previous.clicked.connect(self._on_previous)
        header.next.clicked.connect(self._on_next)
        header.close_beside.clicked.connect(self.close)
        self._inspector.leave_requested.connect(self._on_left)
        pages.taken_back.connect(self._on_taken_back)
        pages.stack.currentChanged.connect(self._on_page_changed)

    @property
    def is_open(self) -> bool:
        """Whether a memory stands beside the page."""
        return self._pages.is_lent

    def show(self, where: ToMemoryBeside) -> None:
        """Open a memory beside the page."""
        self._context.background.spawn(self._show(where))

    def step(self, step: int) -> None:
        """Open the next memory that the turn touched, or the one before."""
        self._page.touched.step(step)

    @Slot()
    def close(self) -> None:
        """Put the memory away."""
        self._pages.take_inspector_back()

    async def _show(self, where: ToMemoryBeside) -> None:
        inklings = self._context.inklings
        try:
            entry = await self._context.background.read(
                inklings.listing.locate, where.id, self._page.workspace_id
            )
        except NotFoundError:
            self._context.tell(tr("No such memory"))
            self._page.touched.closed()
            return
        if not await self._memory.show_beside(entry.ref):
            self._page.touched.closed()
            return
        self._talk_id = self._page.conversation_id
        self._inspector.body.turn.show_facts(where.label, where.why, where.said)
        view = self._page.view
        self._pages.lend_inspector(view.panes, view.thread_view.viewport())
        self.steps = self._page.touched.steps()
        self._inspector.header.enable_steps(has_previous=self.steps[0], has_next=self.steps[1])
        self.steps_changed.emit(*self.steps)

    @Slot()
    def _on_told(self) -> None:
        """Put away what a turn of another conversation touched."""
        if self.is_open and self._page.conversation_id != self._talk_id:
            self.close()

    @Slot()
    def _on_previous(self) -> None:
        if self.is_open:
            self.step(-1)

    @Slot()
    def _on_next(self) -> None:
        if self.is_open:
            self.step(1)

    @Slot()
    def _on_left(self) -> None:
        if self.is_open:
            self._page.view.focus_composer()

    @Slot()
    def _on_taken_back(self) -> None:
        self._memory.is_beside = False
        self._inspector.body.turn.show_facts("", "", "")
        has_previous, has_next = self._memory.view.list_cursor.steps
        self._inspector.header.enable_steps(has_previous=has_previous, has_next=has_next)
        self.steps = (False, False)
        self.steps_changed.emit(*self.steps)
        self._page.touched.closed()

    @Slot()
    def _on_page_changed(self) -> None:
        if self._pages.current_id != CONVERSATION_PAGE:
            self.close()
