"""Why nothing would come of an act on memories, said in a few words; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.memories.memory_marks import MemoryMark
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.memory.wishes import MARKING_ACTS, MemoryAct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.memory.acts.chosen import Chosen

_FORGETTING = frozenset({MemoryAct.FORGET, MemoryAct.FORGET_BECAUSE})
_FOR_FORGOTTEN = frozenset({MemoryAct.RESTORE, MemoryAct.COPY_TEXT, MemoryAct.EDIT})


def why_not(act: MemoryAct, targets: Sequence[Chosen]) -> str:
    """Why an act would change none of these memories; empty where it can change one.

    Args:
        act: What is asked for.
        targets: The memories it is about; at least one.
    """
    is_forgotten = all(one.is_forgotten for one in targets)
    if act is MemoryAct.RESTORE:
        some = any(one.is_forgotten for one in targets)
        return "" if some else _tr("Nothing to restore: this is not forgotten")
    if is_forgotten and act in _FORGETTING:
        return _tr("Forgotten already")
    if is_forgotten and act not in _FOR_FORGOTTEN:
        return _tr("What is forgotten stays as it is; restore it first")
    if act is MemoryAct.LIFETIME and all(
        one.ref.scope.tier is Tier.CONVERSATION for one in targets
    ):
        return _tr("What a conversation keeps lives as long as the conversation")
    marking = MARKING_ACTS.get(act)
    if marking is not None and all(_has(one, marking[0]) is marking[1] for one in targets):
        return _tr("That is so already")
    return ""


def _has(one: Chosen, mark: MemoryMark) -> bool:
    return {
        MemoryMark.PINNED: one.pinned,
        MemoryMark.PAUSED: one.paused,
        MemoryMark.LOCKED: one.locked,
    }[mark]


def _tr(text: str) -> str:
    return QCoreApplication.translate("act_hints", text)
