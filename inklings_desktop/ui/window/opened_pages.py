"""The pages beside the Memory page over one data root, each made when it is first wanted."""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.access.clients import ClientKind
from inklings_desktop.ui.kit.ops.page_spec import CONVERSATION_PAGE
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.page.destinations import ToAgent
from inklings_desktop.ui.window.register import spec_of

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterator, Sequence

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Page
    from inklings_desktop.ui.window.pages import WindowPages
    from inklings_desktop.usecases.bundle import Inklings


class OpenedPages(QObject):
    """Loads pages by the names in the register, and stands them to the open workspace.

    Signals:
        made: Id of a page that stands now, and can be shown.
    """

    made = Signal(str)

    def __init__(
        self,
        context: Context,
        pages: WindowPages,
        *,
        join: Callable[[str, Page[Any]], None],
        workspace_id: Callable[[], str],
        parent: QObject,
    ) -> None:
        """Make none yet.

        Args:
            context: What each of them is given.
            pages: Where they stand.
            join: Told of each new one, by its id, before anybody sees it.
            workspace_id: Which workspace is open; empty while none is.
        """
        super().__init__(parent)
        self._context, self._pages = context, pages
        self._join, self._workspace_id = join, workspace_id
        self._made: dict[str, Page[Any]] = {}
        self._opened: set[str] = set()
        self._wishes: dict[str, list[Destination]] = {}

    def __iter__(self) -> Iterator[Page[Any]]:
        return iter(tuple(self._made.values()))

    def page(self, page_id: str) -> Page[Any] | None:
        """A page that stands already."""
        return self._made.get(page_id)

    def want(self, page_id: str) -> bool:
        """Whether a page can be shown at once; if not, it is on its way where there is one."""
        spec = spec_of(page_id)
        if spec is None or not spec.target or page_id in self._made:
            return True
        if page_id in self._wishes:
            return False  # it is being loaded, and its modules are known before they are whole
        modules = [target.partition(":")[0] for target in spec.targets]
        if all(module in sys.modules for module in modules):
            self.make(page_id)
            return True
        # Loading what a page needs takes longer than the window may stand still.
        self._wishes[page_id] = []
        held_keys(self._context.window).until(
            self._context.background.spawn(self._load(page_id, modules))
        )
        return False

    def arrive(self, where: Destination) -> None:
        """Go to something on a page that stands, or once it does."""
        if where.page in self._opened:
            self._made[where.page].arrive(where)
        elif where.page in self._wishes:
            self._wishes[where.page].append(where)

    async def _load(self, page_id: str, modules: Sequence[str]) -> None:
        for module in modules:
            await self._context.background.read(import_module, module)
        self.make(page_id)
        self.made.emit(page_id)

    def make(self, page_id: str) -> asyncio.Task[None]:
        """Make a page now; what is returned ends once it stands to the open workspace."""
        spec = spec_of(page_id)
        assert spec is not None
        made = _class_of(spec.target)(self._context, self._pages.stack)
        for tab in spec.tabs:
            made.add_tab(tab.key, tab.title, _class_of(tab.target))
        self._made[page_id] = made
        self._wishes.setdefault(page_id, [])
        self._pages.add(page_id, made)
        self._join(page_id, made)
        return self._context.background.spawn(self._open(page_id, made))

    async def _open(self, page_id: str, page: Page[Any]) -> None:
        if workspace_id := self._workspace_id():
            await page.open(workspace_id)
        self._opened.add(page_id)
        for where in self._wishes.pop(page_id, []):
            page.arrive(where)


def _class_of(target: str) -> Any:
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


IDLE_MS = 10_000


class Prestart(QObject):
    """Makes the Conversation page and begins its agent, once, in a window that has been idle.

    The first answer of an agent takes seconds. Only where the author has let it in: whoever never
    talked with it pays nothing for it.
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
        self._timer = timer(self, self._on_idle, IDLE_MS)
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
