"""What the agent's process needs of the run state: the one thing that it writes itself.

The agent knows no SQL; its rows are in ``domain.runs.run_rows``. ``storage.runs`` fulfils
``RunState`` for one workspace; every method is short, safe from any thread, and whole: it has
happened when it returns, or not at all.

What the environment refuses (busy, full, damaged, of another version) is raised as a
``StorageError`` of ``domain.errors``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.runs.run_rows import (
        Compaction,
        Decision,
        Lease,
        Run,
        RunStateWord,
        Spent,
        SpentOn,
        StoredCheckpoint,
        StoredWrite,
        Trace,
        TraceKind,
    )


class CheckpointStore(Protocol):
    """What the saver of the graph needs."""

    def put_checkpoint(self, checkpoint: StoredCheckpoint, *, is_patient: bool = True) -> None:
        """Store it as the newest of its thread and namespace, or replace the one with its id.

        Only the newest ones are kept; what was written after one goes with it.

        Args:
            is_patient: Whether to wait while somebody else writes to the file.

        Raises:
            DatabaseBusyError: Somebody else writes to it.
            InvalidValueError: It is too long.
            ConflictError: The one it follows is gone, because the conversation was scrubbed.
        """

    def put_writes(
        self,
        thread_id: str,
        ns: str,
        checkpoint_id: str,
        writes: Sequence[StoredWrite],
        *,
        is_patient: bool = True,
    ) -> None:
        """Store what a step wrote after a checkpoint; what it wrote before stays as it is.

        Args:
            is_patient: Whether to wait while somebody else writes to the file.

        Raises:
            DatabaseBusyError: Somebody else writes to it.
            InvalidValueError: One of them is too long.
            ConflictError: The checkpoint is gone, because the conversation was scrubbed.
        """

    def checkpoint(
        self, thread_id: str, ns: str, checkpoint_id: str | None = None
    ) -> StoredCheckpoint | None:
        """One checkpoint, or the newest one of a thread and namespace."""

    def checkpoints(
        self, thread_id: str | None = None, ns: str | None = None
    ) -> tuple[StoredCheckpoint, ...]:
        """Those of a thread and namespace, or of all, newest first."""

    def writes(self, thread_id: str, ns: str, checkpoint_id: str) -> tuple[StoredWrite, ...]:
        """What was written after a checkpoint."""

    def delete_thread(self, thread_id: str) -> None:
        """Remove the checkpoints of a thread, and what was written after them."""

    def delete_branches(self, thread_id: str) -> None:
        """The same of a thread's namespaces alone: of those who were sent for something."""


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

    def note_run(self, run_id: str, node: str, spent: Spent | None = None) -> None:
        """Note which node a run is in, and add what it has used since.

        What a part uses is added to its turn too: a turn's figures are those of all its parts.

        Raises:
            NotFoundError: There is no such run: it was scrubbed, and must not go on.
        """

    def end_run(self, run_id: str, state: RunStateWord, problem: str = "") -> None:
        """Note how a run ended, or that it is parked; what is not known is passed over.

        Parts of it that are under way end with it.

        Args:
            state: Any but ``running``.
            problem: A word of small letters, ``_``, ``:`` and ``.``.
        """

    def runs(self, conversation_id: str, limit: int = 20) -> tuple[Run, ...]:
        """The turns of a conversation, newest first; none of their parts."""

    def parts(self, run_id: str) -> tuple[Run, ...]:
        """The runs of those who were sent for something in a turn, in the order of their begin."""

    def spent(self, conversation_id: str | None = None, since: int = 0) -> Spent:
        """What the turns of a conversation, or of all, have used that began since then.

        Args:
            since: Milliseconds since 1970, UTC.
        """

    def spent_on(self, since: int = 0) -> tuple[SpentOn, ...]:
        """What each kind of work has used since then, by the traces of its calls.

        Args:
            since: Milliseconds since 1970, UTC.
        """

    def add_trace(
        self,
        run_id: str,
        node: str,
        kind: TraceKind,
        summary: Mapping[str, Any],
        detail: Mapping[str, Any] | None = None,
    ) -> int:
        """Note a step of a run; its number, from 1. A detail that is too long is not kept.

        Raises:
            NotFoundError: There is no such run: it was scrubbed, and must not go on.
        """

    def traces(self, run_id: str, after: int = 0, limit: int = 100) -> tuple[Trace, ...]:
        """The steps of a run behind a number, in order."""

    def add_compaction(
        self,
        thread_id: str,
        up_to_message: int,
        compact: Mapping[str, Any],
        source_digest: str,
        by: Literal["mechanical", "model"],
    ) -> int:
        """Keep a compact form of a conversation up to a message; its number.

        The same range is kept once.
        """

    def compactions(self, thread_id: str) -> tuple[Compaction, ...]:
        """Every compact form of a conversation, oldest first."""

    def put_rule(
        self, conversation_id: str, tool: str, argument_digest: str, decision: Decision
    ) -> None:
        """Keep what the person decided for this conversation; an empty digest is any argument."""

    def rule(self, conversation_id: str, tool: str, argument_digest: str) -> Decision | None:
        """What was decided for a call: for these arguments, else for any."""

    def lease(self, name: str) -> Lease | None:
        """Who has a lease at the moment; None where nobody has."""

    def take_lease(self, name: str, holder: str, seconds: float) -> Lease | None:
        """Take a lease or renew the own one; the other holder's where somebody else has it."""

    def note_lease(self, name: str, holder: str, seconds: float) -> None:
        """Take a lease from whoever had it: one that excludes nobody."""

    def release_lease(self, name: str, holder: str) -> None:
        """Give the own lease back."""

    def rest(self) -> None:
        """Let go of the file until the next call, so that others may replace it."""
