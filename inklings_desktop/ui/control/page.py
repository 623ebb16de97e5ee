"""The Control plane page: tabs for whoever looks after this agent's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot

from inklings_desktop.ui.control.tiers_page import TiersPage
from inklings_desktop.ui.control.view import EVENTS_TAB, TIERS_TAB, ControlView
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.storing import why_withheld
from inklings_desktop.ui.kit.page.destinations import ToEvent, ToExport, ToScrub, ToTab, ToTask
from inklings_desktop.ui.kit.page.page import Page

if TYPE_CHECKING:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes


class ControlPage(Page[None]):
    """Hosts its tabs: the first is its own, the others stand in the register of pages."""

    view: ControlView

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, ControlView(context.theme, parent))
        self._tabs: dict[str, Page[Any]] = {}
        self.tiers = TiersPage(context, self.view.place)
        self._join(TIERS_TAB, tr("Memory tiers"), self.tiers)
        self.tiers.log_wanted.connect(self._on_log_wanted)
        self.view.export.clicked.connect(self._on_export_requested)
        self.view.scrub.clicked.connect(self._on_scrub_requested)
        self.view.tab_shown.connect(self.told)

    def add_tab(self, key: str, title: str, kind: type[Page[Any]]) -> None:
        """Make one more tab, after those there are.

        Args:
            key: Names the tab.
            title: What stands on it.
            kind: The page behind it.
        """
        # Made where it will stand: a move takes Qt through the style of all that is in it.
        self._join(key, title, kind(self.context, self.view.place))

    def _join(self, key: str, title: str, page: Page[Any]) -> None:
        self._tabs[key] = page
        self.view.add_tab(key, title, page.view)

    def tab(self, key: str) -> Page[Any]:
        """The page behind a tab."""
        return self._tabs[key]

    async def open(self, workspace_id: str) -> None:
        """Show the control plane of a workspace."""
        self.workspace_id = workspace_id
        for page in self._tabs.values():
            if workspace_id == self.workspace_id:  # else another one was opened meanwhile
                await page.open(workspace_id)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Every tab hears of commits itself."""

    def on_shown(self, *, is_shown: bool) -> None:
        """Every tab notices itself whether somebody looks."""

    def arrive(self, where: Destination) -> None:
        """Go to a tab, to an event, or to a row of background work."""
        if isinstance(where, ToTab):
            self.view.show_tab(where.key)
            self.view.focus_tab()
        key = EVENTS_TAB if isinstance(where, ToEvent) else TIERS_TAB
        if isinstance(where, ToEvent | ToTask):
            self.view.show_tab(key)
            self._tabs[key].arrive(where)

    def refresh(self) -> None:
        """Count or read again what is on show."""
        self._tabs[self.view.current_tab()].refresh()

    def bring_focus(self, reason: Qt.FocusReason) -> None:
        """Bring the keyboard to the tab on show."""
        self.view.focus_tab(reason)

    def panes(self) -> Panes:
        """What F6 goes through: the panes of the tab on show."""
        shown = self._tabs[self.view.current_tab()].panes()
        return shown or [(self.view, self.view.focus_tab)]

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys that do something on this tab."""
        own: tuple[KeyHint, ...] = ()
        tab = self.view.current_tab()
        if tab == TIERS_TAB and not why_withheld():
            own = (KeyHint(("R",), tr("run selected task")),)
        elif tab == EVENTS_TAB:
            own = (KeyHint(("/",), tr("search")),)
        return (
            KeyHint(("Ctrl Tab",), tr("next tab")),
            *own,
            KeyHint(("F5",), tr("refresh")),
            KeyHint(("F6",), tr("next pane")),
        )

    @Slot()
    def _on_log_wanted(self) -> None:
        self.view.show_tab(EVENTS_TAB)

    @Slot()
    def _on_export_requested(self) -> None:
        self.context.go(ToExport())

    @Slot()
    def _on_scrub_requested(self) -> None:
        self.context.go(ToScrub())
