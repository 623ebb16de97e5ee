"""What there is to do on one file: targets of background work, and how far each has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import authorize_management
from inklings_desktop.domain.background.cadence import QUIET
from inklings_desktop.domain.background.tasks import SETS_ASIDE, TaskState, backup_of
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.background.backfill_embeddings import backfill_of
from inklings_desktop.usecases.consolidation.consolidation_plans import target_of
from inklings_desktop.usecases.rooms.close_conversations import close_of

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.background.tasks import TaskTarget
    from inklings_desktop.usecases.ports.store import Clock, Store, StoreView


@dataclass(frozen=True, slots=True)
class TaskSituation:
    """One target as the file knows it.

    Attributes:
        target: Which work, on what.
        state: When it was last done, and how far.
        n_new: Memories written since; 0 where that does not matter.
        left_behind: Whether a killed program left a run unfinished.
        quiet_until: Before this only a person brings it; None where nothing holds it back.
    """

    target: TaskTarget
    state: TaskState
    n_new: int = 0
    left_behind: bool = False
    quiet_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class LookAtTasks:
    """The background work of one file.

    Attributes:
        store: Holds it.
        clock: Tells the time.
        notes_first_look: Whether a first look is kept; not where nothing can be stored.
    """

    store: Store
    clock: Clock
    notes_first_look: bool = True

    def __call__(self, caller: Caller, workspace_id: str | None) -> tuple[TaskSituation, ...]:
        """Backfill, closed conversations, every scope key that can be consolidated, the backup.

        Intervals count from the first look at a target, which is noted. All that may set memories
        aside rests for a day from the first look at the file.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
        """
        authorize_management(caller)
        now = self.clock()
        with self.store.read(workspace_id) as view:
            targets = _targets(view, workspace_id)
            states = {target: view.tasks.state(target) for target in targets}
            quiet_until = _quiet_until(states[targets[0]], now)
            found = tuple(
                TaskSituation(
                    target,
                    state or TaskState(now),
                    0
                    if target.scope is None
                    else view.consolidation.n_since(
                        target.scope, 0 if state is None else state.seen_sequence
                    ),
                    target.scope is not None and view.tasks.unfinished(target) is not None,
                    quiet_until if target.kind in SETS_ASIDE else None,
                )
                for target, state in states.items()
            )
        met = [target for target, state in states.items() if state is None]
        if met and self.notes_first_look:
            with self.store.write(workspace_id, initiator=caller.name, durable=False) as unit:
                for target in met:
                    if unit.tasks.state(target) is None:
                        unit.tasks.put_state(target, TaskState(now))
                unit.commit()
        return found


def _quiet_until(met: TaskState | None, now: datetime) -> datetime | None:
    """The end of a file's first day; None when it is over, or the clock was set back since."""
    begun = now if met is None else met.first_seen_at
    return begun + QUIET if begun <= now < begun + QUIET else None


def _targets(view: StoreView, workspace_id: str | None) -> list[TaskTarget]:
    found = [backfill_of(workspace_id)]
    if workspace_id is None:
        return [*found, target_of(ScopeKey.account()), backup_of(None)]
    found += [close_of(workspace_id), target_of(ScopeKey.workspace(workspace_id))]
    held = view.memories.active_counts()
    for channel in view.conversations.channels(include_archived=False):
        scope = ScopeKey.channel(workspace_id, channel.id)
        # An empty channel is no work, but one that was worked on stays in sight.
        if scope in held or view.tasks.state(target_of(scope)) is not None:
            found.append(target_of(scope))
    return [*found, backup_of(workspace_id)]
