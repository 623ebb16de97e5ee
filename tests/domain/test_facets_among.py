"""Values among what a search found, with how many carry each."""

from __future__ import annotations

from dataclasses import replace

from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter, facets_among
from inklings_desktop.domain.memory import Lifetime, MemoryKind
from tests.support.builders import a_memory

FOUND = (
    a_memory("One.", tags=("song", "sea"), source="user"),
    a_memory("Two.", tags=("song",), source="notes"),
    a_memory("Three.", tags=("trade",), source="notes", lifetime=Lifetime.LONG_TERM),
)


def test_every_value_is_counted_most_used_first() -> None:
    counted = facets_among(FOUND, EVERYTHING)
    assert counted.tags == (("song", 2), ("sea", 1), ("trade", 1))
    assert counted.sources == (("notes", 2), ("user", 1))
    assert sum(n for _, n in counted.lifetimes) == len(FOUND)


def test_what_is_ticked_hides_nothing_of_its_kind_and_narrows_the_others() -> None:
    counted = facets_among(FOUND, MemoryFilter(tags=frozenset({"song"})))
    assert counted.tags == (("song", 2), ("sea", 1), ("trade", 1))
    assert counted.sources == (("notes", 1), ("user", 1))
    assert counted.kinds == (("note", 2),)


def test_a_kind_that_is_ticked_leaves_the_others_to_choose_from() -> None:
    fact = replace(a_memory("Four."), kind=MemoryKind.FACT, domain_id="canon", topic="four")
    counted = facets_among((*FOUND, fact), MemoryFilter(kinds=frozenset({MemoryKind.FACT})))
    assert counted.kinds == (("note", 3), ("fact", 1))
    assert counted.sources == ((fact.source, 1),)


def test_bounds_narrow_every_kind() -> None:
    counted = facets_among(FOUND, MemoryFilter(importance_min=1.0, sources=frozenset({"user"})))
    assert counted.tags == counted.sources == ()
