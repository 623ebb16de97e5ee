"""Keeps one search row per retrievable memory, in the transaction that changes the memory.

A row's context names where its memory comes from, and is lent by the nearest retrievable memories
before and after it, of the same scope key, agent and source conversation. Whatever changes who a
neighbour is, or its text, rewrites both neighbours' rows: no text outlives its memory in the index.
A memory that belongs to no conversation has no neighbours; no fact and no rule belongs to one.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from inklings_desktop.domain.memory import Tier, origin_of
from inklings_desktop.storage.engine.prepared import Prepared
from inklings_desktop.storage.rows.memories import tags_of
from inklings_desktop.storage.schema.tables import memories, memory_search
from inklings_desktop.storage.search.search_text import (
    indexed_context,
    indexed_subject,
    indexed_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sqlalchemy import Connection

    from inklings_desktop.domain.memory import MemoryEntry

_IN_ROOM = (
    (memories.c.tier == bindparam("tier"))
    & (memories.c.scope_key == bindparam("scope_key"))
    & memories.c.source_conversation.is_not_distinct_from(bindparam("conversation"))
    & memories.c.agent_id.is_not_distinct_from(bindparam("agent"))
    & memories.c.forgotten_at.is_(None)
    & (memories.c.paused == 0)
)
_TEXT = (
    memories.c.sequence,
    memories.c.content,
    memories.c.tags,
    memories.c.source,
    memories.c.agent_id,
    memories.c.topic,
)
_TEXTS = select(*_TEXT).where(_IN_ROOM)
_TWO_BEFORE = Prepared(
    _TEXTS.where(memories.c.sequence < bindparam("at"))
    .order_by(memories.c.sequence.desc())
    .limit(2)
)
_TWO_AFTER = Prepared(
    _TEXTS.where(memories.c.sequence > bindparam("at")).order_by(memories.c.sequence).limit(2)
)
_ALL_TEXTS = (
    "SELECT sequence, content, tags, source, agent_id FROM memories WHERE tier = :tier"
    " AND scope_key = :scope_key AND source_conversation IS :conversation"
    " AND agent_id IS :agent AND forgotten_at IS NULL AND paused = 0 ORDER BY sequence"
)
_LEND = "UPDATE memory_search SET context = :lent WHERE id = :at AND context IS NOT :lent"
_PLACE = (
    memories.c.tier,
    memories.c.scope_key,
    memories.c.source_conversation,
    memories.c.agent_id,
)
_EVERY_TEXT = (
    select(*_PLACE, *_TEXT)
    .where(memories.c.forgotten_at.is_(None), memories.c.paused == 0)
    .order_by(*_PLACE, memories.c.sequence)
)
_STORED_ROWS = select(
    memory_search.c.id, memory_search.c.body, memory_search.c.subject, memory_search.c.context
)
_INSERT = Prepared(insert(memory_search))
_UPSERT = upsert(memory_search)
_UPSERT = _UPSERT.on_conflict_do_update(
    index_elements=[memory_search.c.id],
    set_={
        "body": _UPSERT.excluded.body,
        "subject": _UPSERT.excluded.subject,
        "context": _UPSERT.excluded.context,
    },
)
_SET_CONTEXT = Prepared(
    update(memory_search)
    .where(memory_search.c.id == bindparam("at"))
    .values(context=bindparam("lent"))
)
_SET_SUBJECT = (
    update(memory_search)
    .where(memory_search.c.id == bindparam("at"))
    .values(subject=bindparam("tags"))
)
_DELETE = delete(memory_search).where(memory_search.c.id == bindparam("at"))


class _Room(NamedTuple):
    """Those among whom neighbours are looked for."""

    tier: str
    scope_key: str
    conversation: str | None
    agent: str | None

    @classmethod
    def of(cls, entry: MemoryEntry) -> Self:
        return cls(
            entry.scope.tier.value, entry.scope.key, entry.source_conversation, entry.agent_id
        )

    @property
    def has_neighbours(self) -> bool:
        return self.conversation is not None or self.tier == Tier.CONVERSATION.value

    def parameters(self, at: int) -> dict[str, Any]:
        return {
            "tier": self.tier,
            "scope_key": self.scope_key,
            "conversation": self.conversation,
            "agent": self.agent,
            "at": at,
        }


class _Text(NamedTuple):
    """A retrievable memory as its neighbours and its row need it."""

    sequence: int
    content: str
    tags: tuple[str, ...]
    origin: tuple[str, ...]

    @classmethod
    def of(cls, entry: MemoryEntry) -> Self:
        return cls(entry.sequence, entry.content, entry.tags, entry.origin)

    @classmethod
    def stored(cls, row: Sequence[Any]) -> Self:
        sequence, content, tags, *origin = row
        return cls(sequence, content, tags_of(tags), origin_of(*origin))


def index_added(connection: Connection, entries: Sequence[MemoryEntry]) -> None:
    """Make the rows of memories that were just appended, in order of their sequence."""
    rows: list[dict[str, Any]] = []
    rooms: dict[_Room, list[MemoryEntry]] = {}
    for entry in sorted(entries, key=lambda one: one.sequence):
        if entry.is_retrievable:
            rooms.setdefault(_Room.of(entry), []).append(entry)
    for room, group in rooms.items():
        texts = [_Text.of(one) for one in group]
        if not room.has_neighbours:
            rows.extend(_row(text, None, None) for text in texts)
            continue
        last_two = _texts(connection, _TWO_BEFORE, room, texts[0].sequence)
        if last_two:
            lent = _context(last_two[0], _at(last_two, 1), texts[0])
            _SET_CONTEXT.rows(connection, {"at": last_two[0].sequence, "lent": lent})
        line = [last_two[0] if last_two else None, *texts, None]
        rows.extend(
            _row(text, before, after)
            for before, text, after in zip(line, texts, line[2:], strict=False)
        )
    _INSERT.insert(connection, rows)


def index_changed(connection: Connection, before: MemoryEntry, after: MemoryEntry) -> None:
    """Bring the row of a changed memory, and its neighbours' rows, up to date."""
    was_indexed, is_indexed = before.is_retrievable, after.is_retrievable
    if was_indexed == is_indexed and (
        not is_indexed or (before.content, before.origin) == (after.content, after.origin)
    ):
        if before.tags != after.tags and is_indexed:
            connection.execute(
                _SET_SUBJECT, {"at": after.sequence, "tags": indexed_subject(after.tags)}
            )
        return
    room = _Room.of(after)
    earlier: list[_Text] = []
    later: list[_Text] = []
    if room.has_neighbours:
        earlier = _texts(connection, _TWO_BEFORE, room, after.sequence)
        later = _texts(connection, _TWO_AFTER, room, after.sequence)
    own = _Text.of(after) if is_indexed else None
    if own is None:
        connection.execute(_DELETE, {"at": after.sequence})
    else:
        connection.execute(_UPSERT, _row(own, _at(earlier, 0), _at(later, 0)))
    if earlier:
        lent = _context(earlier[0], _at(earlier, 1), own or _at(later, 0))
        _SET_CONTEXT.rows(connection, {"at": earlier[0].sequence, "lent": lent})
    if later:
        lent = _context(later[0], own or _at(earlier, 0), _at(later, 1))
        _SET_CONTEXT.rows(connection, {"at": later[0].sequence, "lent": lent})


def rooms_of(run: Callable[..., Any], chosen: str) -> list[_Room]:
    """Among whom neighbours of these memories are looked for; their ids as a JSON array."""
    asked = (
        "SELECT DISTINCT tier, scope_key, source_conversation, agent_id FROM memories"
        " WHERE id IN (SELECT value FROM json_each(?))"
    )
    return [_Room(*row) for row in run(asked, (chosen,)).fetchall()]


def lend_anew(run: Callable[..., Any], rooms: Iterable[_Room]) -> None:
    """Take out of every context what memories that are gone lent to it."""
    for room in rooms:
        if room.has_neighbours:
            texts = [_Text.stored(row) for row in run(_ALL_TEXTS, room.parameters(0)).fetchall()]
            for before, own, after in zip([None, *texts], texts, [*texts[1:], None], strict=False):
                lent = {"lent": _context(own, before, after), "at": own.sequence}
                run(_LEND, lent)


def fresh_rows(connection: Connection) -> Iterator[dict[str, Any]]:
    """Every row as a fresh build would make it: what the stored ones are compared with."""
    for key, group in groupby(
        connection.execute(_EVERY_TEXT), key=lambda row: tuple(row[: len(_PLACE)])
    ):
        texts = [_Text.stored(row[len(_PLACE) :]) for row in group]
        if not _Room(*key).has_neighbours:
            yield from (_row(text, None, None) for text in texts)
            continue
        line = [None, *texts, None]
        yield from (
            _row(text, before, after)
            for before, text, after in zip(line, texts, line[2:], strict=False)
        )


def wrong_rows(connection: Connection) -> tuple[list[dict[str, Any]], tuple[int, ...]]:
    """Rows that are missing or wrong, as they should be, and the ids of those that are too many."""
    stored = {row[0]: tuple(row[1:]) for row in connection.execute(_STORED_ROWS)}
    wrong = [
        row
        for row in fresh_rows(connection)
        if stored.pop(row["id"], None) != (row["body"], row["subject"], row["context"])
    ]
    return wrong, tuple(stored)


def put_rows(
    connection: Connection, rows: Sequence[dict[str, Any]], surplus: Sequence[int]
) -> None:
    """Store these rows over what is there, and remove those of these sequences."""
    if rows:
        connection.execute(_UPSERT, rows)
    if surplus:
        connection.execute(_DELETE, [{"at": one} for one in surplus])


def _texts(connection: Connection, statement: Prepared, room: _Room, at: int) -> list[_Text]:
    rows = statement.rows(connection, room.parameters(at))
    return [_Text.stored(row) for row in rows]


def _row(own: _Text, before: _Text | None, after: _Text | None) -> dict[str, Any]:
    return {
        "id": own.sequence,
        "body": indexed_text(own.content),
        "subject": indexed_subject(own.tags),
        "context": _context(own, before, after),
    }


def _context(own: _Text, before: _Text | None, after: _Text | None) -> str:
    return indexed_context(
        None if before is None else before.content,
        None if after is None else after.content,
        own.origin,
    )


def _at(texts: Sequence[_Text], place: int) -> _Text | None:
    return texts[place] if place < len(texts) else None
