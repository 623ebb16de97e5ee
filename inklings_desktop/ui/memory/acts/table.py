"""What can be done to memories from their list: the acts, their keys, their menus."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from inklings_desktop.domain.memories.memory_marks import MemoryMark
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import tr, tr_as
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
    SCRUB = "scrub"


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


def act_names() -> dict[MemoryAct, str]:
    """What acts on what is remembered are called, in the order of a menu."""
    return {
        MemoryAct.EDIT: tr("Edit"),
        MemoryAct.TAGS: tr("Edit tags"),
        MemoryAct.LIFETIME: tr("Short-term or long-term"),
        MemoryAct.RAISE: tr("Raise importance"),
        MemoryAct.LOWER: tr("Lower importance"),
        MemoryAct.COPY_TEXT: tr("Copy text"),
        MemoryAct.REPLACE: tr("Search and replace\u2026"),
        MemoryAct.COPY_TO: tr("Copy to another tier\u2026"),
        MemoryAct.CONFIRM: tr("Still true"),
        MemoryAct.PIN: tr("Pin: never fades"),
        MemoryAct.UNPIN: tr("Unpin"),
        MemoryAct.PAUSE: tr("Pause: never retrieved"),
        MemoryAct.RESUME: tr_as("a memory", "Resume"),
        MemoryAct.LOCK: tr("Lock: agents only propose"),
        MemoryAct.UNLOCK: tr("Unlock"),
        MemoryAct.FORGET: tr("Forget"),
        MemoryAct.FORGET_BECAUSE: tr("Forget with a reason\u2026"),
        MemoryAct.SCRUB: tr("Delete for good\u2026"),
    }


class ListActions(QObject):
    """Acts on the checked memories, else on the current one; keys are heard by the list alone."""

    def __init__(self, table: QWidget, act: Callable[[MemoryAct], None]) -> None:
        super().__init__(table)
        self._actions: dict[MemoryAct, QAction] = {}
        for what, name in act_names().items():
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


_FORGETTING = (MemoryAct.FORGET, MemoryAct.FORGET_BECAUSE)


def offer(menu: QMenu, act: Callable[[MemoryAct], None], *acts: MemoryAct) -> None:
    """Offer these in a menu."""
    names = act_names() | {MemoryAct.RESTORE: tr("Restore")}
    for one in acts:
        action = menu.addAction(names[one], partial(act, one))
        action.setData(one)
        if one is not MemoryAct.COPY_TEXT:
            storing(action)


def show_keys(menu: QMenu) -> None:
    """Say beside what a menu offers which key does it in the list; the list hears it itself."""
    for action in menu.actions():
        if (keys := _KEYS.get(action.data())) is not None:
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setShortcutVisibleInContextMenu(True)


def fill_change_acts(menu: QMenu, about: Actable, act: Callable[[MemoryAct], None]) -> None:
    """Offer what changes values of memories that are not forgotten."""
    if about.is_forgotten:
        return
    offer(menu, act, MemoryAct.TAGS)
    if about.has_lifetimes:
        offer(menu, act, MemoryAct.LIFETIME)
    offer(menu, act, MemoryAct.RAISE, MemoryAct.LOWER)


def fill_state_acts(menu: QMenu, about: Actable, act: Callable[[MemoryAct], None]) -> None:
    """Offer what sets and lifts the states of memories that are not forgotten."""
    if about.is_forgotten:
        return
    for mark, is_on in (
        (MemoryMark.PINNED, about.pinned),
        (MemoryMark.PAUSED, about.paused),
        (MemoryMark.LOCKED, about.locked),
    ):
        offer(menu, act, marking_act(mark, on=not is_on))
    offer(menu, act, MemoryAct.CONFIRM)


def fill_copy_acts(menu: QMenu, about: Actable, act: Callable[[MemoryAct], None]) -> None:
    """Offer what is about the text of one memory that is not forgotten."""
    if not about.is_forgotten:
        offer(menu, act, MemoryAct.REPLACE, MemoryAct.COPY_TO)


def fill_end_acts(menu: QMenu, about: Actable, act: Callable[[MemoryAct], None]) -> None:
    """Offer to forget memories or to restore forgotten ones, and to delete either for good."""
    acts = (MemoryAct.RESTORE,) if about.is_forgotten else _FORGETTING
    offer(menu, act, *acts, MemoryAct.SCRUB)
