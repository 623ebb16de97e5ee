"""The menu of what can be done to memories: the same words in every place that offers it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.memories.memory_marks import MemoryMark
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.memory.wishes import MemoryAct, marking_act

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenu


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
        (MemoryMark.PINNED, about.pinned, (_tr("Pin: never fades"), _tr("Unpin"))),
        (MemoryMark.PAUSED, about.paused, (_tr("Pause: never retrieved"), _tr("Resume"))),
        (MemoryMark.LOCKED, about.locked, (_tr("Lock: agents only propose"), _tr("Unlock"))),
    ):
        storing(menu.addAction(words[is_on], partial(act, marking_act(mark, on=not is_on))))
    storing(menu.addAction(_tr("Still true"), partial(act, MemoryAct.CONFIRM)))


def fill_copy_acts(menu: QMenu, about: Actable, act: Callable[[MemoryAct], None]) -> None:
    """Offer what is about the text of one memory that is not forgotten."""
    if about.is_forgotten:
        return
    storing(menu.addAction(_tr("Search and replace\u2026"), partial(act, MemoryAct.REPLACE)))
    storing(menu.addAction(_tr("Copy to another tier\u2026"), partial(act, MemoryAct.COPY_TO)))


def fill_end_acts(menu: QMenu, about: Actable, act: Callable[[MemoryAct], None]) -> None:
    """Offer to forget memories, or to restore forgotten ones."""
    if about.is_forgotten:
        storing(menu.addAction(_tr("Restore"), partial(act, MemoryAct.RESTORE)))
        return
    storing(menu.addAction(_tr("Forget"), partial(act, MemoryAct.FORGET)))
    storing(
        menu.addAction(_tr("Forget with a reason\u2026"), partial(act, MemoryAct.FORGET_BECAUSE))
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("acts", text)
