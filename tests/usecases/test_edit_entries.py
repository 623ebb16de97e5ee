from __future__ import annotations

from collections.abc import Callable

import pytest

from inklings_desktop.domain.entries.named_entry import EntryAction, EntryRef, NamedEntry
from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Curator, Tier
from tests.support.builders import NOON, WORKSPACE_ID, a_person, a_template, the_clock
from tests.usecases.world import World

PERSON = a_person()


@pytest.fixture
def rules(world: World) -> NamedEntry:
    entry = world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "RULES", "One.")
    world.publisher.published.clear()
    return entry


def test_a_new_companion_is_the_authors(world: World) -> None:
    entry = world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "RULES", "# Rules\r\nOne.")
    assert world.entry("RULES") == entry
    assert (entry.body, entry.heading) == ("# Rules\r\nOne.", "Rules")
    assert (entry.curator, entry.version) == (Curator.AUTHOR, 1)
    assert (entry.created_at, entry.edited_at) == (NOON, NOON)
    assert not entry.is_built_in
    (head,) = world.person.entries.show(entry.ref).revisions
    assert (head.action, head.saved_by, head.door) == (EntryAction.CREATED, "Ada", "window")
    (changes,) = world.publisher.published
    assert (changes.entries, changes.scopes) == (frozenset({entry.id}), frozenset())
    (event,) = world.events()
    assert (event.kind, event.ids) == (EventKind.ENTRY_SAVED, (entry.id,))
    assert event.counts == {"version": 1, "characters": 13}


def test_a_companion_of_the_account_belongs_to_every_workspace(world: World) -> None:
    entry = world.person.entries.create(Tier.ACCOUNT, WORKSPACE_ID, "HABITS")
    assert (entry.tier, entry.workspace_id, entry.body) == (Tier.ACCOUNT, None, "")
    assert world.kinds(None) == [EventKind.ENTRY_SAVED]
    assert world.kinds() == []


@pytest.mark.parametrize("tier", [Tier.WORKSPACE, Tier.ACCOUNT])
@pytest.mark.parametrize("name", ["VOICE", "SOUL"])
def test_the_built_in_names_are_taken_in_every_tier(world: World, name: str, tier: Tier) -> None:
    with pytest.raises(ConflictError):
        world.person.entries.create(tier, WORKSPACE_ID, name)


@pytest.mark.parametrize("name", ["V0ICE", "voice", "RULE5", "RULES_", "\u0405OUL", "RU\u200bLES"])
def test_a_look_alike_is_refused_and_nothing_is_written(
    world: World, rules: NamedEntry, name: str
) -> None:
    before = world.everything()
    for tier in (Tier.WORKSPACE, Tier.ACCOUNT) if "RU" not in name else (Tier.WORKSPACE,):
        with pytest.raises(InvalidValueError) as caught:
            world.person.entries.create(tier, WORKSPACE_ID, name)
        assert (caught.value.field, caught.value.rule) == ("name", "look_alike")
    assert world.everything() == before


@pytest.mark.parametrize(
    ("name", "body", "field"),
    [
        ("lower", "", "name"),
        ("A", "", "name"),
        ("RULES", "a\x00b", "body"),
        ("RULES", "\ud800", "body"),
        ("RULES", "x" * (256 * 1024 + 1), "body"),
    ],
)
def test_what_cannot_be_kept_is_refused(world: World, name: str, body: str, field: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, name, body)
    assert caught.value.field == field


def test_other_tiers_have_no_named_entries(world: World) -> None:
    for tier in (Tier.CONVERSATION, Tier.CHANNEL):
        with pytest.raises(InvalidValueError):
            world.person.entries.create(tier, WORKSPACE_ID, "RULES")


def test_a_save_keeps_what_was_there(world: World) -> None:
    voice = world.entry("VOICE")
    later = world.clock.advance(hours=2)
    saved = world.person.entries.save(voice.ref, "Close third.\r", expected_version=1)
    assert saved == world.entry("VOICE")
    assert (saved.body, saved.version, saved.edited_at) == ("Close third.\r", 2, later)
    assert (saved.curator, saved.is_template) == (Curator.AUTHOR, False)
    assert world.person.entries.show_revision(voice.ref, 1).body == a_template("VOICE")
    assert world.person.entries.show_revision(voice.ref, 2).body == "Close third.\r"
    assert world.kinds() == [EventKind.ENTRY_SAVED]
    (changes,) = world.publisher.published
    assert changes.entries == {voice.id}


def test_saving_the_same_text_makes_no_revision(world: World, rules: NamedEntry) -> None:
    assert world.person.entries.save(rules.ref, "One.", expected_version=1) == rules
    assert world.publisher.published == []


def test_a_built_in_entry_can_be_emptied(world: World) -> None:
    voice = world.entry("VOICE")
    saved = world.person.entries.save(voice.ref, "", expected_version=1)
    assert (saved.body, saved.is_template, saved.is_standing) == ("", False, False)


def test_a_save_over_a_newer_version_collides(world: World, rules: NamedEntry) -> None:
    world.person.entries.save(rules.ref, "Two.", expected_version=1)
    attempts: list[Callable[[], object]] = [
        lambda: world.person.entries.save(rules.ref, "Three.", expected_version=1),
        lambda: world.person.entries.restore_revision(rules.ref, 1, expected_version=1),
        lambda: world.person.entries.delete(rules.ref, expected_version=1),
    ]
    for attempt in attempts:
        with pytest.raises(ConflictError) as caught:
            attempt()
        assert (caught.value.expected, caught.value.actual) == (1, 2)
    assert world.entry("RULES").body == "Two."


def test_an_earlier_body_comes_back_as_a_new_revision(world: World, rules: NamedEntry) -> None:
    world.person.entries.save(rules.ref, "Two.", expected_version=1)
    back = world.person.entries.restore_revision(rules.ref, 1, expected_version=2)
    assert (back.body, back.version) == ("One.", 3)
    heads = world.person.entries.show(rules.ref).revisions
    assert [head.action for head in heads] == [
        EntryAction.RESTORED,
        EntryAction.SAVED,
        EntryAction.CREATED,
    ]
    assert world.kinds()[-1] is EventKind.ENTRY_RESTORED
    with pytest.raises(NotFoundError):
        world.person.entries.restore_revision(rules.ref, 9, expected_version=3)
    assert world.person.entries.restore_revision(rules.ref, 1, expected_version=3) == back


def test_a_companion_is_deleted_and_brought_back_whole(world: World, rules: NamedEntry) -> None:
    deleted = world.person.entries.delete(rules.ref, expected_version=1)
    assert deleted.is_deleted
    with pytest.raises(NotFoundError):
        world.entry("RULES")
    attempts: list[Callable[[], object]] = [
        lambda: world.person.entries.save(rules.ref, "Two.", expected_version=2),
        lambda: world.person.entries.restore_revision(rules.ref, 1, expected_version=2),
        lambda: world.person.entries.delete(rules.ref, expected_version=2),
    ]
    for attempt in attempts:
        with pytest.raises(NotFoundError):
            attempt()
    back = world.person.entries.undelete(rules.ref)
    assert (back.body, back.deleted_at, back.edited_at) == ("One.", None, rules.edited_at)
    assert world.entry("RULES") == back
    assert world.person.entries.undelete(rules.ref) == back
    assert [head.action for head in world.person.entries.show(rules.ref).revisions] == [
        EntryAction.UNDELETED,
        EntryAction.DELETED,
        EntryAction.CREATED,
    ]
    assert world.kinds() == [
        EventKind.ENTRY_SAVED,
        EventKind.ENTRY_DELETED,
        EventKind.ENTRY_RESTORED,
    ]


def test_a_deleted_name_is_free_until_it_is_taken(world: World, rules: NamedEntry) -> None:
    world.person.entries.delete(rules.ref, expected_version=1)
    other = world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "RULES", "Others.")
    with pytest.raises(ConflictError):
        world.person.entries.undelete(rules.ref)
    world.person.entries.delete(other.ref, expected_version=1)
    world.person.entries.create(Tier.WORKSPACE, WORKSPACE_ID, "RULE5")
    with pytest.raises(InvalidValueError):
        world.person.entries.undelete(rules.ref)


@pytest.mark.parametrize("name", ["VOICE", "SOUL"])
def test_a_built_in_entry_is_not_deleted(world: World, name: str) -> None:
    entry = world.entry(name)
    with pytest.raises(InvalidValueError) as caught:
        world.person.entries.delete(entry.ref, expected_version=1)
    assert (caught.value.field, caught.value.rule) == ("name", "built_in")
    assert world.entry(name) == entry


def test_the_clock_writes_no_named_entry(world: World) -> None:
    voice = world.entry("VOICE")
    with pytest.raises(ScopeDeniedError):
        world.asked_by(the_clock()).entries.save(voice.ref, "x", expected_version=1)
    (event,) = world.events(None)
    assert (event.kind, event.actor_kind) == (EventKind.DENIED, "clock")
    assert event.counts == {"named_entry.save": 1}


def test_an_entry_of_another_tier_is_not_saved(world: World) -> None:
    ref = EntryRef(Tier.ACCOUNT, None, world.entry("VOICE").id)
    with pytest.raises(NotFoundError):
        world.person.entries.save(ref, "x", expected_version=1)
