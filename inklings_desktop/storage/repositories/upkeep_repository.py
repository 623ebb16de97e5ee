"""What agents leave behind in one file, made small again: by age, by state, by size."""

# ruff: noqa: S608  the statements are put together from names of ours, never from values

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.rooms.retention import (
    MAX_TRACE_DETAIL_BYTES,
    REQUESTS_KEPT_FOR,
    RUNS_KEPT_FOR,
    TRACE_DETAILS_KEPT_FOR,
)
from inklings_desktop.storage.rows.memories import to_ms

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.storage.rows.transaction import Transaction

_RESTING = """
thread_id IN (SELECT id FROM conversations WHERE state = 'archived')
OR thread_id IN (SELECT id FROM conversations WHERE state = 'idle') AND checkpoint_id < (
    SELECT max(newest.checkpoint_id) FROM run_checkpoints AS newest
    WHERE newest.thread_id = {table}.thread_id AND newest.ns = {table}.ns
)
"""
"""An idle conversation can go on from its newest checkpoint, an archived one from none."""
_TOO_MUCH = """
SELECT run_id, step FROM (
    SELECT run_id, step, sum(length(detail)) OVER (ORDER BY at DESC, run_id DESC, step DESC) AS held
    FROM run_traces WHERE detail IS NOT NULL
) WHERE held > :most
"""
_OLD_RUNS = "SELECT id FROM runs WHERE ifnull(ended_at, started_at) < :runs"
_OF_WORKSPACES = (
    ("", f"DELETE FROM run_writes WHERE {_RESTING.format(table='run_writes')}"),
    (
        "checkpoints",
        f"DELETE FROM run_checkpoints WHERE {_RESTING.format(table='run_checkpoints')}",
    ),
    ("", f"DELETE FROM run_traces WHERE run_id IN ({_OLD_RUNS})"),
    ("runs", "DELETE FROM runs WHERE ifnull(ended_at, started_at) < :runs"),
    (
        "trace_details",
        f"""
UPDATE run_traces SET detail = NULL
WHERE detail IS NOT NULL AND (at < :details OR (run_id, step) IN ({_TOO_MUCH}))
""",
    ),
)
_OF_BOTH = (
    ("request_keys", "DELETE FROM request_keys WHERE at < :requests"),
    ("", "DELETE FROM skill_execution_traces WHERE at < :runs"),
)


class SqliteTalkUpkeep:
    """The ``TalkUpkeep`` of one transaction."""

    def __init__(self, transaction: Transaction, *, is_account: bool) -> None:
        """Work in this transaction.

        Args:
            is_account: Whether it is on the account's file, which has no runs.
        """
        self._connection = transaction.connection
        self._steps = _OF_BOTH if is_account else (*_OF_WORKSPACES, *_OF_BOTH)

    def thin(self, now: datetime) -> dict[str, int]:
        values = {
            "runs": to_ms(now - RUNS_KEPT_FOR),
            "details": to_ms(now - TRACE_DETAILS_KEPT_FOR),
            "requests": to_ms(now - REQUESTS_KEPT_FOR),
            "most": MAX_TRACE_DETAIL_BYTES,
        }
        counts: dict[str, int] = {}
        for word, statement in self._steps:
            n_gone = self._connection.exec_driver_sql(statement, values).rowcount
            if word and n_gone:
                counts[word] = n_gone
        return counts
