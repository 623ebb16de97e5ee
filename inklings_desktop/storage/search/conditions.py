"""Which memories a question is about, as SQL conditions, and the values in use among them."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    Integer,
    Text,
    and_,
    bindparam,
    case,
    column,
    exists,
    false,
    func,
    literal_column,
    or_,
    select,
    table,
    true,
)

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.knowledge.facts import topic_key
from inklings_desktop.domain.memories.listing import Facets, MemoryState, most_used_first
from inklings_desktop.domain.memory import Curator, MemoryKind, named_writer
from inklings_desktop.storage.rows.memories import to_ms
from inklings_desktop.storage.rows.snapshot import WALL
from inklings_desktop.storage.schema.knowledge_schema import facts, policies
from inklings_desktop.storage.schema.tables import memories, memory_vectors
from inklings_desktop.storage.search.search_text import phrase_expression

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sqlalchemy import ColumnElement

    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.storage.rows.transaction import Transaction

_index = table("memory_fts", column("rowid", Integer))
is_active = memories.c.forgotten_at.is_(None)
is_retrievable = is_active & (memories.c.paused == 0)
has_vector = exists(
    select(memory_vectors.c.sequence).where(memory_vectors.c.sequence == memories.c.sequence)
)
# As ``named_writer`` has it.
_named_writer = case(
    (
        or_(memories.c.curator == Curator.IMPORT.value, memories.c.written_by == ""),
        memories.c.curator,
    ),
    else_=memories.c.written_by,
)


def changed_since(number: int) -> ColumnElement[bool]:
    """Memories that were changed or read after this change number, found through its indexes."""
    # The index holds what was ever read; that the condition is about nothing else must be plain.
    was_ever_read = memories.c.read_seq > literal_column("0")
    return or_(memories.c.changed_seq > number, and_(memories.c.read_seq > number, was_ever_read))


in_order = memories.c.sequence + literal_column("0")
"""Order for the few rows that an index finds: by the column itself the whole table is walked."""


def in_scopes(scopes: Sequence[ScopeKey], workspace_id: str | None) -> ColumnElement[bool]:
    """Memories of these scope keys; those of another file have none here.

    Raises:
        InvalidValueError: The scope keys are of several tiers.
    """
    if len({scope.tier for scope in scopes}) > 1:
        raise InvalidValueError("scope", "one_tier")
    keys = [scope.key for scope in scopes if scope.workspace_id == workspace_id]
    if not keys:
        return false()
    tier = memories.c.tier == scopes[0].tier.value
    if len(keys) == 1:
        return tier & (memories.c.scope_key == keys[0])
    return tier & memories.c.scope_key.in_(keys)


wall = literal_column(WALL, Text)


def visible(visible_to: frozenset[str] | None) -> list[ColumnElement[bool]]:
    """What is seen from behind these walls: what is open and what is theirs, none paused.

    None sees everything.
    """
    if visible_to is None:
        return []
    is_known = or_(wall.is_(None), wall.in_(sorted(visible_to)))
    return [is_known, memories.c.paused == 0]


def matching(where: MemoryFilter) -> list[ColumnElement[bool]]:
    """What the filter asks of a memory's values, its state left aside.

    Raises:
        InvalidValueError: It names a list of things worth a look that nobody has looked up.
    """
    found = [*_within(where)]
    if where.sources:
        found.append(memories.c.source.in_(sorted(where.sources)))
    if where.curators:
        found.append(memories.c.curator.in_(sorted(one.value for one in where.curators)))
    if where.writers:
        found.append(_named_writer.in_(sorted(where.writers)))
    if where.lifetimes:
        found.append(memories.c.lifetime.in_(sorted(one.value for one in where.lifetimes)))
    if where.phrases:
        found.append(saying(where.phrases))
    if where.without_embedding:
        found.append(~has_vector)
    if where.sequences is not None:
        found.append(one_of_sequences(where.sequences))
    elif where.attention is not None:
        raise InvalidValueError("attention", "not_looked_up")
    if where.tags:
        tag = func.json_each(memories.c.tags).table_valued("value")
        found.append(
            exists(select(tag.c.value).where(func.lower(tag.c.value).in_(sorted(where.tag_forms))))
        )
    return found


def _within(where: MemoryFilter) -> Iterator[ColumnElement[bool]]:
    """The bounds that the filter sets."""
    if where.importance_min > 0.0:
        yield memories.c.importance >= where.importance_min
    if where.importance_max < 1.0:
        yield memories.c.importance <= where.importance_max
    if where.written_since is not None:
        yield memories.c.created_at >= to_ms(where.written_since)
    if where.written_before is not None:
        yield memories.c.created_at < to_ms(where.written_before)
    if where.kinds:
        yield memories.c.kind.in_(sorted(one.value for one in where.kinds))
    if where.domains:
        yield memories.c.domain_id.in_(sorted(where.domains))
    if where.topic:
        yield of_topic(where.topic)


def saying(phrases: Iterable[str]) -> ColumnElement[bool]:
    """Memories that say each of these, as far as the index holds them: what can be retrieved."""
    expression = phrase_expression(sorted(phrases))
    found = select(_index.c.rowid).where(literal_column("memory_fts").op("MATCH")(expression))
    return memories.c.sequence.in_(found)


def of_topic(topic: str) -> ColumnElement[bool]:
    """Facts of this topic, or of one that begins with it and a stroke."""
    key = topic_key(topic)
    is_it = (facts.c.topic_key == key) | facts.c.topic_key.startswith(f"{key}/", autoescape=True)
    return memories.c.sequence.in_(select(facts.c.memory_sequence).where(is_it))


def one_of_sequences(sequences: Iterable[int]) -> ColumnElement[bool]:
    """Memories with these sequences, handed over as one value however many there are."""
    wanted = func.json_each(bindparam(None, json.dumps(sorted(sequences)))).table_valued("value")
    return memories.c.sequence.in_(select(wanted.c.value))


def listed(
    scopes: Sequence[ScopeKey],
    workspace_id: str | None,
    where: MemoryFilter,
    visible_to: frozenset[str] | None,
) -> ColumnElement[bool]:
    """What one list holds."""
    state = is_active if where.state is MemoryState.ACTIVE else memories.c.forgotten_at.is_not(None)
    return and_(in_scopes(scopes, workspace_id), state, *visible(visible_to), *matching(where))


def among(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Values of one JSON array, bound as a single parameter however many there are."""
    return column.in_(select(func.json_each(bindparam(name)).table_valued("value").c.value))


# True of every row. Bounded so, the rows are read by the index in which they lie as they were
# written; by any other one of the scope, in the order of a hash say, it takes three times as long.
_as_written = memories.c.created_at >= literal_column("-9223372036854775808")


def facets_of(
    transaction: Transaction, scopes: Sequence[ScopeKey], visible_to: frozenset[str] | None
) -> Facets:
    """Values in use, most used first."""
    if not scopes:
        return Facets((), (), (), (), (), 0, 0)
    held = [in_scopes(scopes, transaction.workspace_id), *visible(visible_to)]
    values = (
        memories.c.source, memories.c.curator, memories.c.written_by, memories.c.lifetime,
    )  # fmt: skip
    combinations = transaction.connection.execute(
        select(*values, func.count()).where(*held, is_active, _as_written).group_by(*values)
    )
    sources: Counter[str] = Counter()
    curators: Counter[str] = Counter()
    writers: Counter[str] = Counter()
    lifetimes: Counter[str] = Counter()
    for source, curator, writer, lifetime, count in combinations:
        sources[source] += count
        curators[curator] += count
        writers[named_writer(writer, Curator(curator))] += count
        lifetimes[lifetime] += count
    # Nearly every memory carries tags of its own: SQLite takes the lists apart and counts, and
    # only the tags come here.
    lists = (
        select(memories.c.tags, func.count().label("n"))
        .where(*held, is_active, _as_written)
        .group_by(memories.c.tags)
        .subquery()
    )
    tag = func.json_each(lists.c.tags).table_valued("value")
    counted = transaction.connection.execute(
        select(tag.c.value, func.sum(lists.c.n))
        .select_from(lists.join(tag, true()))
        .group_by(tag.c.value)
    )
    tags = Counter({str(word): int(count) for word, count in counted})
    without_embedding, forgotten = transaction.connection.execute(
        select(
            select(func.count()).where(*held, is_active, ~has_vector).scalar_subquery(),
            select(func.count())
            .where(*held, memories.c.forgotten_at.is_not(None))
            .scalar_subquery(),
        )
    ).one()
    return Facets(
        most_used_first(sources),
        most_used_first(curators),
        most_used_first(writers),
        most_used_first(lifetimes),
        most_used_first(tags),
        without_embedding,
        forgotten,
        most_used_first(_kinds(transaction, held, sum(lifetimes.values()))),
    )


def _kinds(
    transaction: Transaction, held: Sequence[ColumnElement[bool]], n_active: int
) -> Mapping[str, int]:
    """How many are facts, rules and notes; where nothing is settled, that costs nothing."""
    if transaction.workspace_id is None:  # nothing is settled in the account
        return {MemoryKind.NOTE.value: n_active}
    found = {}
    for kind, details in ((MemoryKind.FACT, facts), (MemoryKind.POLICY, policies)):
        # Asked of each row of the smaller table, whatever SQLite thinks of the larger one.
        is_held = and_(memories.c.sequence == details.c.memory_sequence, *held, is_active)
        counted = select(func.count()).select_from(details)
        counted = counted.where(exists(select(memories.c.sequence).where(is_held)))
        found[kind.value] = transaction.connection.execute(counted).scalar_one()
    return {**found, MemoryKind.NOTE.value: n_active - sum(found.values())}
