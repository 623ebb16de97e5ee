"""What the clock remembers of each piece of work, and what it tells of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.usecases.background.background_work import TaskStatus


@dataclass(frozen=True, slots=True)
class TaskNews:
    """Something happened to one piece of work.

    Attributes:
        status: How it stands now.
        what: ``started``, ``progress``, ``finished`` or ``failed``.
    """

    status: TaskStatus
    what: str


@dataclass(slots=True)
class Memo:
    """What this process remembers of one target.

    Attributes:
        status: How it stands, as a person is shown it.
        has_run: Whether it ran since the start.
        event: Whether something happened that brings it.
        is_unfinished: Whether it was stopped with work left.
        not_before: Until when it is left alone.
        is_requested: Whether a person asked for it.
    """

    status: TaskStatus
    has_run: bool = False
    event: bool = False
    is_unfinished: bool = False
    not_before: datetime | None = None
    is_requested: bool = False
