"""What the overview of a whole file is computed from, as one array that stays in memory."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
from sqlalchemy import (
    CheckConstraint,
    Integer,
    Text,
    and_,
    case,
    exists,
    func,
    literal_column,
    or_,
    select,
)

from inklings_desktop.domain.memory import Lifetime, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.engine.lossy_text import LossyText
from inklings_desktop.storage.rows.memories import of_sensible_rows
from inklings_desktop.storage.rows.snapshot import TOUCHED
from inklings_desktop.storage.schema.tables import memories, memory_vectors
from inklings_desktop.storage.search.conditions import (
    changed_since,
    in_order,
    is_active,
    is_retrievable,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from inklings_desktop.storage.rows.transaction import Transaction

TIERS = tuple(Tier)
PART = 1_000
"""Rows that are read in one piece."""
STILL_ACTIVE = np.iinfo(np.int64).max
"""Stands for the instant of forgetting where there is none."""

ROW = np.dtype(
    [
        ("sequence", np.int64),
        ("tier", np.int8),
        ("room", np.int32),
        ("importance", np.float64),
        ("touched", np.int64),
        ("created", np.int64),
        ("forgotten", np.int64),
        ("access_count", np.float64),
        ("pinned", np.bool_),
        ("short_term", np.bool_),
        ("retrievable", np.bool_),
        ("embedded", np.bool_),
        ("unreadable", np.bool_),
    ]
)
"""One memory; ``room`` is the place of its scope key among all of them."""


_RULES = [
    rule.sqltext
    for rule in memories.constraints
    if isinstance(rule, CheckConstraint)
    and rule.name
    in {"lifetime_known", "curator_known", "imported_curator", "tags_array", "derived_from_array"}
]
_TEXTS = [one for one in memories.c if isinstance(one.type, Text)]
_NO_TIER = -1
"""Of a memory whose tier damage made nonsense of: it stands in the figures of none."""
_TIER_NUMBERS = {tier.value: number for number, tier in enumerate(TIERS)}


@dataclass(frozen=True, slots=True)
class Census:
    """Every active memory of one file and those forgotten lately, in order of sequence.

    Attributes:
        rooms: Numbers of the scope keys, by which ``room`` of a row is told.
        rows: Of type ``ROW``, shape (n_entries,).
    """

    rooms: Mapping[str, int]
    rows: npt.NDArray[Any]

    @classmethod
    def of(cls, found: Iterable[Sequence[Any]], rooms: Mapping[str, int] | None = None) -> Self:
        """The census of rows as ``census_rows`` gives them."""
        numbers = dict(rooms or {})
        parts = [_part(rows, numbers) for rows in found]
        return cls(numbers, np.concatenate(parts) if parts else np.empty(0, ROW))

    def with_changes(self, found: Iterable[Sequence[Any]]) -> Self:
        """This census with changed rows replaced and new ones in their place."""
        changed = type(self).of(found, self.rooms)
        if not len(changed.rows):
            return self
        kept = self.rows[~np.isin(self.rows["sequence"], changed.rows["sequence"])]
        rows = np.concatenate([kept, changed.rows])
        order = np.argsort(rows["sequence"], kind="stable")
        return type(self)(changed.rooms, rows[order])


@of_sensible_rows
def _part(found: Sequence[Any], numbers: dict[str, int]) -> npt.NDArray[Any]:
    """Some rows as an array; scope keys that are new get a number."""
    rows = np.empty(len(found), ROW)
    columns = list(zip(*found, strict=True))
    rows["tier"] = [_TIER_NUMBERS.get(one, _NO_TIER) for one in columns[1]]
    rows["room"] = [numbers.setdefault(one, len(numbers)) for one in columns[2]]
    rows["forgotten"] = [STILL_ACTIVE if one is None else one for one in columns[6]]
    rows["unreadable"] = [
        type(texts) is LossyText or is_json == 0
        for texts, is_json in zip(*columns[12:], strict=True)
    ]
    for place, name in enumerate(ROW.names or ()):
        if name not in {"tier", "room", "forgotten", "unreadable"}:
            rows[name] = columns[place]
    return rows


def census_rows(
    transaction: Transaction, model_id: str, *, since: int | None, forgotten_after: int
) -> Iterator[Sequence[Any]]:
    """What a census is made of, some rows at a time.

    A long list in one piece would be made without letting another thread in: the window stood
    still for half a second at 100,000 memories.

    Args:
        model_id: Whose vectors count.
        since: Only what changed after this number; None for everything.
        forgotten_after: What was forgotten before this instant, in milliseconds since 1970, is
            left out, unless it changed.
    """
    has_vector = exists(
        select(memory_vectors.c.sequence).where(
            memory_vectors.c.sequence == memories.c.sequence,
            memory_vectors.c.model_id == model_id,
        )
    )
    statement = select(
        memories.c.sequence,
        memories.c.tier,
        memories.c.scope_key,
        memories.c.importance,
        literal_column(TOUCHED, Integer),
        memories.c.created_at,
        memories.c.forgotten_at,
        memories.c.access_count,
        memories.c.pinned,
        memories.c.lifetime == Lifetime.SHORT_TERM.value,
        is_retrievable,
        has_vector,
        # Whatever cannot be read is paused, so that the texts of the others are not asked for.
        case((memories.c.paused == 1, func.concat(*_TEXTS))),
        case((memories.c.paused == 1, and_(*map(func.ifnull, _RULES, repeat(1))))),
    )
    if since is None:
        is_shown = or_(is_active, memories.c.forgotten_at > forgotten_after)
        ordered = statement.where(is_shown).order_by(memories.c.sequence)
    else:
        ordered = statement.where(changed_since(since)).order_by(in_order)
    return iter(transaction.connection.execute(ordered).partitions(PART))
