"""Chains of facts: whatever is replaced, withdrawn, settled and stated again, they go forward."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inklings_desktop.domain.errors import InklingsError, SupersededError
from inklings_desktop.domain.knowledge.domains import Domain
from inklings_desktop.domain.knowledge.facts import SUPERSEDED
from inklings_desktop.domain.memory import MemoryEntry, MemoryRef, ScopeKey
from inklings_desktop.usecases.knowledge.facts import Facts
from inklings_desktop.usecases.knowledge.values import FactDraft, FactQuery
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.sqlite_store import SqliteWorld, sqlite_world
from tests.support.wide import examples

CANON = Domain("d-canon", "Canon", "", False, "Ada", "person", NOON)
BEGUN = 3


def begun(world: SqliteWorld) -> tuple[Facts, list[MemoryRef]]:
    """Some facts of one topic."""
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.knowledge.save_domain(CANON)
        unit.commit()
    facts = world.person.facts
    drafts = [FactDraft("Canon", "Nerys/hand", f"It is number {n}.") for n in range(BEGUN)]
    return facts, [facts.put(WORKSPACE_ID, one).fact.memory.ref for one in drafts]


def stored(world: SqliteWorld, memory_id: str) -> MemoryEntry:
    with world.store.read(WORKSPACE_ID) as view:
        return view.memories.get(MemoryRef(ScopeKey.workspace(WORKSPACE_ID), memory_id), None)


def carry_out(
    facts: Facts, refs: list[MemoryRef], act: tuple[str, int, int], text: str
) -> MemoryRef | None:
    """Do something to one of the facts; the fact that it made or let stand, if it may be done."""
    name, first, second = act
    one, other = refs[first % len(refs)], refs[second % len(refs)]
    acts: dict[str, Callable[[], MemoryRef]] = {
        "supersede": lambda: facts.supersede(one, text, reason="a later chapter").memory.ref,
        "take back": lambda: facts.take_back(one).memory.ref,
        "reinstate": lambda: facts.reinstate(one, "the editor says so").memory.ref,
        "settle": lambda: facts.settle(one, other).memory.ref,
    }
    try:
        return acts[name]()
    except InklingsError:
        return None


@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    acts=st.lists(
        st.tuples(
            st.sampled_from(["supersede", "take back", "reinstate", "settle"]),
            st.integers(0, 9),
            st.integers(0, 9),
        ),
        max_size=10,
    )
)
def test_chain_never_cycles_and_its_head_is_what_is_found(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int, int]]
) -> None:
    with sqlite_world(tmp_path_factory.mktemp("world")) as world:
        facts, refs = begun(world)
        for number, act in enumerate(acts):
            made = carry_out(facts, refs, act, f"It is later number {number}.")
            if made is not None and made not in refs:
                refs.append(made)
        found = facts.list(WORKSPACE_ID, FactQuery(limit=100)).facts
        current = {one.fact.memory.id for one in found}
        for ref in refs:
            seen: set[str] = set()
            here = stored(world, ref.id)
            while here.is_forgotten and here.forgotten_reason == SUPERSEDED:
                assert here.id not in seen
                seen.add(here.id)
                here = stored(world, here.successor_id or "")
            with world.store.read(WORKSPACE_ID) as view:
                assert view.knowledge.head(ref.id) == here.id
            chain = facts.chain(ref)
            assert sum(one.fact.memory.id in current for one in chain) <= 1
            if not here.is_forgotten:
                assert here.id in current
                assert chain[-1].fact.memory.id == here.id


def test_of_two_that_replace_one_fact_at_once_one_is_told_of_the_other(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as world:
        facts, (ref, *_) = begun(world)

        def replace(text: str) -> str:
            try:
                return facts.supersede(ref, text, reason="a later chapter").memory.id
            except SupersededError as error:
                return f"stands: {error.head_id}"

        with ThreadPoolExecutor(2) as pool:
            said = sorted(pool.map(replace, ("She has one hand.", "She has two hands.")))
        (made,) = (one for one in said if not one.startswith("stands"))
        assert said.count(f"stands: {made}") == 1
        assert [one.fact.memory.id for one in facts.chain(ref)] == [ref.id, made]
