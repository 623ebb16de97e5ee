"""What can be done to memories from their list: the acts, their keys, their menus."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from inklings_desktop.domain.memories.memory_marks import MemoryMark
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.storing import storing

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu, QWidget


class MemoryAct(Enum):
    """One thing a person can ask for; it is about the checked memories, else the current one."""

    EDIT = "edit"
    TAGS = "tags"
    LIFETIME = "lifetime"
    RAISE = "raise"
    LOWER = "lower"
    COPY_TEXT = "copy_text"
    COPY_TO = "copy_to"
    REPLACE = "replace"
    CONFIRM = "confirm"
    PIN = "pin"
    UNPIN = "unpin"
    PAUSE = "pause"
    RESUME = "resume"
    LOCK = "lock"
    UNLOCK = "unlock"
    FORGET = "forget"
    FORGET_BECAUSE = "forget_because"
    RESTORE = "restore"


MARKING_ACTS = {
    MemoryAct.PIN: (MemoryMark.PINNED, True),
    MemoryAct.UNPIN: (MemoryMark.PINNED, False),
    MemoryAct.PAUSE: (MemoryMark.PAUSED, True),
    MemoryAct.RESUME: (MemoryMark.PAUSED, False),
    MemoryAct.LOCK: (MemoryMark.LOCKED, True),
    MemoryAct.UNLOCK: (MemoryMark.LOCKED, False),
}
"""Which mark an act sets or lifts."""


def marking_act(mark: MemoryMark, *, on: bool) -> MemoryAct:
    """The act that sets or lifts a mark."""
    return next(act for act, one in MARKING_ACTS.items() if one == (mark, on))


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


@dataclass(frozen=True, slots=True)
class Actable:
    """What is known of the memories that a menu is about.

    Attributes:
        is_forgotten: They are forgotten ones.
        pinned: All of them are; likewise ``paused`` and ``locked``.
        has_lifetimes: Their tier leaves a choice of lifetime.
    """

    is_forgotten: bool = False
    pinned: bool = False
    paused: bool = False
    locked: bool = False
    has_lifetimes: bool = True


def fill_state_acts(menu: QMenu, about: Actable, act: Callable[[MemoryAct], None]) -> None:
    """Offer what sets and lifts the states of memories that are not forgotten."""
    if about.is_forgotten:
        return
    for mark, is_on, words in (
        (MemoryMark.PINNED, about.pinned, (tr("Pin: never fades"), tr("Unpin"))),
        (MemoryMark.PAUSED, about.paused, (tr("Pause: never retrieved"), tr("Resume"))),
        (MemoryMark.LOCKED, about.locked, (tr("Lock: agents only propose"), tr("Unlock"))),
    ):
        storing(menu.addAction(words[is_on], partial(act, marking_act(mark, on=not is_on))))
    storing(menu.addAction(tr("Still true"), partial(act, MemoryAct.CONFIRM)))


def fill_copy_acts(menu: QMenu, about: Actable, act: Callable[[MemoryAct], None]) -> None:
    """Offer what is about the text of one memory that is not forgotten."""
    if about.is_forgotten:
        return
    storing(menu.addAction(tr("Search and replace\u2026"), partial(act, MemoryAct.REPLACE)))
    storing(menu.addAction(tr("Copy to another tier\u2026"), partial(act, MemoryAct.COPY_TO)))


def fill_end_acts(menu: QMenu, about: Actable, act: Callable[[MemoryAct], None]) -> None:
    """Offer to forget memories, or to restore forgotten ones."""
    if about.is_forgotten:
        storing(menu.addAction(tr("Restore"), partial(act, MemoryAct.RESTORE)))
        return
    storing(menu.addAction(tr("Forget"), partial(act, MemoryAct.FORGET)))
    storing(
        menu.addAction(tr("Forget with a reason\u2026"), partial(act, MemoryAct.FORGET_BECAUSE))
    )
