from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest

from inklings_desktop.domain.access.access import Action, Caller, Grant
from inklings_desktop.domain.errors import DatabaseFullError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memory import Curator, MemoryEntry, ScopeKey, Tier
from inklings_desktop.domain.rooms.orientation import Order, Orientation
from inklings_desktop.usecases.rooms.orient import (
    PREVIEWED_AGENT,
    OrientationRequest,
)
from tests.support.asking import asked_by
from tests.support.builders import (
    NOON,
    OTHER_WORKSPACE_ID,
    READ_AND_WRITE,
    WORKSPACE_ID,
    a_memory,
    a_person,
    an_agent,
)
from tests.usecases.world import World

READ = frozenset({Action.READ})
ROOMS = (Tier.CONVERSATION, Tier.CHANNEL)


def a_world_agent(name: str = "loom") -> Caller:
    grants = tuple(
        Grant(tier, None if tier is Tier.ACCOUNT else WORKSPACE_ID, READ) for tier in Tier
    )
    return an_agent(name, grants=grants)


def a_writer(name: str) -> Caller:
    return an_agent(name, grants=tuple(Grant(tier, WORKSPACE_ID, READ_AND_WRITE) for tier in ROOMS))


def contents(document: Orientation) -> list[str]:
    return [entry.content for entry in document.sent]


def reads(world: World, workspace_id: str | None = WORKSPACE_ID) -> dict[str, int]:
    return {entry.content: entry.access_count for entry in world.memories(workspace_id)}


def test_all_four_tiers_are_told_in_their_order(world: World) -> None:
    conversation = world.a_conversation()
    world.keep(
        a_memory("Prefers tea.", scope=ScopeKey.account(), curator=Curator.AUTHOR),
        a_memory("The sea is silver."),
        a_memory("Maps hang north up.", scope=ScopeKey.channel(WORKSPACE_ID, world.map_room.id)),
        a_memory("First.", scope=ScopeKey.conversation(WORKSPACE_ID, conversation.id)),
        a_memory("Second.", scope=ScopeKey.conversation(WORKSPACE_ID, conversation.id), sequence=2),
    )
    request = OrientationRequest(WORKSPACE_ID, conversation.ref_code, "silver")
    document = world.asked_by(a_world_agent()).orientation.orient(request)
    assert [section.tier for section in document.sections] == list(Tier)
    assert [section.title for section in document.sections][1] == "Channel #map-room"
    assert contents(document) == [
        "Second.",
        "First.",
        "Maps hang north up.",
        "The sea is silver.",
        "Prefers tea.",
    ]
    orders = [item.ranked.order for section in document.sections for item in section.sent]
    assert orders == [Order.RECENCY, Order.RECENCY, Order.RELEVANCE, Order.SCORE, Order.RELEVANCE]


def embed(world: World, entries: Sequence[MemoryEntry]) -> None:
    with world.store.write(WORKSPACE_ID, initiator="test") as unit:
        vectors = world.embedder.embed([entry.content for entry in entries])
        made = zip(entries, vectors, strict=True)
        unit.memories.put_vectors(
            world.embedder.model_id, [(one.id, one.content, vector) for one, vector in made]
        )
        unit.commit()


def test_what_is_merely_nearest_to_the_query_stands_by_its_relevance(world: World) -> None:
    entries = world.keep(
        a_memory("Faint.", importance=0.1),
        a_memory("Bright lamps hang over it.", importance=0.9),
        a_memory("The bell is cracked.", importance=0.2),
    )
    embed(world, entries)
    request = OrientationRequest(WORKSPACE_ID, query="bell")
    document = world.asked_by(a_world_agent()).orientation.orient(request)
    (section,) = (one for one in document.sections if one.tier is Tier.WORKSPACE)
    assert [(item.ranked.entry.content, item.ranked.order) for item in section.sent] == [
        ("The bell is cracked.", Order.SCORE),
        ("Bright lamps hang over it.", Order.RELEVANCE),
        ("Faint.", Order.RELEVANCE),
    ]


def test_a_query_without_hits_falls_back_to_relevance(world: World) -> None:
    world.keep(a_memory("Faint.", importance=0.1), a_memory("Bright.", importance=0.9))
    world.embedder.is_available = False
    request = OrientationRequest(WORKSPACE_ID, query="xylophone")
    assert contents(world.asked_by(a_world_agent()).orientation.orient(request)) == [
        "Bright.",
        "Faint.",
    ]


def test_what_the_question_brought_into_the_document_counts_once_and_nothing_else_does(
    world: World,
) -> None:
    conversation = world.a_conversation()
    asked_for = a_memory("The bell.", importance=0.1)
    filler = a_memory("Is there a sea?", importance=0.9)
    too_long = a_memory("bell " * 5_000, importance=0.8)
    recent = a_memory("A bell.", scope=ScopeKey.conversation(WORKSPACE_ID, conversation.id))
    account = a_memory("Tea.", scope=ScopeKey.account())
    world.keep(asked_for, filler, too_long, recent, account)
    request = OrientationRequest(WORKSPACE_ID, conversation.id, "Is there a bell?")
    document = world.asked_by(a_world_agent()).orientation.orient(request)
    told = {entry.content for entry in document.sent}
    assert told == {"The bell.", "Is there a sea?", "A bell.", "Tea."}
    assert {text: n for text, n in reads(world).items() if n} == {"The bell.": 1}
    assert reads(world, None) == {"Tea.": 0}


def test_a_preview_is_the_agents_document_and_counts_nothing(world: World) -> None:
    world.keep(
        a_memory("Shared."),
        a_memory("For the previewed one.", agent_id=PREVIEWED_AGENT),
        a_memory("For another.", agent_id="researcher"),
    )
    request = OrientationRequest(WORKSPACE_ID, query="shared")
    preview = world.asked_by(a_person()).orientation.preview(request)
    assert sorted(contents(preview)) == ["For the previewed one.", "Shared."]
    assert set(reads(world).values()) == {0}
    told = world.asked_by(a_world_agent(PREVIEWED_AGENT)).orientation.orient(request)
    assert told.markdown == preview.markdown


def test_forgotten_paused_and_repeated_memories_stay_out(world: World) -> None:
    *_, repeat = world.keep(
        a_memory("Forgotten.", forgotten_at=NOON, forgotten_reason="wrong"),
        a_memory("Paused.", paused=True),
        a_memory("The same.", importance=0.9),
        a_memory("Not the same.", importance=0.5),
        a_memory("the  SAME.", importance=0.1),
    )
    document = world.asked_by(a_world_agent()).orientation.orient(OrientationRequest(WORKSPACE_ID))
    assert contents(document) == ["The same.", "Not the same."]
    repeats = [item.ranked.repeats for part in document.sections for item in part.sent]
    assert repeats == [(repeat.id,), ()]


def test_an_agent_is_told_only_of_tiers_it_may_read(world: World) -> None:
    world.keep(a_memory("Open."), a_memory("Closed.", scope=ScopeKey.account()))
    reader = an_agent("reader", grants=(Grant(Tier.WORKSPACE, WORKSPACE_ID, READ),))
    document = world.asked_by(reader).orientation.orient(OrientationRequest(WORKSPACE_ID))
    assert contents(document) == ["Open."]
    assert "Account" not in document.markdown
    with pytest.raises(ScopeDeniedError):
        world.asked_by(reader).orientation.orient(
            OrientationRequest(WORKSPACE_ID, tiers=frozenset({Tier.ACCOUNT}))
        )
    with pytest.raises(ScopeDeniedError):
        world.asked_by(reader).orientation.orient(OrientationRequest(OTHER_WORKSPACE_ID))


def test_an_unknown_and_a_closed_conversation_answer_an_agent_alike(world: World) -> None:
    conversation = world.a_conversation()
    reader = an_agent("reader", grants=(Grant(Tier.WORKSPACE, WORKSPACE_ID, READ),))
    refusals = []
    for key in (conversation.ref_code, "00000000000"):
        with pytest.raises(ScopeDeniedError) as caught:
            world.asked_by(reader).orientation.orient(OrientationRequest(WORKSPACE_ID, key))
        refusals.append(caught.value.args)
    assert refusals[0] == refusals[1]
    with pytest.raises(NotFoundError):
        world.asked_by(a_person()).orientation.preview(
            OrientationRequest(WORKSPACE_ID, "00000000000")
        )


def test_the_preview_of_an_agent_is_its_own_document_and_counts_nothing(world: World) -> None:
    (kept,) = world.keep(a_memory("World."))
    request = OrientationRequest(WORKSPACE_ID)
    previewed = world.asked_by(a_world_agent()).orientation.preview(request)
    assert contents(previewed) == ["World."]
    assert world.stored(kept.id).access_count == 0
    with pytest.raises(ScopeDeniedError):
        world.asked_by(an_agent(grants=())).orientation.preview(request)


def test_named_tiers_narrow_the_document(world: World) -> None:
    world.keep(a_memory("World."), a_memory("Tea.", scope=ScopeKey.account()))
    request = OrientationRequest(WORKSPACE_ID, tiers=frozenset({Tier.ACCOUNT}))
    assert contents(world.asked_by(a_world_agent()).orientation.orient(request)) == ["Tea."]


def test_what_is_folded_behind_a_hit_does_not_come_back_by_relevance(world: World) -> None:
    entries = world.keep(
        a_memory("The dragons sleep under the quay.", importance=0.9),
        a_memory("Dragons sleep under the quay!", importance=0.8),
        a_memory("Tea is kept in the vestry.", importance=0.1),
    )
    embed(world, entries)
    request = OrientationRequest(WORKSPACE_ID, query="dragons under the quay")
    document = world.asked_by(a_world_agent()).orientation.orient(request)
    told = ["Dragons sleep under the quay!", "Tea is kept in the vestry."]
    assert contents(document) == told
    repeats = [item.ranked.repeats for part in document.sections for item in part.sent]
    assert repeats == [(entries[0].id,), ()]


def test_news_of_a_closed_tier_and_of_anothers_private_memory_are_not_told(world: World) -> None:
    conversation = world.a_conversation(a_writer("reader"))
    reader = an_agent(
        "reader",
        grants=tuple(
            Grant(tier, WORKSPACE_ID, READ) for tier in (Tier.CONVERSATION, Tier.WORKSPACE)
        ),
    )
    request = OrientationRequest(WORKSPACE_ID, conversation.id)
    assert world.asked_by(reader).orientation.orient(request).news is None
    world.clock.advance(hours=1)
    later = world.clock()
    world.keep(
        a_memory("Open.", created_at=later),
        a_memory("Private.", agent_id="another", created_at=later),
        a_memory("In the account.", scope=ScopeKey.account(), created_at=later),
        a_memory(
            "In the channel.",
            scope=ScopeKey.channel(WORKSPACE_ID, conversation.channel_id),
            created_at=later,
        ),
    )
    for _ in range(2):  # looking is no turn
        news = world.asked_by(reader).orientation.preview(request).news
        assert news is not None
        assert [one.said for one in news.memories] == ["Open."]
    world.asked_by(reader).orientation.orient(request)
    again = world.asked_by(reader).orientation.orient(request).news
    assert again is not None
    assert not again.memories


class _WithoutRoom:
    """A store on a full disk."""

    def __init__(self, world: World) -> None:
        self.read = world.store.read

    def write(self, workspace_id: str | None, **_: Any) -> NoReturn:
        raise DatabaseFullError(Path(workspace_id or "account"))


def test_a_turn_whose_news_cannot_be_noted_is_told_all_the_same(world: World) -> None:
    conversation = world.a_conversation(a_writer("loom"))
    world.keep(a_memory("The sea."))
    full: Any = _WithoutRoom(world)
    orient = asked_by(a_world_agent(), world, store=full).orientation.orient
    for _ in range(2):
        document = orient(OrientationRequest(WORKSPACE_ID, conversation.id))
        assert contents(document) == ["The sea."]
        assert document.news is None
