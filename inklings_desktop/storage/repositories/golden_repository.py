"""The author's golden questions in one file, each with how it fared last."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, select, update

from inklings_desktop.domain.background.golden import (
    GoldenAnswer,
    GoldenBasis,
    GoldenCause,
    GoldenQuestion,
    GoldenRecord,
)
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.storage.repositories.task_repository import put_row
from inklings_desktop.storage.rows.memories import (
    columns_of,
    from_ms,
    of_sensible_rows,
    sensible,
)
from inklings_desktop.storage.schema.task_schema import golden_questions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Row, Select

    from inklings_desktop.storage.rows.transaction import Transaction

# A question that is saved again is another question: what is not given here becomes empty.
_PUT = put_row(golden_questions, "id")
_ALL = select(golden_questions).order_by(golden_questions.c.sequence)
_RECORD = (
    update(golden_questions)
    .where(
        golden_questions.c.id == bindparam("asked_id"),
        golden_questions.c.question == bindparam("asked_question"),
        golden_questions.c.must == bindparam("asked_must"),
        golden_questions.c.must_not == bindparam("asked_must_not"),
    )
    .values(
        asked_at=bindparam("new_asked_at"),
        asked_after=bindparam("new_asked_after"),
        answer=bindparam("new_answer"),
        rate=bindparam("new_rate"),
        model_id=bindparam("new_model_id"),
        since=bindparam("new_since"),
        since_after=bindparam("new_since_after"),
        since_run=bindparam("new_since_run"),
    )
)


class SqliteGoldenRepository:
    """The ``GoldenRepository`` of one transaction.

    None of it is memory: other processes are not told, and no change number is taken.
    """

    def __init__(self, transaction: Transaction) -> None:
        self._connection = transaction.connection
        self._workspace_id = transaction.workspace_id

    def add(self, question: GoldenQuestion) -> None:
        self._connection.execute(
            _PUT,
            columns_of(
                question,
                "id tier=scope.tier scope_key=scope.key question must must_not created_at",
            ),
        )

    def questions(self, scope: ScopeKey | None = None) -> tuple[GoldenQuestion, ...]:
        return tuple(sensible(self._connection.execute(_of(scope)), self._question_of))

    def delete(self, question_id: str) -> None:
        statement = delete(golden_questions).where(golden_questions.c.id == question_id)
        if self._connection.execute(statement).rowcount == 0:
            raise NotFoundError("golden_question", question_id)

    def put_records(self, records: Sequence[GoldenRecord]) -> None:
        if records:
            self._connection.execute(_RECORD, [_values_of(one) for one in records])

    def records(self, scope: ScopeKey | None = None) -> Mapping[str, GoldenRecord]:
        asked = _of(scope).where(golden_questions.c.asked_at.is_not(None))
        rows = self._connection.execute(asked)
        return {one.answer.question.id: one for one in sensible(rows, self._record_of)}

    @of_sensible_rows
    def _question_of(self, row: Row[*tuple[Any, ...]]) -> GoldenQuestion:
        return GoldenQuestion(
            row.id,
            ScopeKey(Tier(row.tier), self._workspace_id, row.scope_key),
            row.question,
            tuple(json.loads(row.must)),
            tuple(json.loads(row.must_not)),
            from_ms(row.created_at),
        )

    @of_sensible_rows
    def _record_of(self, row: Row[*tuple[Any, ...]]) -> GoldenRecord:
        found = json.loads(row.answer)
        answer = GoldenAnswer(
            self._question_of(row),
            tuple(found["missing"]),
            tuple(found["unwanted"]),
            dict(found["ranks"]),
            tuple(found["hits"]),
        )
        return GoldenRecord(
            answer,
            from_ms(row.asked_at),
            GoldenCause(row.asked_after),
            GoldenBasis(row.rate, row.model_id),
            from_ms(row.since),
            GoldenCause(row.since_after),
            row.since_run,
        )


def _of(scope: ScopeKey | None) -> Select[Any]:
    if scope is None:
        return _ALL
    return _ALL.where(
        golden_questions.c.tier == scope.tier.value, golden_questions.c.scope_key == scope.key
    )


def _values_of(record: GoldenRecord) -> dict[str, object]:
    answer = record.answer
    asked = "asked_id=id asked_question=question asked_must=must asked_must_not=must_not"
    return {
        **columns_of(answer.question, asked),
        "new_answer": json.dumps(row_of(answer, "missing unwanted ranks hits")),
        **columns_of(
            record,
            "new_asked_at=asked_at new_asked_after=cause new_rate=basis.rate"
            " new_model_id=basis.model_id new_since=since new_since_after=since_cause"
            " new_since_run=run_id",
        ),
    }
