"""Rows of an agent's run state: what its process hands to storage, and gets back.

What is encoded in them only the agent can read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_CHECKPOINT_BYTES = 1024 * 1024
"""Of one checkpoint, and of what one step wrote to one channel."""
KEPT_CHECKPOINTS = 8
"""Per thread and namespace, the newest."""
MAX_DETAIL_BYTES = 64 * 1024
"""Of a trace's detail, as it is kept."""
RESTORED = "restored"
"""Problem of a parked run that a backup showed under way; it cannot go on."""
TURN_LEASE_SECONDS, TURN_RENEWAL_SECONDS = 60, 15
SESSION_LEASE_SECONDS, SESSION_RENEWAL_SECONDS = 180, 60

RunStateWord = Literal["running", "parked", "finished", "stopped", "failed"]
TraceKind = Literal["model", "tool", "permission", "compaction"]
Decision = Literal["allow", "reject"]


def run_id_of(conversation_id: str, turn: str) -> str:
    """The id of the run that is a turn: two conversations may number their turns alike."""
    return f"{conversation_id}:{turn}"


def part_id_of(conversation_id: str, turn: str, call: str) -> str:
    """The id of the run of one who was sent in a turn, by the call that sent."""
    return f"{run_id_of(conversation_id, turn)}:{call}"


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
class SpentOn:
    """What the calls of one model for one kind of work have used.

    Attributes:
        process: The kind of work.
    """

    process: str
    provider: str
    model: str
    n_calls: int
    spent: Spent


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
