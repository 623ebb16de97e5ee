"""Where a person looks, and which scope keys that means."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE, MEMORY_PAGE, RailMark
from inklings_desktop.ui.kit.words.places import Place, Surroundings
from inklings_desktop.ui.memory.list.content import ListContent
from inklings_desktop.ui.memory.list.empty.texts import empty_text
from inklings_desktop.ui.rail.model import RailChannel, RailPage, RailSection
from inklings_desktop.ui.rail.rail import current_rail_id, rail_rows
from inklings_desktop.ui.window.register import page_specs
from inklings_desktop.usecases.search.browse_memories import MemoryCounts
from tests.support.builders import NOON, WORKSPACE_ID, a_channel, a_conversation

GENERAL = replace(a_channel("general"), id="c1")
MAPS = replace(a_channel("map-room"), id="c2")
TALK = replace(a_conversation("c2"), id="t1", state=ConversationState.ACTIVE)
OLD = replace(a_conversation("c2"), id="t2", state=ConversationState.ARCHIVED)


def surroundings() -> Surroundings:
    world = Workspace(WORKSPACE_ID, "Saltglass", NOON)
    counts = MemoryCounts(
        {
            ScopeKey.workspace(WORKSPACE_ID): 4,
            ScopeKey.account(): 2,
            ScopeKey.channel(WORKSPACE_ID, "c2"): 3,
            ScopeKey.conversation(WORKSPACE_ID, "t1"): 1,
            ScopeKey.conversation(WORKSPACE_ID, "t2"): 9,
        }
    )
    return Surroundings(world, (world,), (GENERAL, MAPS), (TALK, OLD), counts)


def test_a_tier_means_all_its_open_rooms() -> None:
    here = surroundings()
    assert here.scopes(Place(Tier.CHANNEL)) == (
        ScopeKey.channel(WORKSPACE_ID, "c1"),
        ScopeKey.channel(WORKSPACE_ID, "c2"),
    )
    assert here.scopes(Place(Tier.CONVERSATION)) == (ScopeKey.conversation(WORKSPACE_ID, "t1"),)
    assert here.scopes(Place(Tier.ACCOUNT)) == (ScopeKey.account(),)


def test_an_archived_conversation_is_reached_by_name() -> None:
    here = surroundings()
    place = Place(Tier.CONVERSATION, "t2")
    assert here.holds(place)
    assert here.count(place) == 9
    assert here.count(Place(Tier.CONVERSATION)) == 1
    assert not here.is_listed(place)
    assert here.is_listed(Place(Tier.CONVERSATION, "t1"))


def test_a_new_memory_goes_to_the_room_on_show_or_the_nearest() -> None:
    here = surroundings()
    assert here.writing_scope(Place(Tier.CHANNEL, "c2")) == ScopeKey.channel(WORKSPACE_ID, "c2")
    assert here.writing_scope(Place(Tier.CHANNEL)) == ScopeKey.channel(WORKSPACE_ID, "c1")
    talk = ScopeKey.conversation(WORKSPACE_ID, "t1")
    assert here.writing_scope(Place(Tier.CONVERSATION)) == talk
    nobody = replace(here, conversations=(OLD,))
    assert nobody.writing_scope(Place(Tier.CONVERSATION)) is None


def test_a_place_that_is_gone_is_known_to_be_gone() -> None:
    here = surroundings()
    assert here.holds(Place(Tier.CHANNEL, "c2"))
    assert not here.holds(Place(Tier.CHANNEL, "c9"))
    assert here.channel_of(Place(Tier.CONVERSATION, "t1")) == "c2"


def test_the_rail_counts_everything_and_opens_one_channel() -> None:
    place = Place(Tier.CONVERSATION, "t1")
    marks = {ENTRIES_PAGE: RailMark(4, "1 to decide", "1")}
    rows_shown = rail_rows(page_specs(), surroundings(), place, marks)
    first, section, last = rows_shown[:8], rows_shown[8], rows_shown[9:]
    page, entries, preview, world, knowledge, skills, inbox, talk = first
    control, settings = last
    assert isinstance(talk, RailPage)
    assert [talk.name, talk.adds] == ["Conversation", "New conversation"]
    assert isinstance(page, RailPage)
    assert page.count == 4 + 2 + 3 + 1
    assert isinstance(entries, RailPage)
    assert entries.count == 4
    assert [one.name for one in (preview, world, knowledge, skills, inbox, control)] == [
        "Next turn preview",
        "World",
        "Knowledge",
        "Skills",
        "Inbox",
        "Control plane",
    ]
    assert isinstance(settings, RailPage)
    assert [settings.name, settings.key_hint] == ["Settings", "Ctrl ,"]
    assert isinstance(section, RailSection)
    rows: dict[str, RailChannel] = {channel.id: channel for channel in section.channels}
    assert [room.id for room in rows["c2"].conversations] == ["t1"]
    assert rows["c1"].conversations == ()
    assert current_rail_id(Place(Tier.CHANNEL, "c2")) == "c2"
    assert current_rail_id(place) == MEMORY_PAGE, "its row leads to what was said, not to memories"


def test_the_rail_offers_more_where_a_channel_has_many_conversations() -> None:
    talks = tuple(replace(TALK, id=f"t{n}", title="") for n in range(10, 18))
    here, place = replace(surroundings(), conversations=talks), Place(Tier.CHANNEL, "c2")

    def shown(*unfolded: str) -> list[tuple[str, str]]:
        rows = rail_rows(page_specs(), here, place, {}, unfolded)
        section = next(one for one in rows if isinstance(one, RailSection))
        return [(one.id, one.name) for channel in section.channels for one in channel.conversations]

    folded = shown()
    assert folded[-1] == ("more:c2", "More")
    assert [one for one, _ in folded[:-1]] == [f"t{n}" for n in range(10, 15)]
    assert {name for _, name in folded[:-1]} == {"New conversation"}, "never a code"
    assert [one for one, _ in shown("c2")] == [f"t{n}" for n in range(10, 18)]


def test_a_world_in_which_somebody_talked_is_not_called_new() -> None:
    talked_in = surroundings()
    unused = replace(talked_in, conversations=())
    content = cast(
        "ListContent", SimpleNamespace(facets=SimpleNamespace(forgotten=0), emptiness=None)
    )
    told = [empty_text(content, one, Place(Tier.WORKSPACE)).text for one in (unused, talked_in)]
    assert "is new" in told[0]
    assert told[1].startswith("Tell the agent what to remember, or write a memory yourself.")
