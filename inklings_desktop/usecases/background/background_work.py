"""What a door may ask of the clock, and what the clock says of its work."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from inklings_desktop.domain.background.tasks import TaskTarget


STEP = 50
"""Memories whose vectors are stored in one transaction."""
BUSY = "busy"
"""Why work stopped: the person came back."""


class TaskPhase(StrEnum):
    """What one piece of work is doing at the moment."""

    WAITING = "waiting"
    WAITS_FOR_IDLE = "waits_for_idle"
    WAITS_FOR_MAINS = "waits_for_mains"
    """It is due, and the machine runs on its battery."""
    RUNNING = "running"
    PAUSED = "paused"
    FAILED = "failed"
    STOPPED = "stopped"


WAITING = frozenset({TaskPhase.WAITING, TaskPhase.WAITS_FOR_IDLE, TaskPhase.WAITS_FOR_MAINS})


@dataclass(frozen=True, slots=True)
class TaskStatus:
    """One piece of work, as a person is shown it.

    Attributes:
        target: Which work, on what.
        phase: What it is doing.
        step: The step under way, a stable word; empty while it waits.
        done: Units of the step done.
        total: Units in all; 0 if unknown.
        reason: Why it runs or last ran, a stable word.
        last_run_at: End of the last run.
        next_due_at: When the clock brings the next one; None if only an event does.
        problem: Why the last run did not finish, a stable word; empty otherwise.
        counts: What the last run of this program did.
        run_id: The last run of this program, if the history keeps it.
    """

    target: TaskTarget
    phase: TaskPhase = TaskPhase.WAITING
    step: str = ""
    done: int = 0
    total: int = 0
    reason: str = ""
    last_run_at: datetime | None = None
    next_due_at: datetime | None = None
    problem: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    run_id: str = ""


@dataclass(frozen=True, slots=True)
class BackgroundStatus:
    """All background work.

    Attributes:
        is_paused: Whether the person paused all of it.
        tasks: Every piece of work that is known, in a fixed order.
    """

    is_paused: bool
    tasks: tuple[TaskStatus, ...]


class BackgroundWork(Protocol):
    """The clock's work as a door steers it; every call returns at once, from any thread."""

    def status(self) -> BackgroundStatus:
        """What there is to do and how far it has come."""
        ...

    def request(self, target: TaskTarget) -> None:
        """Do this next, whatever the clock says.

        Args:
            target: Which work; a consolidation of any scope key, or any work of ``status``.
        """
        ...

    def cancel(self, target: TaskTarget | None = None) -> None:
        """Stop this work, or whatever runs, after its current step."""
        ...

    def pause(self) -> None:
        """Stop what runs after its current step, and begin nothing until ``resume``."""
        ...

    def resume(self) -> None:
        """Go on after ``pause``."""
        ...

    def begin(self) -> None:
        """The window has shown what it shows first: look what there is to do."""
        ...

    def note_activity(self) -> None:
        """The person is doing something: heavy work yields."""
        ...
