"""What is said inside a dialog beside what it shows: what happened, and what holds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class NoticeKind(StrEnum):
    """How much a notice weighs: the role of its colour."""

    NEWS = "lapis"
    PROBLEM = "madder"


@dataclass(frozen=True, slots=True)
class ScrubNotice:
    """One thing to say inside the dialog: what happened, and what holds."""

    kind: NoticeKind
    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReviewNotice:
    """One thing to say inside the dialog; ``role`` is the colour it is said in."""

    role: str
    title: str
    text: str = ""
