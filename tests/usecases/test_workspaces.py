from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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
from inklings_desktop.usecases.rooms.list_places import ListWorkspaces
from inklings_desktop.usecases.rooms.workspaces import (
    CreateWorkspace,
    FindWorkspace,
    RenameWorkspace,
    SurveyWorkspaces,
)
from tests.support.builders import WORKSPACE_ID, a_memory, a_person, an_agent

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.usecases.world import World

PERSON = a_person()


def test_a_new_workspace_has_the_channel_general(world: World) -> None:
    create = CreateWorkspace(world.directory, world.clock, world.new_id)
    world.clock.advance(hours=1)
    made = create(PERSON, " Hollow Crown ")
    assert (made.name, made.created_at) == ("Hollow Crown", world.clock())
    with world.store.read(made.id) as view:
        assert [one.name for one in view.conversations.channels(include_archived=True)] == [
            "general"
        ]
        assert view.memories.active_counts() == {}
    names = [one.name for one in ListWorkspaces(world.directory)(PERSON)]
    assert names == ["Saltglass", "Hollow Crown"]


@pytest.mark.parametrize("name", ["Saltglass", "SALTGLASS", " saltglass "])
def test_a_workspace_name_is_taken_regardless_of_case(world: World, name: str) -> None:
    create = CreateWorkspace(world.directory, world.clock, world.new_id)
    with pytest.raises(ConflictError):
        create(PERSON, name)
    assert len(ListWorkspaces(world.directory)(PERSON)) == 1
    assert world.publisher.published == []


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "a\nb", "x" * 121])
def test_a_workspace_needs_a_name(world: World, name: str) -> None:
    create = CreateWorkspace(world.directory, world.clock, world.new_id)
    with pytest.raises(InvalidValueError):
        create(PERSON, name)
    with pytest.raises(InvalidValueError):
        RenameWorkspace(world.directory)(PERSON, WORKSPACE_ID, name)
    assert [one.name for one in world.directory.workspaces()] == ["Saltglass"]


def test_a_workspace_is_found_and_renamed_by_id_or_name(world: World) -> None:
    find, rename = FindWorkspace(world.directory), RenameWorkspace(world.directory)
    assert find(PERSON, "saltGLASS").id == find(PERSON, WORKSPACE_ID).id == WORKSPACE_ID
    assert rename(PERSON, "saltglass", "SaltGlass").name == "SaltGlass"
    assert rename(PERSON, WORKSPACE_ID, "Thrennay").id == WORKSPACE_ID
    with pytest.raises(NotFoundError):
        find(PERSON, "Saltglass")
    with pytest.raises(NotFoundError):
        rename(PERSON, "Saltglass", "Any")


def test_a_taken_name_is_not_given_twice(world: World) -> None:
    create = CreateWorkspace(world.directory, world.clock, world.new_id)
    create(PERSON, "Hollow Crown")
    with pytest.raises(ConflictError):
        RenameWorkspace(world.directory)(PERSON, WORKSPACE_ID, "hollow crown")
    assert world.directory.get(WORKSPACE_ID).name == "Saltglass"


def test_a_survey_counts_and_says_why_one_cannot_be_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = CreateWorkspace(world.directory, world.clock, world.new_id)
    world.clock.advance(hours=1)
    closed = create(PERSON, "Hollow Crown")
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
    first, second = SurveyWorkspaces(world.directory, world.store)(PERSON)
    assert (first.workspace.id, first.n_memories, first.problem) == (WORKSPACE_ID, 2, None)
    assert (second.workspace, second.n_memories, second.problem) == (closed, None, problem)
    assert second.folder.name == closed.id


def test_workspaces_are_not_an_agents_business(world: World) -> None:
    agent = an_agent(tiers=tuple(Tier), actions=frozenset(Action))
    attempts: list[Callable[[], object]] = [
        lambda: SurveyWorkspaces(world.directory, world.store)(agent),
        lambda: RenameWorkspace(world.directory)(agent, WORKSPACE_ID, "x"),
        lambda: CreateWorkspace(world.directory, world.clock, world.new_id)(agent, "x"),
    ]
    for attempt in attempts:
        with pytest.raises(ScopeDeniedError):
            attempt()
    assert [one.name for one in world.directory.workspaces()] == ["Saltglass"]


def test_an_agent_is_told_of_the_workspaces_that_it_may_read(world: World) -> None:
    reader = an_agent(tiers=(Tier.WORKSPACE,), actions=frozenset({Action.READ}))
    assert [one.id for one in ListWorkspaces(world.directory)(reader)] == [WORKSPACE_ID]
    assert FindWorkspace(world.directory)(reader, "Saltglass").id == WORKSPACE_ID
    stranger = an_agent(grants=())
    assert ListWorkspaces(world.directory)(stranger) == ()
    for key in ("Saltglass", "Nowhere"):
        with pytest.raises(ScopeDeniedError):
            FindWorkspace(world.directory)(stranger, key)
