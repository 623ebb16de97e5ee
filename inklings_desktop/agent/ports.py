"""What the agent's process needs of the run state: the one thing that it writes itself.

The agent knows no SQL. ``storage.runs`` fulfils ``RunState`` for one workspace; every method is
short, safe from any thread, and whole: it has happened when it returns, or not at all.

What the environment refuses (busy, full, damaged, of another version) is raised as a
``StorageError`` of ``domain.errors``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_CHECKPOINT_BYTES = 1024 * 1024
"""Of one checkpoint, and of what one step wrote to one channel."""
KEPT_CHECKPOINTS = 8
"""Per thread and namespace, the newest."""
MAX_DETAIL_BYTES = 64 * 1024
"""Of a trace's detail, as it is kept."""
TURN_LEASE_SECONDS, TURN_RENEWAL_SECONDS = 60, 15
SESSION_LEASE_SECONDS, SESSION_RENEWAL_SECONDS = 180, 60

RunStateWord = Literal["running", "parked", "finished", "stopped", "failed"]
TraceKind = Literal["model", "tool", "permission", "compaction"]
Decision = Literal["allow", "reject"]


def run_id_of(conversation_id: str, turn: str) -> str:
    """The id of the run that is a turn: two conversations may number their turns alike."""
    return f"{conversation_id}:{turn}"


def turn_lease(conversation_id: str) -> str:
    """The name of the right to carry out a turn of a conversation."""
    return f"run:{conversation_id}"


def session_lease(conversation_id: str) -> str:
    """The name of the note that somebody has a conversation open; holders do not exclude others.

    It is one row: whoever attached last renews it. It tells the clock not to end what is open.
    """
    return f"session:{conversation_id}"


@dataclass(frozen=True, slots=True)
class StoredCheckpoint:
    """The state of a thread's run after one step, encoded."""

    thread_id: str
    ns: str
    checkpoint_id: str
    parent_id: str | None
    state_version: int
    body: bytes
    metadata: bytes


@dataclass(frozen=True, slots=True)
class StoredWrite:
    """What one step has written to one channel after a checkpoint, encoded.

    Attributes:
        idx: Its place among the step's writes; below zero for the graph's own channels, where a
            later write replaces an earlier one.
    """

    task_id: str
    idx: int
    channel: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has used, to be added to what it used before."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_micro: int | None = None
    currency: str | None = None
    n_tool_calls: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """One turn of an agent, or of a part of it.

    Attributes:
        id: ``run_id_of`` its conversation and turn; a part's has more behind it.
        node: Where it is, or was last.
        problem: Word of what ended it; empty where nothing did.
        started_at: Milliseconds since 1970, UTC; so is ``ended_at``.
    """

    id: str
    conversation_id: str
    process: str
    state: RunStateWord
    node: str
    started_at: int
    ended_at: int | None
    spent: Spent
    model: str | None = None
    provider: str | None = None
    parent_id: str | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """One step of a run.

    Attributes:
        summary: Names, ids and figures; never what somebody wrote.
        detail: What went in and came out; None where it was dropped, or too long to keep.
        at: Milliseconds since 1970, UTC.
    """

    run_id: str
    step: int
    node: str
    kind: TraceKind
    summary: Mapping[str, Any]
    detail: Mapping[str, Any] | None
    at: int


@dataclass(frozen=True, slots=True)
class Compaction:
    """Older turns of a thread, made short; the messages stay whole."""

    thread_id: str
    number: int
    up_to_message: int
    compact: Mapping[str, Any]
    source_digest: str
    by: Literal["mechanical", "model"]
    model: str | None
    at: int


@dataclass(frozen=True, slots=True)
class Lease:
    """Who has a right, and until when, in milliseconds since 1970, UTC."""

    name: str
    holder: str
    expires_at: int


class CheckpointStore(Protocol):
    """What the saver of the graph needs."""

    def put_checkpoint(self, checkpoint: StoredCheckpoint) -> None:
        """Store it as the newest of its thread and namespace, or replace the one with its id.

        Only the newest ones are kept; what was written after one goes with it.

        Raises:
            InvalidValueError: It is too long.
        """
        ...

    def put_writes(
        self, thread_id: str, ns: str, checkpoint_id: str, writes: Sequence[StoredWrite]
    ) -> None:
        """Store what a step wrote after a checkpoint; what it wrote before stays as it is.

        Raises:
            InvalidValueError: One of them is too long.
        """
        ...

    def checkpoint(
        self, thread_id: str, ns: str, checkpoint_id: str | None = None
    ) -> StoredCheckpoint | None:
        """One checkpoint, or the newest one of a thread and namespace."""
        ...

    def checkpoints(
        self, thread_id: str | None = None, ns: str | None = None
    ) -> tuple[StoredCheckpoint, ...]:
        """Those of a thread and namespace, or of all, newest first."""
        ...

    def writes(self, thread_id: str, ns: str, checkpoint_id: str) -> tuple[StoredWrite, ...]:
        """What was written after a checkpoint."""
        ...

    def delete_thread(self, thread_id: str) -> None:
        """Remove the checkpoints of a thread, and what was written after them."""
        ...

    def delete_checkpoints(self, of: Sequence[StoredCheckpoint]) -> None:
        """Remove these, and what was written after them."""
        ...


class RunState(CheckpointStore, Protocol):
    """Everything of one workspace that the agent's process keeps by itself."""

    def begin_run(
        self,
        run_id: str,
        conversation_id: str,
        process: str,
        node: str = "",
        *,
        parent_id: str | None = None,
        model: str | None = None,
        provider: str | None = None,
    ) -> None:
        """Note that a run begins; one that was parked or left running goes on."""
        ...

    def note_run(self, run_id: str, node: str, spent: Spent | None = None) -> None:
        """Note which node a run is in, and add what it has used since."""
        ...

    def end_run(self, run_id: str, state: RunStateWord, problem: str = "") -> None:
        """Note how a run ended, or that it is parked; what is not known is passed over.

        Args:
            run_id: Which run.
            state: Any but ``running``.
            problem: A word of small letters, ``_``, ``:`` and ``.``.
        """
        ...

    def run(self, run_id: str) -> Run | None:
        """One run."""
        ...

    def runs(self, conversation_id: str, limit: int = 20) -> tuple[Run, ...]:
        """The runs of a conversation, newest first."""
        ...

    def add_trace(
        self,
        run_id: str,
        node: str,
        kind: TraceKind,
        summary: Mapping[str, Any],
        detail: Mapping[str, Any] | None = None,
    ) -> int:
        """Note a step of a run; its number, from 1. A detail that is too long is not kept."""
        ...

    def traces(self, run_id: str, after: int = 0, limit: int = 100) -> tuple[Trace, ...]:
        """The steps of a run behind a number, in order."""
        ...

    def add_compaction(
        self,
        thread_id: str,
        up_to_message: int,
        compact: Mapping[str, Any],
        source_digest: str,
        by: Literal["mechanical", "model"],
        model: str | None = None,
    ) -> int:
        """Keep a compact form; its number. The same range is kept once."""
        ...

    def compactions(self, thread_id: str) -> tuple[Compaction, ...]:
        """Every compact form of a thread, oldest first."""
        ...

    def put_rule(
        self, conversation_id: str, tool: str, argument_digest: str, decision: Decision
    ) -> None:
        """Keep what the person decided for this conversation; an empty digest is any argument."""
        ...

    def rule(self, conversation_id: str, tool: str, argument_digest: str) -> Decision | None:
        """What was decided for a call: for these arguments, else for any."""
        ...

    def take_lease(self, name: str, holder: str, seconds: float) -> Lease | None:
        """Take a lease or renew the own one; the other holder's where somebody else has it."""
        ...

    def note_lease(self, name: str, holder: str, seconds: float) -> None:
        """Take a lease from whoever had it: one that excludes nobody."""
        ...

    def release_lease(self, name: str, holder: str) -> None:
        """Give the own lease back."""
        ...

    def rest(self) -> None:
        """Let go of the file until the next call, so that others may replace it."""
        ...

    def close(self) -> None:
        """Let go of the file for good."""
        ...
