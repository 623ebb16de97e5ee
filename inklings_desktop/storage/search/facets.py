"""Values in use among the memories of some scope keys, with how many carry each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import func, literal_column, select, true

from inklings_desktop.domain.memories.listing import Facets, most_used_first
from inklings_desktop.domain.memory import Curator, named_writer
from inklings_desktop.storage.schema.tables import memories
from inklings_desktop.storage.search.conditions import has_vector, in_scopes, is_active, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.storage.rows.transaction import Transaction


# True of every row. Bounded so, the rows are read by the index in which they lie as they were
# written; by any other one of the scope, in the order of a hash say, it takes three times as long.
_as_written = memories.c.created_at >= literal_column("-9223372036854775808")


def facets_of(
    transaction: Transaction, scopes: Sequence[ScopeKey], visible_to: str | None
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
    )
