"""What the control plane counts, and for whom."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from inklings_desktop.domain.errors import NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey, Tier
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.support.builders import NOON, WORKSPACE_ID, a_memory, a_person, an_agent
from tests.usecases.world import World

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
ACCOUNT = ScopeKey.account()


def a_faded_memory(content: str, scope: ScopeKey = SCOPE) -> MemoryEntry:
    """One that was read once, 60 days ago."""
    return a_memory(content, scope=scope, created_at=NOON - timedelta(days=60), access_count=1)


def test_four_tiers_answer_from_both_files(world: World) -> None:
    world.keep(a_memory("here"), a_memory("everywhere", scope=ACCOUNT))

    found = world.asked_by(a_person()).search.tiers(WORKSPACE_ID)

    assert [one.tier for one in found] == list(Tier)
    assert [one.n_active for one in found] == [0, 0, 1, 1]
    assert [one.rate for one in found] == [1.0, 0.990, 0.995, 0.998]
    assert found[0].half_life_hours == float("inf")
    assert round(found[1].half_life_hours / 24, 1) == 2.9


def test_what_an_archived_room_holds_is_counted_but_told_apart(world: World) -> None:
    world.keep(
        a_memory("open", scope=ScopeKey.channel(WORKSPACE_ID, world.general.id)),
        a_faded_memory("shut", ScopeKey.channel(WORKSPACE_ID, world.map_room.id)),
    )
    with world.store.write(WORKSPACE_ID, initiator="test") as unit:
        unit.conversations.save_channel(replace(world.map_room, archived_at=NOON))
        unit.commit()

    channel = world.asked_by(a_person()).search.tiers(WORKSPACE_ID)[1]

    assert (channel.n_active, channel.n_archived) == (2, 1)
    kinds = [one.kind for one in world.asked_by(a_person()).search.worth_a_look(WORKSPACE_ID)]
    assert AttentionKind.BELOW_THRESHOLD not in kinds


def test_lists_add_up_over_both_files_and_empty_ones_are_left_out(world: World) -> None:
    world.keep(
        a_faded_memory("faded"),
        a_memory("faded too", scope=ACCOUNT, created_at=NOON - timedelta(days=400)),
    )

    found = {one.kind: one for one in world.asked_by(a_person()).search.worth_a_look(WORKSPACE_ID)}

    assert list(found) == [
        AttentionKind.BELOW_THRESHOLD,
        AttentionKind.WAITING_FOR_EMBEDDING,
        AttentionKind.NEVER_READ,
    ]
    assert dict(found[AttentionKind.BELOW_THRESHOLD].by_tier) == {
        Tier.WORKSPACE: 1,
        Tier.ACCOUNT: 1,
    }
    assert found[AttentionKind.BELOW_THRESHOLD].total == 2
    assert found[AttentionKind.NEVER_READ].total == 1


def test_a_missing_model_is_said_with_the_figures(world: World) -> None:
    world.keep(a_memory())
    world.embedder.is_available = False

    assert not any(one.has_model for one in world.asked_by(a_person()).search.tiers(WORKSPACE_ID))
    assert not any(
        one.has_model for one in world.asked_by(a_person()).search.worth_a_look(WORKSPACE_ID)
    )


def test_browsing_and_searching_a_list_show_what_was_counted(world: World) -> None:
    world.keep(
        a_faded_memory("faded tide"),
        a_memory("fresh tide"),
        a_memory("read tide", access_count=2, accessed_at=NOON),
    )
    for kind, wanted in (
        (AttentionKind.BELOW_THRESHOLD, ["faded tide"]),
        (AttentionKind.NEVER_READ, ["fresh tide"]),
        (AttentionKind.READY_TO_PROMOTE, []),
    ):
        where = MemoryFilter(attention=kind)
        page = world.person.listing.browse([SCOPE], where=where)
        assert [entry.content for entry in page.entries] == wanted
        result = world.asked_by(a_person()).search.find([SCOPE], SearchRequest("tide", where=where))
        assert [hit.entry.content for hit in result.hits] == wanted


def test_the_next_page_of_a_list_is_of_the_same_instant(world: World) -> None:
    world.keep(*(a_memory(f"m{n}", importance=0.02) for n in range(5)))
    where = MemoryFilter(attention=AttentionKind.NEVER_READ)
    first = world.person.listing.browse([SCOPE], where=where, limit=3)
    world.clock.advance(days=90)
    second = world.person.listing.browse([SCOPE], where=where, limit=3, after=first.next)

    assert first.next is not None
    assert second.as_of == first.as_of
    assert len(first.entries) + len(second.entries) == 5


def test_no_agent_is_told_how_much_there_is(world: World) -> None:
    with pytest.raises(ScopeDeniedError):
        world.asked_by(an_agent()).search.tiers(WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(an_agent()).search.worth_a_look(WORKSPACE_ID)


def test_an_unknown_workspace_is_not_found(world: World) -> None:
    with pytest.raises(NotFoundError):
        world.asked_by(a_person()).search.tiers("nowhere")
