"""Questions to the event log of one file: pages, one event, values in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import String, cast, exists, func, or_, select

from inklings_desktop.domain.log.events import EventFacets
from inklings_desktop.storage.rows.memories import to_ms
from inklings_desktop.storage.schema.tables import events

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Column, ColumnElement, Connection

    from inklings_desktop.domain.log.events import EventFilter

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
