"""Vectors beside their memories: whose are compared, which are missing, storing those that fit."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from inklings_desktop.storage.engine.prepared import Prepared
from inklings_desktop.storage.rows.memories import vector_blobs
from inklings_desktop.storage.schema.tables import coming_vectors, memories, memory_vectors
from inklings_desktop.storage.search.conditions import among, is_retrievable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Table

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.storage.rows.transaction import Transaction

_ANY = "SELECT model_id FROM memory_vectors LIMIT 1"
"""All of them are of one model."""


def answering_model(transaction: Snapshot) -> str:
    """The model whose vectors are compared in this file; empty while it has none."""
    found = transaction.rows(_ANY)
    return str(found[0][0]) if found else ""


SHARE_TO_ANSWER = 0.95
"""Of the memories that can be found: once this many have a vector of another model, it answers."""


def _put(table: Table) -> Prepared:
    row = upsert(table)
    changed = {name: row.excluded[name] for name in ("model_id", "dimension", "vector")}
    return Prepared(row.on_conflict_do_update(index_elements=[table.c.sequence], set_=changed))


_UPSERT = _put(memory_vectors)
_UPSERT_COMING = _put(coming_vectors)
_DROP_STRANGERS = delete(coming_vectors).where(coming_vectors.c.model_id != bindparam("model_id"))
_TAKE_IN = (
    insert(memory_vectors)
    .prefix_with("OR REPLACE")
    .from_select(list(coming_vectors.c.keys()), select(coming_vectors))
)
_DROP_FORMER = delete(memory_vectors).where(memory_vectors.c.model_id != bindparam("model_id"))
_STAMP_EVERY = (
    update(memories)
    .where(memories.c.sequence.in_(select(memory_vectors.c.sequence)))
    .values(changed_seq=bindparam("stamp"))
)
# All of them in one statement: one by one they cost more than their vectors.
_STAMP = (
    update(memories)
    .where(among(memories.c.sequence, "wanted"))
    .values(changed_seq=bindparam("stamp"))
)
_CLEAR = tuple(
    delete(table).where(table.c.sequence == bindparam("at"))
    for table in (memory_vectors, coming_vectors)
)
_CURRENT = Prepared(
    select(
        memories.c.sequence,
        memories.c.id,
        memories.c.content,
        memories.c.tier,
        memories.c.scope_key,
        memories.c.changed_seq,
    )
    .where(among(memories.c.id, "ids"), is_retrievable)
    .order_by(memories.c.sequence)
)
_OWN_VECTOR = and_(
    memory_vectors.c.sequence == memories.c.sequence,
    memory_vectors.c.model_id == bindparam("model_id"),
)
_COMING_VECTOR = and_(
    coming_vectors.c.sequence == memories.c.sequence,
    coming_vectors.c.model_id == bindparam("model_id"),
)
_WITH_BOTH = memories.outerjoin(memory_vectors, _OWN_VECTOR).outerjoin(
    coming_vectors, _COMING_VECTOR
)
_HAS_NONE = and_(memory_vectors.c.sequence.is_(None), coming_vectors.c.sequence.is_(None))
_MISSING = (
    select(memories.c.id, memories.c.content)
    .select_from(_WITH_BOTH)
    .where(is_retrievable, _HAS_NONE)
    .order_by(memories.c.sequence)
    .limit(bindparam("most"))
)
_N_MISSING = select(func.count()).select_from(_WITH_BOTH).where(is_retrievable, _HAS_NONE)
_N_RETRIEVABLE = select(func.count()).select_from(memories).where(is_retrievable)


def without_vector(
    transaction: Transaction, model_id: str, limit: int, ids: Sequence[str] | None
) -> tuple[tuple[str, str], ...]:
    """Id and content of retrievable memories that lack a vector of this model."""
    parameters: dict[str, object] = {"model_id": model_id, "most": limit}
    statement = _MISSING
    if ids is not None:
        statement = statement.where(among(memories.c.id, "ids"))
        parameters["ids"] = json.dumps(list(ids))
    return tuple(
        (row.id, row.content) for row in transaction.connection.execute(statement, parameters)
    )


def n_without_vector(transaction: Transaction, model_id: str) -> int:
    """Retrievable memories that lack a vector of this model."""
    parameters = {"model_id": model_id}
    return int(transaction.connection.execute(_N_MISSING, parameters).scalar_one())


def store_vectors(
    transaction: Transaction, model_id: str, vectors: Sequence[tuple[str, str, FloatVector]]
) -> int:
    """Store vectors for memories whose text is still what was embedded; how many.

    While vectors of another model answer in this file, these wait beside them, until nearly all
    memories have one; then they take their place.
    """
    blobs = vector_blobs([vector for *_, vector in vectors])
    embedded = {
        id_: (content, blob) for (id_, content, _), blob in zip(vectors, blobs, strict=True)
    }
    current = _CURRENT.rows(transaction.connection, {"ids": json.dumps(list(embedded))})
    fitting = [row for row in current if row[2] == embedded[row[1]][0]]
    if not fitting:
        return 0
    stamp = transaction.change_seq
    is_coming = answering_model(transaction) not in {"", model_id}
    if is_coming:
        transaction.connection.execute(_DROP_STRANGERS, {"model_id": model_id})
    (_UPSERT_COMING if is_coming else _UPSERT).each(
        transaction.connection,
        [
            {
                "sequence": sequence,
                "model_id": model_id,
                "dimension": len(embedded[id_][1]) // 4,
                "vector": embedded[id_][1],
            }
            for sequence, id_, *_ in fitting
        ],
    )
    if is_coming and not _take_over(transaction, model_id):
        return len(fitting)
    # What the same transaction has just written is stamped already.
    unstamped = [sequence for sequence, *_, changed_seq in fitting if changed_seq != stamp]
    if unstamped:
        wanted = json.dumps(unstamped)
        transaction.connection.execute(_STAMP, {"wanted": wanted, "stamp": stamp})
    by_scope: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for _, id_, _, tier, key, _ in fitting:
        by_scope[tier, key].append(id_)
    for (tier, key), ids in by_scope.items():
        transaction.updated(transaction.scope(tier, key), ids)
    return len(fitting)


def clear_vector(transaction: Transaction, sequence: int) -> None:
    """Drop the vector of a memory whose text changed."""
    for statement in _CLEAR:
        transaction.connection.execute(statement, {"at": sequence})


def _take_over(transaction: Transaction, model_id: str) -> bool:
    """Let the vectors that waited answer, if there are enough of them; whether they do."""
    connection = transaction.connection
    n_all = connection.execute(_N_RETRIEVABLE).scalar_one()
    if n_without_vector(transaction, model_id) > (1.0 - SHARE_TO_ANSWER) * n_all:
        return False
    connection.execute(_TAKE_IN)
    connection.execute(delete(coming_vectors))
    connection.execute(_DROP_FORMER, {"model_id": model_id})
    connection.execute(_STAMP_EVERY, {"stamp": transaction.change_seq})
    return True
