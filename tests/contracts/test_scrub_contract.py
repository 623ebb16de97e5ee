from __future__ import annotations

from collections import Counter

import pytest

from inklings_desktop.domain.entries.named_entry import EntryAction, EntryDraft
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import WorkingNote
from inklings_desktop.domain.scrub.manifest import ScrubKind, ScrubMode
from inklings_desktop.domain.scrub.scrub_contents import ScrubContents
from inklings_desktop.usecases.ports.store import Store
from tests.support.builders import (
    NOON,
    WORKSPACE_ID,
    a_channel,
    a_companion,
    a_conversation,
    a_memory,
    a_proposal,
)
from tests.support.fake_publisher import FakePublisher

WORKSPACE = ScopeKey.workspace(WORKSPACE_ID)
CONVERSATION = ScopeKey.conversation(WORKSPACE_ID, "co1")
DECAY = DecayConfig()


@pytest.fixture
def filled(store: Store) -> Store:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.conversations.add_channel(a_channel("general", channel_id="ch1"))
        unit.conversations.add(a_conversation("ch1", conversation_id="co1"), [])
        unit.notes.write(WorkingNote("co1", "plan", '{"step":1}', NOON, NOON))
        unit.memories.add(
            [
                a_memory("In the workspace.", memory_id="w1", source="researcher", importance=0.75),
                a_memory("Forgotten there.", memory_id="w2", forgotten_at=NOON),
                a_memory("Said there.", memory_id="c1", scope=CONVERSATION),
            ]
        )
        rules = unit.entries.add(
            a_companion("RULES", entry_id="e1"),
            action=EntryAction.CREATED,
            saved_by="Ada",
            door="cli",
        )
        unit.drafts.keep(EntryDraft("e1", "Unsaved.", 1, NOON))
        unit.proposals.add(a_proposal(rules, proposal_id="p1"))
        unit.commit()
    return store


def contents(store: Store, scope: ScopeKey, mode: ScrubMode) -> ScrubContents:
    with store.read(scope.workspace_id) as view:
        return view.scrubs.contents(scope, mode, DECAY, NOON)


@pytest.mark.parametrize(
    ("scope", "mode", "going", "kept", "n_proposals"),
    [
        (WORKSPACE, ScrubMode.FULL, {"w1", "w2", "e1"}, ("VOICE",), 1),
        (WORKSPACE, ScrubMode.KEEP_NAMED, {"w1", "w2"}, ("VOICE", "RULES"), 0),
        (CONVERSATION, ScrubMode.FULL, {"c1", "plan"}, (), 0),
        (ScopeKey.channel(WORKSPACE_ID, "ch1"), ScrubMode.FULL, set(), (), 0),
        (ScopeKey.account(), ScrubMode.FULL, set(), ("SOUL",), 0),
    ],
)
def test_what_goes_and_what_stays(
    scope: ScopeKey,
    mode: ScrubMode,
    going: set[str],
    kept: tuple[str, ...],
    n_proposals: int,
    filled: Store,
) -> None:
    found = contents(filled, scope, mode)

    assert {one.id for one in found.going} == going
    assert found.kept == kept
    assert found.n_proposals == n_proposals
    assert contents(filled, scope, mode).digest == found.digest


def test_a_memory_is_counted_with_its_values(filled: Store) -> None:
    found = contents(filled, WORKSPACE, ScrubMode.KEEP_NAMED)

    first = next(one for one in found.going if one.id == "w1")
    assert (first.kind, first.version, first.source) == (ScrubKind.MEMORY, 1, "researcher")
    assert (first.curator, first.lifetime, first.relevance) == ("agent", "short_term", 0.75)
    assert Counter(one.is_forgotten for one in found.going) == {True: 1, False: 1}


@pytest.mark.parametrize("tier", [Tier.CONVERSATION, Tier.CHANNEL])
def test_a_room_must_be_there(tier: Tier, filled: Store) -> None:
    with pytest.raises(NotFoundError):
        contents(filled, ScopeKey(tier, WORKSPACE_ID, "nowhere"), ScrubMode.FULL)


@pytest.mark.parametrize("scope", [WORKSPACE, CONVERSATION], ids=lambda one: one.tier.value)
def test_a_removal_takes_what_was_counted_and_leaves_a_marker(
    scope: ScopeKey, filled: Store, publisher: FakePublisher
) -> None:
    publisher.published.clear()
    with filled.write(WORKSPACE_ID, initiator="Ada") as unit:
        counted = unit.scrubs.contents(scope, ScrubMode.FULL, DECAY, NOON)
        unit.scrubs.remove(counted, 7, NOON)
        unit.commit()

    assert contents(filled, scope, ScrubMode.FULL).going == ()
    with filled.read(WORKSPACE_ID) as view:
        (pending,) = view.scrubs.pending()
        assert view.memories.active_count(scope) == 0
        assert bool(view.notes.notes(["co1"])) == (scope == WORKSPACE)
        assert len(view.entries.entries()) == (1 if scope == WORKSPACE else 2)
    assert (pending.scope, pending.event_number, pending.executed_at) == (scope, 7, NOON)
    assert pending.n_removed == len(counted.going)
    (changes,) = publisher.published
    assert changes.reload

    with filled.write(WORKSPACE_ID, initiator="Ada") as unit:
        assert unit.scrubs.close(7)
        assert not unit.scrubs.close(7)
        unit.commit()
    with filled.read(WORKSPACE_ID) as view:
        assert view.scrubs.pending() == ()


def test_a_removal_without_a_commit_removes_nothing(filled: Store) -> None:
    before = contents(filled, WORKSPACE, ScrubMode.FULL).digest
    with filled.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.scrubs.remove(unit.scrubs.contents(WORKSPACE, ScrubMode.FULL, DECAY, NOON), 7, NOON)

    assert contents(filled, WORKSPACE, ScrubMode.FULL).digest == before
    with filled.read(WORKSPACE_ID) as view:
        assert view.scrubs.pending() == ()
