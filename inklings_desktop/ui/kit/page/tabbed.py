"""A page of tabs, each a page of its own, below one head."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QWidget

from inklings_desktop.ui.kit.controls.tabs import INSET, WordTab, WordTabBar
from inklings_desktop.ui.kit.look.layouts import on_ground, vbox
from inklings_desktop.ui.kit.look.translation import grouped
from inklings_desktop.ui.kit.ops.commands import next_tab_keys
from inklings_desktop.ui.kit.page.declared import LOOK, Declared, part
from inklings_desktop.ui.kit.page.parts import hairline, plate, sized, words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.ui.kit.marks.key_hints import KeyHint
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.kit.page.page import Page, Panes

ContentT = TypeVar("ContentT")
GUTTER = 24
"""Pixels at the sides of a head."""
_HEAD_TOP, _TITLE = 14, 34


class Tab(Protocol):
    """What a tab is beside a page.

    Attributes:
        key: Names it.
    """

    key: str

    def __call__(self, context: Context, parent: QWidget) -> Page[Any]:
        """Make it."""

    def title(self) -> str:
        """What stands on it."""

    def read_count(self, context: Context, workspace_id: str) -> int:
        """How much there is in it; runs on a reader."""


class Tabbed(Declared[ContentT]):
    """Hosts its tabs, of which one is on show.

    Attributes:
        name: Object names of its parts begin so.
        kinds: What makes the tabs, in their order.
        authors: Keys of those that nobody sees through a client's eyes.
        tabs: By their keys.
        tab: Key of the one on show.
    """

    name: ClassVar[str]
    kinds: ClassVar[tuple[Tab, ...]]
    authors: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, context: Context, parent: QWidget) -> None:
        view = QWidget(parent)
        view.setObjectName(f"{self.name}Page")
        on_ground(view, "canvas")
        self._stack = QStackedWidget(view)
        hidden = self.authors if context.inklings.caller.is_agent else ()
        self._shown = tuple(one for one in self.kinds if one.key not in hidden)
        self.tab = self._shown[0].key
        self.tabs: dict[str, Page[Any]] = {
            one.key: one(context, self._stack) for one in self._shown
        }
        for tab in self.tabs.values():
            self._stack.addWidget(tab.view)
        head = vbox(None, margins=0, spacing=0)
        vbox(view, head, (self._stack, 1), margins=0, spacing=0)
        super().__init__(context, view, head)
        for tab in self.tabs.values():
            tab.told.connect(self.told)
        for by, keys in zip((1, -1), next_tab_keys(), strict=True):
            shortcut = QShortcut(QKeySequence(keys), view)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(partial(self._step, by))

    async def open(self, workspace_id: str) -> None:
        """Stand to another workspace, with every tab."""
        self.content = None
        await super().open(workspace_id)
        for tab in self.tabs.values():
            if workspace_id == self.workspace_id:  # else another one was opened meanwhile
                await tab.open(workspace_id)

    def read_counts(self) -> Mapping[str, int]:
        """By keys of tabs how much is in each; runs on a reader."""
        return {one.key: one.read_count(self.context, self.workspace_id) for one in self._shown}

    def said_head(
        self, title: str, under: str, counts: Mapping[str, int], *beside: Inside, hint: str = ""
    ) -> tuple[Part, ...]:
        """The title with a line after it, what stands at the right, and the tabs below."""
        self._stack.setCurrentWidget(self.below)
        tabs = tuple(
            _tab(one.key, one.title(), grouped(counts.get(one.key, 0))) for one in self._shown
        )
        return (
            plate(
                words(title, "title", way="plain"),
                words(under, way="elided", name=f"{self.name}Line", toolTip=hint, place=(1,)),
                *beside,
                margins=(GUTTER, _HEAD_TOP, GUTTER, 4),
                spacing=12,
                dress=sized(fixedHeight=_HEAD_TOP + _TITLE + 6),
            ),
            plate(
                part(
                    *(WordTabBar, LOOK),
                    name=f"{self.name}Tabs",
                    spoken=title,
                    tabs=(tabs, self.tab),
                    tab_chosen=self.show_tab,
                    place=(1,),
                ),
                margins=(GUTTER - INSET, 0, GUTTER, 0),
            ),
            hairline(),
        )

    @property
    def below(self) -> QWidget:
        """What is below the head: the tab on show."""
        return self.tabs[self.tab].view

    @Slot(str)
    def show_tab(self, key: str) -> None:
        """Show a tab by its key."""
        self.tab = key
        self.say_again()
        self.told.emit()

    def _step(self, by: int) -> None:
        keys = list(self.tabs)
        self.show_tab(keys[(keys.index(self.tab) + by) % len(keys)])
        self.bring_focus(Qt.FocusReason.ShortcutFocusReason)

    def refresh(self) -> None:
        super().refresh()
        for tab in self.tabs.values():
            tab.refresh()

    async def may_leave(self) -> bool:
        return all([await tab.may_leave() for tab in self.tabs.values()])

    @property
    def has_unsaved(self) -> bool:
        """Whether a tab holds text that closing would lose."""
        return any(tab.has_unsaved for tab in self.tabs.values())

    def only_look(self) -> None:
        for tab in self.tabs.values():
            tab.only_look()

    def bring_focus(self, reason: Qt.FocusReason) -> None:
        self.tabs[self.tab].bring_focus(reason)

    def panes(self) -> Panes:
        return self.tabs[self.tab].panes()

    def key_hints(self) -> tuple[KeyHint, ...]:
        return self.tabs[self.tab].key_hints()


def _tab(key: str, title: str, count: str) -> WordTab:
    return WordTab(key, title, f"{title}, {count}", count)
