"""What three conversations repeat waits until the author says what it is; no fact makes itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import NotFoundError, ScopeDeniedError
from inklings_desktop.domain.knowledge.domains import Domain
from inklings_desktop.domain.memory import MemoryEntry, MemoryPatch, ScopeKey
from inklings_desktop.usecases.knowledge.could_be import CouldBeFacts
from inklings_desktop.usecases.knowledge.values import FactDraft, FactQuery
from tests.support.builders import NOON, WORKSPACE_ID, a_memory, an_agent
from tests.support.sqlite_store import SqliteWorld, sqlite_world

LEFT, WRITES = "Nerys is left-handed.", "Nerys writes with her left hand."


@pytest.fixture
def world(tmp_path: Path) -> Iterator[SqliteWorld]:
    """Three conversations repeat that Nerys is left-handed; one says that the lamp is lit."""
    with sqlite_world(tmp_path) as made:
        with made.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            canon = Domain("d-canon", "Canon", "", False, "Ada", "person", NOON)
            unit.knowledge.save_domain(canon)
            unit.memories.add([
                a_memory(LEFT, scope=ScopeKey.conversation(WORKSPACE_ID, "c1")),
                a_memory(LEFT, scope=ScopeKey.conversation(WORKSPACE_ID, "c2")),
                a_memory(WRITES, source_conversation="c3"),
                a_memory("The lamp is lit.", source_conversation="c3"),
            ])  # fmt: skip
            unit.commit()
        yield made


@pytest.fixture
def could_be(world: SqliteWorld) -> CouldBeFacts:
    return world.person.could_be_facts


def listed(could_be: CouldBeFacts) -> list[MemoryEntry]:
    return [note for one in could_be.list(WORKSPACE_ID) for note in one.notes]


def said(world: SqliteWorld) -> list[str]:
    found = world.person.facts.list(WORKSPACE_ID, FactQuery()).facts
    return [one.fact.memory.content for one in found]


def test_it_is_listed_and_made_by_the_author_with_every_note_as_a_source(
    world: SqliteWorld, could_be: CouldBeFacts
) -> None:
    notes = listed(could_be)
    assert [one.content for one in notes] == [LEFT, LEFT, WRITES]
    assert said(world) == []

    made = could_be.make(WORKSPACE_ID, notes[1].id, domain="canon", topic="Nerys/hand")

    assert said(world) == [WRITES]
    [view] = world.person.facts.list(WORKSPACE_ID, FactQuery()).facts
    assert [one.memory for one in view.observations] == notes
    assert listed(could_be) == []
    world.person.memories.forget([made.fact.memory.ref])
    could_be.ask_again(WORKSPACE_ID, notes[0].id)
    assert listed(could_be) == notes


def test_what_is_dismissed_is_listed_again_once_it_is_asked_or_says_something_else(
    world: SqliteWorld, could_be: CouldBeFacts
) -> None:
    notes = listed(could_be)
    could_be.dismiss(WORKSPACE_ID, notes[2].id)
    assert listed(could_be) == []
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory(LEFT, source_conversation="c4")])
        unit.commit()
    assert listed(could_be) == []
    could_be.ask_again(WORKSPACE_ID, notes[0].id)
    assert len(listed(could_be)) == 4
    with pytest.raises(NotFoundError):
        could_be.ask_again(WORKSPACE_ID, notes[0].id)


def test_what_a_fact_says_already_is_not_listed(world: SqliteWorld, could_be: CouldBeFacts) -> None:
    fact = world.person.facts.put(WORKSPACE_ID, FactDraft("Canon", "Nerys", LEFT)).fact.memory
    assert listed(could_be) == []
    world.person.facts.supersede(fact.ref, "Nerys is right-handed.", reason="chapter 9")
    assert len(listed(could_be)) == 3


def test_nothing_is_listed_of_notes_that_are_gone_or_private(
    world: SqliteWorld, could_be: CouldBeFacts
) -> None:
    notes = listed(could_be)
    world.person.memories.update(notes[2].ref, MemoryPatch("Nerys is tired."), expected_version=1)
    assert listed(could_be) == []
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.memories.add([a_memory(LEFT, source_conversation="c3", agent_id="researcher")])
        unit.commit()
    assert listed(could_be) == []
    with pytest.raises(NotFoundError):
        could_be.dismiss(WORKSPACE_ID, notes[0].id)


def test_no_agent_reads_or_answers_it(world: SqliteWorld) -> None:
    theirs = world.asked_by(an_agent()).could_be_facts
    with pytest.raises(ScopeDeniedError):
        theirs.list(WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        theirs.ask_again(WORKSPACE_ID, "m1")


def test_nothing_is_asked_before_there_is_a_domain(tmp_path: Path) -> None:
    with sqlite_world(tmp_path) as bare:
        with bare.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory(LEFT, source_conversation=f"c{n}") for n in range(3)])
            unit.commit()
        assert listed(bare.person.could_be_facts) == []
