"""Saved filters: whose they are, where they are kept, what they may be called; in both stores."""

from __future__ import annotations

from datetime import timedelta

import pytest

from inklings_desktop.domain.access.access import Caller
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memories.decay import AttentionKind, DecayConfig
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort, MemoryState
from inklings_desktop.domain.memories.saved_filters import (
    MAX_SAVED_FILTERS,
    FilterWords,
    SavedFilter,
)
from inklings_desktop.domain.memory import Curator, Lifetime, MemoryKind, ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.ports.store import Store
from inklings_desktop.usecases.search.search import Search
from tests.support.asking import asked_by
from tests.support.builders import (
    NOON,
    OTHER_WORKSPACE_ID,
    WORKSPACE_ID,
    FixedClock,
    SeededIds,
    a_channel,
    a_person,
    an_agent,
)

PERSON = a_person()
SONGS = FilterWords(MemoryFilter(tags=frozenset({"song"}), importance_min=0.5))
FULL = FilterWords(
    MemoryFilter(
        sources=frozenset({"orchestrator"}),
        curators=frozenset({Curator.AGENT}),
        lifetimes=frozenset({Lifetime.LONG_TERM}),
        phrases=frozenset({"harbour glass"}),
        importance_max=0.75,
        written_since=NOON,
        written_before=NOON + timedelta(days=2),
        state=MemoryState.FORGOTTEN,
        without_embedding=True,
        attention=AttentionKind.NEVER_READ,
        kinds=frozenset({MemoryKind.FACT, MemoryKind.POLICY}),
    ),
    "Nerys \U0001f30a",
    SearchMode.KEYWORD,
    MemorySort.RELEVANCE,
)


class Filters:
    """The use cases over one store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock, self.new_id = FixedClock(NOON), SeededIds()

    def asked_by(self, caller: Caller) -> Search:
        return asked_by(caller, self).search

    @property
    def mine(self) -> Search:
        return self.asked_by(PERSON)

    def saved(self, name: str, tier: Tier = Tier.WORKSPACE, room: str | None = None) -> SavedFilter:
        return self.mine.save_filter(WORKSPACE_ID, tier, name, SONGS, room=room)

    def names(self, workspace_id: str = WORKSPACE_ID) -> list[str]:
        return [one.name for one in self.mine.filters(workspace_id)]


@pytest.fixture
def filters(store: Store) -> Filters:
    return Filters(store)


def test_everything_that_a_filter_asks_comes_back(filters: Filters) -> None:
    kept = filters.mine.save_filter(WORKSPACE_ID, Tier.WORKSPACE, "  Fading   songs ", FULL)
    assert kept.name == "Fading songs"
    assert filters.mine.filters(WORKSPACE_ID) == (kept,)
    assert filters.mine.filters(WORKSPACE_ID)[0].words == FULL
    assert filters.names(OTHER_WORKSPACE_ID) == []


def test_the_filters_of_the_account_serve_every_workspace(filters: Filters) -> None:
    filters.saved("songs")
    kept = filters.saved("Habits", Tier.ACCOUNT)
    assert kept.workspace_id is None
    assert filters.names() == ["Habits", "songs"]
    assert filters.names(OTHER_WORKSPACE_ID) == ["Habits"]


def test_a_filter_is_renamed_and_deleted(filters: Filters) -> None:
    kept = filters.saved("Songs")
    renamed = filters.mine.rename_filter(kept, "Shanties")
    assert filters.mine.filters(WORKSPACE_ID) == (renamed,)
    assert filters.mine.rename_filter(renamed, "SHANTIES").name == "SHANTIES"
    filters.mine.delete_filter(renamed)
    assert filters.names() == []
    with pytest.raises(NotFoundError):
        filters.mine.delete_filter(renamed)
    with pytest.raises(NotFoundError):
        filters.mine.rename_filter(renamed, "Gone")


@pytest.mark.parametrize(
    ("name", "rule"), [("  ", "empty"), ("x" * 61, "too_long"), ("SONGS", "taken"), ("", "empty")]
)
def test_names_that_cannot_be_told_apart_or_read_are_refused(
    filters: Filters, name: str, rule: str
) -> None:
    first = filters.saved("Songs")
    other = filters.saved("Gulls")
    with pytest.raises(InvalidValueError) as on_saving:
        filters.saved(name)
    with pytest.raises(InvalidValueError) as on_renaming:
        filters.mine.rename_filter(other, name)
    for caught in (on_saving, on_renaming):
        assert (caught.value.field, caught.value.rule) == ("filter_name", rule)
    assert filters.mine.filters(WORKSPACE_ID) == (other, first)


def test_what_asks_nothing_is_not_worth_a_name(filters: Filters) -> None:
    with pytest.raises(InvalidValueError) as caught:
        filters.mine.save_filter(WORKSPACE_ID, Tier.WORKSPACE, "All", FilterWords())
    assert caught.value.rule == "asks_nothing"


def test_there_is_an_end_to_saving(filters: Filters) -> None:
    for number in range(MAX_SAVED_FILTERS):
        filters.saved(f"Filter {number}")
    with pytest.raises(InvalidValueError) as caught:
        filters.saved("One more")
    assert caught.value.rule == "too_many"


def test_an_agent_sees_and_makes_none(filters: Filters) -> None:
    kept = filters.saved("Songs")
    agent = an_agent()
    with pytest.raises(ScopeDeniedError):
        filters.asked_by(agent).save_filter(WORKSPACE_ID, Tier.WORKSPACE, "Mine", SONGS)
    with pytest.raises(ScopeDeniedError):
        filters.asked_by(agent).filters(WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        filters.asked_by(agent).rename_filter(kept, "Mine")
    with pytest.raises(ScopeDeniedError):
        filters.asked_by(agent).delete_filter(kept)
    assert filters.names() == ["Songs"]


def test_a_scrub_takes_the_filters_of_its_place_and_of_every_place_of_the_tier(
    filters: Filters,
) -> None:
    with filters.store.write(WORKSPACE_ID, initiator="test") as unit:
        for channel in ("court", "docks"):
            unit.conversations.add_channel(a_channel(channel, channel_id=channel))
        unit.commit()
    filters.saved("Court", Tier.CHANNEL, "court")
    filters.saved("Docks", Tier.CHANNEL, "docks")
    filters.saved("Every channel", Tier.CHANNEL)
    filters.saved("Workspace")
    with filters.store.write(WORKSPACE_ID, initiator="test") as unit:
        scope = ScopeKey.channel(WORKSPACE_ID, "court")
        contents = unit.scrubs.contents(scope, ScrubMode.KEEP_NAMED, DecayConfig(), NOON)
        assert contents.n_filters == 2
        unit.scrubs.remove(contents, 1, NOON)
        unit.commit()
    assert filters.names() == ["Docks", "Workspace"]
