from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from inklings_desktop.domain.entries.named_entry import (
    MAX_BODY_BYTES,
    EntryAction,
    EntryRef,
    EntryRevision,
    about_tokens,
    checked_body,
    checked_entry_name,
    entry_scope,
    heading_of,
    require_distinct,
    standing_order,
)
from inklings_desktop.domain.errors import ConflictError, InvalidValueError
from inklings_desktop.domain.memory import Curator, ScopeKey, Tier
from tests.support.builders import NOON, WORKSPACE_ID, a_companion


@pytest.mark.parametrize("name", ["AB", "VOICE", "RULES_2", "42", "__", "A" * 40])
def test_a_name_of_capitals_digits_and_underscore_is_kept(name: str) -> None:
    assert checked_entry_name(name) == name


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        (7, "type"),
        (None, "type"),
        ("", "characters"),
        ("voice", "characters"),
        ("MY RULES", "characters"),
        ("MY-RULES", "characters"),
        ("RULES\n", "characters"),
        ("\uff21\uff22", "characters"),
        ("\u0410\u0412", "characters"),
        ("RULES\u200b", "characters"),
        ("\u0661\u0662", "characters"),
        ("A", "too_short"),
        ("A" * 41, "too_long"),
    ],
)
def test_another_name_is_refused(name: object, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_entry_name(name)
    assert (caught.value.field, caught.value.rule) == ("name", rule)


def test_a_name_in_use_is_taken() -> None:
    for taken in ("VOICE", "SOUL", "RULES"):
        with pytest.raises(ConflictError):
            require_distinct(taken, ["RULES"])


@pytest.mark.parametrize("name", ["V0ICE", "S0UL", "voice", "RULE5", "rules", "VO\u200bICE"])
def test_a_name_that_passes_for_another_is_refused(name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        require_distinct(name, ["RULES"])
    assert caught.value.rule == "look_alike"


def test_other_names_stand_beside_each_other() -> None:
    for name in ("VOICE_OF_MARA", "VOICES", "PART_2", "SOULS", "INVOICE"):
        assert checked_entry_name(name) == name
        require_distinct(name, ["PART_1", "PART_3", "RULES"])


@pytest.mark.parametrize(
    "body", ["", "plain", "\ufeffa\r\nb\rc\n\x0bd\u2028e", "\U0001f409 \u05e9\u05dc", "e\u0301"]
)
def test_a_body_is_kept_as_written(body: str) -> None:
    assert checked_body(body) == body


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        (b"bytes", "type"),
        ("a\x00b", "nul"),
        ("\ud800", "encoding"),
        ("x" * (MAX_BODY_BYTES + 1), "too_long"),
        ("\u6e2f" * (MAX_BODY_BYTES // 3 + 1), "too_long"),
    ],
)
def test_a_body_that_cannot_be_kept_is_refused(body: object, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_body(body)
    assert (caught.value.field, caught.value.rule) == ("body", rule)


def test_the_longest_body_is_kept() -> None:
    assert len(checked_body("x" * MAX_BODY_BYTES)) == MAX_BODY_BYTES


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        ("", ""),
        ("\n \r\n\t", ""),
        ("# How this book sounds\n\nClose third.", "How this book sounds"),
        ("First line\n\n## Second part ##\n", "Second part"),
        ("\r\n\r\nJust a line\r\nmore", "Just a line"),
        ("#hashtag first", "#hashtag first"),
        ("```\n# a comment\n```\n# The heading", "The heading"),
        ("~~~\n# a\n```\n# b\n~~~~\n# c", "c"),
        ("```\n# never closed", "```"),
        ("    # code\n", "# code"),
        ("   ### Deep   \n", "Deep"),
        ("#\n# Real", "Real"),
        ("# ##\n# Real", "Real"),
        ("# a # b", "a # b"),
        ("one\r# two\rthree", "two"),
    ],
)
def test_the_heading_is_the_first_one_outside_code(body: str, heading: str) -> None:
    assert heading_of(body) == heading
    assert replace(a_companion(), body=body).heading == heading


@pytest.mark.parametrize(("n_characters", "tokens"), [(0, 0), (1, 1), (4, 1), (590, 148)])
def test_tokens_are_a_quarter_of_the_characters(n_characters: int, tokens: int) -> None:
    assert about_tokens(n_characters) == tokens


@pytest.mark.parametrize(
    ("changes", "is_standing"),
    [
        ({}, True),
        ({"body": ""}, False),
        ({"body": " \n\u200b\ufeff"}, False),
        ({"is_built_in": True, "is_template": True}, False),
        ({"deleted_at": NOON}, False),
        ({"curator": Curator.IMPORT}, True),
    ],
)
def test_what_says_something_stands_before_every_turn(
    changes: dict[str, Any], *, is_standing: bool
) -> None:
    assert replace(a_companion(), **changes).is_standing is is_standing


@pytest.mark.parametrize(
    ("tier", "workspace_id"),
    [
        (Tier.CHANNEL, WORKSPACE_ID),
        (Tier.CONVERSATION, WORKSPACE_ID),
        (Tier.WORKSPACE, None),
        (Tier.WORKSPACE, ""),
        (Tier.ACCOUNT, WORKSPACE_ID),
    ],
)
def test_other_places_have_no_named_entries(tier: Tier, workspace_id: str | None) -> None:
    with pytest.raises(InvalidValueError):
        EntryRef(tier, workspace_id, "e1")
    with pytest.raises(InvalidValueError):
        entry_scope(tier, workspace_id)


def test_a_reference_knows_the_scope_that_grants_are_asked_about() -> None:
    own, account = a_companion(), a_companion(workspace_id=None)
    assert own.ref.scope == own.scope == ScopeKey.workspace(WORKSPACE_ID)
    assert account.ref.scope == account.scope == ScopeKey.account()
    assert min(account.ref, own.ref).tier is Tier.ACCOUNT


def test_the_workspace_stands_before_the_account_and_the_built_in_first() -> None:
    voice = replace(a_companion("VOICE"), is_built_in=True)
    soul = replace(a_companion("SOUL", workspace_id=None), is_built_in=True)
    alpha, omega = a_companion("ALPHA"), a_companion("OMEGA")
    entries = [a_companion("BETA", workspace_id=None), soul, omega, alpha, voice]
    names = [one.name for one in sorted(entries, key=standing_order)]
    assert names == ["VOICE", "ALPHA", "OMEGA", "SOUL", "BETA"]


def test_the_head_of_a_revision_leaves_its_body_out() -> None:
    revision = EntryRevision("e1", 3, "four", NOON, "Ada", "cli", Curator.AUTHOR, EntryAction.SAVED)
    assert (revision.head.number, revision.head.n_characters) == (3, 4)
    assert not hasattr(revision.head, "body")
