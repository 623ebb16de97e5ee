"""View as: exactly what a client may read, and nothing that could be changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, Right, preset_rights
from inklings_desktop.domain.errors import InklingsError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memories.memory_history import MemoryMark
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.cli.test_bad_input import snapshot

READER, LOOM = "Manuscript Studio", "Loom"


@pytest.fixture
def inklings(tmp_path: Path) -> Iterator[Inklings]:
    with open_inklings(tmp_path, embedder=NullEmbedder("none"), embed_writes=False) as opened:
        yield opened


@pytest.fixture
def world(inklings: Inklings) -> Workspace:
    """A world with a reader, the author's agent, and something in every tier."""
    world = inklings.workspaces.create("Saltglass")
    inklings.workspaces.create("Hidden Realm")
    inklings.channels.create(world.id, "secret-room")
    inklings.clients.grant(READER, preset_rights(ClientKind.EXTERNAL, world.id))
    own = preset_rights(ClientKind.WORLD_AGENT, world.id)
    inklings.clients.grant(LOOM, own, kind=ClientKind.WORLD_AGENT)
    for channel in inklings.places.channels(world.id):
        inklings.memories.put(MemoryDraft(ScopeKey.channel(world.id, channel.id), "Room."))
    inklings.memories.put(MemoryDraft(ScopeKey.account(), "The author is left-handed."))
    here = ScopeKey.workspace(world.id)
    inklings.memories.put(MemoryDraft(here, "The tide bell rings at dusk."))
    loom = inklings.clients.admit(LOOM, world.id)
    inklings.as_caller(loom).memories.put(
        MemoryDraft(here, "Loom keeps this bell to itself.", private_to=LOOM)
    )
    paused = inklings.memories.put(MemoryDraft(here, "A bell that is paused."))
    inklings.memories.mark([paused.ref], MemoryMark.PAUSED, on=True)
    gone = inklings.memories.put(MemoryDraft(here, "A bell that is forgotten."))
    inklings.memories.forget([gone.ref])
    return world


def test_a_reader_sees_its_tier_and_neither_rooms_nor_account(
    inklings: Inklings, world: Workspace
) -> None:
    seen = inklings.view_as(READER, world.id)
    here = ScopeKey.workspace(world.id)
    assert [one.name for one in seen.places.workspaces()] == ["Saltglass"]
    assert seen.places.channels(world.id) == ()
    assert seen.places.conversations(world.id) == ()
    assert dict(seen.listing.count(world.id).by_scope) == {here: 1}
    page = seen.listing.browse([here])
    assert [one.content for one in page.entries] == ["The tide bell rings at dusk."]
    assert (page.total, sum(one.count for one in page.groups)) == (1, 1)
    facets = seen.listing.facets([here])
    assert (facets.curators, facets.forgotten) == ((("author", 1),), 0)
    found = seen.search.find([here], SearchRequest("bell"))
    assert [hit.entry.content for hit in found.hits] == ["The tide bell rings at dusk."]
    told = seen.orientation.preview(OrientationRequest(world.id, None, "bell")).markdown
    assert "tide bell" in told
    assert not [word for word in ("left-handed", "Loom", "paused", "forgotten") if word in told]
    with pytest.raises(ScopeDeniedError):
        seen.listing.browse([ScopeKey.account()])
    assert {one.tier for one in seen.entries.list(world.id)} <= {Tier.WORKSPACE}


def test_the_world_agent_sees_all_tiers_and_its_own_private_entries(
    inklings: Inklings, world: Workspace
) -> None:
    seen = inklings.view_as(LOOM, world.id)
    counts = seen.listing.count(world.id)
    assert counts.of(ScopeKey.workspace(world.id)) == 2
    assert counts.of(ScopeKey.account()) == 1
    names = [one.name for one in seen.places.channels(world.id)]
    assert names == ["general", "secret-room"]
    assert [one.name for one in seen.places.workspaces()] == ["Saltglass"]


def test_nothing_can_be_changed_and_looking_leaves_no_trace(
    inklings: Inklings, world: Workspace, tmp_path: Path
) -> None:
    seen = inklings.view_as(LOOM, world.id)
    here = ScopeKey.workspace(world.id)
    entry = seen.listing.browse([here]).entries[0]
    before = snapshot(tmp_path)
    for attempt in (
        lambda: seen.memories.put(MemoryDraft(here, "Mine.")),
        lambda: seen.memories.forget([entry.ref]),
        lambda: seen.conversations.start(world.id),
        lambda: seen.workspaces.create("Mine"),
        lambda: seen.as_caller(inklings.caller).memories.put(MemoryDraft(here, "The author's.")),
        lambda: seen.as_caller(inklings.caller).clients.grant(LOOM, ()),
    ):
        with pytest.raises(ScopeDeniedError):
            attempt()
    seen.search.find([here], SearchRequest("bell"))
    seen.orientation.preview(OrientationRequest(world.id, None, "bell"))
    assert snapshot(tmp_path) == before
    activity = inklings.clients.show(LOOM).activity
    assert activity.calls == ()


def test_an_unknown_client_a_shut_one_and_an_agent_get_no_view(
    inklings: Inklings, world: Workspace
) -> None:
    inklings.clients.grant("shut", ())
    with pytest.raises(NotFoundError):
        inklings.view_as("nobody", world.id)
    with pytest.raises(ScopeDeniedError):
        inklings.view_as("shut", world.id)
    agent = inklings.clients.admit(LOOM, world.id)
    with pytest.raises(ScopeDeniedError):
        inklings.as_caller(agent).view_as(LOOM, world.id)
    with pytest.raises(NotFoundError):
        inklings.view_as(LOOM, "00000000-0000-4000-8000-000000000000")


def test_a_foreign_workspace_is_answered_like_one_that_is_not_there(
    inklings: Inklings, world: Workspace
) -> None:
    other = next(one for one in inklings.places.workspaces() if one.id != world.id)
    seen = inklings.view_as(READER, world.id)
    me = seen.caller

    def refusal(key: str) -> list[str]:
        said = []
        for verb in (
            lambda: seen.as_caller(me).workspaces.find(key),
            lambda: seen.as_caller(me).listing.count(key),
            lambda: seen.as_caller(me).places.channels(key),
            lambda: seen.as_caller(me).orientation.preview(OrientationRequest(key, None, "")),
        ):
            with pytest.raises(InklingsError) as caught:
                verb()
            said.append(repr(caught.value))
        return said

    assert refusal(other.id) == refusal("00000000-0000-4000-8000-000000000000")


def test_a_right_that_is_taken_is_gone_from_the_next_view(
    inklings: Inklings, world: Workspace
) -> None:
    account = Right(Tier.ACCOUNT, None, Action.READ)
    inklings.clients.grant(READER, {account})
    seen = inklings.view_as(READER, world.id)
    assert seen.listing.count(world.id).of(ScopeKey.account()) == 1
    inklings.clients.revoke(READER, {account})
    seen = inklings.view_as(READER, world.id)
    assert seen.listing.count(world.id).of(ScopeKey.account()) == 0
