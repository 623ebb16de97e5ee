from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inklings_desktop.domain.entries.named_entry import EntryAction, EntryDraft, NamedEntry
from inklings_desktop.domain.entries.proposals import UNDECIDED, Proposal, ProposalState
from inklings_desktop.domain.errors import ConflictError, InvalidValueError, NotFoundError
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY, MemoryTyping
from inklings_desktop.domain.memory import Curator, Lifetime, ScopeKey, Tier
from inklings_desktop.usecases.ports.store import Store, UnitOfWork
from tests.support.builders import (
    NOON,
    OTHER_WORKSPACE_ID,
    WORKSPACE_ID,
    a_companion,
    a_memory,
    a_proposal,
    a_template,
)
from tests.support.fake_publisher import FakePublisher
from tests.support.wide import examples

LATER = NOON + timedelta(hours=1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
HARD_TEXTS = (
    "",
    "\ufeffBOM first",
    "CR\rLF\nCR LF\r\nNEL\u0085LS\u2028PS\u2029VT\x0bFF\x0c\r",
    "\r\n\r\n\n\r",
    "e\u0301 \u00e9 \ufb01 \u212b",
    "\U0001f9d9\u200d\u2640\ufe0f \u05e9\u05b8\u05c1 \u202e\u0627\u0644 \u6e2f\u3042 \ud55c",
    "\ufffe\uffff\U0010ffff\x01\x7f",
    "x" * (256 * 1024),
)


def added(store: Store, entry: NamedEntry) -> NamedEntry:
    with store.write(entry.workspace_id, initiator="Ada") as unit:
        stored = unit.entries.add(entry, action=EntryAction.CREATED, saved_by="Ada", door="cli")
        unit.commit()
    return stored


def save(
    unit: UnitOfWork,
    entry: NamedEntry,
    *,
    expected_version: int | None = None,
    action: EntryAction = EntryAction.SAVED,
    saved_at: datetime = LATER,
) -> NamedEntry:
    return unit.entries.save(
        entry,
        expected_version=entry.version if expected_version is None else expected_version,
        action=action,
        saved_by="Ada",
        door="window",
        saved_at=saved_at,
    )


def saved(store: Store, entry: NamedEntry, body: str) -> NamedEntry:
    with store.write(entry.workspace_id, initiator="Ada") as unit:
        after = save(unit, replace(entry, body=body, edited_at=LATER))
        unit.commit()
    return after


def test_a_new_file_has_its_built_in_entry_and_no_other(store: Store) -> None:
    for workspace_id, name in (
        (WORKSPACE_ID, "VOICE"),
        (OTHER_WORKSPACE_ID, "VOICE"),
        (None, "SOUL"),
    ):
        with store.read(workspace_id) as view:
            (entry,) = view.entries.entries()
            (head,) = view.entries.revisions(entry.id)
            first = view.entries.revision(entry.id, 1)
        assert (entry.name, entry.workspace_id) == (name, workspace_id)
        assert (entry.is_built_in, entry.is_template, entry.version) == (True, True, 1)
        assert (entry.curator, entry.body) == (Curator.IMPORT, a_template(name))
        assert (entry.edited_at, entry.deleted_at) == (None, None)
        assert head == first.head
        assert (first.body, first.saved_at) == (entry.body, entry.created_at)
        assert (first.action, first.saved_by, first.door) == (
            EntryAction.SHIPPED,
            "Inklings",
            "program",
        )


def test_what_is_added_comes_back(store: Store, publisher: FakePublisher) -> None:
    publisher.published.clear()
    entry = added(store, a_companion(edited_at=LATER))
    with store.read(WORKSPACE_ID) as view:
        assert view.entries.get(entry.id) == view.entries.find("PRINCIPLES") == entry
        (head,) = view.entries.revisions(entry.id)
    assert (head.number, head.saved_at, head.saved_by) == (1, LATER, "Ada")
    (changes,) = publisher.published
    assert changes.entries == {entry.id}
    assert not changes.proposals


def test_a_name_and_an_id_are_taken_once(store: Store) -> None:
    entry = added(store, a_companion())
    with pytest.raises(ConflictError):
        added(store, a_companion())
    with pytest.raises(ConflictError):
        added(store, a_companion("OTHER", entry_id=entry.id))
    added(store, a_companion(workspace_id=None))
    added(store, a_companion(workspace_id=OTHER_WORKSPACE_ID))


def test_an_entry_of_another_file_is_refused(store: Store) -> None:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        for entry in (a_companion(workspace_id=OTHER_WORKSPACE_ID), a_companion(workspace_id=None)):
            with pytest.raises(InvalidValueError):
                unit.entries.add(entry, action=EntryAction.CREATED, saved_by="Ada", door="cli")


def test_a_save_is_the_next_revision(store: Store, publisher: FakePublisher) -> None:
    entry = added(store, a_companion())
    publisher.published.clear()
    after = saved(store, entry, "Other words.")
    assert (after.version, after.body, after.edited_at) == (2, "Other words.", LATER)
    with store.read(WORKSPACE_ID) as view:
        assert view.entries.get(entry.id) == after
        assert [head.number for head in view.entries.revisions(entry.id)] == [2, 1]
        assert view.entries.revision(entry.id, 1).body == entry.body
        assert view.entries.revision(entry.id, 2).body == "Other words."
    (changes,) = publisher.published
    assert changes.entries == {entry.id}


def test_a_save_over_another_version_collides(store: Store) -> None:
    entry = saved(store, added(store, a_companion()), "Two.")
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        for expected in (1, 3):
            with pytest.raises(ConflictError) as caught:
                save(unit, replace(entry, body="Three."), expected_version=expected)
            assert (caught.value.expected, caught.value.actual) == (expected, 2)
        assert unit.entries.get(entry.id) == entry


def test_what_is_not_there_is_not_found(store: Store) -> None:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        for attempt in (
            lambda: unit.entries.get("nothing"),
            lambda: unit.entries.find("NOTHING"),
            lambda: unit.entries.find("voice"),
            lambda: unit.entries.revision(unit.entries.find("VOICE").id, 2),
            lambda: save(unit, a_companion()),
            lambda: unit.drafts.keep(EntryDraft("nothing", "x", 1, NOON)),
            lambda: unit.proposals.get("nothing"),
        ):
            with pytest.raises(NotFoundError):
                attempt()
        assert unit.entries.revisions("nothing") == ()


def test_a_deleted_companion_frees_its_name_and_keeps_its_revisions(store: Store) -> None:
    entry = added(store, a_companion())
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        gone = save(unit, replace(entry, deleted_at=LATER), action=EntryAction.DELETED)
        unit.commit()
    other = added(store, a_companion())
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        assert [one.name for one in unit.entries.entries()] == ["VOICE", "PRINCIPLES"]
        assert unit.entries.entries(deleted=True) == (gone,)
        assert unit.entries.find("PRINCIPLES") == other
        assert [head.action for head in unit.entries.revisions(entry.id)] == [
            EntryAction.DELETED,
            EntryAction.CREATED,
        ]
        with pytest.raises(ConflictError):
            save(unit, replace(gone, deleted_at=None), action=EntryAction.UNDELETED)


def test_the_built_in_entry_comes_first_then_the_names_in_order(store: Store) -> None:
    for name in ("ZEBRA", "ALPHA", "MID_1", "_UNDER", "0_FIRST"):
        added(store, a_companion(name))
    with store.read(WORKSPACE_ID) as view:
        names = [one.name for one in view.entries.entries()]
    assert names == ["VOICE", "0_FIRST", "ALPHA", "MID_1", "ZEBRA", "_UNDER"]


def test_what_is_not_committed_did_not_happen(store: Store, publisher: FakePublisher) -> None:
    entry = added(store, a_companion())
    publisher.published.clear()
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        save(unit, replace(entry, body="Two."))
        unit.drafts.keep(EntryDraft(entry.id, "x", 1, NOON))
        unit.proposals.add(a_proposal(entry))
    with store.read(WORKSPACE_ID) as view:
        assert view.entries.get(entry.id) == entry
        assert len(view.entries.revisions(entry.id)) == 1
        assert view.drafts.drafts() == ()
        assert view.proposals.proposals(states=UNDECIDED) == ()
    assert publisher.published == []


@pytest.mark.parametrize("text", HARD_TEXTS, ids=range(len(HARD_TEXTS)))
def test_hard_texts_come_back_byte_for_byte(store: Store, text: str) -> None:
    entry = added(store, a_companion(body=text))
    again = saved(store, entry, f"{text[:-1]}.")
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.drafts.keep(EntryDraft(entry.id, text, 1, NOON))
        proposal = unit.proposals.add(a_proposal(again, text))
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.entries.revision(entry.id, 1).body.encode() == text.encode()
        assert view.entries.get(entry.id).body == f"{text[:-1]}."
        assert view.drafts.drafts()[0].body.encode() == text.encode()
        assert view.proposals.get(proposal.id).text.encode() == text.encode()


@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=TEXTS)
def test_any_text_comes_back_byte_for_byte(store: Store, text: str) -> None:
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        voice = unit.entries.find("VOICE")
        after = save(unit, replace(voice, body=text))
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.entries.get(voice.id).body.encode() == text.encode()
        revision = view.entries.revision(voice.id, after.version)
        assert revision.body.encode() == text.encode()
        assert view.entries.revisions(voice.id)[0].n_characters == len(text)


def test_there_is_one_draft_per_entry(store: Store, publisher: FakePublisher) -> None:
    entry = added(store, a_companion())
    publisher.published.clear()
    drafts = [EntryDraft(entry.id, body, 1, at) for body, at in (("a", NOON), ("ab", LATER))]
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        voice = EntryDraft(unit.entries.find("VOICE").id, "v", 1, NOON)
        for draft in (*drafts, voice):
            unit.drafts.keep(draft)
        unit.commit()
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        assert unit.drafts.drafts() == (drafts[1], voice)
        assert unit.drafts.drop(entry.id)
        assert not unit.drafts.drop(entry.id)
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.drafts.drafts() == (voice,)
    assert publisher.published == []


@pytest.mark.parametrize("text", HARD_TEXTS[:-1], ids=range(len(HARD_TEXTS) - 1))
def test_typing_in_a_memory_comes_back_whole(
    store: Store, publisher: FakePublisher, text: str
) -> None:
    here = ScopeKey.workspace(WORKSPACE_ID)
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        (entry,) = unit.memories.add([a_memory("As it is stored.", scope=here)])
        unit.commit()
    publisher.published.clear()
    typing = MemoryTyping(here, entry.id, 1, text, 0.9, Lifetime.LONG_TERM, ("a", "\u6e2f"), LATER)
    new = replace(typing, memory_id=NEW_MEMORY, base_version=0, content="", kept_at=NOON)
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.drafts.keep_typing(replace(typing, content="earlier"))
        for one in (typing, new):
            unit.drafts.keep_typing(one)
        unit.commit()
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        assert unit.drafts.typings() == (typing, new)
        assert unit.drafts.drafts() == ()
        assert unit.drafts.drop_typing(here, NEW_MEMORY)
        assert not unit.drafts.drop_typing(here, NEW_MEMORY)
        assert not unit.drafts.drop_typing(ScopeKey.channel(WORKSPACE_ID, "c"), entry.id)
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.drafts.typings() == (typing,)
        assert view.memories.get(entry.ref, None) == entry
    assert publisher.published == []


def test_typing_in_a_memory_that_is_not_there_is_refused(store: Store) -> None:
    here = ScopeKey.workspace(WORKSPACE_ID)
    typing = MemoryTyping(here, "nothing", 1, "x", 0.5, Lifetime.SHORT_TERM, (), NOON)
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        (entry,) = unit.memories.add([a_memory(scope=here)])
        with pytest.raises(NotFoundError):
            unit.drafts.keep_typing(typing)
        elsewhere = ScopeKey.channel(WORKSPACE_ID, "c")
        with pytest.raises(NotFoundError):
            unit.drafts.keep_typing(replace(typing, scope=elsewhere, memory_id=entry.id))
        with pytest.raises(InvalidValueError):
            unit.drafts.keep_typing(replace(typing, scope=ScopeKey.account()))
        assert unit.drafts.typings() == ()


def proposed(store: Store, *proposals: Proposal) -> None:
    with store.write(WORKSPACE_ID, initiator="researcher") as unit:
        for proposal in proposals:
            assert unit.proposals.add(proposal) == proposal
        unit.commit()


def test_proposals_come_back_the_latest_first(store: Store, publisher: FakePublisher) -> None:
    entry = added(store, a_companion())
    publisher.published.clear()
    first, second = a_proposal(entry, "one"), a_proposal(entry, "two", client="writer")
    third = replace(a_proposal(entry), payload={"tags": ["a", "\u6e2f"], "importance": 0.5})
    proposed(store, first, second, third)
    with store.read(WORKSPACE_ID) as view:
        assert view.proposals.proposals(states=UNDECIDED) == (third, second, first)
        assert view.proposals.proposals(states=UNDECIDED, client="writer") == (second,)
        assert view.proposals.proposals(states={ProposalState.REJECTED}) == ()
        assert view.proposals.get(third.id) == third
    (changes,) = publisher.published
    assert changes.proposals
    assert changes.entries == frozenset()


def test_a_proposal_is_decided_once(store: Store, publisher: FakePublisher) -> None:
    entry = added(store, a_companion())
    proposal = a_proposal(entry)
    proposed(store, proposal)
    publisher.published.clear()
    with store.write(WORKSPACE_ID, initiator="Ada") as unit:
        overtaken = unit.proposals.decide(
            proposal.id, ProposalState.OVERTAKEN, note="", decided_at=None
        )
        assert overtaken == replace(proposal, state=ProposalState.OVERTAKEN)
        rejected = unit.proposals.decide(
            proposal.id, ProposalState.REJECTED, note="No.", decided_at=LATER
        )
        assert (rejected.note, rejected.decided_at) == ("No.", LATER)
        with pytest.raises(ConflictError):
            unit.proposals.decide(proposal.id, ProposalState.ACCEPTED, note="", decided_at=LATER)
        with pytest.raises(NotFoundError):
            unit.proposals.decide("nothing", ProposalState.ACCEPTED, note="", decided_at=LATER)
        unit.commit()
    with store.read(WORKSPACE_ID) as view:
        assert view.proposals.get(proposal.id) == rejected
    (changes,) = publisher.published
    assert changes.proposals


def test_files_do_not_see_each_others_entries(store: Store) -> None:
    entry = added(store, a_companion())
    proposed(store, a_proposal(entry))
    for workspace_id in (OTHER_WORKSPACE_ID, None):
        with store.read(workspace_id) as view:
            assert len(view.entries.entries()) == 1
            with pytest.raises(NotFoundError):
                view.entries.get(entry.id)
            assert view.proposals.proposals(states=UNDECIDED) == ()
    with store.read(None) as view:
        assert view.entries.entries()[0].tier is Tier.ACCOUNT
