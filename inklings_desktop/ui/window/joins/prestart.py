"""The World Agent's process, begun before somebody talks: its first answer takes seconds."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from inklings_desktop.domain.access.clients import ClientKind
from inklings_desktop.ui.kit.ops.page_spec import CONVERSATION_PAGE
from inklings_desktop.ui.kit.page.destinations import ToAgent

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.window.opened_pages import OpenedPages
    from inklings_desktop.usecases.bundle import Inklings

IDLE_MS = 10_000


class Prestart(QObject):
    """Makes the Conversation page and begins its agent, once, in a window that has been idle.

    Only where the author has let the agent in: whoever never talked with it pays nothing for it.
    """

    def __init__(
        self,
        context: Context,
        pages: OpenedPages,
        workspace_id: Callable[[], str],
        parent: QObject,
    ) -> None:
        """Wait from now on.

        Args:
            context: What pages are given.
            pages: Where the page stands, or will.
            workspace_id: Which workspace is open; empty while none is.
            parent: Owner.
        """
        super().__init__(parent)
        self._context, self._pages, self._workspace_id = context, pages, workspace_id
        self._timer = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._timer.timeout.connect(self._on_idle)
        self._timer.start()

    def close(self) -> None:
        """Begin nothing any more."""
        self._timer.stop()

    @Slot()
    def _on_idle(self) -> None:
        workspace_id, inklings = self._workspace_id(), self._context.inklings
        may = not (inklings.is_read_only or inklings.caller.is_agent)
        if may and workspace_id and inklings.settings.starts_agent:
            self._context.background.spawn(self._begin(inklings, workspace_id))

    async def _begin(self, inklings: Inklings, workspace_id: str) -> None:
        is_let_in = await self._context.background.read(partial(_is_let_in, inklings, workspace_id))
        if is_let_in:
            self._pages.want(CONVERSATION_PAGE)
            self._pages.arrive(ToAgent())


def _is_let_in(inklings: Inklings, workspace_id: str) -> bool:
    of_its_kind = [
        one.client
        for one in inklings.clients.list(calls=0)
        if one.client.kind is ClientKind.WORLD_AGENT and one.client.rights_in(workspace_id)
    ]
    if not of_its_kind:
        return False
    from inklings_desktop.acp_wire.words import WORLD_AGENT  # a window without it knows no agents

    # Another of its kind may have been let in; begun, ours would knock at a closed door.
    return any(client.name == WORLD_AGENT for client in of_its_kind)
