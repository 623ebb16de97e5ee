"""What was said in the conversations of one file, and writes that their clients may send again."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, case, delete, exists, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from inklings_desktop.domain.access.access import KeptRequest, RequestMark
from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.rooms.messages import (
    Allowance,
    Message,
    MessageRole,
    MessageState,
    ProducedBy,
    TalkHead,
    run_as_it_stands,
)
from inklings_desktop.domain.rooms.retention import REQUESTS_KEPT_FOR
from inklings_desktop.domain.runs.run_rows import turn_lease
from inklings_desktop.storage.rows.memories import (
    columns_of,
    from_ms,
    from_ms_or_none,
    of_sensible_rows,
    sensible,
    to_ms,
)
from inklings_desktop.storage.schema.tables import conversations
from inklings_desktop.storage.schema.talk_schema import (
    agent_runs,
    messages,
    permission_rules,
    request_keys,
)
from inklings_desktop.storage.schema.task_schema import leases

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Row

    from inklings_desktop.storage.rows.transaction import Transaction

_OWN = (
    request_keys.c.client == bindparam("of_client"),
    request_keys.c.key == bindparam("of_key"),
)
_FIND = select(request_keys.c.tool, request_keys.c.digest, request_keys.c.outcome).where(*_OWN)
_KEEP = upsert(request_keys)
_KEEP = _KEEP.on_conflict_do_update(
    index_elements=[request_keys.c.client, request_keys.c.key],
    set_={"outcome": _KEEP.excluded.outcome},
)
_EXPIRE = delete(request_keys).where(request_keys.c.at < bindparam("before"))


class SqliteRequestRepository:
    """The ``RequestRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def find(self, client: str, key: str) -> KeptRequest | None:
        row = self._connection.execute(_FIND, {"of_client": client, "of_key": key}).one_or_none()
        if row is None:
            return None
        tool, digest, outcome = row
        done = tuple((word, tuple(ids)) for word, ids in json.loads(outcome))
        return KeptRequest(RequestMark(key, tool, digest), done)

    def keep(
        self, client: str, mark: RequestMark, word: str, ids: tuple[str, ...], at: datetime
    ) -> None:
        before = self.find(client, mark.key)
        if before is None:
            self._connection.execute(_EXPIRE, {"before": to_ms(at - REQUESTS_KEPT_FOR)})
        elif self._transaction.request != mark:
            raise ConflictError("request", mark.key)
        self._transaction.request = mark
        outcome = [*(before.outcome if before else ()), (word, ids)]
        self._connection.execute(
            _KEEP,
            {
                "client": client,
                "key": mark.key,
                "tool": mark.tool,
                "digest": mark.digest,
                "outcome": json.dumps(outcome),
                "at": to_ms(at),
            },
        )
        self._transaction.take_number()


MESSAGE_COLUMNS = (
    "id", "conversation_id", "number", "turn", "role", "state", "parts", "client", "produced_by",
    "created_at", "model", "read_at",
)  # fmt: skip
"""What ``message_of`` reads."""
_MESSAGE = select(*(messages.c[name] for name in MESSAGE_COLUMNS))
_LAST = select(func.max(messages.c.number)).where(messages.c.conversation_id == bindparam("whose"))
_IS_UNREAD = (messages.c.role == MessageRole.ASSISTANT.value) & messages.c.read_at.is_(None)
_LATEST_RUN = (
    select(agent_runs.c.state)
    .where(
        agent_runs.c.conversation_id == messages.c.conversation_id,
        agent_runs.c.parent_id.is_(None),
    )
    .order_by(agent_runs.c.started_at.desc(), agent_runs.c.id.desc())
    .limit(1)
    .correlate(messages)
    .scalar_subquery()
)
_IS_HELD = exists().where(
    leases.c.name == turn_lease("") + messages.c.conversation_id,
    leases.c.expires_at > bindparam("now"),
)
_HEADS = (
    select(
        messages.c.conversation_id,
        func.count(),
        func.sum(case((_IS_UNREAD, 1), else_=0)),
        func.max(messages.c.created_at),
        conversations.c.state,
        _LATEST_RUN,
        _IS_HELD.correlate(messages),
    )
    .join(conversations, conversations.c.id == messages.c.conversation_id)
    .group_by(messages.c.conversation_id)
)


class SqliteMessageRepository:
    """The ``MessageRepository`` of one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._connection = transaction.connection

    def append(self, message: Message) -> Message:
        """Store a message behind the last one of its conversation; with its number.

        Its conversation is there: the caller has just read it.
        """
        last = self._connection.execute(_LAST, {"whose": message.conversation_id}).scalar()
        stored = replace(message, number=(last or 0) + 1)
        self.put(stored)
        return stored

    def put(self, message: Message) -> None:
        """Store a message with the number that it has."""
        self._connection.execute(
            insert(messages),
            {
                **columns_of(
                    message,
                    "id conversation_id number turn role state parts=parts_json client produced_by"
                    " model created_at read_at",
                ),
                "changed_seq": self._transaction.change_seq,
            },
        )
        self._transaction.rooms_changed()

    def get(self, conversation_id: str, id_: str) -> Message:
        statement = _MESSAGE.where(
            messages.c.conversation_id == conversation_id, messages.c.id == id_
        )
        row = self._connection.execute(statement).one_or_none()
        if row is None:
            raise NotFoundError("message", id_)
        return message_of(row)

    def page(self, conversation_id: str, before: int | None, limit: int) -> tuple[Message, ...]:
        statement = _MESSAGE.where(messages.c.conversation_id == conversation_id)
        if before is not None:
            statement = statement.where(messages.c.number < before)
        rows = self._connection.execute(statement.order_by(messages.c.number.desc()).limit(limit))
        return tuple(reversed(tuple(sensible(rows, message_of))))

    def moments(self, conversation_id: str) -> tuple[tuple[int, datetime], ...]:
        statement = (
            select(messages.c.number, messages.c.created_at)
            .where(messages.c.conversation_id == conversation_id)
            .order_by(messages.c.number)
        )
        rows = self._connection.execute(statement)
        return tuple((number, from_ms(created_at)) for number, created_at in rows)

    def every(self) -> tuple[Message, ...]:
        """Everything that was said in this file, in the order in which it was stored."""
        rows = self._connection.execute(_MESSAGE.order_by(messages.c.sequence))
        return tuple(sensible(rows, message_of))

    def heads(self, now: datetime) -> tuple[TalkHead, ...]:
        return tuple(sensible(self._connection.execute(_HEADS, {"now": to_ms(now)}), _head_of))

    def mark_read(self, conversation_id: str, at: datetime) -> int:
        statement = update(messages).where(
            messages.c.conversation_id == conversation_id, _IS_UNREAD
        )
        values = {"read_at": to_ms(at), "changed_seq": self._transaction.change_seq}
        n_read = self._connection.execute(statement.values(values)).rowcount
        if n_read:
            self._transaction.rooms_changed()
        return n_read

    def allowances(self, conversation_id: str) -> tuple[Allowance, ...]:
        rule = permission_rules.c
        statement = (
            select(rule.tool, rule.argument_digest)
            .where(rule.conversation_id == conversation_id, rule.decision == "allow")
            .order_by(rule.tool, rule.argument_digest)
        )
        return tuple(Allowance(*row) for row in self._connection.execute(statement))

    def take_back(self, conversation_id: str, allowance: Allowance) -> bool:
        rule = permission_rules.c
        statement = delete(permission_rules).where(
            rule.conversation_id == conversation_id,
            rule.tool == allowance.tool,
            rule.argument_digest == allowance.digest,
            rule.decision == "allow",
        )
        was_allowed = self._connection.execute(statement).rowcount > 0
        if was_allowed:
            self._transaction.rooms_changed()
        return was_allowed


@of_sensible_rows
def message_of(row: Row[*tuple[Any, ...]]) -> Message:
    """A message of its ``MESSAGE_COLUMNS``."""
    (
        id_, conversation_id, number, turn, role, state, parts, client, produced_by, created_at,
        model, read_at,
    ) = row  # fmt: skip
    return Message(
        id_,
        conversation_id,
        number,
        turn,
        MessageRole(role),
        MessageState(state),
        parts,
        client,
        ProducedBy(produced_by),
        from_ms(created_at),
        model,
        from_ms_or_none(read_at),
    )


@of_sensible_rows
def _head_of(row: Row[*tuple[Any, ...]]) -> TalkHead:
    conversation_id, n_messages, n_unread, last_at, state, run_state, is_held = row
    run = run_as_it_stands(run_state, is_held=bool(is_held))
    return TalkHead(
        conversation_id, n_messages, n_unread, from_ms(last_at), ConversationState(state), run
    )
