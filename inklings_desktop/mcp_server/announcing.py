"""Tell a client that what is listed for it has changed, whichever process changed it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from anyio import WouldBlock, create_memory_object_stream, to_thread
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ServerEvent,
    ToolsListChanged,
)
from mcp.types import (
    PromptListChangedNotification,
    ResourceListChangedNotification,
    ToolListChangedNotification,
)

from inklings_desktop.domain.errors import InklingsError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from mcp.server.context import ServerRequestContext
    from mcp.types import NotificationParams, ServerNotification

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.mcp_server.session import ClientSession

    Lists = Mapping[ServerEvent, object]
    """What is listed now, under the event that tells of its change."""

PAUSE_SECONDS = 0.5
"""Between two looks: what changes in one go is told once."""
_NOTIFICATIONS: dict[ServerEvent, ServerNotification] = {
    ToolsListChanged(): ToolListChangedNotification(),
    PromptsListChanged(): PromptListChangedNotification(),
    ResourcesListChanged(): ResourceListChangedNotification(),
}


class Announcements(InMemorySubscriptionBus):
    """The events of one client's server: its lists are looked at again when they may have changed.

    What is listed when the first listener comes is taken for known.
    """

    def __init__(self, session: ClientSession, lists: Callable[[], Lists]) -> None:
        """Know what to look at; nothing is looked at yet.

        Args:
            lists: Looks, in a thread; raises an ``InklingsError`` where that is not possible now.
        """
        super().__init__()
        self._session = session
        self._lists = lists
        self._to_look = asyncio.Event()

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Add a listener; what comes back takes it out again."""
        self._to_look.set()
        return super().subscribe(listener)

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Look and tell until this ends."""
        loop = asyncio.get_running_loop()
        self._to_look = asyncio.Event()  # one is of one loop

        def hear(changes: MemoryChanges) -> None:
            if self._may_change_lists(changes):
                with suppress(RuntimeError):  # the loop has ended meanwhile
                    loop.call_soon_threadsafe(self._to_look.set)

        unsubscribe = self._session.inklings.feed.subscribe(hear)
        looking = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            unsubscribe()
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking

    async def tell_connection(
        self, ctx: ServerRequestContext[Any, Any], _params: NotificationParams
    ) -> None:
        """Pass events on to a client that shook hands, until it goes.

        To be called for ``notifications/initialized``: what handles a notification lives as long as
        its connection at most. Newer clients ask for ``subscriptions/listen`` instead.
        """
        sending, events = create_memory_object_stream[ServerEvent](len(_NOTIFICATIONS))

        def deliver(event: ServerEvent) -> None:
            with suppress(WouldBlock):  # that many untold ones are all there are
                sending.send_nowait(event)

        unsubscribe = self.subscribe(deliver)
        try:
            with sending, events:
                async for event in events:
                    await ctx.session.send_notification(_NOTIFICATIONS[event])
        finally:
            unsubscribe()

    def _may_change_lists(self, changes: MemoryChanges) -> bool:
        # A request of a client touches clients, too; only what the author does is in the log.
        rights = changes.clients and changes.events
        is_here = changes.workspace_id in {None, self._session.workspace_id}
        return is_here and bool(rights or changes.rooms or changes.entries or changes.reload)

    async def _watch(self) -> None:
        known: Lists | None = None
        while True:
            await self._to_look.wait()
            self._to_look.clear()
            with suppress(InklingsError):
                now = await to_thread.run_sync(self._lists)
                for event in now:
                    if known is not None and now[event] != known[event]:
                        await self.publish(event)
                known = now
            await asyncio.sleep(PAUSE_SECONDS)
