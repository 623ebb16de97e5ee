"""The append-only log of one file, and questions to it.

Every event carries a keyed hash over all before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import String, bindparam, cast, exists, func, insert, or_, select

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.log.events import EventFacets, EventKind
from inklings_desktop.storage.engine.prepared import Prepared
from inklings_desktop.storage.log.event_chain import (
    Head,
    chained,
    check_chain,
    event_of,
    event_values,
)
from inklings_desktop.storage.rows.memories import to_ms
from inklings_desktop.storage.schema.tables import events

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Column, ColumnElement, Connection

    from inklings_desktop.domain.log.events import Event, EventDraft, EventFilter
    from inklings_desktop.storage.rows.transaction import Transaction

_SEARCHED = (
    cast(events.c.seq, String),
    events.c.kind,
    events.c.door,
    events.c.tier,
    events.c.scope_key,
)
_ACTORS = select(events.c.actor).distinct()
_TOTAL = select(func.count()).select_from(events)


def matching(connection: Connection, where: EventFilter) -> list[ColumnElement[bool]]:
    """What the filter asks of an event, as conditions.

    Args:
        connection: For the names of actors, because SQLite ignores the case of ASCII alone.
    """
    found: list[ColumnElement[bool]] = []
    if where.kinds:
        found.append(events.c.kind.in_(sorted(kind.value for kind in where.kinds)))
    if where.actors:
        found.append(events.c.actor.in_(sorted(where.actors)))
    if where.tiers:
        found.append(events.c.tier.in_(sorted(where.tiers)))
    if where.since is not None:
        found.append(events.c.at >= to_ms(where.since))
    if where.words:
        actors = connection.execute(_ACTORS).scalars().all()
        found += [_has_word(word, actors) for word in where.words]
    return found


def facets(connection: Connection) -> EventFacets:
    """Values in use, with how many events carry each."""
    return EventFacets(
        _counted(connection, events.c.kind),
        _counted(connection, events.c.actor),
        _counted(connection, events.c.tier),
        connection.execute(_TOTAL).scalar_one(),
    )


def _has_word(word: str, actors: Sequence[str]) -> ColumnElement[bool]:
    if word[0] == "#" and word[1:].isdecimal():
        return cast(events.c.seq, String) == word[1:]
    one_id = func.json_each(events.c.ids).table_valued("value")
    return or_(
        *(column.contains(word, autoescape=True) for column in _SEARCHED),
        events.c.actor.in_(sorted(actor for actor in actors if word in actor.casefold())),
        exists(select(one_id.c.value).where(one_id.c.value.contains(word, autoescape=True))),
    )


def _counted(connection: Connection, column: Column[Any]) -> tuple[tuple[str, int], ...]:
    how_many = func.count()
    statement = (
        select(column, how_many)
        .where(column.is_not(None))
        .group_by(column)
        .order_by(how_many.desc(), column)
    )
    return tuple((row[0], row[1]) for row in connection.execute(statement))


_INSERT = Prepared(insert(events))
_HEAD = Prepared(select(events.c.seq, events.c.chain_hash).order_by(events.c.seq.desc()).limit(1))
_ONE = select(events).where(events.c.seq == bindparam("number"))
_DIGEST = select(events.c.chain_hash).where(events.c.seq == bindparam("number"))
_LATEST = select(events).order_by(events.c.seq.desc()).limit(bindparam("most"))


class SqliteEventLog:
    """The ``EventLog`` of one transaction.

    Attributes:
        n_scrubs: Scrubs among the events that it appended.
    """

    def __init__(self, transaction: Transaction, key: bytes) -> None:
        self._transaction = transaction
        self._key = key
        self._appended: list[Head] = []
        self.n_scrubs = 0

    def append(self, draft: EventDraft, at: datetime) -> Event:
        self._transaction.take_number()
        self._transaction.appends = True
        # Only this write transaction can append while it lasts, so the head is read once.
        if not self._appended:
            self._appended.append(self._stored_head())
        head = self._appended[-1]
        values = event_values(draft, head.number + 1, at)
        digest = chained(self._key, head.digest, values)
        _INSERT.rows(self._transaction.connection, {**values, "chain_hash": digest})
        self._appended.append(Head(head.number + 1, digest))
        self.n_scrubs += draft.kind is EventKind.SCRUB_EXECUTED
        return event_of([*values.values(), digest])

    @property
    def appended(self) -> tuple[Head, ...]:
        """The head before this transaction and after each event of it; empty without events."""
        return tuple(self._appended)

    @property
    def change_seq(self) -> int:
        """The change number of the write that appends."""
        return self._transaction.change_seq

    def digest_at(self, number: int) -> str | None:
        """The hash of one event; None if there is none with this number."""
        found = self._transaction.connection.execute(_DIGEST, {"number": number})
        return found.scalar_one_or_none()

    def latest(
        self, limit: int, before: int | None = None, where: EventFilter | None = None
    ) -> tuple[Event, ...]:
        connection = self._transaction.connection
        statement = _LATEST if before is None else _LATEST.where(events.c.seq < before)
        if where is not None:
            statement = statement.where(*matching(connection, where))
        # With every word it is of another shape, up to 2 MiB when compiled: too much to keep.
        once = {"compiled_cache": None} if where is not None and where.words else None
        rows = connection.execute(statement, {"most": limit}, execution_options=once)
        return tuple(event_of(row) for row in rows)

    def get(self, number: int) -> Event:
        row = self._transaction.connection.execute(_ONE, {"number": number}).one_or_none()
        if row is None:
            raise NotFoundError("event", str(number))
        return event_of(row)

    def facets(self) -> EventFacets:
        return facets(self._transaction.connection)

    def first_broken(self, anchor: tuple[int, str] | None = None) -> int | None:
        """Number of the first event that is not what was appended; None when all are.

        Args:
            anchor: Number and hash of a head noted elsewhere. A log longer than it is whole
                (the program may have been killed in between), a shorter or different one is not.
        """
        fetch = self._transaction.connection.exec_driver_sql
        return check_chain(fetch, self._key, None if anchor is None else Head(*anchor)).first_broken

    def _stored_head(self) -> Head:
        rows = _HEAD.rows(self._transaction.connection)
        return Head(*rows[0]) if rows else Head()
