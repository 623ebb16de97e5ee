from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.usecases.search import search_set_aside
from inklings_desktop.usecases.search.search import Search
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.usecases.search.search_set_aside import SetAside
from tests.support.builders import NOON, WORKSPACE_ID, a_memory, a_person, an_agent
from tests.usecases.world import World

PERSON = a_person()
HERE = ScopeKey.workspace(WORKSPACE_ID)


@pytest.fixture
def search(world: World) -> Search:
    world.keep(
        a_memory("The tide bell rings.", memory_id="active"),
        replace(a_memory("Nobody hears the tide bell.", memory_id="paused"), paused=True),
        replace(a_memory("An old tide bell.", memory_id="older"), paused=True, tags=("brass",)),
        replace(a_memory("The bell cracked.", memory_id="gone"), forgotten_at=NOON),
        replace(a_memory("Salt is money.", memory_id="other"), paused=True),
        replace(a_memory("Salt, forgotten.", memory_id="salt"), forgotten_at=NOON),
    )
    return world.person.search


def ids(found: SetAside) -> tuple[list[str], list[str]]:
    return [one.id for one in found.paused], [one.id for one in found.forgotten]


def test_what_is_paused_or_forgotten_and_says_it_is_found(search: Search) -> None:
    found = search.find_set_aside([HERE], SearchRequest("tide bells"))
    assert ids(found) == (["older", "paused"], ["gone"])
    assert (len(found), found.is_complete) == (3, True)


@pytest.mark.parametrize(
    ("request_", "paused"),
    [
        (SearchRequest("bra", last_word_is_open=True), ["older"]),
        (SearchRequest("bra"), []),
        (SearchRequest("bell", where=MemoryFilter(tags=frozenset({"brass"}))), ["older"]),
        (SearchRequest("bell", where=MemoryFilter(phrases=frozenset({"old tide"}))), ["older"]),
        (SearchRequest("bell", where=MemoryFilter(attention=AttentionKind.BELOW_THRESHOLD)), []),
        (SearchRequest("the"), ["paused"]),
        (SearchRequest("  "), []),
    ],
)
def test_it_is_the_same_search(search: Search, request_: SearchRequest, paused: list[str]) -> None:
    assert ids(search.find_set_aside([HERE], request_))[0] == paused


def test_no_scope_is_no_find(search: Search) -> None:
    assert not search.find_set_aside([], SearchRequest("bell"))


def test_an_agent_is_told_of_none(search: Search, world: World) -> None:
    with pytest.raises(ScopeDeniedError):
        world.asked_by(an_agent()).search.find_set_aside([HERE], SearchRequest("tide bell"))
    found = world.asked_by(an_agent()).search.find([HERE], SearchRequest("tide bell"))
    assert [hit.entry.id for hit in found.hits] == ["active"]


def test_a_long_list_is_looked_through_from_its_end(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_set_aside, "LOOKED_THROUGH", 2)
    found = search.find_set_aside([HERE], SearchRequest("tide bells"))
    assert ids(found) == (["older"], ["gone"])
    assert not found.is_complete


def test_no_more_are_handed_out_than_can_be_looked_at(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_set_aside, "MOST_SHOWN", 1)
    found = search.find_set_aside([HERE], SearchRequest("tide bells"))
    assert ids(found) == (["older"], ["gone"])
    assert not found.is_complete
