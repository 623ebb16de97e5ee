"""What background work needs of one file: its runs, leases and marks, and what to compare."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.background.consolidation import NearPair, ScopeFigures
    from inklings_desktop.domain.background.golden import GoldenQuestion, GoldenRecord
    from inklings_desktop.domain.background.tasks import (
        KeptPair,
        RunStep,
        TaskRun,
        TaskState,
        TaskTarget,
    )
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memories.saved_filters import SavedFilter
    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey


class TaskRepository(Protocol):
    """Runs of background work on one file, and what holds two processes apart."""

    def hold(self, name: str, holder: str, now: datetime, seconds: float) -> None:
        """Take a lease, or renew the own one; call it first in every step's transaction.

        A lease that ran out counts for nothing, and so does one that was taken in the future:
        then the clock was set back.

        Raises:
            AlreadyRunningError: Somebody else holds it.
        """
        ...

    def release(self, name: str, holder: str) -> None:
        """Give the own lease back; nothing happens if it is somebody else's by now."""
        ...

    def put_run(self, run: TaskRun) -> None:
        """Store a run, or replace it."""
        ...

    def run(self, run_id: str) -> TaskRun:
        """One run; the beginning of its id is enough, from four characters on.

        Raises:
            NotFoundError: There is none.
            InvalidValueError: Several ids begin so.
        """
        ...

    def runs(self, limit: int) -> tuple[TaskRun, ...]:
        """The latest runs, newest first."""
        ...

    def unfinished(self, target: TaskTarget) -> TaskRun | None:
        """The run that a killed program left behind."""
        ...

    def add_steps(self, steps: Sequence[RunStep]) -> None:
        """Note what a run did."""
        ...

    def steps(self, run_id: str) -> tuple[RunStep, ...]:
        """What a run did, in order."""
        ...

    def state(self, target: TaskTarget) -> TaskState | None:
        """How far the target has come; None if the clock never met it."""
        ...

    def put_state(self, target: TaskTarget, state: TaskState) -> None:
        """Store how far it has come."""
        ...

    def kept_pairs(self, scope: ScopeKey) -> tuple[KeptPair, ...]:
        """Pairs of earlier comparisons, the most alike first."""
        ...

    def keep_pairs(self, scope: ScopeKey, pairs: Sequence[KeptPair]) -> None:
        """Replace every kept pair of this scope key."""
        ...


class FoundPairs(NamedTuple):
    """What one comparison found.

    Attributes:
        pairs: Memories that are alike.
        n_new: Memories that were compared with all the others.
        n_rows: Memories with a usable vector.
        is_complete: Whether every pair was looked at.
        change_seq: Change number of the file that this stands for.
    """

    pairs: tuple[NearPair, ...]
    n_new: int
    n_rows: int
    is_complete: bool
    change_seq: int


class Comparing(NamedTuple):
    """The model whose vectors are compared, and above which cosine two memories are alike."""

    id: str
    alike_above: float


class ConsolidationIndex(Protocol):
    """What planning a consolidation asks of one file."""

    def figures(self, scope: ScopeKey, decay: DecayConfig, as_of: datetime) -> ScopeFigures:
        """Relevance and what else decides, of every active memory of a scope key."""
        ...

    def near_pairs(
        self, scope: ScopeKey, model: Comparing, since: int | None, checkpoint: Callable[[], None]
    ) -> FoundPairs:
        """Memories that are alike, at least one of them changed since.

        Args:
            scope: Where.
            model: Only vectors of this model are compared.
            since: Change number of the last comparison; None compares everything.
            checkpoint: Called between blocks; whatever it raises ends the comparison.
        """
        ...

    def same_keys(self, scope: ScopeKey) -> tuple[tuple[str, ...], ...]:
        """Ids of retrievable memories that may say the same, group by group in order of writing.

        Found without any vector; ``says_the_same`` decides.
        """
        ...

    def said(self, ids: Sequence[str]) -> Mapping[str, bytes]:
        """Keys of what active memories say, by id; others are left out."""
        ...

    def entries_at(self, sequences: Sequence[int]) -> tuple[MemoryEntry, ...]:
        """Memories by their sequence, in this order; unknown ones are left out."""
        ...

    def restored(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of these memories that were brought back at least once."""
        ...

    def parents(self, successor_id: str) -> tuple[MemoryEntry, ...]:
        """The memories that a merged one replaced, in order of writing."""
        ...

    def newest_sequence(self, scope: ScopeKey) -> int:
        """Sequence of the newest memory of a scope key, forgotten ones included; 0 for none."""
        ...

    def n_since(self, scope: ScopeKey, sequence: int) -> int:
        """Active memories written after this one, those of consolidation left out."""
        ...


class Consolidator(Protocol):
    """Writes the text of what several memories become; called outside every transaction."""

    def merged(self, members: Sequence[MemoryEntry]) -> str:
        """The merged text, fit to be remembered.

        Args:
            members: The best first, at least two.
        """
        ...


class Wording(Protocol):
    """Words one text that says what several say, by a model."""

    def worded(self, workspace_id: str | None, texts: Sequence[str]) -> str | None:
        """The text; None where no model does this work, or it gave none in time.

        The same texts are worded once: what a review showed is what its run writes.
        """
        ...


class FilterRepository(Protocol):
    """The saved filters of one file."""

    def put(self, saved: SavedFilter) -> None:
        """Store a filter, or replace the one with its id."""
        ...

    def all(self) -> tuple[SavedFilter, ...]:
        """Those of the file, in order of saving."""
        ...

    def delete(self, filter_id: str) -> None:
        """Remove a filter.

        Raises:
            NotFoundError: There is none with this id.
        """
        ...


class GoldenRepository(Protocol):
    """The golden questions of one file."""

    def add(self, question: GoldenQuestion) -> None:
        """Store a question, or replace the one with its id."""
        ...

    def questions(self, scope: ScopeKey | None = None) -> tuple[GoldenQuestion, ...]:
        """Those of one scope key, or all of the file, in order of saving."""
        ...

    def delete(self, question_id: str) -> None:
        """Remove a question.

        Raises:
            NotFoundError: There is none with this id.
        """
        ...

    def put_records(self, records: Sequence[GoldenRecord]) -> None:
        """Keep how questions fared; of one that was changed or removed meanwhile nothing is."""
        ...

    def records(self, scope: ScopeKey | None = None) -> Mapping[str, GoldenRecord]:
        """How the questions of one scope key, or of the file, fared last, by their id.

        One that was not asked since it was saved is missing.
        """
        ...
