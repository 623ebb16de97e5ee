"""The append-only log of one file: every event carries a keyed hash over all before it."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, select

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.storage.event_queries import event_of, facets, matching
from inklings_desktop.storage.rows import to_ms, words_json
from inklings_desktop.storage.schema import events

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.events import Event, EventDraft, EventFacets, EventFilter
    from inklings_desktop.storage.transaction import Transaction

GENESIS = "0" * 64

_INSERT = insert(events)
_HEAD = select(events.c.seq, events.c.chain_hash).order_by(events.c.seq.desc()).limit(1)
_ALL = select(events).order_by(events.c.seq)
_ONE = select(events).where(events.c.seq == bindparam("number"))
_LATEST = select(events).order_by(events.c.seq.desc()).limit(bindparam("most"))


class SqliteEventLog:
    """The ``EventLog`` of one transaction."""

    def __init__(self, transaction: Transaction, key: bytes) -> None:
        """Append and read in this transaction.

        Args:
            transaction: Open.
            key: The installation's key.
        """
        self._transaction = transaction
        self._key = key
        self._head: tuple[int, str] | None = None

    def append(self, draft: EventDraft, at: datetime) -> Event:
        """Add an event to the chain, in the transaction it belongs to."""
        self._transaction.take_number()
        # Only this write transaction can append while it lasts, so the head is read once.
        number, previous = self._head or self._stored_head()
        values: dict[str, Any] = {
            "seq": number + 1,
            "at": to_ms(at),
            "kind": draft.kind.value,
            "actor": draft.actor,
            "actor_kind": draft.actor_kind,
            "door": draft.door,
            "tier": draft.tier,
            "scope_key": draft.scope_key,
            "ids": words_json(draft.ids),
            "counts": json.dumps(dict(draft.counts), sort_keys=True),
            "marks": json.dumps(dict(draft.marks), sort_keys=True),
        }
        values["chain_hash"] = chained(self._key, previous, values)
        self._transaction.connection.execute(_INSERT, values)
        self._head = (number + 1, values["chain_hash"])
        return event_of(list(values.values()))

    def latest(
        self, limit: int, before: int | None = None, where: EventFilter | None = None
    ) -> tuple[Event, ...]:
        """Events that match, newest first, with numbers below ``before``."""
        connection = self._transaction.connection
        statement = _LATEST if before is None else _LATEST.where(events.c.seq < before)
        if where is not None:
            statement = statement.where(*matching(connection, where))
        rows = connection.execute(statement, {"most": limit})
        return tuple(event_of(row) for row in rows)

    def get(self, number: int) -> Event:
        """One event.

        Raises:
            NotFoundError: There is none with this number.
        """
        row = self._transaction.connection.execute(_ONE, {"number": number}).one_or_none()
        if row is None:
            raise NotFoundError("event", str(number))
        return event_of(row)

    def facets(self) -> EventFacets:
        """Values in use in the whole log."""
        return facets(self._transaction.connection)

    def first_broken(self, anchor: tuple[int, str] | None = None) -> int | None:
        """Number of the first event that is not what was appended; None when all are.

        Args:
            anchor: Number and hash of a head noted elsewhere. A log longer than it is whole
                (the program may have been killed in between), a shorter or different one is not.
        """
        previous = GENESIS
        number = 0
        for row in self._transaction.connection.execute(_ALL):
            number += 1
            values = dict(zip(events.c.keys(), row, strict=True))
            found = values.pop("chain_hash")
            expected = chained(self._key, previous, values)
            if values["seq"] != number or not hmac.compare_digest(found, expected):
                return number
            if anchor is not None and anchor[0] == number and anchor[1] != found:
                return number
            previous = found
        return number + 1 if anchor is not None and anchor[0] > number else None

    def _stored_head(self) -> tuple[int, str]:
        row = self._transaction.connection.execute(_HEAD).one_or_none()
        return (0, GENESIS) if row is None else (row.seq, row.chain_hash)


def chained(key: bytes, previous: str, values: dict[str, Any]) -> str:
    """The hash of an event: HMAC-SHA256 over the hash before it and all its values."""
    message = json.dumps([previous, *values.values()], ensure_ascii=False, separators=(",", ":"))
    return hmac.new(key, message.encode(), hashlib.sha256).hexdigest()
