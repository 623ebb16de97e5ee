"""Activities of one workspace's file, and the agent's turns that are their runs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from inklings_desktop.domain.background.activities import (
    Activity,
    ActivityRun,
    Outcome,
    budget_of,
    payload_of_budget,
)
from inklings_desktop.domain.background.schedules import schedule_of, stored_schedule
from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.domain.rooms.messages import MessageRole
from inklings_desktop.storage.repositories.task_repository import put_row
from inklings_desktop.storage.rows.memories import (
    columns_of,
    from_ms,
    from_ms_or_none,
    of_sensible_rows,
    sensible,
    to_ms,
)
from inklings_desktop.storage.schema.activity_schema import scheduled_activities
from inklings_desktop.storage.schema.tables import memories
from inklings_desktop.storage.schema.talk_schema import agent_runs, messages
from inklings_desktop.storage.search.conditions import is_active

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Row

    from inklings_desktop.storage.rows.transaction import Transaction

MOST_SAID = 300
"""Characters of an answer's beginning."""
_MARKS = re.compile(r"\*{1,2}|\[([^]]*)\]\([^)]*\)")
"""Of an answer's Markdown what a line of plain words does without."""
_COLUMNS = scheduled_activities.c
_ALL = select(scheduled_activities).order_by(_COLUMNS.name_key)
_PUT = put_row(scheduled_activities, "id")
_ANSWER = (
    select(messages.c.parts)
    .where(
        messages.c.conversation_id == agent_runs.c.conversation_id,
        messages.c.role == MessageRole.ASSISTANT.value,
    )
    .order_by(messages.c.number.desc())
    .limit(1)
    .correlate(agent_runs)
    .scalar_subquery()
)
_RUNS = select(
    agent_runs.c.id,
    agent_runs.c.conversation_id,
    agent_runs.c.state,
    agent_runs.c.started_at,
    agent_runs.c.ended_at,
    agent_runs.c.problem,
    agent_runs.c.n_tool_calls,
    agent_runs.c.cost_micro,
    agent_runs.c.currency,
    _ANSWER,
    agent_runs.c.activity_id,
).order_by(agent_runs.c.started_at.desc(), agent_runs.c.id.desc())
_OF = _RUNS.where(agent_runs.c.activity_id == bindparam("whose"))
_STATES = {
    Outcome.DONE: "finished",
    Outcome.BUDGET: "stopped",
    Outcome.STOPPED: "stopped",
    Outcome.FAILED: "failed",
}
_newer = agent_runs.alias()
_NEWEST = (
    select(_newer.c.id)
    .where(_newer.c.activity_id == agent_runs.c.activity_id)
    .order_by(_newer.c.started_at.desc(), _newer.c.id.desc())
    .limit(1)
    .correlate(agent_runs)
    .scalar_subquery()
)
PROCESS = "orchestrator"
_OUTCOMES = {"finished": Outcome.DONE, "failed": Outcome.FAILED}


class SqliteActivityRepository:
    """The ``ActivityRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def all(self) -> tuple[Activity, ...]:
        return tuple(sensible(self._connection.execute(_ALL), _activity_of))

    def get(self, key: str) -> Activity:
        by_id = _COLUMNS.id == key
        is_it = or_(by_id, _COLUMNS.name_key == name_key(key))
        statement = select(scheduled_activities).where(is_it)
        row = self._connection.execute(statement.order_by(by_id.desc())).first()
        if row is None:
            raise NotFoundError("activity", key, tuple(one.name for one in self.all()))
        return _activity_of(row)

    def put(self, activity: Activity) -> None:
        names = (
            "id name prompt channel_id agent enabled created_by created_at next_due_at"
            " last_started_at last_outcome missed"
        )
        values = {
            **columns_of(activity, names),
            "name_key": name_key(activity.name),
            "schedule": json.dumps(stored_schedule(activity.schedule)),
            "timezone": activity.schedule.zone,
            "budget": json.dumps(payload_of_budget(activity.budget)),
            "changed_seq": self._transaction.change_seq,
        }
        try:
            self._connection.execute(_PUT, values)
        except IntegrityError as error:
            raise ConflictError("activity", activity.name) from error
        self._transaction.rooms_changed()

    def delete(self, activity_id: str) -> None:
        statement = delete(scheduled_activities).where(_COLUMNS.id == activity_id)
        self._connection.execute(statement)
        self._transaction.take_number()
        self._transaction.rooms_changed()

    def begin_run(self, activity_id: str, run_id: str, conversation_id: str, at: datetime) -> None:
        nothing = dict.fromkeys(
            ("input_tokens", "output_tokens", "cached_tokens", "n_tool_calls"), 0
        )
        values = {
            "id": run_id,
            "conversation_id": conversation_id,
            "process": PROCESS,
            "activity_id": activity_id,
            "state": "running",
            "node": "",
            "started_at": to_ms(at),
            "problem": "",
            **nothing,
        }
        self._connection.execute(insert(agent_runs), values)

    def end_run(
        self, run_id: str, outcome: Outcome, problem: str, at: datetime, n_tool_calls: int = 0
    ) -> None:
        values = {
            "state": _STATES[outcome],
            "problem": problem,
            "ended_at": to_ms(at),
            "n_tool_calls": agent_runs.c.n_tool_calls + n_tool_calls,
        }
        self._connection.execute(update(agent_runs).where(agent_runs.c.id == run_id).values(values))

    def runs(self, activity_id: str, limit: int) -> tuple[ActivityRun, ...]:
        rows = self._connection.execute(_OF.limit(limit), {"whose": activity_id})
        return tuple(sensible(rows, _run_of))

    def latest(self) -> Mapping[str, ActivityRun]:
        newest = _RUNS.where(agent_runs.c.id == _NEWEST)
        return {row[-1]: _run_of(row) for row in self._connection.execute(newest)}

    def n_new_in(self, channel_id: str, since: datetime) -> int:
        statement = select(func.count()).where(
            memories.c.tier == Tier.CHANNEL.value,
            memories.c.scope_key == channel_id,
            memories.c.created_at > to_ms(since),
            is_active,
        )
        return int(self._connection.execute(statement).scalar_one())


@of_sensible_rows
def _activity_of(row: Row[*tuple[Any, ...]]) -> Activity:
    return Activity(
        row.id,
        row.name,
        row.prompt,
        row.channel_id,
        schedule_of(json.loads(row.schedule), row.timezone),
        budget_of(json.loads(row.budget)),
        row.created_by,
        from_ms(row.created_at),
        row.agent,
        bool(row.enabled),
        from_ms_or_none(row.next_due_at),
        from_ms_or_none(row.last_started_at),
        Outcome(row.last_outcome),
        row.missed,
    )


@of_sensible_rows
def _run_of(row: Row[*tuple[Any, ...]]) -> ActivityRun:
    (
        id_, conversation_id, state, started_at, ended_at, problem, n_tool_calls, cost, currency,
        answer, _,
    ) = row  # fmt: skip
    if state == "stopped":
        outcome = Outcome.BUDGET if problem else Outcome.STOPPED
    else:
        outcome = _OUTCOMES.get(state, Outcome.RUNNING)
    parts = json.loads(answer or "[]")
    said = " ".join(_MARKS.sub(r"\1", str(one["text"])) for one in parts if one["kind"] == "text")
    told = " ".join(said.split())
    return ActivityRun(
        id_,
        conversation_id,
        outcome,
        from_ms(started_at),
        from_ms_or_none(ended_at),
        problem,
        n_tool_calls,
        cost,
        currency or "",
        told if len(told) <= MOST_SAID else f"{told[: MOST_SAID - 1]}\u2026",
    )
