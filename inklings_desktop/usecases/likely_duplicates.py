"""Memories that may say the same thing and wait for a person's word."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access import Action, Caller, authorize, authorize_person
from inklings_desktop.domain.merging import Difference, differences
from inklings_desktop.domain.tasks import PairState
from inklings_desktop.usecases.browse_memories import one_file_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.usecases.ports import Store


@dataclass(frozen=True, slots=True)
class LikelyDuplicate:
    """Two memories that mean almost the same.

    Attributes:
        first: The one written earlier.
        second: The other one.
        cosine: How alike they are, above 0.95.
        differences: What may be a contradiction between them.
    """

    first: MemoryEntry
    second: MemoryEntry
    cosine: float
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class ListLikelyDuplicates:
    """What the last comparison found and no run merged, for the *Worth a look* list."""

    store: Store

    def __call__(self, caller: Caller, scopes: Sequence[ScopeKey]) -> tuple[LikelyDuplicate, ...]:
        """The most alike first in each scope key; those kept apart by a person are left out.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The scopes are of several tiers or files.
        """
        for scope in scopes:
            authorize_person(caller, Action.READ, scope.tier)
        if not scopes:
            return ()
        found = []
        with self.store.read(one_file_of(scopes)) as view:
            for scope in scopes:
                pairs = [
                    one for one in view.tasks.kept_pairs(scope) if one.state is PairState.WAITING
                ]
                ids = {id_ for one in pairs for id_ in (one.first, one.second)}
                entries = view.memories.get_many(sorted(ids))
                for one in pairs:
                    first, second = entries.get(one.first), entries.get(one.second)
                    if (
                        first is None
                        or second is None
                        or (first.version, second.version)
                        != (one.first_version, one.second_version)
                        or not (first.is_retrievable and second.is_retrievable)
                    ):
                        continue
                    reasons = differences(first.content, second.content)
                    found.append(LikelyDuplicate(first, second, one.cosine, reasons))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class KeepApart:
    """A person says that two memories are two: they are not shown again until one changes."""

    store: Store

    def __call__(self, caller: Caller, scope: ScopeKey, first: str, second: str) -> bool:
        """Whether the pair was known.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        authorize_person(caller, Action.WRITE, scope.tier)
        authorize(caller, Action.WRITE, scope)
        wanted = {first, second}
        with self.store.write(scope.workspace_id, initiator=caller.name) as unit:
            pairs = unit.tasks.kept_pairs(scope)
            known = [one for one in pairs if {one.first, one.second} == wanted]
            if known:
                unit.tasks.keep_pairs(
                    scope,
                    [
                        replace(one, state=PairState.SKIPPED) if one in known else one
                        for one in pairs
                    ],
                )
                unit.commit()
        return bool(known)
