"""Menus and keys of acts on memories, as their table has them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.memory.acts.table import ACTS, MemoryAct

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu, QWidget

    from inklings_desktop.ui.kit.lists.memory_row_layout import MemoryRow


class ListActions(QObject):
    """Acts on the checked memories, else on the current one; keys are heard by the list alone.

    Attributes:
        has_pages: Whether a folder of pages is linked in the open workspace.
    """

    def __init__(self, table: QWidget, act: Callable[[MemoryAct], None]) -> None:
        super().__init__(table)
        self._actions: dict[MemoryAct, QAction] = {}
        self.has_pages = False
        for what, row in ACTS.items():
            if what is MemoryAct.RESTORE or not row.name():
                continue
            action = self._actions[what] = QAction(row.name(), self)
            if row.key:
                action.setShortcut(QKeySequence(row.key))
                action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(partial(act, what))
            table.addAction(action)
            if what is not MemoryAct.COPY_TEXT:
                storing(action)
        self.show_linked(is_linked=False)

    def show_linked(self, *, is_linked: bool) -> None:
        """Offer what is about pages only where some are linked."""
        self.has_pages = is_linked
        for what in PAGES:
            self._actions[what].setProperty("isOff", not is_linked)
            self._actions[what].setVisible(is_linked)

    @property
    def forget(self) -> QAction:
        """The key of forgetting; the menu has an entry of its own for it."""
        return self._actions[MemoryAct.FORGET]

    def offered(self) -> tuple[QAction, ...]:
        """Everything but forgetting, in the order of a menu."""
        return tuple(one for what, one in self._actions.items() if what is not MemoryAct.FORGET)

    def show_possible(self, about: Actable | MemoryRow | None) -> None:
        """Offer to set what is not set, and to lift what is; all where they differ (None)."""
        for what, action in self._actions.items():
            if (mark := ACTS[what].mark) is not None:
                is_set = about is not None and getattr(about, mark[0].value)
                action.setVisible(about is None or is_set is not mark[1])
        for what in PAGES:
            self._actions[what].setVisible(self.has_pages)

    def withhold_changes(self) -> None:
        """Leave only what changes nothing."""
        for what, action in self._actions.items():
            action.setEnabled(what is MemoryAct.COPY_TEXT)


@dataclass(frozen=True, slots=True)
class Actable:
    """What is known of the memories that a menu is about.

    Attributes:
        is_forgotten: They are forgotten ones.
        pinned: All of them are; likewise ``paused`` and ``locked``.
        has_lifetimes: Their tier leaves a choice of lifetime.
        has_pages: A folder of pages is linked in their world.
    """

    is_forgotten: bool = False
    pinned: bool = False
    paused: bool = False
    locked: bool = False
    has_lifetimes: bool = True
    has_pages: bool = False


CHANGES = (MemoryAct.TAGS, MemoryAct.LIFETIME, MemoryAct.RAISE, MemoryAct.LOWER)
PAGES = (MemoryAct.DERIVE, MemoryAct.PROMOTE)
TEXTS = (MemoryAct.REPLACE, MemoryAct.COPY_TO, MemoryAct.MAKE_FACT, *PAGES)
STATES = (*(act for act, row in ACTS.items() if row.mark is not None), MemoryAct.CONFIRM)
ENDS = (MemoryAct.RESTORE, MemoryAct.FORGET, MemoryAct.FORGET_BECAUSE, MemoryAct.SCRUB)


def _is_offered(act: MemoryAct, about: Actable) -> bool:
    if (mark := ACTS[act].mark) is not None and getattr(about, mark[0].value) is mark[1]:
        return False
    if act in {MemoryAct.EDIT, MemoryAct.COPY_TEXT, MemoryAct.SCRUB}:
        return True
    if act in PAGES and not about.has_pages:
        return False
    has_choice = act is not MemoryAct.LIFETIME or about.has_lifetimes
    return has_choice and about.is_forgotten is (act is MemoryAct.RESTORE)


def offer(menu: QMenu, act: Callable[[MemoryAct], None], about: Actable, *acts: MemoryAct) -> None:
    """Offer in a menu those of these that would change something."""
    for one in acts:
        if _is_offered(one, about):
            action = menu.addAction(ACTS[one].name(), partial(act, one))
            action.setData(one)
            if one is not MemoryAct.COPY_TEXT:
                storing(action)


def show_keys(menu: QMenu) -> None:
    """Say beside what a menu offers which key does it in the list; the list hears it itself."""
    for action in menu.actions():
        row = ACTS.get(action.data())
        if row is not None and row.key:
            action.setShortcut(QKeySequence(row.key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setShortcutVisibleInContextMenu(True)
