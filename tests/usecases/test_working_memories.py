"""Working memory: private among agents, in plain view of the author, kept from run to run."""

from __future__ import annotations

from datetime import timedelta

import pytest

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.usecases.knowledge.working_memory import MAX_PARTS, WorkingMemories
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.support.builders import WORKSPACE_ID, an_agent
from tests.support.sqlite_store import sqlite_world
from tests.usecases.world import World

BOT, OTHER = an_agent("bot", actions=frozenset({Action.READ})), an_agent("other")


def of(world: World, caller: Caller = BOT) -> WorkingMemories:
    return world.asked_by(caller).working_memories


def test_an_agent_writes_appends_and_reads_its_own(world: World) -> None:
    assert of(world).read(WORKSPACE_ID) is None
    first = of(world).write(WORKSPACE_ID, "Chapter 3 next.", expected_version=0)
    second = of(world).write(WORKSPACE_ID, "Ask about Nerys.", append=True, expected_version=1)
    assert (first.version, second.body) == (1, "Chapter 3 next.\nAsk about Nerys.")
    assert of(world).read(WORKSPACE_ID) == second
    of(world).write(WORKSPACE_ID, "Sources", part="researcher")
    assert of(world).read(WORKSPACE_ID) == second
    with pytest.raises(ConflictError):
        of(world).write(WORKSPACE_ID, "Late", expected_version=1)


@pytest.mark.parametrize(
    ("body", "part", "field"),
    [("x" * 16_385, "", "kept"), ("a\0b", "", "kept"), ("fine", "no good", "part"),
     ("the key is sk-" + "a1B2" * 12, "", "kept")],
    ids=["long", "NUL", "part", "secret"],
)  # fmt: skip
def test_what_cannot_be_kept_changes_nothing(
    world: World, body: str, part: str, field: str
) -> None:
    with pytest.raises(InvalidValueError) as caught:
        of(world).write(WORKSPACE_ID, body, part=part)
    assert caught.value.field == field
    assert world.person.working_memories.list(WORKSPACE_ID) == ()


def test_what_is_appended_counts_with_what_is_there(world: World) -> None:
    of(world).write(WORKSPACE_ID, "x" * 16_000)
    with pytest.raises(InvalidValueError):
        of(world).write(WORKSPACE_ID, "y" * 400, append=True)
    for n in range(MAX_PARTS - 1):
        of(world).write(WORKSPACE_ID, "x", part=f"p{n}")
    with pytest.raises(InvalidValueError, match="too_many"):
        of(world).write(WORKSPACE_ID, "x", part="one-more")
    of(world, OTHER).write(WORKSPACE_ID, "x")


def test_working_memory_private(world: World) -> None:
    of(world).write(WORKSPACE_ID, "The lighthouse is a lie.")
    other = world.asked_by(OTHER)
    assert other.working_memories.read(WORKSPACE_ID) is None
    for attempt in (
        lambda: other.working_memories.list(WORKSPACE_ID),
        lambda: other.working_memories.versions(WORKSPACE_ID, "bot", ""),
        lambda: other.working_memories.clear(WORKSPACE_ID, "bot", ""),
        lambda: other.working_memories.restore(WORKSPACE_ID, "bot", "", 1),
    ):
        with pytest.raises(ScopeDeniedError):
            attempt()
    document = other.orientation.orient(OrientationRequest(WORKSPACE_ID, query="lighthouse"))
    assert "lighthouse is" not in document.markdown
    for caller in (BOT, OTHER):
        scope = ScopeKey.workspace(WORKSPACE_ID)
        found = world.asked_by(caller).search.find([scope], SearchRequest("lighthouse lie"))
        assert found.hits == ()
    stranger = an_agent("stranger", actions=frozenset())
    with pytest.raises(ScopeDeniedError):
        of(world, stranger).read(WORKSPACE_ID)


def test_working_memory_in_plain_view(world: World) -> None:
    of(world).write(WORKSPACE_ID, "First")
    of(world).write(WORKSPACE_ID, "Second")
    noun = world.person.working_memories
    (kept,) = noun.list(WORKSPACE_ID)
    assert (kept.agent, kept.body, kept.version) == ("bot", "Second", 2)
    assert [one.body for one in noun.versions(WORKSPACE_ID, "bot", "")] == ["First"]
    assert not kept.is_stale(kept.updated_at + timedelta(days=90))
    assert kept.is_stale(kept.updated_at + timedelta(days=91))
    with pytest.raises(ScopeDeniedError):
        noun.write(WORKSPACE_ID, "By hand")
    with pytest.raises(ScopeDeniedError):
        noun.read(WORKSPACE_ID)


def test_clearing_is_an_event_and_undone_by_restoring(world: World) -> None:
    of(world).write(WORKSPACE_ID, "First")
    noun = world.person.working_memories
    noun.clear(WORKSPACE_ID, "bot", "")
    with pytest.raises(NotFoundError):
        noun.clear(WORKSPACE_ID, "bot", "")
    assert noun.list(WORKSPACE_ID) == ()
    noun.restore(WORKSPACE_ID, "bot", "", 1)
    (back,) = noun.list(WORKSPACE_ID)
    assert (back.body, back.version) == ("First", 3)
    assert world.kinds().count(EventKind.WORKING_MEMORY_CLEARED) == 2
    assert [one.counts for one in world.events()[-2:]] == [{"cleared": 1}, {"restored": 1}]
    for agent, version in (("bot", 9), ("nobody", 1)):
        with pytest.raises(NotFoundError):
            noun.restore(WORKSPACE_ID, agent, "", version)


def test_working_memory_survives_restart(world: World) -> None:
    kept = of(world).write(WORKSPACE_ID, "Chapter 3 next.")
    with sqlite_world(world.root) as again:
        assert again.asked_by(BOT).working_memories.read(WORKSPACE_ID) == kept
