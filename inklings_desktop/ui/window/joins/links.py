"""Goes where a link from another program leads: to another page, place or workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inklings_desktop.domain.errors import InklingsError, InvalidValueError
from inklings_desktop.domain.links import Link, LinkKind, parse_link
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.page.destinations import ToEntry, ToMemory
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.window.register import spec_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.opened_pages import OpenedPages
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a link leads.

    Attributes:
        workspace_id: The workspace that has it; None for what every one shows.
        where: What is gone to: on a page, or a page by its id, or a place in the list.
    """

    workspace_id: str | None
    where: Destination | Place | str


class Links(QObject):
    """Follows links in the open data root."""

    def __init__(
        self,
        context: Context,
        memory: MemoryPage,
        pages: OpenedPages,
        switched_to: Callable[[str], Awaitable[bool]],
        parent: QObject,
    ) -> None:
        """Follow none yet.

        Args:
            memory: The Memory page.
            pages: Those beside the Memory page.
            switched_to: Opens another workspace; whether the pages let go of this one.
        """
        super().__init__(parent)
        self._context, self._memory, self._shell = context, memory, memory.shell
        self._pages, self._switched_to = pages, switched_to

    def here(self, page_id: str) -> Link:
        """What leads back to what is open on a page: a memory, an entry, a conversation, or it."""
        page = self._memory if page_id == MEMORY_PAGE else self._pages.page(page_id)
        if page is not None and (link := page.link()) is not None:
            return link
        return Link(LinkKind.PAGE, page_id.removeprefix("page:"))

    def follow(self, text: str) -> None:
        """Go where a link leads, or say why that cannot be."""
        try:
            link = parse_link(text)
        except InvalidValueError:
            self._context.say(_no_link(text))
        else:
            self._context.background.spawn(self._follow(link))

    async def _follow(self, link: Link) -> None:
        here = self._shell.surroundings
        if here is None:
            return
        found = await self._context.background.read(
            _found, self._context.inklings, here.workspace.id, link
        )
        if found is None:
            self._context.say(_gone(link))
            return
        wanted = found.workspace_id or here.workspace.id
        if wanted != here.workspace.id and not await self._switched_to(wanted):
            return  # the person would rather keep what they were typing
        if isinstance(found.where, Place):
            self._context.go(MEMORY_PAGE)
            self._shell.go(found.where)
        else:
            self._context.go(found.where)


def _found(inklings: Inklings, here_id: str, link: Link) -> _Found | None:
    """Where a link leads, the open workspace first; None if it is nowhere. Runs on a reader."""
    if link.kind is LinkKind.PAGE:
        page_id = f"page:{link.key}"
        return _Found(None, page_id) if spec_of(page_id) is not None else None
    ids = sorted((one.id for one in inklings.places.workspaces()), key=lambda one: one != here_id)
    for workspace_id in ids:
        try:
            found = _found_in(inklings, workspace_id, link)
        except InklingsError:
            continue  # it is not there, or that workspace cannot be read
        if found is not None:
            return found
    return None


def _found_in(inklings: Inklings, workspace_id: str, link: Link) -> _Found | None:
    """Where in one workspace, or in the account, a link leads.

    Raises:
        InklingsError: Nowhere.
    """
    if link.kind is LinkKind.MEMORY:
        entry = inklings.listing.locate(link.key.lower(), workspace_id)
        return _Found(entry.scope.workspace_id, ToMemory(entry))
    if link.kind is LinkKind.CONVERSATION:
        talk = inklings.conversations.get(workspace_id, link.key)
        return _Found(workspace_id, Place(Tier.CONVERSATION, talk.id))
    known = inklings.entries.list(workspace_id)
    named = next((one for one in known if one.id == link.key.lower()), None)
    return None if named is None else _Found(named.workspace_id, ToEntry(named.id))


def _no_link(text: str) -> Message:
    return Message(
        tr("This link cannot be opened"),
        tr("A link into Inklings looks like inklings://memory/ and an id. Nothing was changed."),
        details=((tr("Link"), text[:200]),),
    )


def _gone(link: Link) -> Message:
    titles = {
        LinkKind.MEMORY: tr("The memory of this link is not here"),
        LinkKind.ENTRY: tr("This named entry is not here"),
        LinkKind.CONVERSATION: tr("This conversation is not here"),
        LinkKind.PAGE: tr("There is no such page"),
    }
    return Message(
        titles[link.kind],
        tr("It was removed, or is in another data folder. Nothing was changed."),
        details=((tr("Link"), str(link)),),
    )
