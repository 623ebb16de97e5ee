"""What a key, a menu or a button asks to be done to memories, whichever of them it is."""

from __future__ import annotations

from enum import Enum

from inklings_desktop.domain.memories.memory_marks import MemoryMark


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
