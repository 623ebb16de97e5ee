"""The ``RunState`` of one workspace: checkpoints, runs, traces, rules and leases.

What is stored is made before a transaction begins, and a transaction waits for nothing but the
file: nobody who is cancelled leaves one open.
"""

# ruff: noqa: S608  the statements are put together from names of ours, never from values

from __future__ import annotations

import json
import time
import zlib
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.domain.runs.run_rows import (
    KEPT_CHECKPOINTS,
    MAX_CHECKPOINT_BYTES,
    MAX_DETAIL_BYTES,
    Compaction,
    Lease,
    Run,
    Spent,
    SpentOn,
    StoredCheckpoint,
    StoredWrite,
    Trace,
)
from inklings_desktop.storage.engine.connecting import BUSY_TIMEOUT_MS
from inklings_desktop.storage.runs.run_file import RunFile

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Literal

    from inklings_desktop.domain.runs.run_rows import Decision, RunStateWord, TraceKind

_READ = "BEGIN"
_MOST_OF_A_DETAIL = 16 * MAX_DETAIL_BYTES

_CHECKPOINT = (
    "SELECT thread_id, ns, checkpoint_id, parent_id, state_version, CAST(body AS BLOB),"
    " CAST(metadata AS BLOB) FROM run_checkpoints"
)
_PLACE = "thread_id = ? AND ns = ?"
_PUT_CHECKPOINT = """
INSERT INTO run_checkpoints
    (thread_id, ns, checkpoint_id, parent_id, state_version, body, metadata)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (thread_id, ns, checkpoint_id) DO UPDATE SET
    parent_id = excluded.parent_id, state_version = excluded.state_version,
    body = excluded.body, metadata = excluded.metadata
"""
_IDS = f"SELECT checkpoint_id FROM run_checkpoints WHERE {_PLACE} ORDER BY checkpoint_id"
_PUT_WRITE = """
INSERT INTO run_writes (thread_id, ns, checkpoint_id, task_id, idx, channel, body)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (thread_id, ns, checkpoint_id, task_id, idx) DO
"""
_REPLACE_WRITE = f"{_PUT_WRITE} UPDATE SET channel = excluded.channel, body = excluded.body"
_KEEP_WRITE = f"{_PUT_WRITE} NOTHING"

_BEGIN_RUN = """
INSERT INTO runs
    (id, conversation_id, process, node, parent_id, model, provider, started_at,
     state, input_tokens, output_tokens, cached_tokens, n_tool_calls, problem)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'running', 0, 0, 0, 0, '')
ON CONFLICT (id) DO UPDATE SET state = 'running', ended_at = NULL, problem = ''
"""
_NOTE_RUN = """
UPDATE runs SET node = iif(id = :id, :node, node), input_tokens = input_tokens + :input,
    output_tokens = output_tokens + :output, cached_tokens = cached_tokens + :cached,
    n_tool_calls = n_tool_calls + :calls,
    cost_micro = iif(:cost IS NULL, cost_micro, ifnull(cost_micro, 0) + :cost),
    currency = ifnull(:currency, currency)
WHERE id IN (:id, (SELECT parent_id FROM runs WHERE id = :id))
"""
_END_RUN = """
UPDATE runs SET state = :state, ended_at = :at, problem = iif(id = :id, :problem, problem)
WHERE id = :id OR (parent_id = :id AND state IN ('running', 'parked'))
"""
_RUN = (
    "SELECT id, conversation_id, process, state, node, started_at, ended_at, input_tokens,"
    " output_tokens, cached_tokens, cost_micro, currency, n_tool_calls, model, provider,"
    " parent_id, problem FROM runs"
)
_SPENT = """
SELECT ifnull(sum(input_tokens), 0), ifnull(sum(output_tokens), 0), ifnull(sum(cached_tokens), 0),
    sum(cost_micro), max(currency), ifnull(sum(n_tool_calls), 0)
FROM runs WHERE conversation_id = ifnull(?, conversation_id) AND started_at >= ?
    AND parent_id IS NULL
"""
_SPENT_ON = """
SELECT summary ->> 'process', summary ->> 'provider', summary ->> 'model', count(*),
    sum(summary ->> 'input'), sum(summary ->> 'output'), sum(summary ->> 'cached'),
    sum(summary ->> 'cost_micro'), max(summary ->> 'currency')
FROM run_traces WHERE kind = 'model' AND at >= ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""
_ADD_TRACE = """
INSERT INTO run_traces (run_id, step, node, kind, summary, detail, at)
SELECT id, 1 + ifnull((SELECT max(step) FROM run_traces WHERE run_id = runs.id), 0), ?, ?, ?, ?, ?
FROM runs WHERE id = ? RETURNING step
"""
_ADD_COMPACTION = """
INSERT INTO run_compactions
    (thread_id, number, up_to_message, compact, source_digest, by, model, at)
SELECT ?, 1 + ifnull(max(number), 0), ?, ?, ?, ?, ?, ? FROM run_compactions WHERE thread_id = ?
ON CONFLICT (thread_id, up_to_message) DO NOTHING
"""
_PUT_RULE = """
INSERT INTO permission_rules (conversation_id, tool, argument_digest, decision, at)
VALUES (?, ?, ?, ?, ?)
ON CONFLICT (conversation_id, tool, argument_digest) DO UPDATE SET
    decision = excluded.decision, at = excluded.at
"""
_PUT_LEASE = """
INSERT INTO leases (name, holder, taken_at, expires_at) VALUES (?, ?, ?, ?)
ON CONFLICT (name) DO UPDATE SET
    holder = excluded.holder, taken_at = excluded.taken_at, expires_at = excluded.expires_at
"""


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class SqliteRunState:
    """The run state of a workspace's file; see ``agent.ports`` for what each method promises."""

    def __init__(
        self,
        root: Path,
        workspace_id: str,
        now_ms: Callable[[], int] = _now_ms,
        *,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
    ) -> None:
        """Know the file; it is opened when it is first used.

        Args:
            workspace_id: Whose runs these are.
            now_ms: Tells the time, in milliseconds since 1970, UTC.
            busy_timeout_ms: How long a write waits for another program, in milliseconds.

        Raises:
            NotFoundError: No workspace can have this id.
        """
        self._file = RunFile(root, workspace_id, busy_timeout_ms=busy_timeout_ms)
        self._now_ms = now_ms

    def rest(self) -> None:
        self._file.rest()

    close = rest

    def put_checkpoint(self, checkpoint: StoredCheckpoint, *, is_patient: bool = True) -> None:
        """Store it as the newest of its thread and namespace, or replace the one with its id.

        Raises:
            DatabaseBusyError: Somebody else writes to the file.
            InvalidValueError: It is too long.
            ConflictError: The one it follows is gone, because the conversation was scrubbed.
        """
        _require_fitting("checkpoint", checkpoint.body)
        _require_fitting("checkpoint", checkpoint.metadata)
        one = checkpoint
        place = one.thread_id, one.ns
        with self._file.transaction(is_patient=is_patient) as connection:
            ids = [id_ for (id_,) in connection.execute(_IDS, place)]
            if one.parent_id is not None:
                _require_among(ids, one.parent_id, one.thread_id)
            # Ids tell the time they were made at: where the clock was set back, or somebody forged
            # one, what was stored last would not be found as the newest.
            older = [id_ for id_ in ids if id_ < one.checkpoint_id]
            newer = [id_ for id_ in ids if id_ > one.checkpoint_id]
            gone = (*newer, *older[: 1 - KEPT_CHECKPOINTS])
            # First, so that the new one takes the pages of the old: each is written once then.
            _delete(connection, [(*place, id_) for id_ in gone])
            connection.execute(
                _PUT_CHECKPOINT,
                (*place, one.checkpoint_id, one.parent_id, one.state_version, one.body,
                 one.metadata),
            )  # fmt: skip

    def put_writes(
        self,
        thread_id: str,
        ns: str,
        checkpoint_id: str,
        writes: Sequence[StoredWrite],
        *,
        is_patient: bool = True,
    ) -> None:
        for one in writes:
            _require_fitting("write", one.body)
        place = thread_id, ns, checkpoint_id
        rows = [(*place, one.task_id, one.idx, one.channel, one.body) for one in writes]
        kept = [row for row in rows if row[4] >= 0]
        replaced = [row for row in rows if row[4] < 0]
        with self._file.transaction(is_patient=is_patient) as connection:
            ids = [id_ for (id_,) in connection.execute(_IDS, place[:2])]
            _require_among(ids, checkpoint_id, thread_id)
            connection.executemany(_KEEP_WRITE, kept)
            connection.executemany(_REPLACE_WRITE, replaced)

    def checkpoint(
        self, thread_id: str, ns: str, checkpoint_id: str | None = None
    ) -> StoredCheckpoint | None:
        wanted = "" if checkpoint_id is None else " AND checkpoint_id = ?"
        asked = f"{_CHECKPOINT} WHERE {_PLACE}{wanted} ORDER BY checkpoint_id DESC LIMIT 1"
        values = (thread_id, ns, checkpoint_id)[: 2 if checkpoint_id is None else 3]
        return next(iter(self._checkpoints(asked, values)), None)

    def checkpoints(
        self, thread_id: str | None = None, ns: str | None = None
    ) -> tuple[StoredCheckpoint, ...]:
        asked = (
            f"{_CHECKPOINT} WHERE thread_id = ifnull(?, thread_id) AND ns = ifnull(?, ns)"
            " ORDER BY checkpoint_id DESC"
        )
        return self._checkpoints(asked, (thread_id, ns))

    def writes(self, thread_id: str, ns: str, checkpoint_id: str) -> tuple[StoredWrite, ...]:
        rows = self._rows(
            "SELECT task_id, idx, channel, CAST(body AS BLOB) FROM run_writes"
            f" WHERE {_PLACE} AND checkpoint_id = ? ORDER BY task_id, idx",
            (thread_id, ns, checkpoint_id),
        )
        return tuple(StoredWrite(*row) for row in rows)

    def delete_thread(self, thread_id: str) -> None:
        with self._file.transaction() as connection:
            for table in ("run_writes", "run_checkpoints"):
                connection.execute(f"DELETE FROM {table} WHERE thread_id = ?", (thread_id,))

    def delete_branches(self, thread_id: str) -> None:
        with self._file.transaction() as connection:
            for table in ("run_writes", "run_checkpoints"):
                connection.execute(
                    f"DELETE FROM {table} WHERE thread_id = ? AND ns != ''", (thread_id,)
                )

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
        values = (run_id, conversation_id, process, node, parent_id, model, provider)
        self._write(_BEGIN_RUN, (*values, self._now_ms()))

    def note_run(self, run_id: str, node: str, spent: Spent | None = None) -> None:
        more = spent or Spent()
        values = {
            "id": run_id, "node": node, "input": more.input_tokens, "output": more.output_tokens,
            "cached": more.cached_tokens, "calls": more.n_tool_calls, "cost": more.cost_micro,
            "currency": more.currency,
        }  # fmt: skip
        if not self._write(_NOTE_RUN, values):
            raise NotFoundError("run", run_id)

    def end_run(self, run_id: str, state: RunStateWord, problem: str = "") -> None:
        values = {"state": state, "at": self._now_ms(), "problem": problem, "id": run_id}
        self._write(_END_RUN, values)

    def run(self, run_id: str) -> Run | None:
        rows = self._rows(f"{_RUN} WHERE id = ?", (run_id,))
        return _run_of(rows[0]) if rows else None

    def runs(self, conversation_id: str, limit: int = 20) -> tuple[Run, ...]:
        asked = (
            f"{_RUN} WHERE conversation_id = ? AND parent_id IS NULL"
            " ORDER BY started_at DESC, rowid DESC LIMIT ?"
        )
        return tuple(map(_run_of, self._rows(asked, (conversation_id, limit))))

    def parts(self, run_id: str) -> tuple[Run, ...]:
        asked = f"{_RUN} WHERE parent_id = ? ORDER BY started_at, rowid"
        return tuple(map(_run_of, self._rows(asked, (run_id,))))

    def spent(self, conversation_id: str | None = None, since: int = 0) -> Spent:
        return Spent(*self._rows(_SPENT, (conversation_id, since))[0])

    def spent_on(self, since: int = 0) -> tuple[SpentOn, ...]:
        return tuple(
            SpentOn(process or "", provider or "", model or "", n, Spent(
                tokens_in or 0, tokens_out or 0, cached or 0, cost, currency))
            for process, provider, model, n, tokens_in, tokens_out, cached, cost, currency
            in self._rows(_SPENT_ON, (since,))
        )  # fmt: skip

    def add_trace(
        self,
        run_id: str,
        node: str,
        kind: TraceKind,
        summary: Mapping[str, Any],
        detail: Mapping[str, Any] | None = None,
    ) -> int:
        packed = None if detail is None else _packed(detail)
        values = (node, kind, _json(summary), packed, self._now_ms(), run_id)
        with self._file.transaction() as connection:
            row = connection.execute(_ADD_TRACE, values).fetchone()
        if row is None:
            raise NotFoundError("run", run_id)
        return int(row[0])

    def traces(self, run_id: str, after: int = 0, limit: int = 100) -> tuple[Trace, ...]:
        rows = self._rows(
            "SELECT run_id, step, node, kind, summary, detail, at FROM run_traces"
            " WHERE run_id = ? AND step > ? ORDER BY step LIMIT ?",
            (run_id, after, limit),
        )
        return tuple(
            Trace(run, step, node, kind, _object(summary.encode()) or {}, _unpacked(detail), at)
            for run, step, node, kind, summary, detail, at in rows
        )

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
        kept = (up_to_message, _json(compact), source_digest, by, model, self._now_ms())
        with self._file.transaction() as connection:
            connection.execute(_ADD_COMPACTION, (thread_id, *kept, thread_id))
            row = connection.execute(
                "SELECT number FROM run_compactions WHERE thread_id = ? AND up_to_message = ?",
                (thread_id, up_to_message),
            ).fetchone()
        return int(row[0])

    def compactions(self, thread_id: str) -> tuple[Compaction, ...]:
        rows = self._rows(
            "SELECT thread_id, number, up_to_message, compact, source_digest, by, model, at"
            " FROM run_compactions WHERE thread_id = ? ORDER BY number",
            (thread_id,),
        )
        return tuple(
            Compaction(thread, number, up_to, _object(compact.encode()) or {}, *rest)
            for thread, number, up_to, compact, *rest in rows
        )

    def put_rule(
        self, conversation_id: str, tool: str, argument_digest: str, decision: Decision
    ) -> None:
        self._write(_PUT_RULE, (conversation_id, tool, argument_digest, decision, self._now_ms()))

    def rule(self, conversation_id: str, tool: str, argument_digest: str) -> Decision | None:
        rows = self._rows(
            "SELECT decision FROM permission_rules WHERE conversation_id = ? AND tool = ?"
            " AND argument_digest IN (?, '') ORDER BY argument_digest DESC LIMIT 1",
            (conversation_id, tool, argument_digest),
        )
        return rows[0][0] if rows else None

    def lease(self, name: str) -> Lease | None:
        with self._file.transaction(_READ) as connection:
            return self._held(connection, name)

    def take_lease(self, name: str, holder: str, seconds: float) -> Lease | None:
        with self._file.transaction() as connection:
            held = self._held(connection, name, seconds)
            if held is not None and held.holder != holder:
                return held
            self._put_lease(connection, name, holder, seconds)
        return None

    def note_lease(self, name: str, holder: str, seconds: float) -> None:
        with self._file.transaction() as connection:
            self._put_lease(connection, name, holder, seconds)

    def release_lease(self, name: str, holder: str) -> None:
        self._write("DELETE FROM leases WHERE name = ? AND holder = ?", (name, holder))

    def _held(
        self, connection: sqlite3.Connection, name: str, seconds: float | None = None
    ) -> Lease | None:
        row = connection.execute(
            "SELECT name, holder, expires_at, taken_at FROM leases WHERE name = ?", (name,)
        ).fetchone()
        now = self._now_ms()
        if row is None or now >= row[2]:
            return None
        # Whoever took it before the clock was set back would otherwise have it for years.
        length = row[2] - row[3] if seconds is None else round(seconds * 1000)
        return None if row[3] > now + length else Lease(*row[:3])

    def _put_lease(
        self, connection: sqlite3.Connection, name: str, holder: str, seconds: float
    ) -> None:
        now = self._now_ms()
        connection.execute(_PUT_LEASE, (name, holder, now, now + round(seconds * 1000)))

    def _checkpoints(self, asked: str, values: tuple[Any, ...]) -> tuple[StoredCheckpoint, ...]:
        return tuple(StoredCheckpoint(*row) for row in self._rows(asked, values))

    def _rows(self, asked: str, values: tuple[Any, ...]) -> list[Any]:
        with self._file.transaction(_READ) as connection:
            rows: list[Any] = connection.execute(asked, values).fetchall()
        return rows

    def _write(self, statement: str, values: tuple[Any, ...] | Mapping[str, Any]) -> int:
        with self._file.transaction() as connection:
            return connection.execute(statement, values).rowcount


def _require_fitting(field: str, body: bytes) -> None:
    if len(body) > MAX_CHECKPOINT_BYTES:
        raise InvalidValueError(field, "too_long", MAX_CHECKPOINT_BYTES)


def _require_among(ids: Sequence[str], wanted: str, thread_id: str) -> None:
    """Return only if a checkpoint is there: a scrub leaves none, and nothing may be put back."""
    if wanted not in ids:
        raise ConflictError("checkpoint", thread_id)


def _delete(connection: sqlite3.Connection, places: Sequence[tuple[str, str, str]]) -> None:
    for table in ("run_writes", "run_checkpoints"):
        connection.executemany(
            f"DELETE FROM {table} WHERE {_PLACE} AND checkpoint_id = ?",
            places,
        )


def _run_of(row: Any) -> Run:
    id_, conversation, process, state, node, started, ended, *spent, model, by, parent, word = row
    return Run(
        id_, conversation, process, state, node, started, ended, Spent(*spent), model, by, parent,
        word,
    )  # fmt: skip


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _packed(detail: Mapping[str, Any]) -> bytes | None:
    plain = _json(detail).encode("utf-8", "surrogatepass")
    packed = zlib.compress(plain) if len(plain) <= _MOST_OF_A_DETAIL else b""
    return packed if 0 < len(packed) <= MAX_DETAIL_BYTES else None


def _unpacked(packed: bytes | None) -> dict[str, Any] | None:
    """A detail as it was given; None for what is none, whatever the file says."""
    if packed is None:
        return None
    try:
        return _object(zlib.decompressobj().decompress(packed, _MOST_OF_A_DETAIL))
    except (TypeError, zlib.error):
        return None


def _object(plain: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(plain.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
