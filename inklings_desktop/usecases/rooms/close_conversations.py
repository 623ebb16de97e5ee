"""What ending a conversation does, and the clock's pass over them: silent ones rest.

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

from inklings_desktop.domain.access.access import Action, authorize
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
from inklings_desktop.domain.memory import (
    Curator,
    Lifetime,
    MemoryAction,
    MemoryDraft,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import Conversation, ConversationState
from inklings_desktop.domain.words.summary import summary_points
from inklings_desktop.usecases.steps.changing_memories import save_forgotten
from inklings_desktop.usecases.steps.leases import leased
from inklings_desktop.usecases.steps.putting import Putting, Remembered
from inklings_desktop.usecases.steps.recording import record_memories, record_room

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import UnitOfWork
    from inklings_desktop.usecases.steps.leases import Lease


def close_of(workspace_id: str) -> TaskTarget:
    """The pass over one workspace's closed conversations."""
    return TaskTarget(TaskKind.CONVERSATION_CLOSE, workspace_id)


SUMMARY_SOURCE = "summary"


@dataclass(frozen=True, slots=True)
class ConversationEnd:
    """A conversation that rests, and what became of its summary.

    Attributes:
        conversation: As it is now.
        kept: The memories that points of the summary became.
        known: Points that a memory of the channel said already: these are confirmed.
        n_held: Points that wait for the author.
    """

    conversation: Conversation
    kept: tuple[MemoryEntry, ...] = ()
    known: tuple[str, ...] = ()
    n_held: int = 0

    @property
    def n_kept(self) -> int:
        """How many points became a memory."""
        return len(self.kept)

    @property
    def n_known(self) -> int:
        """How many points were known before."""
        return len(self.known)


def persist_summary(
    asked: Asked,
    unit: UnitOfWork,
    workspace_id: str,
    conversation: Conversation,
    summary: str,
    now: datetime,
) -> ConversationEnd:
    """The conversation at its end, the points of the summary put into its channel."""
    caller = asked.caller
    idle = replace(conversation, state=ConversationState.IDLE, ended_at=now)
    points = summary_points(summary)
    channel = ScopeKey.channel(workspace_id, conversation.channel_id)
    if points:
        authorize(caller, Action.WRITE, channel)
    is_author = caller.curator is Curator.AUTHOR  # who asks for it to be kept for good
    put = Putting(unit, caller, asked.new_id, asked.parts.settings(), now)
    drafts = (
        MemoryDraft(
            channel,
            point,
            lifetime=Lifetime.LONG_TERM if is_author else Lifetime.SHORT_TERM,
            source=SUMMARY_SOURCE,
            source_conversation=conversation.id,
        )
        for point in points
    )
    done = [put(draft.completed(caller.curator)) for draft in drafts]
    put_in = [one for one in done if isinstance(one, Remembered)]
    kept = tuple(one.memory for one in put_in if not one.was_known)
    known = tuple(
        point
        for point, one in zip(points, done, strict=True)
        if isinstance(one, Remembered) and one.was_known
    )
    return ConversationEnd(idle, kept, known, len(done) - len(put_in))


def forget_tier_of(
    unit: UnitOfWork, caller: Caller, workspace_id: str, room: Conversation, now: datetime
) -> int:
    """Forgets every active memory of a closing conversation; how many there were."""
    active = unit.memories.active_of_conversation(ScopeKey.conversation(workspace_id, room.id))
    for entry in active:
        unit.memories.save(
            replace(entry, forgotten_at=now, forgotten_reason=CLOSED_REASON),
            expected_version=entry.version,
            action=MemoryAction.FORGOTTEN,
            changed_by=caller.name,
            door=caller.door.value,
            changed_at=now,
        )
    return len(active)


def forget_closed(asked: Asked, workspace_id: str, trigger: str, progress: Progress) -> TaskRun:
    """Lets silent conversations rest; forgets the active memories of those that somebody ended."""
    target = close_of(workspace_id)
    started_at = asked.clock()
    n_rested = _let_rest(asked, workspace_id)
    with asked.store.read(workspace_id) as view:
        held = {
            scope.key for scope in view.memories.active_counts() if scope.tier is Tier.CONVERSATION
        }
        rooms = view.conversations.conversations(channel_id=None, include_archived=True)
        closed = [
            ScopeKey.conversation(workspace_id, room.id)
            for room in rooms
            if room.id in held and room.ended_at is not None
        ]
    run = TaskRun(asked.new_id(), target, trigger, RunState.FINISHED, started_at)
    n_forgotten = 0
    if closed:
        with leased(asked.store, target, run.id, asked.clock) as lease:
            try:
                for done, scope in enumerate(closed):
                    progress.report("close", done, len(closed))
                    progress.require_wanted()
                    n_forgotten += _forget(asked, lease, scope, run.id)
            except InklingsError as error:
                is_stopped = isinstance(error, StoppedError)
                failed = replace(
                    run,
                    state=RunState.STOPPED if is_stopped else RunState.FAILED,
                    ended_at=asked.clock(),
                    counts={"forgotten": n_forgotten},
                    problem=CANCELLED if is_stopped else type(error).__name__,
                )
                with suppress(InklingsError):
                    _note(asked, failed)
                raise
    counts = {"forgotten": n_forgotten} | ({"rested": n_rested} if n_rested else {})
    counts |= _thin(asked, workspace_id)
    ended = replace(run, ended_at=asked.clock(), counts=counts)
    _note(asked, ended)
    return ended


def _let_rest(asked: Asked, workspace_id: str) -> int:
    """How many conversations were found silent; nothing of theirs is forgotten."""
    silent_days, now = asked.parts.settings().background.silent_days, asked.clock()
    if not silent_days:
        return 0
    before = now - timedelta(days=silent_days)
    with asked.writing(workspace_id) as unit:
        rooms = unit.conversations.conversations(channel_id=None, include_archived=False)
        silent = [
            one
            for one in rooms
            if one.state is ConversationState.ACTIVE and one.silent_since <= before
        ]
        for one in silent:
            unit.conversations.save(one.fallen_silent())
            scope = ScopeKey.conversation(workspace_id, one.id)
            record_room(unit, asked.caller, EventKind.CONVERSATION_IDLED, scope, now)
        if silent:
            unit.commit()
    return len(silent)


def _thin(asked: Asked, workspace_id: str) -> dict[str, int]:
    """What agents left behind and is kept no longer, here and with the account."""
    counts: Counter[str] = Counter()
    for file in (workspace_id, None):
        with asked.store.write(file, initiator=asked.caller.name, durable=False) as unit:
            thinned = unit.talk_upkeep.thin(asked.clock())
            if thinned:
                counts.update(thinned)
                unit.commit()
    return dict(counts)


def _note(asked: Asked, run: TaskRun) -> None:
    """Store when it ran; the history keeps only runs that forgot something, or failed."""
    assert run.ended_at is not None
    with asked.store.write(
        run.target.workspace_id, initiator=asked.caller.name, durable=False
    ) as unit:
        if any(run.counts.values()) or run.state is RunState.FAILED:
            unit.tasks.put_run(run)
        before = unit.tasks.state(run.target) or TaskState(run.started_at)
        unit.tasks.put_state(
            run.target, replace(before, last_run_at=run.ended_at, next_due_at=None)
        )
        unit.commit()


def _forget(asked: Asked, lease: Lease, scope: ScopeKey, run_id: str) -> int:
    now = asked.clock()
    with asked.writing(scope.workspace_id) as unit:
        lease.renew(unit)
        if unit.conversations.get(scope.key).ended_at is None:
            return 0
        active = unit.memories.active_of_conversation(scope)
        restored = unit.consolidation.restored([one.id for one in active])
        going = [replace(one, run_id=run_id) for one in active if one.id not in restored]
        gone = [save_forgotten(unit, asked.caller, one, CLOSED_REASON, now) for one in going]
        if gone:
            unit.tasks.add_steps(
                [RunStep(run_id, one.id, StepKind.PRUNED, one.version) for one in gone]
            )
            record_memories(unit, asked.caller, EventKind.MEMORY_FORGOTTEN, gone, now, always=True)
            unit.commit()
    return len(gone)
