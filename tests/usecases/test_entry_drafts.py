from __future__ import annotations

import pytest

from inklings_desktop.domain.entries.named_entry import EntryRef, NamedEntry
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Tier
from tests.support.builders import WORKSPACE_ID, a_person, an_agent
from tests.usecases.world import World

PERSON = a_person()


@pytest.fixture
def voice(world: World) -> NamedEntry:
    return world.entry("VOICE")


def test_unsaved_typing_is_offered_again(world: World, voice: NamedEntry) -> None:
    soul = world.entry("SOUL")
    first = world.person.drafts.keep(voice.ref, "Close th", 1)
    world.clock.advance(hours=1)
    second = world.person.drafts.keep(soul.ref, "Be dr", 1)
    assert world.person.drafts.find(WORKSPACE_ID) == (first, second)
    assert world.person.drafts.find(None) == (second,)
    assert (first.entry_id, first.body, first.base_version) == (voice.id, "Close th", 1)


def test_later_typing_replaces_earlier(world: World, voice: NamedEntry) -> None:
    world.person.drafts.keep(voice.ref, "Close", 1)
    latest = world.person.drafts.keep(voice.ref, "Close third", 1)
    assert world.person.drafts.find(WORKSPACE_ID) == (latest,)


def test_typing_changes_no_entry_and_tells_nobody(world: World, voice: NamedEntry) -> None:
    world.person.drafts.keep(voice.ref, "Close", 1)
    assert world.entry("VOICE") == voice
    assert world.publisher.published == []
    assert world.kinds() == []


def test_what_is_saved_is_no_draft_any_more(world: World, voice: NamedEntry) -> None:
    world.person.drafts.keep(voice.ref, "Close third", 1)
    world.person.entries.save(voice.ref, "Close third", expected_version=1)
    assert world.person.drafts.find(WORKSPACE_ID) == ()
    assert world.rows("SELECT * FROM drafts") == []


def test_what_became_the_saved_text_is_no_draft_any_more(world: World, voice: NamedEntry) -> None:
    world.person.drafts.keep(voice.ref, "Close th", 1)
    world.person.entries.save(voice.ref, "Close third", expected_version=1, settles_draft=True)
    assert world.rows("SELECT * FROM drafts") == []


def test_somebody_elses_save_leaves_the_typing_alone(world: World, voice: NamedEntry) -> None:
    draft = world.person.drafts.keep(voice.ref, "Close third", 1)
    world.person.entries.save(voice.ref, "From the command line", expected_version=1)
    assert world.person.drafts.find(WORKSPACE_ID) == (draft,)


def test_typing_back_to_what_is_saved_keeps_nothing(world: World, voice: NamedEntry) -> None:
    world.person.drafts.keep(voice.ref, "Close", 1)
    world.person.drafts.keep(voice.ref, voice.body, 1)
    assert world.person.drafts.find(WORKSPACE_ID) == ()


def test_a_draft_is_dropped_when_it_is_not_wanted(world: World, voice: NamedEntry) -> None:
    world.person.drafts.keep(voice.ref, "Close", 1)
    assert world.person.drafts.drop(voice.ref)
    assert not world.person.drafts.drop(voice.ref)
    assert world.person.drafts.find(WORKSPACE_ID) == ()


def test_the_draft_of_a_deleted_companion_waits_for_it(world: World) -> None:
    rules = world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "RULES", "One.")
    world.person.drafts.keep(rules.ref, "Two.", 1)
    world.person.entries.delete(rules.ref, expected_version=1)
    assert world.person.drafts.find(WORKSPACE_ID) == ()
    draft = world.person.drafts.keep(rules.ref, "Three.", 1)  # it was deleted under the typing
    assert world.person.drafts.find(WORKSPACE_ID) == ()
    world.person.entries.undelete(rules.ref)
    assert world.person.drafts.find(WORKSPACE_ID) == (draft,)


def test_what_cannot_be_saved_cannot_be_kept(world: World, voice: NamedEntry) -> None:
    with pytest.raises(InvalidValueError):
        world.person.drafts.keep(voice.ref, "a\x00", 1)
    with pytest.raises(NotFoundError):
        world.person.drafts.keep(EntryRef(Tier.ACCOUNT, None, voice.id), "x", 1)


def test_typing_is_nobody_elses_business(world: World, voice: NamedEntry) -> None:
    world.person.drafts.keep(voice.ref, "Close", 1)
    agent = an_agent(tiers=tuple(Tier))
    for attempt in (
        lambda: world.asked_by(agent).drafts.keep(voice.ref, "x", 1),
        lambda: world.asked_by(agent).drafts.find(WORKSPACE_ID),
        lambda: world.asked_by(agent).drafts.drop(voice.ref),
    ):
        with pytest.raises(ScopeDeniedError):
            attempt()
    assert world.kinds(None) == [EventKind.DENIED] * 3
    assert len(world.person.drafts.find(WORKSPACE_ID)) == 1
