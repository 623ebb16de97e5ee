"""Runs, leases and marks of background work in one file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.dialects.sqlite import insert as upsert

from inklings_desktop.domain.background.tasks import (
    KeptPair,
    PairState,
    RunState,
    RunStep,
    StepKind,
    TaskKind,
    TaskRun,
    TaskState,
    TaskTarget,
)
from inklings_desktop.domain.errors import (
    AlreadyRunningError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.storage.rows.memories import (
    columns_of,
    from_ms,
    from_ms_or_none,
    of_sensible_rows,
    sensible,
    to_ms,
)
from inklings_desktop.storage.schema.task_schema import (
    duplicate_pairs,
    leases,
    run_steps,
    task_runs,
    task_states,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Row, Table

    from inklings_desktop.storage.rows.transaction import Transaction

MIN_ID_PREFIX = 4
WHOLE_FILE = ""


def put_row(table: Table, *keys: str) -> Any:
    """An insert that replaces the row with the same keys, column by column."""
    statement = upsert(table)
    values = {
        column.name: statement.excluded[column.name]
        for column in table.c
        if column.name not in {*keys, "sequence"}
    }
    return statement.on_conflict_do_update(index_elements=list(keys), set_=values)


_PUT_RUN = put_row(task_runs, "id")
_PUT_STATE = put_row(task_states, "kind", "tier", "scope_key")
_PUT_LEASE = put_row(leases, "name")
_PUT_STEP = put_row(run_steps, "run_id", "memory_id")
_LEASE = select(leases).where(leases.c.name == bindparam("wanted"))
_RELEASE = delete(leases).where(
    leases.c.name == bindparam("wanted"), leases.c.holder == bindparam("whose")
)
_RUNS = select(task_runs).order_by(task_runs.c.sequence.desc())
_STEPS = select(run_steps).where(run_steps.c.run_id == bindparam("wanted"))


class SqliteTaskRepository:
    """The ``TaskRepository`` of one transaction.

    None of it is memory: other processes are not told, and no change number is taken.
    """

    def __init__(self, transaction: Transaction) -> None:
        self._connection = transaction.connection
        self._workspace_id = transaction.workspace_id

    def hold(self, name: str, holder: str, now: datetime, seconds: float) -> None:
        row = self._connection.execute(_LEASE, {"wanted": name}).one_or_none()
        at, length = to_ms(now), int(seconds * 1000)
        if row is not None and row.holder != holder:
            was_taken_in_the_future = row.taken_at > at + length
            if at < row.expires_at and not was_taken_in_the_future:
                raise AlreadyRunningError(name, from_ms(row.expires_at))
        self._connection.execute(
            _PUT_LEASE,
            {"name": name, "holder": holder, "taken_at": at, "expires_at": at + length},
        )

    def release(self, name: str, holder: str) -> None:
        self._connection.execute(_RELEASE, {"wanted": name, "whose": holder})

    def put_run(self, run: TaskRun) -> None:
        self._connection.execute(
            _PUT_RUN,
            {
                **columns_of(run, "id trigger state started_at ended_at problem"),
                **_target_values(run.target),
                "counts": json.dumps(dict(run.counts), sort_keys=True),
            },
        )

    def run(self, run_id: str) -> TaskRun:
        if len(run_id) < MIN_ID_PREFIX:
            raise InvalidValueError("run", "too_short", MIN_ID_PREFIX)
        statement = select(task_runs).where(
            task_runs.c.id >= run_id, task_runs.c.id < f"{run_id}\U0010ffff"
        )
        rows = self._connection.execute(statement.limit(2)).all()
        if not rows:
            raise NotFoundError("run", run_id)
        if len(rows) > 1:
            raise InvalidValueError("run", "ambiguous")
        return self._run_of(rows[0])

    def runs(self, limit: int) -> tuple[TaskRun, ...]:
        return tuple(sensible(self._connection.execute(_RUNS.limit(limit)), self._run_of))

    def unfinished(self, target: TaskTarget) -> TaskRun | None:
        values = _target_values(target)
        statement = _RUNS.where(
            task_runs.c.state == RunState.RUNNING.value,
            *(task_runs.c[name] == value for name, value in values.items()),
        )
        return next(sensible(self._connection.execute(statement.limit(1)), self._run_of), None)

    def add_steps(self, steps: Sequence[RunStep]) -> None:
        if steps:
            names = "run_id memory_id kind version successor_id"
            self._connection.execute(_PUT_STEP, [columns_of(one, names) for one in steps])

    def steps(self, run_id: str) -> tuple[RunStep, ...]:
        rows = self._connection.execute(_STEPS, {"wanted": run_id})
        return tuple(sensible(rows, _step_of))

    def state(self, target: TaskTarget) -> TaskState | None:
        values = _target_values(target)
        statement = select(task_states).where(
            *(task_states.c[name] == value for name, value in values.items())
        )
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            return None
        return TaskState(
            from_ms(row.first_seen_at),
            from_ms_or_none(row.last_run_at),
            from_ms_or_none(row.next_due_at),
            row.seen_sequence,
            row.compared_seq,
            row.model_id,
        )

    def put_state(self, target: TaskTarget, state: TaskState) -> None:
        self._connection.execute(
            _PUT_STATE,
            {
                **_target_values(target),
                **columns_of(
                    state,
                    "first_seen_at last_run_at next_due_at seen_sequence compared_seq model_id",
                ),
            },
        )

    def kept_pairs(self, scope: ScopeKey) -> tuple[KeptPair, ...]:
        statement = (
            select(duplicate_pairs)
            .where(
                duplicate_pairs.c.tier == scope.tier.value,
                duplicate_pairs.c.scope_key == scope.key,
            )
            .order_by(
                duplicate_pairs.c.cosine.desc(), duplicate_pairs.c.first, duplicate_pairs.c.second
            )
        )
        return tuple(sensible(self._connection.execute(statement), _pair_of))

    def keep_pairs(self, scope: ScopeKey, pairs: Sequence[KeptPair]) -> None:
        self._connection.execute(
            delete(duplicate_pairs).where(
                duplicate_pairs.c.tier == scope.tier.value,
                duplicate_pairs.c.scope_key == scope.key,
            )
        )
        unique = {(one.first, one.second): one for one in pairs}
        if unique:
            place = columns_of(scope, "tier scope_key=key")
            names = "first second first_said second_said cosine state"
            rows = [place | columns_of(one, names) for one in unique.values()]
            self._connection.execute(insert(duplicate_pairs), rows)

    @of_sensible_rows
    def _run_of(self, row: Row[*tuple[Any, ...]]) -> TaskRun:
        scope = (
            None
            if row.tier == WHOLE_FILE
            else ScopeKey(Tier(row.tier), self._workspace_id, row.scope_key)
        )
        return TaskRun(
            row.id,
            TaskTarget(TaskKind(row.kind), self._workspace_id, scope),
            row.trigger,
            RunState(row.state),
            from_ms(row.started_at),
            from_ms_or_none(row.ended_at),
            dict(json.loads(row.counts)),
            row.problem,
        )


@of_sensible_rows
def _step_of(row: Row[*tuple[Any, ...]]) -> RunStep:
    return RunStep(row.run_id, row.memory_id, StepKind(row.kind), row.version, row.successor_id)


@of_sensible_rows
def _pair_of(row: Row[*tuple[Any, ...]]) -> KeptPair:
    return KeptPair(
        row.first,
        row.second,
        row.first_said,
        row.second_said,
        row.cosine,
        PairState(row.state),
    )


def _target_values(target: TaskTarget) -> dict[str, str]:
    scope = target.scope
    return {
        "kind": target.kind.value,
        "tier": WHOLE_FILE if scope is None else scope.tier.value,
        "scope_key": WHOLE_FILE if scope is None else scope.key,
    }
