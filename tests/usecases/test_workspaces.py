from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.errors import (
    ConflictError,
    DatabaseCorruptError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.memory import Tier
from tests.support.builders import WORKSPACE_ID, a_memory, a_person, an_agent
from tests.usecases.world import World

PERSON = a_person()


def test_a_new_workspace_has_the_channel_general(world: World) -> None:
    world.clock.advance(hours=1)
    made = world.person.workspaces.create(" Hollow Crown ")
    assert (made.name, made.created_at) == ("Hollow Crown", world.clock())
    with world.store.read(made.id) as view:
        assert [one.name for one in view.conversations.channels(include_archived=True)] == [
            "general"
        ]
        assert view.memories.active_counts() == {}
    names = [one.name for one in world.person.places.workspaces()]
    assert names == ["Saltglass", "Hollow Crown"]


@pytest.mark.parametrize("name", ["Saltglass", "SALTGLASS", " saltglass "])
def test_a_workspace_name_is_taken_regardless_of_case(world: World, name: str) -> None:
    with pytest.raises(ConflictError):
        world.person.workspaces.create(name)
    assert len(world.person.places.workspaces()) == 1
    assert world.publisher.published == []


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "a\nb", "x" * 121])
def test_a_workspace_needs_a_name(world: World, name: str) -> None:
    with pytest.raises(InvalidValueError):
        world.person.workspaces.create(name)
    with pytest.raises(InvalidValueError):
        world.person.workspaces.rename(WORKSPACE_ID, name)
    assert [one.name for one in world.directory.workspaces()] == ["Saltglass"]


def test_a_workspace_is_found_and_renamed_by_id_or_name(world: World) -> None:
    mine = world.person.workspaces
    assert mine.find("saltGLASS").id == mine.find(WORKSPACE_ID).id == WORKSPACE_ID
    assert mine.rename("saltglass", "SaltGlass").name == "SaltGlass"
    assert mine.rename(WORKSPACE_ID, "Thrennay").id == WORKSPACE_ID
    with pytest.raises(NotFoundError):
        mine.find("Saltglass")
    with pytest.raises(NotFoundError):
        mine.rename("Saltglass", "Any")


def test_a_taken_name_is_not_given_twice(world: World) -> None:
    world.person.workspaces.create("Hollow Crown")
    with pytest.raises(ConflictError):
        world.person.workspaces.rename(WORKSPACE_ID, "hollow crown")
    assert world.directory.get(WORKSPACE_ID).name == "Saltglass"


def test_a_survey_counts_and_says_why_one_cannot_be_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.clock.advance(hours=1)
    closed = world.person.workspaces.create("Hollow Crown")
    with world.store.write(WORKSPACE_ID, initiator="test") as unit:
        unit.memories.add([a_memory("one"), a_memory("two")])
        unit.commit()
    problem = DatabaseCorruptError(Path("agents.db"), "malformed")
    open_file = world.store.read

    def read(workspace_id: str | None) -> object:
        if workspace_id == closed.id:
            raise problem
        return open_file(workspace_id)

    monkeypatch.setattr(world.store, "read", read)
    first, second = world.person.workspaces.survey()
    assert (first.workspace.id, first.n_memories, first.problem) == (WORKSPACE_ID, 2, None)
    assert (second.workspace, second.n_memories, second.problem) == (closed, None, problem)
    assert second.folder.name == closed.id


def test_workspaces_are_not_an_agents_business(world: World) -> None:
    agent = an_agent(tiers=tuple(Tier), actions=frozenset(Action))
    attempts: list[Callable[[], object]] = [
        world.asked_by(agent).workspaces.survey,
        lambda: world.asked_by(agent).workspaces.rename(WORKSPACE_ID, "x"),
        lambda: world.asked_by(agent).workspaces.create("x"),
    ]
    for attempt in attempts:
        with pytest.raises(ScopeDeniedError):
            attempt()
    assert [one.name for one in world.directory.workspaces()] == ["Saltglass"]


def test_an_agent_is_told_of_the_workspaces_that_it_may_read(world: World) -> None:
    reader = an_agent(tiers=(Tier.WORKSPACE,), actions=frozenset({Action.READ}))
    assert [one.id for one in world.asked_by(reader).places.workspaces()] == [WORKSPACE_ID]
    assert world.asked_by(reader).workspaces.find("Saltglass").id == WORKSPACE_ID
    stranger = an_agent(grants=())
    assert world.asked_by(stranger).places.workspaces() == ()
    for key in ("Saltglass", "Nowhere"):
        with pytest.raises(ScopeDeniedError):
            world.asked_by(stranger).workspaces.find(key)
