"""What a selection shares, counted one by one, is what counting all of it anew would say."""

from __future__ import annotations

import random
from dataclasses import replace

from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import Curator, Lifetime
from inklings_desktop.ui.memory.acts.chosen import Chosen, Retag, Tally
from tests.support.builders import NOON, a_memory


def some_chosen(n: int) -> list[Chosen]:
    chance = random.Random(5)  # noqa: S311 - it only chooses values
    first = Chosen.of(a_memory(), DecayConfig(), NOON)
    return [
        replace(
            first,
            curator=chance.choice(list(Curator)),
            lifetime=chance.choice([Lifetime.SHORT_TERM, Lifetime.LONG_TERM]),
            importance=chance.choice([0.1, 0.5, 0.9]),
            relevance=chance.random(),
            tags=tuple(chance.sample(["sea", "salt", "bells"], chance.randrange(3))),
            pinned=chance.random() < 0.5,
            locked=chance.random() < 0.5,
        )
        for _ in range(n)
    ]


def test_counting_one_by_one_is_counting_anew() -> None:
    every = some_chosen(60)
    tally = Tally(every[:20])
    for one in every[20:]:
        tally.add(one)
    for one in every[:30]:
        tally.drop(one)
    left = every[30:]
    shared = tally.shared()
    assert shared == replace(Tally(left).shared(), curators=shared.curators)
    assert sorted(shared.curators) == sorted(Tally(left).shared().curators)
    assert shared.relevance == (
        min(one.relevance for one in left),
        max(one.relevance for one in left),
    )
    assert shared.pinned == sum(one.pinned for one in left)
    assert dict(shared.tags)["sea"] == sum("sea" in one.tags for one in left)
    assert (shared.lifetime, shared.importance, shared.is_forgotten) == (None, None, False)


def test_a_retag_counts_by_sets_of_tags() -> None:
    every = some_chosen(40)
    sets = Tally(every).shared().tag_sets
    retag = Retag(adds=("sea",), removes=("salt",))
    assert retag.n_added("sea", sets) == sum("sea" not in one.tags for one in every)
    assert retag.n_removed("salt", sets) == sum("salt" in one.tags for one in every)
    assert retag.changes_any(sets)
    assert not Retag(adds=("sea",)).changes_any({("sea", "salt"): 2})
    many = tuple(str(number) for number in range(32))
    assert Retag(adds=("one more",)).n_over({many: 3, ("sea",): 5}) == 3
