"""Memories that are alike and wait for a person's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize_person
from inklings_desktop.domain.background.tasks import PairState
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.search.one_file import one_file_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.usecases.parts import Asked


@dataclass(frozen=True, slots=True)
class LikelyDuplicate:
    """Two memories that are alike.

    Attributes:
        first: The one written earlier.
        second: The other one.
        cosine: How alike they are; 1 where they say the same.
    """

    first: MemoryEntry
    second: MemoryEntry
    cosine: float


def likely_duplicates(asked: Asked, scopes: Sequence[ScopeKey]) -> tuple[LikelyDuplicate, ...]:
    """What the last comparison found and no run merged."""
    for scope in scopes:
        authorize_person(asked.caller, Action.READ, scope.tier)
    if not scopes:
        return ()
    found = []
    with asked.store.read(one_file_of(scopes)) as view:
        for scope in scopes:
            pairs = [one for one in view.tasks.kept_pairs(scope) if one.state is PairState.WAITING]
            ids = sorted({id_ for one in pairs for id_ in (one.first, one.second)})
            entries, said = view.memories.get_many(ids), view.consolidation.said(ids)
            for one in pairs:
                if (said.get(one.first), said.get(one.second)) == (
                    one.first_said,
                    one.second_said,
                ):
                    first, second = entries[one.first], entries[one.second]
                    if first.is_retrievable and second.is_retrievable:
                        found.append(LikelyDuplicate(first, second, one.cosine))
    return tuple(found)
