"""Reads a long conversation upwards: a page at a time, or all of it down to a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.conversation.facts import read_earlier
from inklings_desktop.ui.conversation.popovers import DaysPopover
from inklings_desktop.ui.conversation.thread.rows import day_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.agent_client.thread_state import ThreadState
    from inklings_desktop.domain.rooms.messages import Message, TalkDay
    from inklings_desktop.ui.conversation.view import ConversationView
    from inklings_desktop.ui.kit.page.context import Context


class Paging(QObject):
    """Puts what was said earlier before what is there."""

    def __init__(
        self,
        context: Context,
        view: ConversationView,
        said_in: Callable[[str], ThreadState],
        grown: Callable[[], None],
    ) -> None:
        """Stand at no conversation.

        Args:
            context: What every page is given.
            view: The page; owner.
            said_in: What is said in a conversation, by its id.
            grown: Called when there is more of the conversation.
        """
        super().__init__(view)
        self._context, self._view, self._said_in, self._grown = context, view, said_in, grown
        self._workspace_id = self._conversation_id = ""
        self._first = 0
        self._has_earlier = self._is_reading = False
        view.thread_view.earlier_wanted.connect(self._on_earlier_wanted)
        view.thread_view.days_wanted.connect(
            lambda: self._context.background.spawn(self._list_days())
        )

    def stand_at(self, workspace_id: str, conversation_id: str) -> None:
        """Another conversation is on show."""
        self._workspace_id, self._conversation_id = workspace_id, conversation_id
        self._first, self._has_earlier = 0, False

    def hold(self, messages: Sequence[Message], *, has_earlier: bool) -> None:
        """These are there; whether more was said before them."""
        self._first, self._has_earlier = messages[0].number, has_earlier

    async def read_more(self, until: int | None = None) -> None:
        """Put the page before what is there above it, or all down to a message.

        Args:
            until: Number of the message; None: a page.
        """
        conversation_id, self._is_reading = self._conversation_id, True
        try:
            found = await self._context.background.read(
                read_earlier,
                self._context.inklings,
                self._workspace_id,
                conversation_id,
                self._first,
                until,
            )
        finally:
            self._is_reading = False
        if conversation_id == self._conversation_id and found.number < self._first:
            self._said_in(conversation_id).prepend(found.turns)
            self._first, self._has_earlier = found.number, found.has_more
            self._grown()

    @Slot()
    def _on_earlier_wanted(self) -> None:
        if self._has_earlier and not self._is_reading:
            self._context.background.spawn(self.read_more())

    async def _list_days(self) -> None:
        """Offer the days of the conversation below the rule that was pressed."""
        context, conversation_id = self._context, self._conversation_id
        days = await context.background.read(
            context.inklings.messages.days, self._workspace_id, conversation_id
        )
        if conversation_id == self._conversation_id:
            today = on_the_wall(context.inklings.clock()).date()
            popover = DaysPopover(context.theme, days, today, self._view)
            popover.chosen.connect(lambda day: context.background.spawn(self._go_to(day)))
            popover.closed.connect(popover.deleteLater)
            popover.popup_below(self._view.thread_view.anchor)

    async def _go_to(self, day: TalkDay) -> None:
        conversation_id = self._conversation_id
        if day.number < self._first:
            await self.read_more(day.number)
        if conversation_id == self._conversation_id:
            self._view.thread_view.show_day(day_key(day.day))
            self._view.focus_thread()
