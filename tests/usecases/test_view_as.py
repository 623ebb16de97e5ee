"""View as: exactly what a client may read, and nothing that could be changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import ClientKind, Right, preset_rights
from inklings_desktop.domain.errors import InklingsError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memories.memory_marks import MemoryMark
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.embeddings.null_embedder import NullEmbedder
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.search.search_memories import SearchRequest
from tests.cli.test_bad_input import snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings

READER, LOOM = "Manuscript Studio", "Loom"


@pytest.fixture
def inklings(tmp_path: Path) -> Iterator[Inklings]:
    with open_inklings(tmp_path, embedder=NullEmbedder("none"), embed_writes=False) as opened:
        yield opened


@pytest.fixture
def world(inklings: Inklings) -> Workspace:
    """A world with a reader, the author's agent, and something in every tier."""
    person = inklings.caller
    world = inklings.create_workspace(person, "Saltglass")
    inklings.create_workspace(person, "Hidden Realm")
    inklings.create_channel(person, world.id, "secret-room")
    inklings.grant_rights(person, READER, preset_rights(ClientKind.EXTERNAL, world.id))
    own = preset_rights(ClientKind.WORLD_AGENT, world.id)
    inklings.grant_rights(person, LOOM, own, kind=ClientKind.WORLD_AGENT)
    for channel in inklings.list_channels(person, world.id):
        inklings.put_memory(person, MemoryDraft(ScopeKey.channel(world.id, channel.id), "Room."))
    inklings.put_memory(person, MemoryDraft(ScopeKey.account(), "The author is left-handed."))
    here = ScopeKey.workspace(world.id)
    inklings.put_memory(person, MemoryDraft(here, "The tide bell rings at dusk."))
    loom = inklings.admit_client(LOOM, world.id)
    inklings.put_memory(loom, MemoryDraft(here, "Loom keeps this bell to itself.", private_to=LOOM))
    paused = inklings.put_memory(person, MemoryDraft(here, "A bell that is paused."))
    inklings.mark_memories(person, [paused.ref], MemoryMark.PAUSED, on=True)
    gone = inklings.put_memory(person, MemoryDraft(here, "A bell that is forgotten."))
    inklings.forget_memories(person, [gone.ref])
    return world


def test_a_reader_sees_its_tier_and_neither_rooms_nor_account(
    inklings: Inklings, world: Workspace
) -> None:
    seen = inklings.view_as(inklings.caller, READER, world.id)
    me, here = seen.caller, ScopeKey.workspace(world.id)
    assert [one.name for one in seen.list_workspaces(me)] == ["Saltglass"]
    assert seen.list_channels(me, world.id) == ()
    assert seen.list_conversations(me, world.id) == ()
    assert dict(seen.count_memories(me, world.id).by_scope) == {here: 1}
    page = seen.browse_memories(me, [here])
    assert [one.content for one in page.entries] == ["The tide bell rings at dusk."]
    assert (page.total, sum(one.count for one in page.groups)) == (1, 1)
    facets = seen.list_facets(me, [here])
    assert (facets.curators, facets.forgotten) == ((("author", 1),), 0)
    found = seen.search_memories(me, [here], SearchRequest("bell"))
    assert [hit.entry.content for hit in found.hits] == ["The tide bell rings at dusk."]
    told = seen.preview_orientation(me, OrientationRequest(world.id, None, "bell")).markdown
    assert "tide bell" in told
    assert not [word for word in ("left-handed", "Loom", "paused", "forgotten") if word in told]
    with pytest.raises(ScopeDeniedError):
        seen.browse_memories(me, [ScopeKey.account()])
    assert {one.tier for one in seen.list_entries(me, world.id)} <= {Tier.WORKSPACE}


def test_the_world_agent_sees_all_tiers_and_its_own_private_entries(
    inklings: Inklings, world: Workspace
) -> None:
    seen = inklings.view_as(inklings.caller, LOOM, world.id)
    counts = seen.count_memories(seen.caller, world.id)
    assert counts.of(ScopeKey.workspace(world.id)) == 2
    assert counts.of(ScopeKey.account()) == 1
    names = [one.name for one in seen.list_channels(seen.caller, world.id)]
    assert names == ["general", "secret-room"]
    assert [one.name for one in seen.list_workspaces(seen.caller)] == ["Saltglass"]


def test_nothing_can_be_changed_and_looking_leaves_no_trace(
    inklings: Inklings, world: Workspace, tmp_path: Path
) -> None:
    seen = inklings.view_as(inklings.caller, LOOM, world.id)
    me, here = seen.caller, ScopeKey.workspace(world.id)
    entry = seen.browse_memories(me, [here]).entries[0]
    before = snapshot(tmp_path)
    for attempt in (
        lambda: seen.put_memory(me, MemoryDraft(here, "Mine.")),
        lambda: seen.forget_memories(me, [entry.ref]),
        lambda: seen.start_conversation(me, world.id),
        lambda: seen.create_workspace(me, "Mine"),
        lambda: seen.put_memory(inklings.caller, MemoryDraft(here, "The author's.")),
        lambda: seen.grant_rights(inklings.caller, LOOM, ()),
    ):
        with pytest.raises(ScopeDeniedError):
            attempt()
    seen.search_memories(me, [here], SearchRequest("bell"))
    seen.preview_orientation(me, OrientationRequest(world.id, None, "bell"))
    assert snapshot(tmp_path) == before
    activity = inklings.show_client(inklings.caller, LOOM).activity
    assert activity.calls == ()


def test_an_unknown_client_a_shut_one_and_an_agent_get_no_view(
    inklings: Inklings, world: Workspace
) -> None:
    inklings.grant_rights(inklings.caller, "shut", ())
    with pytest.raises(NotFoundError):
        inklings.view_as(inklings.caller, "nobody", world.id)
    with pytest.raises(ScopeDeniedError):
        inklings.view_as(inklings.caller, "shut", world.id)
    agent = inklings.admit_client(LOOM, world.id)
    with pytest.raises(ScopeDeniedError):
        inklings.view_as(agent, LOOM, world.id)
    with pytest.raises(NotFoundError):
        inklings.view_as(inklings.caller, LOOM, "00000000-0000-4000-8000-000000000000")


def test_a_foreign_workspace_is_answered_like_one_that_is_not_there(
    inklings: Inklings, world: Workspace
) -> None:
    other = next(one for one in inklings.list_workspaces(inklings.caller) if one.id != world.id)
    seen = inklings.view_as(inklings.caller, READER, world.id)
    me = seen.caller

    def refusal(key: str) -> list[str]:
        said = []
        for verb in (
            lambda: seen.find_workspace(me, key),
            lambda: seen.count_memories(me, key),
            lambda: seen.list_channels(me, key),
            lambda: seen.preview_orientation(me, OrientationRequest(key, None, "")),
        ):
            with pytest.raises(InklingsError) as caught:
                verb()
            said.append(repr(caught.value))
        return said

    assert refusal(other.id) == refusal("00000000-0000-4000-8000-000000000000")


def test_a_right_that_is_taken_is_gone_from_the_next_view(
    inklings: Inklings, world: Workspace
) -> None:
    person = inklings.caller
    account = Right(Tier.ACCOUNT, None, Action.READ)
    inklings.grant_rights(person, READER, {account})
    seen = inklings.view_as(person, READER, world.id)
    assert seen.count_memories(seen.caller, world.id).of(ScopeKey.account()) == 1
    inklings.revoke_rights(person, READER, {account})
    seen = inklings.view_as(person, READER, world.id)
    assert seen.count_memories(seen.caller, world.id).of(ScopeKey.account()) == 0
