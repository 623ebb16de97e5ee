"""What can be done to memories from their list, with its keys, for list, menu and palette."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.memory.wishes import MemoryAct

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

# Names alone: Qt looks up what a key is on this system, and may only once a program stands.
_KEYS: dict[MemoryAct, str | QKeySequence.StandardKey] = {
    MemoryAct.EDIT: "E",
    MemoryAct.TAGS: "T",
    MemoryAct.LIFETIME: "L",
    MemoryAct.RAISE: "]",
    MemoryAct.LOWER: "[",
    MemoryAct.COPY_TEXT: "Ctrl+C",
    MemoryAct.FORGET: QKeySequence.StandardKey.Delete,
}


class ListActions(QObject):
    """Acts on the checked memories, else on the current one; keys are heard by the list alone."""

    def __init__(self, table: QWidget, act: Callable[[MemoryAct], None]) -> None:
        super().__init__(table)
        self._actions: dict[MemoryAct, QAction] = {}
        for what, name in self._names().items():
            action = QAction(name, self)
            if what in _KEYS:
                action.setShortcut(QKeySequence(_KEYS[what]))
                action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(partial(act, what))
            table.addAction(action)
            self._actions[what] = action
            if what is not MemoryAct.COPY_TEXT:
                storing(action)

    @property
    def forget(self) -> QAction:
        """The key of forgetting; the menu has an entry of its own for it."""
        return self._actions[MemoryAct.FORGET]

    def offered(self) -> tuple[QAction, ...]:
        """Everything but forgetting, in the order of a menu."""
        return tuple(one for what, one in self._actions.items() if what is not MemoryAct.FORGET)

    def show_possible(self, *, pinned: bool, paused: bool, locked: bool) -> None:
        """Offer to set what is not set, and to lift what is."""
        for is_set, to_set, to_lift in (
            (pinned, MemoryAct.PIN, MemoryAct.UNPIN),
            (paused, MemoryAct.PAUSE, MemoryAct.RESUME),
            (locked, MemoryAct.LOCK, MemoryAct.UNLOCK),
        ):
            self._actions[to_set].setVisible(not is_set)
            self._actions[to_lift].setVisible(is_set)

    def show_all(self) -> None:
        """Offer everything: several memories may differ in what is set."""
        for action in self._actions.values():
            action.setVisible(True)

    def withhold_changes(self) -> None:
        """Leave only what changes nothing."""
        for what, action in self._actions.items():
            action.setEnabled(what is MemoryAct.COPY_TEXT)

    def _names(self) -> dict[MemoryAct, str]:
        return {
            MemoryAct.EDIT: self.tr("Edit"),
            MemoryAct.TAGS: self.tr("Edit tags"),
            MemoryAct.LIFETIME: self.tr("Short-term or long-term"),
            MemoryAct.RAISE: self.tr("Raise importance"),
            MemoryAct.LOWER: self.tr("Lower importance"),
            MemoryAct.COPY_TEXT: self.tr("Copy text"),
            MemoryAct.REPLACE: self.tr("Search and replace\u2026"),
            MemoryAct.COPY_TO: self.tr("Copy to another tier\u2026"),
            MemoryAct.CONFIRM: self.tr("Still true"),
            MemoryAct.PIN: self.tr("Pin: never fades"),
            MemoryAct.UNPIN: self.tr("Unpin"),
            MemoryAct.PAUSE: self.tr("Pause: never retrieved"),
            MemoryAct.RESUME: self.tr("Resume"),
            MemoryAct.LOCK: self.tr("Lock: agents only propose"),
            MemoryAct.UNLOCK: self.tr("Unlock"),
            MemoryAct.FORGET: self.tr("Forget"),
            MemoryAct.FORGET_BECAUSE: self.tr("Forget with a reason\u2026"),
        }
