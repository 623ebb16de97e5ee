"""A fact is replaced whole or not at all, by one of two programs, wherever one is killed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from inklings_desktop.domain.knowledge.domains import Domain
from inklings_desktop.domain.memory import MemoryRef, ScopeKey
from inklings_desktop.usecases.knowledge.values import FactDraft, FactQuery
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.dumps import logical_dump
from tests.support.dying import DONE, KILLED, a_killer
from tests.support.processes import finished, line_of, started, tell
from tests.support.sqlite_store import integrity_faults, sqlite_world
from tests.usecases.superseding_process import NEW_ID, RIGHT

STEPS_TRIED = 12
PROCESS = "tests.usecases.superseding_process"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A data root with one fact."""
    made = tmp_path / "made"
    with sqlite_world(made) as world:
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.knowledge.save_domain(Domain("d1", "Canon", "", False, "Ada", "person", NOON))
            unit.commit()
        world.person.facts.put(WORKSPACE_ID, FactDraft("Canon", "Nerys", "Nerys is left-handed."))
    return made


@pytest.fixture
def fact_id(root: Path) -> str:
    with sqlite_world(root) as world:
        [fact] = world.person.facts.list(WORKSPACE_ID, FactQuery()).facts
    return fact.fact.memory.id


def database(root: Path) -> Path:
    return root / "workspaces" / WORKSPACE_ID / "agents.db"


@pytest.mark.endurance
@pytest.mark.timeout(900)
def test_supersede_atomic_kill9(
    root: Path, fact_id: str, tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    old = logical_dump(database(root))
    with a_killer(PROCESS) as kill:
        whole = tmp_path / "whole"
        shutil.copytree(root, whole)
        end, n_opening = kill("look", 0, whole)
        assert end == DONE, end
        end, n_steps = kill("supersede", 0, whole, fact_id)
        assert end == DONE, end
        new = logical_dump(database(whole))
        n_tried = reduced_or_full(STEPS_TRIED, n_steps - n_opening)
        found = []
        for number in range(n_tried):
            step = n_opening + (n_steps - n_opening) * number // (n_tried - 1)
            copy = tmp_path / f"step{step}"
            shutil.copytree(root, copy)
            end, _ = kill("supersede", step, copy, fact_id)
            assert end == KILLED, (step, end)
            with sqlite_world(copy) as world:
                chain = world.person.facts.chain(
                    MemoryRef(ScopeKey.workspace(WORKSPACE_ID), fact_id)
                )
                with world.store.read(WORKSPACE_ID) as view:
                    assert view.events.first_broken() is None, step
            dump = logical_dump(database(copy))
            assert dump in (old, new), step
            assert [one.fact.memory.id for one in chain] == (
                [fact_id] if dump == old else [fact_id, NEW_ID]
            )
            assert integrity_faults(database(copy)) == []
            found.append(dump == new)

    assert found == sorted(found)
    assert set(found) == {False, True}


def test_two_processes_supersede(root: Path, fact_id: str) -> None:
    ids = [f"00000000-0000-4000-8000-0000000000b{n}" for n in range(2)]
    texts = (RIGHT, "Nerys has one hand.")
    racers = [
        started(PROCESS, str(root), fact_id, text, id_)
        for text, id_ in zip(texts, ids, strict=True)
    ]
    for one in racers:
        assert line_of(one) == "ready"
    for one in racers:
        tell(one)
    stands = []
    for one in racers:
        with one:
            stands += finished(one)

    assert stands[0] == stands[1]
    assert stands[0] in ids
    with sqlite_world(root) as world:
        chain = world.person.facts.chain(MemoryRef(ScopeKey.workspace(WORKSPACE_ID), fact_id))
        [current] = world.person.facts.list(WORKSPACE_ID, FactQuery()).facts
    assert [one.fact.memory.id for one in chain] == [fact_id, stands[0]]
    assert current.fact.memory.id == stands[0]
    assert integrity_faults(database(root)) == []
