from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.access.access import Action, Caller
from inklings_desktop.domain.entries.named_entry import EntryAction, EntryRef
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError, ScopeDeniedError
from inklings_desktop.domain.memory import Curator, Tier
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID, a_person, a_template, an_agent
from tests.usecases.world import World

PERSON = a_person()
READ = frozenset({Action.READ})
READER = an_agent(tiers=(Tier.WORKSPACE, Tier.ACCOUNT), actions=READ)
OWN_READER = an_agent(tiers=(Tier.WORKSPACE,), actions=READ)


def written(world: World, name: str, body: str) -> None:
    entry = world.entry(name)
    world.person.entries.save(entry.ref, body, expected_version=entry.version)


def names(world: World) -> list[str]:
    return [one.name for one in world.person.entries.list(WORKSPACE_ID)]


def test_voice_and_soul_are_there_from_the_first_moment_as_templates(world: World) -> None:
    voice, soul = world.person.entries.list(WORKSPACE_ID)
    assert (voice.name, voice.tier, voice.workspace_id) == ("VOICE", Tier.WORKSPACE, WORKSPACE_ID)
    assert (soul.name, soul.tier, soul.workspace_id) == ("SOUL", Tier.ACCOUNT, None)
    for entry in (voice, soul):
        assert entry.body == a_template(entry.name)
        assert (entry.curator, entry.version, entry.edited_at) == (Curator.IMPORT, 1, None)
        assert entry.is_built_in
        assert entry.is_template
        (head,) = world.person.entries.show(entry.ref).revisions
        assert (head.number, head.action) == (1, EntryAction.SHIPPED)


def test_entries_come_in_a_stable_order(world: World) -> None:
    for tier, name in (
        (Tier.ACCOUNT, "ZEST"),
        (Tier.WORKSPACE, "RULES"),
        (Tier.ACCOUNT, "HABITS"),
        (Tier.WORKSPACE, "BESTIARY"),
    ):
        world.person.entries.create(tier, WORKSPACE_ID, name)
    assert names(world) == ["VOICE", "BESTIARY", "RULES", "SOUL", "HABITS", "ZEST"]
    assert [one.name for one in world.person.entries.list(None)] == ["SOUL", "HABITS", "ZEST"]


def test_an_agent_gets_the_tiers_it_may_read_and_no_word_of_a_template(world: World) -> None:
    unwritten = world.asked_by(READER).entries.list(WORKSPACE_ID)
    assert [(one.is_template, one.body) for one in unwritten] == [(True, "")] * 2
    assert world.asked_by(READER).entries.show(unwritten[0].ref).entry == unwritten[0]
    written(world, "VOICE", "Close third.")
    written(world, "SOUL", "Be dry.")
    assert [one.name for one in world.asked_by(READER).entries.list(WORKSPACE_ID)] == [
        "VOICE",
        "SOUL",
    ]
    assert [one.name for one in world.asked_by(OWN_READER).entries.list(WORKSPACE_ID)] == ["VOICE"]


@pytest.mark.parametrize(
    "agent",
    [
        an_agent(actions=frozenset({Action.WRITE})),
        an_agent(tiers=(Tier.CHANNEL,)),
        an_agent(tiers=(Tier.WORKSPACE,), workspace_id=OTHER_WORKSPACE_ID),
    ],
)
def test_an_agent_without_a_right_to_read_learns_nothing(world: World, agent: Caller) -> None:
    with pytest.raises(ScopeDeniedError):
        world.asked_by(agent).entries.list(WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        world.asked_by(agent).entries.standing_slice("no-such-workspace")


def test_the_standing_slice_is_what_says_something(world: World) -> None:
    world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "EMPTY", " \n\u200b")
    world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "RULES", "One.\r\nTwo.")
    assert [one.name for one in world.asked_by(READER).entries.standing_slice(WORKSPACE_ID)] == [
        "RULES"
    ]
    written(world, "VOICE", "Close third.")
    written(world, "SOUL", "")
    for caller in (READER, PERSON):
        found = world.asked_by(caller).entries.standing_slice(WORKSPACE_ID)
        assert [(one.name, one.body) for one in found] == [
            ("VOICE", "Close third."),
            ("RULES", "One.\r\nTwo."),
        ]


def test_a_template_that_is_back_is_a_template_again(world: World) -> None:
    written(world, "VOICE", "Close third.")
    voice = world.entry("VOICE")
    world.person.entries.restore_revision(voice.ref, 1, expected_version=2)
    assert world.entry("VOICE").is_template
    assert world.asked_by(READER).entries.standing_slice(WORKSPACE_ID) == ()
    written(world, "VOICE", "First person.")
    assert not world.entry("VOICE").is_template


def test_revisions_are_listed_newest_first_and_shown_one_by_one(world: World) -> None:
    for number in range(2, 5):
        written(world, "VOICE", f"Body {number}")
        world.clock.advance(hours=1)
    voice = world.entry("VOICE")
    shown = world.person.entries.show(voice.ref)
    assert shown.entry == voice
    assert [head.number for head in shown.revisions] == [4, 3, 2, 1]
    assert [head.n_characters for head in shown.revisions] == [6, 6, 6, voice_template_length()]
    for number in range(2, 5):
        revision = world.person.entries.show_revision(voice.ref, number)
        assert (revision.body, revision.saved_by) == (f"Body {number}", "Ada")
    with pytest.raises(NotFoundError):
        world.person.entries.show_revision(voice.ref, 5)


def voice_template_length() -> int:
    return len(a_template("VOICE"))


def test_an_agent_reads_an_entry_without_its_history(world: World) -> None:
    written(world, "VOICE", "Close third.")
    voice = world.entry("VOICE")
    shown = world.asked_by(READER).entries.show(voice.ref)
    assert (shown.entry, shown.revisions) == (voice, ())
    with pytest.raises(ScopeDeniedError):
        world.asked_by(READER).entries.show_revision(voice.ref, 1)


def test_a_deleted_companion_does_not_exist_for_an_agent(world: World) -> None:
    rules = world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "RULES", "One.")
    world.person.entries.delete(rules.ref, expected_version=1)
    with pytest.raises(NotFoundError):
        world.asked_by(READER).entries.show(rules.ref)
    assert world.person.entries.show(rules.ref).entry.ref == rules.ref


def test_an_entry_is_known_in_its_own_tier_and_workspace_alone(world: World) -> None:
    voice, soul = world.entry("VOICE"), world.entry("SOUL")
    for ref in (
        EntryRef(Tier.ACCOUNT, None, voice.id),
        EntryRef(Tier.WORKSPACE, WORKSPACE_ID, soul.id),
        EntryRef(Tier.WORKSPACE, WORKSPACE_ID, "nothing"),
    ):
        with pytest.raises(NotFoundError):
            world.person.entries.show(ref)


def test_an_entry_is_found_by_its_name(world: World) -> None:
    own = world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "RULES")
    assert world.person.entries.find(WORKSPACE_ID, "RULES") == own
    account = world.person.entries.create(Tier.ACCOUNT, None, "RULES")
    with pytest.raises(InvalidValueError) as caught:
        world.person.entries.find(WORKSPACE_ID, "RULES")
    assert (caught.value.field, caught.value.rule) == ("tier", "ambiguous")
    assert world.person.entries.find(WORKSPACE_ID, "RULES", Tier.WORKSPACE) == own
    assert world.person.entries.find(WORKSPACE_ID, "RULES", Tier.ACCOUNT) == account
    for name in ("rules", "V0ICE", "NOTHING"):
        with pytest.raises(NotFoundError):
            world.person.entries.find(WORKSPACE_ID, name)
    with pytest.raises(InvalidValueError):
        world.person.entries.find(WORKSPACE_ID, "RULES", Tier.CHANNEL)


def test_only_a_person_lists_what_was_deleted(world: World) -> None:
    assert world.person.entries.list_deleted(WORKSPACE_ID) == ()
    first = world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "FIRST")
    second = world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "SECOND")
    third = world.person.entries.create(Tier.ACCOUNT, None, "THIRD")
    for entry in (first, second, third):
        world.clock.advance(hours=1)
        world.person.entries.delete(entry.ref, expected_version=1)
    found = world.person.entries.list_deleted(WORKSPACE_ID)
    assert [one.name for one in found] == ["SECOND", "FIRST", "THIRD"]
    assert names(world) == ["VOICE", "SOUL"]
    with pytest.raises(ScopeDeniedError):
        world.asked_by(READER).entries.list_deleted(WORKSPACE_ID)


def test_reading_changes_nothing(world: World) -> None:
    before = world.everything()
    voice = world.entry("VOICE")
    world.person.entries.show(voice.ref)
    world.person.entries.standing_slice(WORKSPACE_ID)
    world.person.entries.show_revision(voice.ref, 1)
    assert world.everything() == before
    assert world.publisher.published == []
    assert replace(voice) == world.entry("VOICE")
