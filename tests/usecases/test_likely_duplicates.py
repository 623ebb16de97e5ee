from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.background.tasks import KeptPair, PairState
from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.memory import MemoryEntry, MemoryPatch, ScopeKey
from tests.support.asking import asked_by
from tests.support.builders import WORKSPACE_ID, a_memory, a_person, an_agent, the_clock
from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
PERSON = a_person()


def waits(first: MemoryEntry, second: MemoryEntry, cosine: float) -> KeptPair:
    return KeptPair(first.id, second.id, key_of(first.content), key_of(second.content), cosine)


def test_pairs_are_listed_until_one_says_something_else_or_both_are_kept(world: World) -> None:
    five, six, other = world.keep(
        a_memory("Five years of rule"), a_memory("Six years of rule"), a_memory("Five years")
    )
    pairs = [waits(five, six, 0.99), waits(five, other, 0.96)]
    kept = replace(waits(six, other, 0.97), state=PairState.SKIPPED)
    with world.store.write(WORKSPACE_ID, initiator="test") as unit:
        unit.tasks.keep_pairs(SCOPE, [*pairs, kept])
        unit.commit()
    listing = asked_by(PERSON, world).search.likely_duplicates
    first, second = listing([SCOPE])
    assert (first.first, first.second, first.cosine) == (five, six, 0.99)
    assert second.second == other
    world.person.memories.update(other.ref, MemoryPatch(tags=("rule",)), expected_version=1)
    assert len(listing([SCOPE])) == 2
    world.person.memories.update(other.ref, MemoryPatch(content="Seven"), expected_version=2)
    assert [one.second for one in listing([SCOPE])] == [six]
    assert listing([]) == ()


def test_they_are_the_persons_business(world: World) -> None:
    for caller in (an_agent(), the_clock()):
        with pytest.raises(ScopeDeniedError):
            asked_by(caller, world).search.likely_duplicates([SCOPE])
