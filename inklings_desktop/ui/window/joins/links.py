"""Goes where a link from another program leads: to another page, place or workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence

from inklings_desktop.domain.errors import InklingsError, InvalidValueError
from inklings_desktop.domain.links import Link, LinkKind, parse_link
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.access.words import question, what_follows, why_nothing
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.dialogs.process_dialog import ProgressDialog
from inklings_desktop.ui.kit.look.translation import grouped, tr
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.page.destinations import ToEntry, ToMemory
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.acts.chosen import chosen_of
from inklings_desktop.ui.memory.acts.road import FORGOTTEN_AT_ONCE
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.window.register import spec_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.memory.acting import Acting
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.opened_pages import OpenedPages
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.memories.values import Written


class ForgettingWritten(QObject):
    """One step of the session's undo for everything that a client wrote."""

    def __init__(self, context: Context, *, acts: Acting, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._acts = context, acts
        self._theme, self._window = context.theme, context.window
        self._is_asking = False

    def ask(self, name: str, workspace_id: str) -> None:
        """Count what a client wrote in a workspace and the account, and ask whether it goes."""
        if not self._is_asking:
            self._is_asking = True
            asking = self._context.background.spawn(self._forget(name, workspace_id))
            self._acts.undo.wait_for(asking)
            held_keys(self._window).until_asked(asking)

    async def _forget(self, name: str, workspace_id: str) -> None:
        try:
            written = await self._context.background.read(
                self._context.inklings.memories.find_written, name, workspace_id
            )
            if not written.free:
                self._context.tell(why_nothing(name, written))
            elif await self._is_sure(name, written):
                await self._carry_out(name, written)
        except InklingsError as error:
            self._context.refuse(error)
        finally:
            self._is_asking = False

    async def _is_sure(self, name: str, written: Written) -> bool:
        return await ask(
            self._window,
            question(name, len(written.free)),
            what_follows(name, written),
            yes=tr("Forget {count}").format(count=grouped(len(written.free))),
            no=tr("Keep them"),
            is_destructive=True,
        )

    async def _carry_out(self, name: str, written: Written) -> None:
        chosen = tuple(chosen_of(self._context.inklings, written.free).values())
        progress = ProgressDialog(
            self._theme,
            tr("Forgetting what {name} wrote").format(name=name),
            len(chosen),
            self._window,
        )
        try:
            is_done = await self._acts.do(
                MemoryAct.FORGET,
                chosen,
                tr("all that {name} wrote").format(name=name),
                progress.goes_on if len(chosen) > FORGOTTEN_AT_ONCE else None,
            )
        finally:
            progress.finish()
        if is_done:
            keys = QKeySequence(QKeySequence.StandardKey.Undo)
            self._context.tell(
                tr("{what}. {keys} takes that back.").format(
                    what=self._acts.undo.stack.undoText(),
                    keys=keys.toString(QKeySequence.SequenceFormat.NativeText),
                )
            )


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
