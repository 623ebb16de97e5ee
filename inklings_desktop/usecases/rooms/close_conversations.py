"""The clock's pass over conversations: what closed ones left behind goes, silent ones rest.

One that was silent for long rests with everything it holds, for the author to decide: nobody has
ended it. Closing a conversation forgets its tier itself, after its summary was kept. What reached a
closed conversation later, or was left when that step failed, is forgotten here. Working notes stay.
How far agents had come in conversations that rest, and what is old of it, goes as well.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import authorize_management
from inklings_desktop.domain.background.tasks import (
    CANCELLED,
    RunState,
    RunStep,
    StepKind,
    TaskKind,
    TaskRun,
    TaskState,
    TaskTarget,
)
from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memories.forgetting import CLOSED_REASON
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.steps.changing_memories import save_forgotten
from inklings_desktop.usecases.steps.leases import leased
from inklings_desktop.usecases.steps.recording import record_memories, record_room

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Clock, IdSource, SettingsSource, Store
    from inklings_desktop.usecases.steps.leases import Lease


def close_of(workspace_id: str) -> TaskTarget:
    """The pass over one workspace's closed conversations."""
    return TaskTarget(TaskKind.CONVERSATION_CLOSE, workspace_id)


@dataclass(frozen=True, slots=True)
class ForgetClosedConversations:
    """Let silent conversations rest; forget the active memories of those that somebody ended.

    Attributes:
        store: The data.
        clock: Tells the time.
        new_id: Names runs.
        settings: Say after how many days of silence a conversation rests, if ever.
    """

    store: Store
    clock: Clock
    new_id: IdSource
    settings: SettingsSource

    def __call__(
        self,
        caller: Caller,
        workspace_id: str,
        *,
        trigger: str = "request",
        progress: Progress = UNHEARD,
    ) -> TaskRun:
        """The run as it ended. What a person brought back since the close stays.

        Args:
            caller: The person, or the clock.
            workspace_id: Whose conversations.
            trigger: Why it runs, a stable word for the history.
            progress: Hears of every conversation and says when to stop.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
            AlreadyRunningError: It is running elsewhere.
            StoppedError: The person stopped it; what was cleared up stays so.
        """
        authorize_management(caller)
        target = close_of(workspace_id)
        started_at = self.clock()
        n_rested = self._let_rest(caller, workspace_id)
        with self.store.read(workspace_id) as view:
            held = {
                scope.key
                for scope in view.memories.active_counts()
                if scope.tier is Tier.CONVERSATION
            }
            rooms = view.conversations.conversations(channel_id=None, include_archived=True)
            closed = [
                ScopeKey.conversation(workspace_id, room.id)
                for room in rooms
                if room.id in held and room.ended_at is not None
            ]
        run = TaskRun(self.new_id(), target, trigger, RunState.FINISHED, started_at)
        n_forgotten = 0
        if closed:
            with leased(self.store, target, run.id, self.clock) as lease:
                try:
                    for done, scope in enumerate(closed):
                        progress.report("close", done, len(closed))
                        progress.require_wanted()
                        n_forgotten += self._forget(caller, lease, scope, run.id)
                except InklingsError as error:
                    is_stopped = isinstance(error, StoppedError)
                    failed = replace(
                        run,
                        state=RunState.STOPPED if is_stopped else RunState.FAILED,
                        ended_at=self.clock(),
                        counts={"forgotten": n_forgotten},
                        problem=CANCELLED if is_stopped else type(error).__name__,
                    )
                    with suppress(InklingsError):
                        self._note(caller, failed)
                    raise
        counts = {"forgotten": n_forgotten} | ({"rested": n_rested} if n_rested else {})
        counts |= self._thin(caller, workspace_id)
        ended = replace(run, ended_at=self.clock(), counts=counts)
        self._note(caller, ended)
        return ended

    def _let_rest(self, caller: Caller, workspace_id: str) -> int:
        """How many conversations were found silent; nothing of theirs is forgotten."""
        silent_days, now = self.settings().background.silent_days, self.clock()
        if not silent_days:
            return 0
        before = now - timedelta(days=silent_days)
        with self.store.write(workspace_id, initiator=caller.name) as unit:
            rooms = unit.conversations.conversations(channel_id=None, include_archived=False)
            silent = [
                one
                for one in rooms
                if one.state is ConversationState.ACTIVE and one.silent_since <= before
            ]
            for one in silent:
                unit.conversations.save(one.fallen_silent())
                scope = ScopeKey.conversation(workspace_id, one.id)
                record_room(unit, caller, EventKind.CONVERSATION_IDLED, scope, now)
            if silent:
                unit.commit()
        return len(silent)

    def _thin(self, caller: Caller, workspace_id: str) -> dict[str, int]:
        """What agents left behind and is kept no longer, here and with the account."""
        counts: Counter[str] = Counter()
        for file in (workspace_id, None):
            with self.store.write(file, initiator=caller.name, durable=False) as unit:
                thinned = unit.talk_upkeep.thin(self.clock())
                if thinned:
                    counts.update(thinned)
                    unit.commit()
        return dict(counts)

    def _note(self, caller: Caller, run: TaskRun) -> None:
        """Store when it ran; the history keeps only runs that forgot something, or failed."""
        assert run.ended_at is not None
        with self.store.write(
            run.target.workspace_id, initiator=caller.name, durable=False
        ) as unit:
            if any(run.counts.values()) or run.state is RunState.FAILED:
                unit.tasks.put_run(run)
            before = unit.tasks.state(run.target) or TaskState(run.started_at)
            unit.tasks.put_state(
                run.target, replace(before, last_run_at=run.ended_at, next_due_at=None)
            )
            unit.commit()

    def _forget(self, caller: Caller, lease: Lease, scope: ScopeKey, run_id: str) -> int:
        now = self.clock()
        with self.store.write(scope.workspace_id, initiator=caller.name) as unit:
            lease.renew(unit)
            if unit.conversations.get(scope.key).ended_at is None:
                return 0
            active = unit.memories.active_of_conversation(scope)
            restored = unit.consolidation.restored([one.id for one in active])
            going = [replace(one, run_id=run_id) for one in active if one.id not in restored]
            gone = [save_forgotten(unit, caller, one, CLOSED_REASON, now) for one in going]
            if gone:
                unit.tasks.add_steps(
                    [RunStep(run_id, one.id, StepKind.PRUNED, one.version) for one in gone]
                )
                record_memories(unit, caller, EventKind.MEMORY_FORGOTTEN, gone, now, always=True)
                unit.commit()
        return len(gone)
