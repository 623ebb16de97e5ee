"""The Control plane page and its view: tabs for whoever looks after this agent's memory."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QWidget

from inklings_desktop.ui.control.schedule_tab import ScheduleTab
from inklings_desktop.ui.control.tiers_page import TiersPage
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.controls.tabs import INSET, WordTab, WordTabBar
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import grouped, tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.marks.labels import elided_label, plain_label, rule
from inklings_desktop.ui.kit.ops.change_bridge import NOTHING
from inklings_desktop.ui.kit.ops.commands import next_tab_keys
from inklings_desktop.ui.kit.ops.storing import storing, why_withheld
from inklings_desktop.ui.kit.page.destinations import ToEvent, ToExport, ToScrub, ToTab, ToTask
from inklings_desktop.ui.kit.page.page import Page

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes


TIERS_TAB = "tiers"
SCHEDULE_TAB = "schedule"
EVENTS_TAB = "events"
ACCESS_TAB = "access"

GUTTER = 24
_HEAD_TOP = 14


class ControlView(QWidget):
    """Everything right of the rail.

    Signals:
        tab_shown: Key of the tab that is on show now.
    """

    tab_shown = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("controlPage")
        self._theme = theme
        self._tabs: list[WordTab] = []
        self._views: dict[str, QWidget] = {}
        on_ground(self, "canvas")
        self.tabs = named(WordTabBar(theme, self), "controlTabs", tr("Control plane"))
        self.tabs.tab_chosen.connect(self._on_tab_chosen)
        self.export = PushButton(theme, tr("Export\u2026"), icon="export", parent=self)
        self.export.setObjectName("exportMemory")
        self.scrub = PushButton(
            theme, tr("Scrub memory\u2026"), kind="dangerOutline", icon="eraser", parent=self
        )
        self.scrub.setObjectName("scrubMemory")
        storing(self.scrub)
        self._stack = QStackedWidget(self)
        self._head = QWidget(self)
        head = hbox(self._head, margins=(GUTTER, 0, GUTTER, 0), spacing=12)
        title = plain_label(tr("Control plane"), "title", self)
        head.addWidget(title)
        purpose = elided_label(tr("look after this agent\u2019s memory"), "meta", self)
        self.new_activity = PushButton(
            theme, tr("New activity\u2026"), kind="primary", icon="plus", parent=self
        )
        self.new_activity.setObjectName("newActivity")
        storing(self.new_activity)
        self.new_activity.hide()
        fill(head, (purpose, 1), self.new_activity, self.export, self.scrub)
        bar = hbox(None, (self.tabs, 1), margins=(GUTTER - INSET, 0, GUTTER, 0))
        vbox(
            self, _HEAD_TOP, self._head, 8, bar, rule(self), (self._stack, 1), margins=0, spacing=0
        )
        for keys, step in zip(next_tab_keys(), (1, -1), strict=True):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(partial(self.tabs.step, step))
        self._on_theme_changed()
        theme.changed.connect(self._on_theme_changed)

    @property
    def place(self) -> QWidget:
        """Where the tabs stand, and are made."""
        return self._stack

    @property
    def theme(self) -> Theme:
        """The look of the page."""
        return self._theme

    def add_tab(self, key: str, name: str, view: QWidget) -> None:
        """Offer one more tab, after those there are; the first one is chosen.

        Args:
            key: Names the tab.
            name: What stands on it.
            view: What it shows.
        """
        self._tabs.append(WordTab(key, name))
        self._views[key] = view
        self._stack.addWidget(view)
        chosen = self.tabs.current_key() or key
        self.tabs.set_tabs(self._tabs)
        self.tabs.choose(chosen)

    def show_count(self, key: str, count: int) -> None:
        """Say on a tab how much is in it."""
        place = next(number for number, one in enumerate(self._tabs) if one.key == key)
        name, told = self._tabs[place].name, grouped(count)
        if self._tabs[place].count_text == told:
            return
        self._tabs[place] = WordTab(key, name, f"{name}, {told}", told)
        chosen = self.tabs.current_key()
        self.tabs.set_tabs(self._tabs)
        self.tabs.choose(chosen)

    def show_tab(self, key: str) -> None:
        """Show the tab with this key."""
        self.tabs.choose(key)

    def current_tab(self) -> str:
        """Key of the tab on show."""
        return self.tabs.current_key()

    def focus_tab(self, reason: Qt.FocusReason = Qt.FocusReason.ShortcutFocusReason) -> None:
        """Bring the keyboard to the view on show, or to the tabs where it takes none."""
        view = self._stack.currentWidget()
        if view is not None and view.focusPolicy() != Qt.FocusPolicy.NoFocus:
            view.setFocus(reason)
        else:
            self.tabs.setFocus(reason)

    @Slot(str)
    def _on_tab_chosen(self, key: str) -> None:
        self._stack.setCurrentWidget(self._views[key])
        is_schedule = key == SCHEDULE_TAB
        self.new_activity.setVisible(is_schedule)
        for one in (self.export, self.scrub):
            one.setVisible(not is_schedule)
        self.tab_shown.emit(key)

    @Slot()
    def _on_theme_changed(self) -> None:
        # The head is as high with the button as without it.
        self._head.setFixedHeight(self._theme.px("control"))


class ControlPage(Page[None]):
    """Hosts its tabs: the first is its own, the others stand in the register of pages."""

    watches = NOTHING  # every tab hears of commits itself
    view: ControlView

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, ControlView(context.theme, parent))
        self._tabs: dict[str, Page[Any]] = {}
        self.tiers = TiersPage(context, self.view.place)
        self._join(TIERS_TAB, tr("Memory tiers"), self.tiers)
        self.tiers.view.latest.log.clicked.connect(lambda: self.view.show_tab(EVENTS_TAB))
        self.view.export.clicked.connect(lambda: context.go(ToExport()))
        self.view.scrub.clicked.connect(lambda: context.go(ToScrub()))
        self.view.tab_shown.connect(self.told)

    def add_tab(self, key: str, title: str, kind: type[Page[Any]]) -> None:
        """Make one more tab, after those there are.

        Args:
            key: Names the tab.
            title: What stands on it.
            kind: The page behind it.
        """
        # Made where it will stand: a move takes Qt through the style of all that is in it.
        page = kind(self.context, self.view.place)
        self._join(key, title, page)
        if isinstance(page, ScheduleTab):
            page.told.connect(lambda: self.view.show_count(key, page.n_activities))
            self.view.new_activity.clicked.connect(page.make_new)

    def _join(self, key: str, title: str, page: Page[Any]) -> None:
        self._tabs[key] = page
        self.view.add_tab(key, title, page.view)

    def tab(self, key: str) -> Page[Any]:
        """The page behind a tab."""
        return self._tabs[key]

    async def open(self, workspace_id: str) -> None:
        self.workspace_id = workspace_id
        for page in self._tabs.values():
            if workspace_id == self.workspace_id:  # else another one was opened meanwhile
                await page.open(workspace_id)

    def on_shown(self, *, is_shown: bool) -> None:
        """Every tab notices itself whether somebody looks."""

    def arrive(self, where: Destination) -> None:
        """Go to a tab, to an event, or to a row of background work."""
        if isinstance(where, ToTab):
            self.view.show_tab(where.key)
            if where.row:
                self._tabs[where.key].arrive(where)
            self.view.focus_tab()
        key = EVENTS_TAB if isinstance(where, ToEvent) else TIERS_TAB
        if isinstance(where, ToEvent | ToTask):
            self.view.show_tab(key)
            self._tabs[key].arrive(where)

    def refresh(self) -> None:
        self._tabs[self.view.current_tab()].refresh()

    def bring_focus(self, reason: Qt.FocusReason) -> None:
        self.view.focus_tab(reason)

    def panes(self) -> Panes:
        """What F6 goes through: the panes of the tab on show."""
        shown = self._tabs[self.view.current_tab()].panes()
        return shown or [(self.view, self.view.focus_tab)]

    def key_hints(self) -> tuple[KeyHint, ...]:
        own: tuple[KeyHint, ...] = ()
        tab = self.view.current_tab()
        if tab == SCHEDULE_TAB:
            return self._tabs[tab].key_hints()
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
