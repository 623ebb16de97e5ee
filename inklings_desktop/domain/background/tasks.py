"""What the clock does in the background, what it keeps of it, and what one run did."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey, Tier


@dataclass(frozen=True, slots=True)
class MergedByRun:
    """One memory that a run wrote, and what it was made from; as all of them are now."""

    merged: MemoryEntry
    sources: tuple[MemoryEntry, ...]


@dataclass(frozen=True, slots=True)
class RunDetails:
    """One run and the memories it treated; those that were scrubbed since are left out.

    Attributes:
        merged: What it wrote.
        pruned: What it forgot because it had faded.
        promoted: What it made long-term.
        capped: What it forgot because there was no room.
        n_more: Steps beyond the first five hundred, which are not shown.
    """

    run: TaskRun
    merged: tuple[MergedByRun, ...] = ()
    pruned: tuple[MemoryEntry, ...] = ()
    promoted: tuple[MemoryEntry, ...] = ()
    capped: tuple[MemoryEntry, ...] = ()
    n_more: int = 0


class TaskKind(StrEnum):
    """Kinds of background work."""

    EMBED_WRITTEN = "embed_written"
    BACKFILL = "backfill"
    CONSOLIDATION = "consolidation"
    CONVERSATION_CLOSE = "conversation_close"
    BACKUP = "backup"
    """Leaves no run in the history: the backups themselves are it."""
    WORLD = "world_index"
    """Neither does reading the author's pages: the changes of the pages are it."""
    ACTIVITY = "activity"
    """Nor an activity: its conversations are its history."""


SETS_ASIDE = frozenset({TaskKind.CONSOLIDATION, TaskKind.CONVERSATION_CLOSE})
"""Work that may forget memories."""


class RunState(StrEnum):
    """How far a run has come."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"
    UNDONE = "undone"


LARGE = "large"
_SET_ASIDE = ("forgotten", "pruned", "parent", "capped")
CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TaskTarget:
    """What one kind of work is done on.

    Attributes:
        workspace_id: In whose file; None for the account's.
        scope: Under which scope key; None for work on a whole file.
        subject: Id of what else it is about, as an activity; empty for nothing.
    """

    kind: TaskKind
    workspace_id: str | None
    scope: ScopeKey | None = None
    subject: str = ""

    @property
    def tier(self) -> Tier | None:
        """The tier of its scope."""
        return None if self.scope is None else self.scope.tier

    @property
    def name(self) -> str:
        """Its name within the file: what a lease is taken on."""
        if self.subject:
            return f"{self.kind.value}:{self.subject}"
        if self.scope is None:
            return self.kind.value
        return f"{self.kind.value} {self.scope.tier.value} {self.scope.key}"


def backup_of(workspace_id: str | None) -> TaskTarget:
    """The automatic backup of one file."""
    return TaskTarget(TaskKind.BACKUP, workspace_id)


def world_of(workspace_id: str) -> TaskTarget:
    """Reading the author's pages of one workspace."""
    return TaskTarget(TaskKind.WORLD, workspace_id)


@dataclass(frozen=True, slots=True)
class TaskRun:
    """One run, as the history keeps it: ids, figures and words of the program's own.

    Attributes:
        id: Random UUID; what the run wrote or forgot names it.
        target: What it worked on.
        trigger: Why it began, a stable word such as ``interval`` or ``request``.
        state: How far it has come.
        ended_at: When it ended; None while it runs.
        counts: What it did.
        problem: Why it did not finish, a stable word; empty otherwise.
    """

    id: str
    target: TaskTarget
    trigger: str
    state: RunState
    started_at: datetime
    ended_at: datetime | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    problem: str = ""

    @property
    def n_set_aside(self) -> int:
        """Memories that are forgotten since, those that live on in a merged one included."""
        return sum(self.counts.get(name, 0) for name in _SET_ASIDE)


class StepKind(StrEnum):
    """What a run did to one memory; what a pass over closed conversations forgot is pruned."""

    PROMOTED = "promoted"
    PRUNED = "pruned"
    MERGED = "merged"
    PARENT = "parent"
    CAPPED = "capped"


@dataclass(frozen=True, slots=True)
class RunStep:
    """What a run did to one memory, so that it can be taken back.

    Attributes:
        kind: What was done.
        version: The memory's version after it.
        successor_id: The merged memory, for a parent.
    """

    run_id: str
    memory_id: str
    kind: StepKind
    version: int
    successor_id: str | None = None


@dataclass(frozen=True, slots=True)
class TaskState:
    """When a target was last worked on, and how far.

    Attributes:
        first_seen_at: When the clock first met the target; the first interval counts from it.
        last_run_at: When the last run ended; None before the first.
        next_due_at: When the next run is due by the clock; None if only an event brings it.
        seen_sequence: The newest memory that was there at the last run.
        compared_seq: Change number up to which vectors were compared; 0 before the first time.
        model_id: Model of the vectors that were compared.
    """

    first_seen_at: datetime
    last_run_at: datetime | None = None
    next_due_at: datetime | None = None
    seen_sequence: int = 0
    compared_seq: int = 0
    model_id: str = ""


class PairState(StrEnum):
    """What is known of two memories that are alike."""

    WAITING = "waiting"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class KeptPair:
    """A pair of an earlier comparison, kept because it was not merged.

    It stands as long as both say what they said then.

    Attributes:
        first: The memory written earlier.
        second: The other one.
        first_said: Key of what the first said when they were compared.
        second_said: Key of what the second said.
        cosine: Of their vectors; 1 where they say the same.
        state: Waits for a person, or a person keeps both.
    """

    first: str
    second: str
    first_said: bytes
    second_said: bytes
    cosine: float
    state: PairState = PairState.WAITING
