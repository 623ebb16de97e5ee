"""The desks of one opened data root, and what they have in common: changes, workspaces, leaving."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.ops.places import (
    CONTROL_PAGE,
    ENTRIES_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
)
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.memory.explaining import WhyDesk
from inklings_desktop.ui.memory.list.empty.standing_words import standing_parts
from inklings_desktop.ui.memory.page import MemoryDesk
from inklings_desktop.ui.memory.saved_filters import FiltersDesk
from inklings_desktop.ui.rail.rooms import RoomDesk
from inklings_desktop.ui.rail.workspaces import WorkspaceDesk
from inklings_desktop.ui.scrub.requests import ScrubRequestsDesk
from inklings_desktop.ui.window.joins.tasks import TaskDesk
from inklings_desktop.ui.window.joins.transfers import Transfers

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.scrub.scrub_request import ScrubRequest
    from inklings_desktop.ui.consolidation.golden.opening import GoldenDesk
    from inklings_desktop.ui.control.view import ControlPage
    from inklings_desktop.ui.entries.page import EntriesDesk
    from inklings_desktop.ui.entries.presenter import EntriesContent
    from inklings_desktop.ui.entries.view import EntriesPage
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.kit.panes.banner_slot import BannerSlot
    from inklings_desktop.ui.kit.words.places import Surroundings
    from inklings_desktop.ui.memory.inspector.view import InspectorView
    from inklings_desktop.ui.rail.pane import RailPane
    from inklings_desktop.ui.transfer.transferring import TransferDesk
    from inklings_desktop.ui.turn.page import PreviewDesk
    from inklings_desktop.ui.turn.view import PreviewPage
    from inklings_desktop.ui.window.joins.control_plane import ControlDesk, MemoriesWish
    from inklings_desktop.ui.window.joins.first_shown import FirstDesks
    from inklings_desktop.usecases.bundle import Inklings


class Desks(QObject):
    """Memory, named entries, next turn, control plane and the rail over one data root.

    Signals:
        message_raised: A ``Message`` for the person.
        unsaved_changed: Whether any page holds text that is not saved.
        page_chosen: Id of the page that must be on show.
        drafts_found: How many texts of an earlier run wait for a decision.
        said: A sentence for a passing note.
        import_undo_offered: Whether an import can be taken back now.
        view_wanted: A client's name and a workspace id: the window as it sees that.
    """

    message_raised = Signal(object)
    unsaved_changed = Signal(bool)
    page_chosen = Signal(str)
    drafts_found = Signal(int)
    said = Signal(str)
    import_undo_offered = Signal(bool)
    view_wanted = Signal(str, str)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        first: FirstDesks,
        rail: RailPane,
        inspector: InspectorView,
        banners: BannerSlot,
        parent: QObject,
    ) -> None:
        """Join everything else to list and rail, whose first rows may be on show already.

        Args:
            background: Runs what takes long.
            inklings: The opened data root.
            first: List and rail; they belong to these desks from now on.
            rail: The pane of the rail.
            inspector: Shows one memory.
            banners: What is to be seen on every page.
            parent: Owner.
        """
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._first = first
        first.setParent(self)
        self.rail = first.rail
        page = self._page = first.list.page
        self.memory = MemoryDesk(
            background, inklings, listed=first.list, inspector=inspector, parent=self
        )
        self.why = WhyDesk(
            background,
            inklings,
            found=self.memory.list,
            subject=self.memory.subject,
            page=page,
            inspector=inspector,
            parent=self,
        )
        self.filters = FiltersDesk(
            background,
            inklings,
            shell=self.memory.shell,
            found=self.memory.list,
            search=self.memory.search,
            page=page,
            parent=self,
        )
        self.filters.message_raised.connect(self.message_raised)
        self.filters.said.connect(self.said)
        self.filters.page_wanted.connect(partial(self.page_chosen.emit, MEMORY_PAGE))
        self.why.memory_wanted.connect(inspector.relative_requested)
        self.why.message_raised.connect(self.message_raised)
        self.entries: EntriesDesk | None = None
        self.preview: PreviewDesk | None = None
        self._is_preview_wanted = False
        self._preview_message = ""
        self.control: ControlDesk | None = None
        self._wanted_task: str | None = None
        self.golden: GoldenDesk | None = None
        self._is_control_wanted = False
        self.tasks = TaskDesk(background, inklings, strip=rail.tasks, parent=self)
        self.tasks.task_opened.connect(self._on_task_opened)
        self._wanted_request: ScrubRequest | None = None
        self.requests = ScrubRequestsDesk(background, inklings, banners=banners, parent=self)
        self.requests.review_wanted.connect(self._on_scrub_review_wanted)
        self.requests.message_raised.connect(self.message_raised)
        self.hear(self.requests.on_changes)
        self.hear(self.memory.on_changes)
        self.hear(self.tasks.on_changes)
        first.surroundings_changed.connect(self._on_surroundings_changed)
        self.memory.message_raised.connect(self.message_raised)
        self.memory.unsaved_changed.connect(self._on_unsaved_changed)
        self.memory.relatives.golden_wanted.connect(self._on_golden_wanted)
        self._transfers = Transfers(background, inklings, self.memory, self)
        self._transfers.message_raised.connect(self.message_raised)
        self._transfers.said.connect(self.said)
        self._transfers.undo_offered.connect(self.import_undo_offered)
        self.memory.shell.workspace_switched.connect(self._on_workspace_switched)
        rail.card.workspace_chosen.connect(self.open_workspace)
        self.workspaces = WorkspaceDesk(
            background,
            inklings,
            rail=rail,
            shell=self.memory.shell,
            may_leave=self.may_leave,
            parent=self,
        )
        self.workspaces.message_raised.connect(self.message_raised)
        self.workspaces.said.connect(self.said)
        self.rooms = RoomDesk(background, inklings, rail=rail, shell=self.memory.shell, parent=self)
        self.rooms.message_raised.connect(self.message_raised)
        self.rooms.said.connect(self.said)
        self.rooms.room_chosen.connect(self.rail.show_room)

    async def open(self, reading: str = "") -> None:
        """Make the rest of the data root ready, and begin where the person was reading.

        Args:
            reading: Id of the memory that was read last: the keyboard begins there.
        """
        here = self.memory.shell.surroundings
        if here is not None:
            self._background.spawn(self.tasks.open(here.workspace.id))
        await self.memory.open(reading)
        self.tasks.begin()

    async def open_entries(self, page: EntriesPage) -> None:
        """Show the named entries of the open workspace on their page."""
        from inklings_desktop.ui.entries.page import EntriesDesk

        entries = EntriesDesk(self._background, self._inklings, page=page, parent=self)
        entries.message_raised.connect(self.message_raised)
        entries.unsaved_changed.connect(self._on_unsaved_changed)
        entries.counts_changed.connect(self.rail.show_entry_counts)
        entries.drafts_found.connect(self.drafts_found)
        entries.entries.content_changed.connect(self._on_entries_changed)
        self._page.standing.entry_requested.connect(self._on_standing_entry_wanted)
        self.hear(entries.on_changes)
        self.memory.rescue.watch_entry(entries.entry.unsaved_in)
        self.entries = entries
        here = self.memory.shell.surroundings
        if here is not None:
            await entries.open(here.workspace.id)

    @Slot(object)
    def _on_entries_changed(self, content: EntriesContent) -> None:
        self._page.standing.show_parts(standing_parts(content.entries))

    @Slot(str)
    def _on_standing_entry_wanted(self, entry_id: str) -> None:
        self.page_chosen.emit(ENTRIES_PAGE)
        if self.entries is not None:
            self.entries.show_entry(entry_id)

    def open_preview(self, made_page: Callable[[], PreviewPage]) -> None:
        """Preview the next turn on its page; its desk is made once, a bit later."""
        if not self._is_preview_wanted:
            self._is_preview_wanted = True
            self._background.spawn(self._open_preview(made_page()))

    async def _open_preview(self, page: PreviewPage) -> None:
        await self._background.read(import_module, "inklings_desktop.ui.turn.page")
        from inklings_desktop.ui.turn.page import PreviewDesk

        preview = PreviewDesk(self._background, self._inklings, page=page, parent=self)
        preview.message_raised.connect(self.message_raised)
        preview.memory_wanted.connect(self._on_memory_wanted)
        self.hear(preview.on_changes)
        self.preview = preview
        shell = self.memory.shell
        if shell.surroundings is not None:
            is_room = shell.place.tier is Tier.CONVERSATION
            preview.open(shell.surroundings, shell.place.room if is_room else None)
        if self._preview_message:
            page.message.set_text(self._preview_message)

    def preview_turn(self, message: str) -> None:
        """Preview the next turn with a sample message."""
        self._preview_message = message
        self.page_chosen.emit(PREVIEW_PAGE)
        if self.preview is not None:
            self.preview.page.message.set_text(message)

    def open_control(self, made_page: Callable[[], ControlPage]) -> None:
        """Show the open workspace on the Control plane page; its desk is made once, a bit later."""
        if not self._is_control_wanted:
            self._is_control_wanted = True
            self._background.spawn(self._open_control(made_page()))

    async def _open_control(self, page: ControlPage) -> None:
        # Loading what the page needs takes longer than the window may stand still.
        await self._background.read(import_module, "inklings_desktop.ui.window.joins.control_plane")
        from inklings_desktop.ui.window.joins.control_plane import ControlDesk
        from inklings_desktop.ui.window.joins.written import WrittenDesk

        control = ControlDesk(
            self._background,
            self._inklings,
            page=page,
            tasks=self.tasks.presenter,
            parent=self,
        )
        control.message_raised.connect(self.message_raised)
        control.memories_wanted.connect(self._on_memories_wanted)
        control.view_wanted.connect(self.view_wanted)
        written = WrittenDesk(
            self._background,
            self._inklings,
            acts=self.memory.acts,
            theme=page.theme,
            window=page.window(),
            parent=control,
        )
        written.message_raised.connect(self.message_raised)
        written.said.connect(self.said)
        control.access.forget_wanted.connect(written.ask)
        # What was forgotten a moment ago may be gone for good now.
        control.scrub.executed.connect(self.memory.drop_undo)
        self._transfers.offer_in(control, page)
        self.requests.waiting_changed.connect(control.scrub.check_request)
        self.hear(control.on_changes)
        self.control = control
        if self._wanted_task is not None:
            control.show_task(self._wanted_task)
        here = self.memory.shell.surroundings
        if here is not None:
            await control.open(here.workspace.id)
        self._show_wanted_request()

    @property
    def transfer(self) -> TransferDesk:
        """Export and import; made when it is first wanted."""
        return self._transfers.desk

    def close(self) -> None:
        """Hear no more of changes, and steer nothing any more."""
        self._first.close()
        self.requests.close()
        self.tasks.close()

    @property
    def has_unsaved(self) -> bool:
        """Whether a page holds text that closing would lose."""
        is_entry = self.entries is not None and self.entries.entry.has_unsaved
        return is_entry or self.memory.subject.has_unsaved

    async def may_leave(self) -> bool:
        """Whether every page may let go of what it shows; each asks for itself."""
        if not await self.memory.may_leave():
            return False
        return self.entries is None or await self.entries.may_leave()

    @Slot(str)
    def open_workspace(self, workspace_id: str) -> None:
        """Open another workspace, if the pages may let go of this one."""
        held_keys(self._page).until(self._background.spawn(self._open_workspace(workspace_id)))

    async def _open_workspace(self, workspace_id: str) -> bool:
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

    def hear(self, slot: Callable[..., None]) -> None:
        """Let a method of a QObject know of every commit, on the UI thread."""
        self._first.hear(slot)

    @Slot(object)
    def _on_workspace_switched(self, here: Surroundings) -> None:
        self._background.spawn(self.tasks.open(here.workspace.id))
        if self.entries is not None:
            self._background.spawn(self.entries.open(here.workspace.id))
        if self.control is not None:
            self._background.spawn(self.control.open(here.workspace.id))

    @Slot(str)
    def _on_task_opened(self, key: str) -> None:
        self._wanted_task = key
        self.page_chosen.emit(CONTROL_PAGE)
        if self.control is not None:
            self.control.show_task(key)

    @Slot(object)
    def _on_scrub_review_wanted(self, request: ScrubRequest) -> None:
        """Scrubbing has one place: the Control plane opens the dialog, whoever asks."""
        self._wanted_request = request
        is_made = self.control is not None
        self.page_chosen.emit(CONTROL_PAGE)
        if is_made:
            self._show_wanted_request()

    def _show_wanted_request(self) -> None:
        request, self._wanted_request = self._wanted_request, None
        here = self.memory.shell.surroundings
        if request is None or self.control is None or here is None:
            return
        self.control.scrub.open_request(request, request.scope.workspace_id or here.workspace.id)

    @Slot(object)
    def _on_surroundings_changed(self, here: Surroundings) -> None:
        if self.preview is not None:
            self.preview.show_surroundings(here)

    @Slot(object)
    def _on_memory_wanted(self, entry: MemoryEntry) -> None:
        self.page_chosen.emit(MEMORY_PAGE)
        self.memory.show_memory(entry)

    @Slot(object)
    def _on_memories_wanted(self, wish: MemoriesWish) -> None:
        self.page_chosen.emit(MEMORY_PAGE)
        self.memory.show_list(Place(wish.tier), wish.where)

    @Slot(str, object)
    def _on_golden_wanted(self, question: str, entry: MemoryEntry) -> None:
        self._background.spawn(self._open_golden(question, entry))

    async def _open_golden(self, question: str, entry: MemoryEntry) -> None:
        await self._background.read(
            import_module, "inklings_desktop.ui.consolidation.golden.opening"
        )
        from inklings_desktop.ui.consolidation.golden.opening import GoldenDesk
        from inklings_desktop.ui.consolidation.golden.state import GoldenWish

        here, page = self.memory.shell.surroundings, self.memory.page
        if self.golden is None:
            self.golden = GoldenDesk(
                self._background,
                self._inklings,
                theme=page.theme,
                window=page.window(),
                parent=self,
            )
        if here is not None:
            self.golden.open(here.workspace.id, GoldenWish(question, entry))

    @Slot()
    def _on_unsaved_changed(self) -> None:
        self.unsaved_changed.emit(self.has_unsaved)
