"""One run of an activity: begun in one transaction, carried out by an agent, ended in another.

The prompt is stored, the next time set and the turn noted before any agent is started, so a program
that is killed at any moment leaves one of two things: nothing, or a turn that goes on where it was.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.activities import (
    FAILURES_TO_PAUSE,
    WORLD_AGENT,
    ActivityRun,
    Errand,
    Outcome,
    RunEnd,
    activity_of,
    has_failed_often,
    title_of_run,
    told_prompt,
)
from inklings_desktop.domain.background.schedules import may_begin, missed, next_due, on_wall
from inklings_desktop.domain.background.tasks import CANCELLED, RunState, TaskRun
from inklings_desktop.domain.errors import AlreadyRunningError, InvalidValueError, StoppedError
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import (
    Conversation,
    ConversationState,
    new_ref_code,
)
from inklings_desktop.domain.rooms.messages import Message, MessageRole, MessageState, ProducedBy
from inklings_desktop.domain.runs.run_rows import run_id_of
from inklings_desktop.usecases.access.known_clients import known_client
from inklings_desktop.usecases.steps.leases import leased
from inklings_desktop.usecases.steps.recording import record_room

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.background.activities import Activity
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import UnitOfWork
    from inklings_desktop.usecases.steps.leases import Lease

BY_HAND = "request"
NOT_GRANTED = "not_granted"
RENEW_SECONDS = 15.0
"""So often a run says that it still goes on: several times within its lease."""
_STATES = {
    Outcome.DONE: RunState.FINISHED,
    Outcome.BUDGET: RunState.STOPPED,
    Outcome.STOPPED: RunState.STOPPED,
    Outcome.FAILED: RunState.FAILED,
}


@dataclass(frozen=True, slots=True)
class _Begun:
    """A run that is to be carried out."""

    activity: Activity
    run: ActivityRun
    prompt: str = ""
    is_continued: bool = False

    def errand(self, workspace_id: str) -> Errand:
        """What its agent is sent for."""
        return Errand(
            workspace_id,
            self.run.conversation_id,
            _turn_of(self.run),
            self.activity.agent,
            self.prompt,
            self.activity.budget,
            self.is_continued,
        )


def carried_out(
    asked: Asked, workspace_id: str, key: str, trigger: str, progress: Progress
) -> TaskRun:
    """Carries an activity out, as ``Activities.run`` says."""
    with asked.store.read(workspace_id) as view:
        target = activity_of(workspace_id, view.activities.get(key).id)
    run = TaskRun(asked.new_id(), target, trigger, RunState.RUNNING, asked.clock())
    with leased(asked.store, target, run.id, asked.clock) as lease:
        begun = _begun(asked, lease, trigger)
        if begun is None:  # another clock was quicker, or a person went on with it
            return replace(run, state=RunState.FINISHED, ended_at=asked.clock())
        watched = _watched(asked, lease, progress)
        try:
            if _is_let_in(asked, workspace_id, begun.activity.agent):
                errand = begun.errand(workspace_id)
                end = asked.adapters.activities.carry_out(errand, watched)
            else:
                end = RunEnd(Outcome.FAILED, NOT_GRANTED)
        except StoppedError:
            raise  # it rests, and goes on when the program is there again
        except Exception:
            _end(asked, lease, begun, RunEnd(Outcome.FAILED, "bug"))
            raise
        _end(asked, lease, begun, end)
    problem = CANCELLED if end.outcome is Outcome.STOPPED else end.problem
    return replace(run, state=_STATES[end.outcome], ended_at=asked.clock(), problem=problem)


def _begun(asked: Asked, lease: Lease, trigger: str) -> _Begun | None:
    """What is to be carried out; None where nothing is any more."""
    workspace_id, now = lease.target.workspace_id or "", asked.clock()
    with asked.writing(workspace_id) as unit:
        lease.renew(unit)
        activity = unit.activities.get(lease.target.subject)
        if activity.last_outcome is Outcome.RUNNING:
            return _left_behind(unit, activity)
        schedule, due = activity.schedule, activity.next_due_at
        is_by_hand, made_up = trigger == BY_HAND, None
        if not is_by_hand and due is not None:
            if due > now:
                return None
            begins = may_begin(schedule, due, now)
            if begins > now:
                raise AlreadyRunningError(lease.target.name, begins)
            made_up = missed(schedule, due, now)
        elif not is_by_hand and not _has_enough_new(unit, activity):
            return None
        if not is_by_hand and not activity.enabled:
            return None
        is_due = due is None or due <= now
        begun = replace(
            activity,
            next_due_at=next_due(schedule, now) if is_due and activity.enabled else due,
            last_started_at=now,
            last_outcome=Outcome.RUNNING,
            missed=0 if made_up is None else made_up.n,
        )
        since = "" if made_up is None else f"{on_wall(made_up.since, schedule.zone):%Y-%m-%d %H:%M}"
        prompt = told_prompt(activity.prompt, made_up, since)
        run = _run_in(asked, unit, workspace_id, begun, prompt, now)
        unit.activities.put(begun)
        unit.commit()
    return _Begun(begun, run, prompt)


def _is_let_in(asked: Asked, workspace_id: str, agent: str) -> bool:
    """Whether another maker's agent may reach this workspace; our own says so itself."""
    if agent == WORLD_AGENT:
        return True
    with asked.store.read(None) as account:
        known = known_client(account, agent)
    return known is not None and bool(known.rights_in(workspace_id))


def _has_enough_new(unit: UnitOfWork, activity: Activity) -> bool:
    """Whether so many memories were written that they bring a run; never for a time that passed."""
    since = activity.last_started_at or activity.created_at
    n = activity.schedule.n
    return n > 0 and unit.activities.n_new_in(activity.channel_id, since) >= n


def _left_behind(unit: UnitOfWork, activity: Activity) -> _Begun | None:
    """The run that a killed program left; None where it has come to its end by now."""
    last = next(iter(unit.activities.runs(activity.id, 1)), None)
    if last is not None and last.outcome is Outcome.RUNNING:
        unit.commit()
        return _Begun(activity, last, is_continued=True)
    outcome = Outcome.NONE if last is None else last.outcome
    unit.activities.put(replace(activity, last_outcome=outcome))
    unit.commit()
    return None


def _run_in(
    asked: Asked,
    unit: UnitOfWork,
    workspace_id: str,
    activity: Activity,
    prompt: str,
    now: datetime,
) -> ActivityRun:
    """A conversation with the prompt in it, and the turn that will answer it."""
    channel = unit.conversations.get_channel(activity.channel_id)
    if channel.archived_at is not None:
        raise InvalidValueError("channel", "archived")
    title = title_of_run(activity.name, on_wall(now, activity.schedule.zone))
    room = Conversation(
        asked.new_id(), new_ref_code(), channel.id, title, ConversationState.ACTIVE, now
    )
    unit.conversations.add(room, [activity.agent])
    record_room(
        unit,
        asked.caller,
        EventKind.CONVERSATION_STARTED,
        ScopeKey.conversation(workspace_id, room.id),
        now,
    )
    run_id = run_id_of(room.id, f"t1-{secrets.token_hex(4)}")
    unit.activities.begin_run(activity.id, run_id, room.id, now)
    run = ActivityRun(run_id, room.id, Outcome.RUNNING, now)
    parts = json.dumps([{"kind": "text", "text": prompt}], ensure_ascii=False)
    unit.messages.append(_message(asked, run, MessageRole.USER, parts, now))
    return run


def _end(asked: Asked, lease: Lease, begun: _Begun, end: RunEnd) -> None:
    """Store how a run came out; one that failed once too often switches its activity off."""
    workspace_id, now = lease.target.workspace_id or "", asked.clock()
    run, caller = begun.run, asked.caller
    with asked.writing(workspace_id) as unit:
        unit.activities.end_run(run.id, end.outcome, end.problem, now, end.n_tool_calls)
        if end.answer is not None:
            answer = _message(asked, run, MessageRole.ASSISTANT, end.answer.parts_json, now)
            state, by = end.answer.state, end.answer.produced_by
            agent = begun.activity.agent
            unit.messages.append(replace(answer, state=state, produced_by=by, client=agent))
        activity = next((one for one in unit.activities.all() if one.id == begun.activity.id), None)
        if activity is None:  # it was taken away while it ran
            unit.commit()
            return
        latest, outcome = unit.activities.runs(activity.id, FAILURES_TO_PAUSE), end.outcome
        if has_failed_often(latest):
            activity = replace(activity, enabled=False, next_due_at=None)
            outcome = Outcome.PAUSED
        unit.activities.put(replace(activity, last_outcome=outcome))
        is_failed = end.outcome is Outcome.FAILED
        if is_failed and not latest[0].said:
            _say_why(asked, unit, begun, end.problem, now)
        ended = EventDraft(
            EventKind.ACTIVITY_FAILED if is_failed else EventKind.ACTIVITY_RAN,
            caller.name,
            caller.kind.value,
            caller.door.value,
            lease.target.kind.value,
            None,
            (activity.id, run.conversation_id),
            {
                "tool_calls": latest[0].n_tool_calls,
                "seconds": round((now - run.started_at).total_seconds()),
                "missed": begun.activity.missed,
            },
            {"outcome": outcome.value} | ({"problem": end.problem} if end.problem else {}),
        )
        scope = ScopeKey.workspace(workspace_id)
        unit.events.append(replace(ended, tier=scope.tier.value, scope_key=scope.key), now)
        unit.commit()


def _say_why(asked: Asked, unit: UnitOfWork, begun: _Begun, problem: str, now: datetime) -> None:
    """Answer in the agent's place, so that a run that failed is as unread as any other."""
    parts = json.dumps([{"kind": "problem", "word": problem}])
    message = _message(asked, begun.run, MessageRole.ASSISTANT, parts, now)
    unit.messages.append(
        replace(
            message,
            state=MessageState.FAILED,
            client=begun.activity.agent,
            produced_by=ProducedBy.MECHANICAL,
        )
    )


def _turn_of(run: ActivityRun) -> str:
    return run.id.partition(":")[2]


def _message(
    asked: Asked, run: ActivityRun, role: MessageRole, parts: str, now: datetime
) -> Message:
    return Message(
        asked.new_id(),
        run.conversation_id,
        0,
        _turn_of(run),
        role,
        MessageState.COMPLETE,
        parts,
        asked.caller.name,
        ProducedBy.PERSON,
        now,
    )


def _watched(asked: Asked, lease: Lease, progress: Progress) -> Progress:
    """The same, which keeps the lease while it is asked whether to go on."""
    renewed = [asked.clock()]

    def is_cancelled() -> bool:
        now = asked.clock()
        if abs((now - renewed[0]).total_seconds()) >= RENEW_SECONDS:
            renewed[0] = now
            try:
                with asked.writing(lease.target.workspace_id, durable=False) as unit:
                    lease.renew(unit)
                    unit.commit()
            except AlreadyRunningError:
                return True  # this one slept, and another goes on with it
        return progress.is_cancelled()

    return replace(progress, is_cancelled=is_cancelled)
