"""What a keyword search asks where the index alone does not decide: statements for the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Float, Integer, bindparam, column, literal_column, select, table

from inklings_desktop.domain.memory import MemoryKind, Tier
from inklings_desktop.storage.engine.prepared import rendered
from inklings_desktop.storage.schema.tables import memories
from inklings_desktop.storage.search.conditions import (
    in_scopes,
    is_retrievable,
    matching,
    one_of_sequences,
    visible,
    wall,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inklings_desktop.domain.memories.listing import MemoryFilter
    from inklings_desktop.domain.memory import ScopeKey

    Statement = tuple[str, tuple[Any, ...]]
    """Its text and its values."""

_index = table("memory_fts", column("rowid", Integer), column("rank", Float))
_WHOSE = select(memories.c.sequence, memories.c.id, memories.c.tier, memories.c.scope_key, wall)


def whose(sequences: Iterable[int], where: MemoryFilter) -> Statement:
    """Whose these memories are, of those that a filter lets through."""
    held = (one_of_sequences(sequences), is_retrievable, *matching(where))
    return rendered(_WHOSE.where(*held))


def sequences_of(scopes: Sequence[ScopeKey], where: MemoryFilter) -> Statement:
    """Sequences of what a filter lets through of these scope keys of one file."""
    of_scopes = in_scopes(scopes, scopes[0].workspace_id)
    if scopes[0].tier is Tier.WORKSPACE and where.kinds and MemoryKind.NOTE not in where.kinds:
        # What has a domain is in this scope alone, and an index knows all of it.
        of_scopes = memories.c.domain_id.is_not(None)
    return rendered(select(memories.c.sequence).where(of_scopes, is_retrievable, *matching(where)))


def best_matches(
    match: str,
    scope: ScopeKey,
    where: MemoryFilter,
    *,
    visible_to: frozenset[str] | None,
    limit: int,
) -> Statement:
    """Rank, id and sequence of a scope key's best among every match of its file."""
    every = (
        select(_index.c.rowid.label("sequence"), _index.c.rank)
        .where(literal_column("memory_fts").op("MATCH")(bindparam(None, match)))
        .subquery("found")
    )
    # By the bare column SQLite may begin with the memories that an index on their values names, and
    # ask the whole question again for each of them (measured: .7 s at 10,000 memories, against
    # .005).
    of_a_match = memories.c.sequence == every.c.sequence + literal_column("0")
    return rendered(
        select(every.c.rank, memories.c.id, every.c.sequence)
        .join_from(every, memories, of_a_match)
        .where(
            in_scopes([scope], scope.workspace_id),
            is_retrievable,
            *visible(visible_to),
            *matching(where),
        )
        .order_by(every.c.rank, memories.c.id)
        .limit(limit)
    )
