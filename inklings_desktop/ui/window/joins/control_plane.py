"""Joins presenters and views of the Control plane page: who says what to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot

from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.ui.access.page import AccessPage
from inklings_desktop.ui.access.view import AccessView
from inklings_desktop.ui.consolidation.opening import TidyingDesk
from inklings_desktop.ui.control.overview_facts import LookKind
from inklings_desktop.ui.control.overview_presenter import OverviewPresenter
from inklings_desktop.ui.control.tiers_view import TiersView
from inklings_desktop.ui.control.view import ACCESS_TAB, EVENTS_TAB, TIERS_TAB, ControlView
from inklings_desktop.ui.events.page import EventsPage
from inklings_desktop.ui.events.view import EventLogView
from inklings_desktop.ui.kit.look.announcement import announce
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.storing import why_withheld
from inklings_desktop.ui.kit.page.destinations import (
    ToClientsView,
    ToEvent,
    ToForgetWritten,
    ToMemories,
    ToScrubRequest,
    ToTask,
)
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.scrub.opening import ScrubDesk

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memories.attention import AttentionKind
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.domain.memory import Tier
    from inklings_desktop.ui.control.overview_presenter import OverviewContent
    from inklings_desktop.ui.control.tasks_presenter import TasksPresenter, TaskTable
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes


class ControlPage(Page[None]):
    """One opened data root behind the Control plane page."""

    view: ControlView
    tasks: TasksPresenter

    def __init__(self, context: Context, parent: QWidget) -> None:
        page = self._page = ControlView(context.theme, parent)
        super().__init__(context, page)
        background, inklings = context.background, context.inklings
        self._wanted_task: str | None = None
        self.overview = OverviewPresenter(background, inklings, self)
        self.tiers = TiersView(page.theme, page)
        page.add_tab(TIERS_TAB, self.tr("Memory tiers"), self.tiers)
        events = EventLogView(page.theme, page)
        page.add_tab(EVENTS_TAB, self.tr("Event log"), events, events.panes)
        self.log = EventsPage(background, inklings, view=events, parent=self)
        clients = AccessView(page.theme, page)
        page.add_tab(ACCESS_TAB, self.tr("Access"), clients, clients.panes)
        self.access = AccessPage(background, inklings, theme=page.theme, view=clients, parent=self)
        self.access.view_wanted.connect(self._on_view_wanted)
        self.access.forget_wanted.connect(self._on_forget_wanted)
        self.overview.content_changed.connect(self._on_content_changed)
        self.overview.refreshed.connect(self._on_refreshed)
        self.tiers.tier_open_requested.connect(self._on_tier_open_requested)
        self.tiers.look_requested.connect(self._on_look_requested)
        self.tiers.log_requested.connect(self.show_log)
        self.scrub = ScrubDesk(
            background, inklings, theme=page.theme, window=page.window(), parent=self
        )
        self.scrub.event_wanted.connect(self.show_event)
        page.scrub_requested.connect(self._on_scrub_requested)
        page.offer_scrub()
        self.tiers.tier_scrub_requested.connect(self._on_tier_scrub_requested)
        self.tiers.offer_scrub()
        self.tidying = TidyingDesk(
            background, inklings, theme=page.theme, window=page.window(), parent=self
        )
        for one in (self.overview, self.log, self.access, self.scrub, self.tidying):
            one.message_raised.connect(context.say)
        self.tidying.changed.connect(self.overview.refresh)
        self.tiers.tier_review_requested.connect(self.tidying.review_tier)
        self.tiers.tier_history_requested.connect(self.tidying.show_runs)
        self.tiers.offer_review()
        self.tiers.tier_consolidate_requested.connect(self._on_tier_consolidate_requested)
        self.tiers.look.golden_requested.connect(self.tidying.show_golden)
        self.tiers.look.offer_golden()
        page.tab_shown.connect(self._on_tab_shown)

    def show_work(self, tasks: TasksPresenter) -> None:
        """Show background work in its table, and let a person steer it."""
        self.tasks = tasks
        tasks.table_changed.connect(self._on_table_changed)
        tasks.run_ended.connect(self.overview.on_run_ended)
        self.tiers.tasks.act_requested.connect(tasks.act)
        self.tiers.tasks.pause_toggled.connect(tasks.toggle_pause)
        self.scrub.running_changed.connect(tasks.hold_for_scrub)
        tasks.review_requested.connect(self.tidying.review_scope)
        tasks.offer_review()
        self._watch()

    async def open(self, workspace_id: str) -> None:
        """Show the control plane of a workspace."""
        self.workspace_id = workspace_id
        self.tidying.open_workspace(workspace_id)
        self.access.open(workspace_id)
        await self.overview.open(workspace_id)
        if workspace_id == self.workspace_id:  # else another one was opened meanwhile
            await self.log.open(workspace_id)

    def arrive(self, where: Destination) -> None:
        """Go to an event, a row of background work, or what an agent wants scrubbed."""
        match where:
            case ToEvent(workspace_id, number):
                self.show_event(workspace_id, number)
            case ToTask(key):
                self.show_task(key)
            case ToScrubRequest(request):
                scope = request.scope
                self.scrub.open_request(request, scope.workspace_id or self.workspace_id)

    def on_shown(self, *, is_shown: bool) -> None:  # noqa: ARG002 - the tab counts as well
        """Count while somebody looks at the figures."""
        self._watch()

    def bring_focus(self, reason: Qt.FocusReason) -> None:
        """Bring the keyboard to the tab on show."""
        self._page.focus_tab(reason)

    def panes(self) -> Panes:
        """What F6 goes through."""
        return self._page.panes()

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys that do something on this tab."""
        own: tuple[KeyHint, ...] = ()
        tab = self._page.current_tab()
        if tab == TIERS_TAB and not why_withheld():
            own = (KeyHint(("R",), self.tr("run selected task")),)
        elif tab == EVENTS_TAB:
            own = (KeyHint(("/",), self.tr("search")),)
        return (
            KeyHint(("Ctrl Tab",), self.tr("next tab")),
            *own,
            KeyHint(("F5",), self.tr("refresh")),
            KeyHint(("F6",), self.tr("next pane")),
        )

    @Slot(object, int)
    def show_event(self, workspace_id: str | None, number: int) -> None:
        """Show one event in the log it is in.

        Args:
            workspace_id: Whose log; None for the account's.
            number: Its number there.
        """
        self._page.show_tab(EVENTS_TAB)
        self.log.show_event(workspace_id, number)

    def show_task(self, key: str) -> None:
        """Show the table of background work, with one row of it current.

        Args:
            key: Key of the row; empty leaves the current one.
        """
        self._page.show_tab(TIERS_TAB)
        if not self.tiers.show_task(key):
            self._wanted_task = key

    @Slot()
    def show_log(self) -> None:
        """Show the log, from the newest event."""
        self._page.show_tab(EVENTS_TAB)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        self.log.on_changes(changes)
        self.access.on_changes(changes)
        self.overview.on_changes(changes)

    def refresh(self) -> None:
        """Count or read again what is on show."""
        if not self._page.isVisible():
            return
        if self._page.current_tab() == EVENTS_TAB:
            self.log.refresh()
        elif self._page.current_tab() == ACCESS_TAB:
            self.access.refresh()
        else:
            self.overview.refresh()
            self.tasks.refresh()

    def _watch(self) -> None:
        if not hasattr(self, "tasks"):
            return
        is_shown = self._page.isVisible() and self._page.current_tab() == TIERS_TAB
        self.overview.set_watched(watched=is_shown)
        self.tasks.set_watched(watched=is_shown)

    @Slot()
    def _on_tab_shown(self) -> None:
        self._watch()
        self.told.emit()

    @Slot(str, str)
    def _on_view_wanted(self, name: str, workspace_id: str) -> None:
        self.context.go(ToClientsView(name, workspace_id))

    @Slot(str, str)
    def _on_forget_wanted(self, name: str, workspace_id: str) -> None:
        self.context.go(ToForgetWritten(name, workspace_id))

    @Slot(object)
    def _on_content_changed(self, content: OverviewContent) -> None:
        self.tiers.show_tiers(content.cards)
        self.tiers.show_looks(content.looks)
        self.tiers.show_events(content.events)

    @Slot(object)
    def _on_table_changed(self, table: TaskTable) -> None:
        self.tiers.show_tasks(
            table.rows, is_paused=table.is_paused, can_pause=table.can_pause, tiers=table.tiers
        )
        if self._wanted_task is not None:
            key, self._wanted_task = self._wanted_task, None
            self.tiers.show_task(key)

    @Slot(object)
    def _on_tier_consolidate_requested(self, tier: Tier) -> None:
        self.tasks.run(tier.value)

    @Slot()
    def _on_refreshed(self) -> None:
        announce(self._page, self.tr("The figures are up to date."))

    @Slot()
    def _on_scrub_requested(self) -> None:
        self.scrub.open(self.workspace_id)

    @Slot(object)
    def _on_tier_scrub_requested(self, tier: Tier) -> None:
        self.scrub.open(self.workspace_id, tier)

    @Slot(object)
    def _on_tier_open_requested(self, tier: Tier) -> None:
        self.context.go(ToMemories(tier))

    @Slot(object, object)
    def _on_look_requested(self, kind: AttentionKind | LookKind, tier: Tier) -> None:
        if kind is LookKind.BROKEN_QUESTIONS:
            self.tidying.show_golden()
            return
        if isinstance(kind, LookKind):
            self.tidying.review_tier(tier)
            return
        self.context.go(ToMemories(tier, MemoryFilter(attention=kind)))
