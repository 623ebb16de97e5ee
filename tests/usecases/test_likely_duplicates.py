from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.memory import MemoryPatch, ScopeKey
from inklings_desktop.domain.merging import Difference
from inklings_desktop.domain.tasks import KeptPair
from inklings_desktop.usecases.likely_duplicates import KeepApart, ListLikelyDuplicates
from tests.support.builders import WORKSPACE_ID, a_memory, a_person, an_agent, the_clock

if TYPE_CHECKING:
    from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
PERSON = a_person()


def test_open_pairs_are_listed_until_one_changes_or_they_are_kept_apart(world: World) -> None:
    five, six, other = world.keep(
        a_memory("Five years of rule"), a_memory("Six years of rule"), a_memory("Five years")
    )
    with world.store.write(WORKSPACE_ID, initiator="test") as unit:
        unit.tasks.keep_pairs(
            SCOPE, [KeptPair(five.id, six.id, 1, 1, 0.99), KeptPair(five.id, other.id, 1, 1, 0.96)]
        )
        unit.commit()
    listing = ListLikelyDuplicates(world.store)
    first, second = listing(PERSON, [SCOPE])
    assert (first.first, first.second, first.cosine) == (five, six, 0.99)
    assert first.differences == (Difference.NUMBERS,)
    assert second.second == other
    keep_apart = KeepApart(world.store)
    assert keep_apart(PERSON, SCOPE, six.id, five.id)
    assert not keep_apart(PERSON, SCOPE, six.id, other.id)
    assert [one.second for one in listing(PERSON, [SCOPE])] == [other]
    world.update(PERSON, other.ref, MemoryPatch(content="Seven"), expected_version=1)
    assert listing(PERSON, [SCOPE]) == ()
    assert listing(PERSON, []) == ()


def test_they_are_the_persons_business(world: World) -> None:
    for caller in (an_agent(), the_clock()):
        with pytest.raises(ScopeDeniedError):
            ListLikelyDuplicates(world.store)(caller, [SCOPE])
        with pytest.raises(ScopeDeniedError):
            KeepApart(world.store)(caller, SCOPE, "a", "b")
