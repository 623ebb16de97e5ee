from __future__ import annotations

from datetime import timedelta

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memories.listing import (
    MemoryFilter,
    MemoryPage,
    MemorySort,
    MemoryState,
    PageCursor,
    RelevanceBand,
)
from inklings_desktop.domain.memory import Curator, MemoryRef, ScopeKey, Tier
from inklings_desktop.usecases.search.browse_memories import MemoryCounts
from tests.support.builders import (
    NOON,
    OTHER_WORKSPACE_ID,
    WORKSPACE_ID,
    a_memory,
    a_person,
    an_agent,
)
from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
PERSON = a_person()
AGENT = an_agent()


def ids(page: MemoryPage) -> list[str]:
    return [entry.id for entry in page.entries]


def test_looking_changes_nothing(world: World) -> None:
    (entry,) = world.keep(a_memory())
    before = world.everything()
    world.person.listing.browse([SCOPE])
    world.asked_by(AGENT).listing.browse([SCOPE])
    world.person.listing.show(entry.ref)
    world.person.listing.facets([SCOPE])
    world.person.listing.count(WORKSPACE_ID)
    assert world.everything() == before
    assert world.publisher.published == []


@pytest.mark.parametrize("sort", list(MemorySort))
def test_pages_together_hold_every_memory_once(world: World, sort: MemorySort) -> None:
    world.keep(
        *(
            a_memory(
                memory_id=f"m{n:02}",
                importance=n % 4 / 4,
                created_at=NOON - timedelta(hours=n % 5),
                accessed_at=NOON if n % 3 == 0 else None,
            )
            for n in range(23)
        )
    )
    whole = world.person.listing.browse([SCOPE], sort=sort)
    assert len(set(ids(whole))) == whole.total == 23
    assert sum(group.count for group in whole.groups) == 23
    found: list[str] = []
    after: PageCursor | None = None
    while True:
        page = world.person.listing.browse([SCOPE], sort=sort, limit=4, after=after)
        found += ids(page)
        assert page.as_of == NOON
        if page.next is None:
            break
        after = page.next
        world.clock.advance(hours=1)
    assert found == ids(whole)


def test_relevance_is_computed_for_one_instant(world: World) -> None:
    world.keep(a_memory(importance=1.0), a_memory(importance=0.2))
    world.clock.advance(hours=1)
    page = world.person.listing.browse([SCOPE], sort=MemorySort.RELEVANCE)
    assert page.as_of == world.clock()
    assert [(group.key, group.count) for group in page.groups] == [
        (RelevanceBand.STEADY.value, 1),
        (RelevanceBand.FADING.value, 1),
    ]


def test_a_filter_narrows_the_list(world: World) -> None:
    world.keep(
        a_memory(memory_id="a", tags=("x",), importance=0.9),
        a_memory(memory_id="b", tags=("y",), importance=0.1, curator=Curator.AUTHOR),
        a_memory(memory_id="c", forgotten_at=NOON),
    )
    assert ids(world.person.listing.browse([SCOPE], where=MemoryFilter(tags=frozenset("x")))) == [
        "a"
    ]
    authors = MemoryFilter(curators=frozenset({Curator.AUTHOR}))
    assert ids(world.person.listing.browse([SCOPE], where=authors)) == ["b"]
    forgotten = MemoryFilter(state=MemoryState.FORGOTTEN)
    assert ids(world.person.listing.browse([SCOPE], where=forgotten)) == ["c"]


@pytest.mark.parametrize("limit", [0, -1, 100_001])
def test_a_limit_out_of_range_is_refused(world: World, limit: int) -> None:
    with pytest.raises(InvalidValueError) as caught:
        world.person.listing.browse([SCOPE], limit=limit)
    assert caught.value.field == "limit"


def test_no_scope_is_an_empty_page(world: World) -> None:
    page = world.person.listing.browse([])
    assert (page.entries, page.total, page.next) == ((), 0, None)
    assert world.person.listing.facets([]).tags == ()


@pytest.mark.parametrize(
    "scopes",
    [
        [SCOPE, ScopeKey.account()],
        [SCOPE, ScopeKey.channel(WORKSPACE_ID, "c")],
        [SCOPE, ScopeKey.workspace(OTHER_WORKSPACE_ID)],
    ],
)
def test_tiers_and_files_never_mix(world: World, scopes: list[ScopeKey]) -> None:
    with pytest.raises(InvalidValueError):
        world.person.listing.browse(scopes)
    with pytest.raises(InvalidValueError):
        world.person.listing.facets(scopes)
    assert world.publisher.published == []


def test_several_keys_of_one_tier_make_one_list(world: World) -> None:
    one, two = (ScopeKey.channel(WORKSPACE_ID, key) for key in ("one", "two"))
    world.keep(a_memory(memory_id="a", scope=one), a_memory(memory_id="b", scope=two))
    assert ids(world.person.listing.browse([one, two])) == ["b", "a"]
    assert ids(world.person.listing.browse([two])) == ["b"]


def test_an_agent_sees_only_what_it_was_granted(world: World) -> None:
    one, two = (ScopeKey.channel(WORKSPACE_ID, key) for key in ("one", "two"))
    world.keep(a_memory(scope=one), a_memory(scope=two))
    agent = an_agent(keys=frozenset({"one"}))
    assert len(world.asked_by(agent).listing.browse([one]).entries) == 1
    for scopes in ([two], [one, two], [ScopeKey.account()]):
        with pytest.raises(ScopeDeniedError):
            world.asked_by(agent).listing.browse(scopes)
        with pytest.raises(ScopeDeniedError):
            world.asked_by(agent).listing.facets(scopes)


@pytest.mark.requirement("agent-private")
def test_private_memories_are_shown_to_their_agent_and_the_person(world: World) -> None:
    shared, mine = world.keep(
        a_memory("Shared", tags=("open",)),
        a_memory("Private", tags=("secret",), source="secret", agent_id="researcher"),
    )
    for caller, expected in (
        (an_agent("researcher"), {shared.id, mine.id}),
        (PERSON, {shared.id, mine.id}),
        (an_agent("writer"), {shared.id}),
    ):
        page = world.asked_by(caller).listing.browse([SCOPE])
        assert set(ids(page)) == expected
        assert page.total == len(expected)
    facets = world.asked_by(an_agent("writer")).listing.facets([SCOPE])
    assert facets.tags == (("open", 1),)
    assert "secret" not in dict(facets.sources)
    with pytest.raises(NotFoundError):
        world.asked_by(an_agent("writer")).listing.show(mine.ref)
    assert world.asked_by(an_agent("researcher")).listing.show(mine.ref).entry == mine
    assert world.person.listing.show(mine.ref).entry == mine


def test_an_agent_browses_neither_forgotten_nor_paused_memories(world: World) -> None:
    world.keep(
        a_memory(memory_id="here"),
        a_memory(memory_id="gone", forgotten_at=NOON),
        a_memory(memory_id="paused", paused=True),
    )
    assert ids(world.asked_by(AGENT).listing.browse([SCOPE])) == ["here"]
    assert set(ids(world.person.listing.browse([SCOPE]))) == {"here", "paused"}
    with pytest.raises(InvalidValueError):
        world.asked_by(AGENT).listing.browse(
            [SCOPE], where=MemoryFilter(state=MemoryState.FORGOTTEN)
        )


@pytest.mark.requirement("workspace-no-leak")
def test_an_id_is_worth_nothing_in_another_scope(world: World) -> None:
    (entry,) = world.keep(a_memory("Malachar"))
    elsewhere = MemoryRef(ScopeKey.channel(WORKSPACE_ID, "c"), entry.id)
    answers = set()
    for caller in (PERSON, AGENT):
        for ref in (elsewhere, MemoryRef(elsewhere.scope, "unknown")):
            with pytest.raises(NotFoundError) as caught:
                world.asked_by(caller).listing.show(ref)
            answers.add(caught.value.kind)
    assert answers == {"memory"}
    with pytest.raises(ScopeDeniedError):
        world.asked_by(an_agent(workspace_id=OTHER_WORKSPACE_ID)).listing.show(entry.ref)


def test_a_person_sees_a_forgotten_memory_with_its_history(world: World) -> None:
    (entry,) = world.keep(a_memory())
    world.person.memories.forget([entry.ref], reason="retcon")
    shown = world.person.listing.show(entry.ref)
    assert shown.entry.forgotten_reason == "retcon"
    assert len(shown.history) == 1


def test_a_memory_is_located_by_the_beginning_of_its_id(world: World) -> None:
    here, there = world.keep(
        a_memory(memory_id="aaaa1111"),
        a_memory(memory_id="bbbb2222", scope=ScopeKey.account()),
    )
    assert world.person.listing.locate("aaaa", WORKSPACE_ID) == here
    assert world.person.listing.locate("bbbb", WORKSPACE_ID) == there
    assert world.person.listing.locate("bbbb", None) == there
    for prefix, workspace_id in (("cccc", WORKSPACE_ID), ("aaaa", None)):
        with pytest.raises(NotFoundError):
            world.person.listing.locate(prefix, workspace_id)
    with pytest.raises(InvalidValueError):
        world.person.listing.locate("aaa", WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(an_agent(tiers=tuple(Tier))).listing.locate("aaaa", WORKSPACE_ID)


def test_several_ids_with_one_beginning_are_ambiguous(world: World) -> None:
    world.keep(a_memory(memory_id="aaaa1"), a_memory(memory_id="aaaa2"))
    with pytest.raises(InvalidValueError) as caught:
        world.person.listing.locate("aaaa", WORKSPACE_ID)
    assert caught.value.rule == "ambiguous"


def test_counts_hold_active_memories_of_workspace_and_account(world: World) -> None:
    room = ScopeKey.channel(WORKSPACE_ID, "c")
    world.keep(
        a_memory(),
        a_memory(forgotten_at=NOON),
        a_memory(scope=room, agent_id="researcher"),
        a_memory(scope=room),
        a_memory(scope=ScopeKey.account()),
    )
    counts = world.person.listing.count(WORKSPACE_ID)
    assert (counts.of(SCOPE), counts.of(room), counts.of(ScopeKey.account())) == (1, 2, 1)
    assert counts.of(SCOPE, room) == 3
    assert counts.of(ScopeKey.channel(WORKSPACE_ID, "empty")) == 0
    assert world.person.listing.count(None).of(SCOPE) == 0
    assert MemoryCounts().of(SCOPE) == 0
    known = MemoryCounts({ScopeKey.account(): 7, SCOPE: 9})
    again = world.person.listing.count(WORKSPACE_ID, known=known)
    assert (again.of(SCOPE), again.of(ScopeKey.account())) == (1, 7), "it is taken as known"


def test_an_agent_counts_what_it_could_retrieve(world: World) -> None:
    room = ScopeKey.channel(WORKSPACE_ID, "c")
    world.keep(
        a_memory(),
        a_memory(paused=True),
        a_memory(agent_id="somebody else"),
        a_memory(forgotten_at=NOON),
        a_memory(scope=room),
        a_memory(scope=ScopeKey.account()),
    )
    reader = an_agent(tiers=(Tier.WORKSPACE,), actions=frozenset({Action.READ}))
    counts = world.asked_by(reader).listing.count(WORKSPACE_ID)
    assert dict(counts.by_scope) == {SCOPE: 1}
    with pytest.raises(ScopeDeniedError):
        world.asked_by(an_agent(grants=())).listing.count(WORKSPACE_ID)
