"""Activities: what an agent is asked at its time; the author alone makes one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    authorize,
    authorize_agent,
    authorize_management,
)
from inklings_desktop.domain.background.activities import (
    ActivityView,
    Outcome,
    activity_of,
    payload_of_draft,
)
from inklings_desktop.domain.background.schedules import Form, may_begin, next_due
from inklings_desktop.domain.background.tasks import TaskState
from inklings_desktop.domain.entries.proposals import checked_proposal_reason
from inklings_desktop.domain.errors import ConflictError, InvalidValueError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.usecases.background.activity_runs import carried_out
from inklings_desktop.usecases.background.tasks import TaskSituation
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.steps.activities import added, open_channel, record_saved
from inklings_desktop.usecases.steps.holding import Asking, refuse_secret

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from inklings_desktop.domain.background.activities import Activity, ActivityDraft, ActivityRun
    from inklings_desktop.domain.background.schedules import Schedule
    from inklings_desktop.domain.background.tasks import TaskRun
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import StoreView, UnitOfWork


class Activities(Asked):
    """Activities of a workspace; ``key`` is the id or name of one."""

    def list(self, workspace_id: str) -> tuple[ActivityView, ...]:
        """Every activity with its channel and its latest run, by name.

        Raises:
            ScopeDeniedError: The caller may not read the workspace tier.
            NotFoundError: There is no such workspace.
        """
        authorize(self.caller, Action.READ, ScopeKey.workspace(workspace_id))
        with self.store.read(workspace_id) as view:
            found, latest, rooms = view.activities.all(), view.activities.latest(), _rooms(view)
        return tuple(_viewed(one, rooms, latest.get(one.id)) for one in found)

    def get(self, workspace_id: str, key: str) -> ActivityView:
        """One activity.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is none.
        """
        authorize_management(self.caller)
        with self.store.read(workspace_id) as view:
            found = view.activities.get(key)
            last = next(iter(view.activities.runs(found.id, 1)), None)
            return _viewed(found, _rooms(view), last)

    def runs(self, workspace_id: str, key: str, limit: int = 20) -> tuple[ActivityRun, ...]:
        """The latest runs of an activity, newest first.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such activity.
        """
        authorize_management(self.caller)
        with self.store.read(workspace_id) as view:
            return view.activities.runs(view.activities.get(key).id, limit)

    def make(self, workspace_id: str, draft: ActivityDraft) -> Activity:
        """Makes an activity; its first time counts from now.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: There is no such channel.
            InvalidValueError: A value cannot be kept, the channel is archived, or there are too
                many activities.
            ConflictError: The name is taken.
        """
        self.require_person("activity.make", Tier.WORKSPACE, workspace_id)
        with self.writing(workspace_id) as unit:
            now = self.clock()
            _require_ahead(draft.schedule, now)
            made = added(unit, self.caller, self.new_id, draft, now)
            self._record(unit, workspace_id, made, "made")
        return made

    def edit(self, workspace_id: str, expected: Activity, draft: ActivityDraft) -> Activity:
        """Changes an activity; where its schedule is another, its next time counts from now.

        Args:
            workspace_id: Where it is.
            expected: As the author saw it.
            draft: As it is to be.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: It, or the channel, is not there any more.
            ConflictError: It is another one by now, or the name is taken.
            InvalidValueError: As for ``make``.
        """
        self.require_person("activity.edit", Tier.WORKSPACE, workspace_id, (expected.id,))
        with self.writing(workspace_id) as unit:
            before = unit.activities.get(expected.id)
            if before.draft != expected.draft:
                raise ConflictError("activity", expected.id)
            checked, now = draft.checked(), self.clock()
            channel = open_channel(unit, checked.channel)
            if checked.schedule != before.schedule:
                _require_ahead(checked.schedule, now)
            is_new = (checked.schedule, checked.enabled) != (before.schedule, before.enabled)
            due = next_due(checked.schedule, now) if is_new else before.next_due_at
            after = replace(
                before,
                name=checked.name,
                prompt=checked.prompt,
                channel_id=channel.id,
                schedule=checked.schedule,
                budget=checked.budget,
                agent=checked.agent,
                enabled=checked.enabled,
                next_due_at=due,
            )
            if after != before:
                unit.activities.put(after)
                self._record(unit, workspace_id, after, "changed")
        return after

    def switch(self, workspace_id: str, key: str, *, on: bool) -> Activity:
        """Switches an activity on or off; what it missed while it was off is not made up for.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: There is none.
        """
        self.require_person("activity.switch", Tier.WORKSPACE, workspace_id, (key,))
        with self.writing(workspace_id) as unit:
            before = unit.activities.get(key)
            if before.enabled == on:
                return before
            due = next_due(before.schedule, self.clock()) if on else None
            was_paused = before.last_outcome is Outcome.PAUSED
            outcome = Outcome.FAILED if was_paused else before.last_outcome
            after = replace(before, enabled=on, next_due_at=due, last_outcome=outcome)
            unit.activities.put(after)
            self._record(unit, workspace_id, after, "on" if on else "off")
        return after

    def delete(self, workspace_id: str, key: str) -> Activity:
        """Takes an activity away; its conversations stay. Says what it was.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: There is none.
        """
        self.require_person("activity.delete", Tier.WORKSPACE, workspace_id, (key,))
        with self.writing(workspace_id) as unit:
            gone = unit.activities.get(key)
            unit.activities.delete(gone.id)
            self._record(unit, workspace_id, gone, "deleted")
        return gone

    def put_back(self, workspace_id: str, activity: Activity) -> Activity:
        """Puts back what an activity was, as the undo of whatever was done to it.

        Raises:
            ScopeDeniedError: The caller is no person.
            NotFoundError: Its channel is gone.
            ConflictError: Another one has its name now.
        """
        self.require_person("activity.put_back", Tier.WORKSPACE, workspace_id, (activity.id,))
        with self.writing(workspace_id) as unit:
            unit.conversations.get_channel(activity.channel_id)
            due = next_due(activity.schedule, self.clock()) if activity.enabled else None
            again = replace(activity, next_due_at=due)
            unit.activities.put(again)
            self._record(unit, workspace_id, again, "restored")
        return again

    def propose(self, workspace_id: str, draft: ActivityDraft, reason: str) -> Proposal:
        """Asks the author for an activity; for agents.

        Raises:
            ScopeDeniedError: The caller is no agent, or may not propose in the workspace.
            NotFoundError: There is no such channel.
            InvalidValueError: A value or the reason cannot be kept, the name is taken, the channel
                is archived, the text looks like a secret, or too many proposals are undecided.
        """
        scope = ScopeKey.workspace(workspace_id)
        with self.attempt("activity.propose", Tier.WORKSPACE, workspace_id):
            authorize_agent(self.caller, Action.PROPOSE, Tier.WORKSPACE)
            authorize(self.caller, Action.PROPOSE, scope)
        checked, why = draft.checked(), checked_proposal_reason(reason)
        refuse_secret(self.caller, "prompt", checked.name, checked.prompt)
        with self.writing(workspace_id) as unit:
            channel = open_channel(unit, checked.channel)
            if any(name_key(one.name) == name_key(checked.name) for one in unit.activities.all()):
                raise InvalidValueError("name", "taken")
            asking = Asking(unit, self.caller, self.new_id, self.clock())
            payload = payload_of_draft(replace(checked, channel=channel.id))
            proposal = asking.for_activity(scope, checked.name, payload, why)
            unit.commit()
        return proposal

    def due(self, workspace_id: str) -> tuple[TaskSituation, ...]:
        """What the clock has to know of every activity that it may start, if its agent is there.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
        """
        authorize_management(self.caller)
        now, found = self.clock(), []
        with self.store.read(workspace_id) as view:
            every = view.activities.all()
            is_there = self.adapters.activities.is_there if every else bool
            agents = {one for one in {each.agent for each in every} if is_there(one)}
            rooms = _rooms(view) if agents else {}
            for one in every:
                if one.agent not in agents:
                    continue
                was_cut_off = one.last_outcome is Outcome.RUNNING
                is_open = rooms[one.channel_id].archived_at is None
                if not (was_cut_off or (one.enabled and is_open)):
                    continue
                found.append(self._situation(view, workspace_id, one, now))
        return tuple(found)

    def run(
        self,
        workspace_id: str,
        key: str,
        *,
        trigger: str = "request",
        progress: Progress = UNHEARD,
    ) -> TaskRun:
        """Lets the agent carry an activity out, in a new conversation of its channel.

        One that a killed program left goes on where it was. A failure is told by the run; three
        in a row switch the activity off.

        Args:
            trigger: Why it runs, a stable word.
            progress: Hears of every step and says when to stop.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such activity.
            InvalidValueError: Its channel is archived.
            AlreadyRunningError: It is running elsewhere, or is to wait for the day.
            StoppedError: The program closes; it goes on the next time.
        """
        authorize_management(self.caller)
        return carried_out(self, workspace_id, key, trigger, progress)

    def _situation(
        self, view: StoreView, workspace_id: str, one: Activity, now: datetime
    ) -> TaskSituation:
        schedule, due = one.schedule, one.next_due_at
        is_by_count = schedule.form is Form.AFTER_NEW
        since = one.last_started_at or one.created_at
        return TaskSituation(
            activity_of(workspace_id, one.id),
            TaskState(one.created_at, one.last_started_at, due),
            view.activities.n_new_in(one.channel_id, since) if is_by_count else 0,
            one.last_outcome is Outcome.RUNNING,
            due_at=None if due is None else may_begin(schedule, due, now),
            after_new=schedule.n if is_by_count else 0,
        )

    def _record(self, unit: UnitOfWork, workspace_id: str, activity: Activity, did: str) -> None:
        record_saved(unit, self.caller, workspace_id, activity, self.clock(), did)
        unit.commit()


def _rooms(view: StoreView) -> dict[str, Channel]:
    return {one.id: one for one in view.conversations.channels(include_archived=True)}


def _viewed(
    activity: Activity, rooms: Mapping[str, Channel], last: ActivityRun | None
) -> ActivityView:
    room = rooms[activity.channel_id]
    return ActivityView(activity, room.name, room.archived_at is None, last)


def _require_ahead(schedule: Schedule, now: datetime) -> None:
    if schedule.form is Form.ONCE and next_due(schedule, now) is None:
        raise InvalidValueError("once", "past")
