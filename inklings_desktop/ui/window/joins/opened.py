"""The pages of one opened data root, and what they have in common: changes, workspaces, leaving."""

from __future__ import annotations

import sys
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.ui.kit.dialogs.ask import begin_asking
from inklings_desktop.ui.kit.ops.page_spec import (
    CONTROL_PAGE,
    CONVERSATION_PAGE,
    ENTRIES_PAGE,
    INBOX_PAGE,
    KNOWLEDGE_PAGE,
    PREVIEW_PAGE,
    SKILLS_PAGE,
    WORLD_PAGE,
)
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.page.destinations import (
    ToAnalysis,
    ToClientsView,
    ToConnection,
    ToConversation,
    ToEntry,
    ToExport,
    ToForgetWritten,
    ToGolden,
    ToGoldenQuestion,
    ToMemories,
    ToMemory,
    ToMemoryBeside,
    ToNewMemory,
    ToPlan,
    ToRoom,
    ToRuns,
    ToScrub,
    ToScrubChosen,
    ToScrubRequest,
)
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.list.empty.standing_line import standing_parts
from inklings_desktop.ui.memory.page import MemoryPage
from inklings_desktop.ui.rail.rooms import Rooms
from inklings_desktop.ui.rail.workspaces import Workspaces
from inklings_desktop.ui.scrub.requests import ScrubRequests
from inklings_desktop.ui.window.joins.linked import LinkedPages
from inklings_desktop.ui.window.joins.tasks import WindowTasks
from inklings_desktop.ui.window.joins.transfers import Transfers
from inklings_desktop.ui.window.opened_pages import OpenedPages, Prestart

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inklings_desktop.ui.access.connection import ConnectionProcess
    from inklings_desktop.ui.analyses.process import AnalysisProcess
    from inklings_desktop.ui.consolidation.consolidation_dialogs import ConsolidationDialogs
    from inklings_desktop.ui.control.page import ControlPage
    from inklings_desktop.ui.conversation.page import ConversationPage
    from inklings_desktop.ui.entries.page import EntriesPage
    from inklings_desktop.ui.inbox.page import InboxPage
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Page
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.memory.listing import Listing
    from inklings_desktop.ui.rail.pane import RailPane
    from inklings_desktop.ui.rail.rail import Rail
    from inklings_desktop.ui.scrub.process import ScrubProcess
    from inklings_desktop.ui.transfer.transfer import Transfer
    from inklings_desktop.ui.turn.page import TurnPage
    from inklings_desktop.ui.window.joins.beside import Beside
    from inklings_desktop.ui.window.joins.links import Links
    from inklings_desktop.ui.window.joins.written import ForgettingWritten
    from inklings_desktop.ui.window.pages import WindowPages

_ANALYSES = "inklings_desktop.ui.analyses.process"
_CONNECTION = "inklings_desktop.ui.access.connection"
_SCRUB = "inklings_desktop.ui.scrub.process"
_CONSOLIDATION = "inklings_desktop.ui.consolidation.consolidation_dialogs"


class OpenedRoot(QObject):
    """Memory, named entries, next turn, control plane and the rail over one data root.

    Attributes:
        context: What every page is given.
        pages: Those beside the Memory page.
        transfers: Export and import, and how an import is taken back.
        beside: The inspector beside the Conversation page; None until that is made.

    Signals:
        unsaved_changed: Whether any page holds text that is not saved.
        asked: Title and text of a proposal that has just come in.
        steps_changed: Whether there are memories before and after the one beside a page.
    """

    steps_changed = Signal(bool, bool)
    unsaved_changed = Signal(bool)
    asked = Signal(str, str)

    def __init__(
        self,
        context: Context,
        *,
        listed: Listing,
        rail: Rail,
        pages: WindowPages,
        join_frame: Callable[[str, Page[Any]], None],
        pane: RailPane,
        look_as: Callable[[str, str, str], None],
        parent: QObject,
    ) -> None:
        """Join everything else to list and rail, whose first rows may be on show already.

        Args:
            listed: The list, and with it the rail: they belong to it from now on.
            rail: Leads the rail.
            pages: Where pages stand.
            join_frame: Joins a new page, by its id, to what is around it.
            pane: What the rail is shown in.
            look_as: Shows the window as a client sees a workspace: name, id and role.
        """
        super().__init__(parent)
        self.context = context
        self._join_frame, self._look_as = join_frame, look_as
        background, inklings = context.background, context.inklings
        self._background = background
        self._inklings = inklings
        listed.setParent(self)
        self.rail = rail
        self._page = listed.page
        self.memory = MemoryPage(context, listed=listed, inspector=pages.inspector, parent=self)
        self.pages = OpenedPages(
            context, pages, join=self._join, workspace_id=self._open_workspace_id, parent=self
        )
        self._prestart = Prestart(context, self.pages, self._open_workspace_id, self)
        self.linked = LinkedPages(context, self._open_workspace_id, self)
        self.linked.read.connect(self.memory.show_linked)
        self._window_pages = pages
        self.beside: Beside | None = None
        self._written: ForgettingWritten | None = None
        self._connection: ConnectionProcess | None = None
        self.tasks = WindowTasks(context, pane.tasks, self)
        self.requests = ScrubRequests(context, pages.banners, self)
        listed.surroundings_changed.connect(self._on_surroundings_changed)
        self.memory.told.connect(self._on_unsaved_changed)
        self.transfers = Transfers(context, self.memory, self)
        self.memory.shell.workspace_switched.connect(self._on_workspace_switched)
        self.workspaces = Workspaces(
            context,
            rail=pane,
            shell=self.memory.shell,
            open_workspace=self.open_workspace,
            may_leave=self.may_leave,
            parent=self,
        )
        self.rooms = Rooms(
            context,
            rail=pane,
            shell=self.memory.shell,
            look_at=rail.show_row,
            parent=self,
        )

    async def open(self, reading: str = "") -> None:
        """Make the rest of the data root ready, and begin where the person was reading.

        Args:
            reading: Id of the memory that was read last: the keyboard begins there.
        """
        here = self.memory.shell.surroundings
        if here is not None:
            self._background.spawn(self.tasks.presenter.open(here.workspace.id))
        self.linked.look()
        await self.memory.begin(reading)
        self.tasks.begin()

    # -- pages --------------------------------------------------------------------------------

    @property
    def entries(self) -> EntriesPage | None:
        """The Named entries page; None until it is made."""
        return self.pages.page(ENTRIES_PAGE)  # type: ignore[return-value]

    @property
    def preview(self) -> TurnPage | None:
        """The page of the next turn; None until it is made."""
        return self.pages.page(PREVIEW_PAGE)  # type: ignore[return-value]

    @property
    def conversation(self) -> ConversationPage | None:
        """The Conversation page; None until it is made."""
        return self.pages.page(CONVERSATION_PAGE)  # type: ignore[return-value]

    @property
    def control(self) -> ControlPage | None:
        """The Control plane page; None until it is made."""
        return self.pages.page(CONTROL_PAGE)  # type: ignore[return-value]

    def arrive(self, where: Destination) -> None:
        """Go to something: on its page, or over all of them."""
        match where:
            case ToMemory() | ToMemories() | ToNewMemory() | ToRoom():
                self.memory.arrive(where)
            case ToConversation(talk_id) if talk_id:
                self._arrive_at_talk(talk_id, where)
            case ToMemoryBeside() if self.beside is not None:
                self.beside.show(where)
            case ToClientsView(client, workspace_id, role):
                self._look_as(client, workspace_id, role)
            case ToForgetWritten(client, workspace_id):
                self._forget_written(client, workspace_id)
            case ToScrub() | ToScrubRequest() | ToScrubChosen():
                self._behind(_SCRUB, partial(self._open_scrub, where))
            case ToPlan() | ToRuns() | ToGolden() | ToGoldenQuestion():
                self._behind(_CONSOLIDATION, lambda: self.consolidation.open(where))
            case ToAnalysis():
                self._behind(_ANALYSES, lambda: self.analyses.open(self._open_workspace_id()))
            case ToConnection():
                self._behind(_CONNECTION, self._open_connection)
            case ToExport(Tier() as tier):
                self.transfer.exports.ask_tier(tier)
            case ToExport():
                self.transfer.exports.ask()
            case _:
                self.pages.arrive(where)

    def _arrive_at_talk(self, talk_id: str, where: Destination) -> None:
        here, place = self.context.here(), Place(Tier.CONVERSATION, talk_id)
        if here is None or here.conversation(talk_id) is None:
            self.context.background.spawn(self._arrive_at_new(talk_id, where))
            return
        if self.context.place() != place:
            self.memory.shell.go(place)
        self.pages.arrive(where)

    async def _arrive_at_new(self, talk_id: str, where: Destination) -> None:
        """Show a conversation that was just begun, once the rail has it as well."""
        await self.memory.shell.refreshed()
        self.rail.show_row(talk_id)
        self.pages.arrive(where)  # with what is to be said in it

    def _join(self, page_id: str, page: Page[Any]) -> None:
        """Let a new page and what is not on it know of each other."""
        self._join_frame(page_id, page)
        page.told.connect(self._on_unsaved_changed)
        joins: dict[str, Callable[[Any], None]] = {
            ENTRIES_PAGE: self._join_entries,
            INBOX_PAGE: self._join_inbox,
            CONVERSATION_PAGE: self._join_conversation,
            CONTROL_PAGE: self._join_control,
            WORLD_PAGE: partial(self._join_tabs, "changed", "proposed"),
            KNOWLEDGE_PAGE: partial(self._join_tabs, "facts", "grants"),
            SKILLS_PAGE: self._join_decisions,
        }
        if page_id in joins:
            joins[page_id](page)

    def _join_entries(self, entries: EntriesPage) -> None:
        standing = self._page.standing
        entries.content_changed.connect(
            lambda content: standing.show_parts(standing_parts(content.entries))
        )
        standing.entry_requested.connect(lambda entry_id: self.context.go(ToEntry(entry_id)))
        self.memory.rescue.watch_entry(entries.entry.unsaved_in)

    def _join_inbox(self, inbox: InboxPage) -> None:
        undo = self.memory.undo
        inbox.arrived.connect(self.asked)
        inbox.accepted.connect(partial(undo.push, offers=False))
        inbox.undo_wanted.connect(lambda: undo.begin(undo.undo()))
        undo.settled.connect(inbox.toast.close_note)
        undo.taken_back.connect(inbox.read_again)  # an answer that is undone may change no memory

    def _join_tabs(self, *args: Any) -> None:
        """Let what is decided in these tabs of a page, which comes last, be undone."""
        *keys, page = args
        for key in page.tabs.keys() & keys:
            self._join_decisions(page.tabs[key])

    def _join_decisions(self, deciding: Any) -> None:
        """Let what is decided on a page or in a tab be undone."""
        undo = self.memory.undo
        deciding.answered.connect(partial(undo.push, offers=False))
        deciding.undo_wanted.connect(lambda: undo.begin(undo.undo()))
        undo.settled.connect(deciding.toast.close_note)

    def _join_conversation(self, talk: ConversationPage) -> None:
        from inklings_desktop.ui.window.joins.beside import Beside

        talk.told.connect(lambda: self.rail.show_talk(talk.conversation_id))
        self.beside = Beside(self.context, self.memory, self._window_pages, talk)
        self.beside.steps_changed.connect(self.steps_changed)

    def _join_control(self, control: ControlPage) -> None:
        control.tiers.show_work(self.tasks.presenter)
        self._join_decisions(control.tab("schedule"))

    # -- dialogs over any page ----------------------------------------------------------------

    @cached_property
    def scrub(self) -> ScrubProcess:
        """The one dialog that scrubs; made when it is first wanted."""
        from inklings_desktop.ui.scrub.process import ScrubProcess

        scrub = ScrubProcess(self.context, self)
        scrub.running_changed.connect(self.tasks.presenter.hold_for_scrub)
        # What was forgotten a moment ago may be gone for good now.
        scrub.executed.connect(self.memory.drop_undo)
        self.transfers.serve_scrub(scrub)
        self.requests.waiting_changed.connect(scrub.on_requests_changed)
        return scrub

    @cached_property
    def consolidation(self) -> ConsolidationDialogs:
        """Plans, runs and golden questions; made when they are first wanted."""
        from inklings_desktop.ui.consolidation.consolidation_dialogs import ConsolidationDialogs

        made = ConsolidationDialogs(self.context, self)
        made.changed.connect(self._on_consolidated)
        return made

    @cached_property
    def analyses(self) -> AnalysisProcess:
        """The one dialog that runs analyses; made when it is first wanted."""
        from inklings_desktop.ui.analyses.process import AnalysisProcess

        return AnalysisProcess(self.context, self)

    def _behind(self, module: str, enter: Callable[[], None]) -> None:
        """Open what lies over a page; its module is loaded off the window's thread."""
        if module in sys.modules:
            enter()
        else:
            begin_asking(self._background, self._load(module, enter), self.context.window)

    async def _load(self, module: str, enter: Callable[[], None]) -> None:
        await self._background.read(import_module, module)
        enter()

    def _open_scrub(self, where: Destination) -> None:
        if isinstance(where, ToScrubRequest):
            scope = where.request.scope
            of = scope.workspace_id or self._open_workspace_id()
            self.scrub.open_given(scope, where.request.mode, of, where.request)
        elif isinstance(where, ToScrubChosen):
            self.scrub.open_given(where.scope, ScrubMode.KEEP_NAMED, self._open_workspace_id())
        elif isinstance(where, ToScrub):
            self.scrub.open(self._open_workspace_id(), where.tier)

    def _open_connection(self) -> None:
        from inklings_desktop.ui.access.connection import ConnectionProcess

        if self._connection is None:
            self._connection = ConnectionProcess(self.context, self)
        self._connection.open(self._open_workspace_id(), None)

    def _forget_written(self, client: str, workspace_id: str) -> None:
        from inklings_desktop.ui.window.joins.written import ForgettingWritten

        if self._written is None:
            self._written = ForgettingWritten(self.context, acts=self.memory.acts, parent=self)
        self._written.ask(client, workspace_id)

    @Slot()
    def _on_consolidated(self) -> None:
        if self.control is None:
            return
        tiers = self.control.tiers
        if tiers.view.isVisible():
            tiers.refresh()
        else:
            tiers.read_soon()  # golden questions are asked without a commit

    def _open_workspace_id(self) -> str:
        here = self.memory.shell.surroundings
        return here.workspace.id if here is not None else ""

    @property
    def transfer(self) -> Transfer:
        """Export and import; made when it is first wanted."""
        return self.transfers.transfer

    @cached_property
    def links(self) -> Links:
        """Follows links into this data root; made when it is first wanted."""
        from inklings_desktop.ui.window.joins.links import Links

        return Links(self.context, self.memory, self.pages, self.switched_to, self)

    def bring_first(self, paths: tuple[Path, ...], reopen: Callable[[], None]) -> None:
        """Show what importing files would do, which the open workspace was made for."""
        from inklings_desktop.ui.window.joins.transfers import BringingIn

        BringingIn(self.context, self.memory.shell, self.transfer, paths, reopen=reopen)

    @Slot(tuple)
    def bring_in(self, paths: tuple[Path, ...]) -> None:
        """Show what importing files would do."""
        self.transfer.open_files(*paths)

    def close(self) -> None:
        """Steer nothing any more."""
        self._prestart.close()
        self.requests.close()
        self.tasks.close()
        if self.conversation is not None:
            self.conversation.close()

    def only_look(self) -> None:
        """Leave out what changes anything on the pages that stand."""
        for page in self._every():
            page.only_look()

    def _every(self) -> tuple[Page[Any], ...]:
        return (self.memory, *self.pages)

    @property
    def has_unsaved(self) -> bool:
        """Whether a page holds text that closing would lose."""
        return any(one.has_unsaved for one in self._every())

    async def may_leave(self) -> bool:
        """Whether every page may let go of what it shows; each asks for itself."""
        for page in self._every():
            if not await page.may_leave():
                return False
        return True

    @property
    def asks_before_closing(self) -> bool:
        """Whether text would be lost with the window."""
        return any(one.asks_before_closing for one in self._every())

    async def may_close(self) -> bool:
        """Whether the window may go; each page asks for itself."""
        for page in self._every():
            if not await page.may_close():
                return False
        return True

    @Slot(str)
    def open_workspace(self, workspace_id: str) -> None:
        """Open another workspace, if the pages may let go of this one."""
        held_keys(self._page).until(self._background.spawn(self.switched_to(workspace_id)))

    async def switched_to(self, workspace_id: str) -> bool:
        """Whether another workspace is open now: the pages may have kept this one."""
        shell = self.memory.shell
        if await self.may_leave():
            await shell.open_workspace(workspace_id)
        here = shell.surroundings
        return here is not None and here.workspace.id == workspace_id

    async def create_workspace(self, name: str) -> None:
        """Make a workspace and open it, if the pages may let go of this one.

        Raises:
            InklingsError: None could be made under this name.
        """
        if await self.may_leave():
            await self.memory.shell.create_workspace(name)

    @Slot(object)
    def _on_workspace_switched(self, here: Surroundings) -> None:
        self._background.spawn(self.tasks.presenter.open(here.workspace.id))
        self.linked.look()
        for page in self._every():
            self._background.spawn(page.open(here.workspace.id))

    @Slot(object)
    def _on_surroundings_changed(self, here: Surroundings) -> None:
        for page in self.pages:
            page.show_surroundings(here)

    @Slot()
    def _on_unsaved_changed(self) -> None:
        self.unsaved_changed.emit(self.has_unsaved)
