from __future__ import annotations

import math
from dataclasses import replace

import pytest

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import (
    Curator,
    Derivation,
    Lifetime,
    MemoryAction,
    MemoryDraft,
    MemoryPatch,
    ScopeKey,
    Tier,
    change_action,
    checked_derivations,
    checked_lifetime,
    own_lifetime,
)
from inklings_desktop.domain.memory_values import (
    MAX_CONTENT_BYTES,
    checked_content,
    checked_importance,
    checked_reason,
    checked_source,
    checked_tags,
)
from tests.support.builders import NOON, WORKSPACE_ID, a_memory


def refusal(caught: pytest.ExceptionInfo[InvalidValueError]) -> tuple[str, str]:
    return caught.value.field, caught.value.rule


@pytest.mark.parametrize(
    ("given", "stored"),
    [(0, 0.0), (1, 1.0), (0.0, 0.0), (1.0, 1.0), (0.5, 0.5), (5e-324, 5e-324), (1e-9, 1e-9)],
)
def test_importance_from_zero_to_one_is_kept(given: float, stored: float) -> None:
    assert checked_importance(given) == stored
    assert type(checked_importance(given)) is float


def test_importance_minus_zero_becomes_zero() -> None:
    assert math.copysign(1.0, checked_importance(-0.0)) == 1.0


@pytest.mark.parametrize(
    "given",
    [1.0000001, 1.2, -1e-12, math.nan, math.inf, -math.inf, 2, -1, 10**400, -(10**400), 1e308],
)
def test_importance_outside_zero_to_one_is_refused(given: float) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_importance(given)
    assert refusal(caught) == ("importance", "range")


@pytest.mark.parametrize("given", ["0.5", True, False, None, b"0", [0.5], 1j])
def test_importance_that_is_no_number_is_refused(given: object) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_importance(given)
    assert refusal(caught) == ("importance", "type")


@pytest.mark.parametrize(
    "content",
    [
        "x",
        "  kept as written \n",
        "😀",
        "👩‍👩‍👧",
        "\U0001fae8",
        "❤️",
        "字",
        "가",
        "שלום",
        "مرحبا",
        "हिन्दी",
        "ไทย",
        "ქართული",
        "…",
        "\u200bא",
        "\ue000",
        "tab\tand\x1bescape",
    ],
)
def test_content_is_kept_exactly_as_written(content: str) -> None:
    assert checked_content(content) == content


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        ("", "empty"),
        (" \t\r\n\u00a0\u3000", "empty"),
        ("\u200b\u200d\ufeff\u2060", "empty"),
        ("\u3164\u2800\ufe0f", "empty"),
        ("a\x00b", "nul"),
        ("\x00", "nul"),
        ("a\ud800", "encoding"),
        ("\udcff", "encoding"),
        pytest.param("a" * (MAX_CONTENT_BYTES + 1), "too_long", id="ascii"),
        pytest.param("é" * (MAX_CONTENT_BYTES // 2) + "x", "too_long", id="two bytes each"),
        pytest.param(" " * (MAX_CONTENT_BYTES + 1), "too_long", id="blanks"),
        (None, "type"),
        (b"bytes", "type"),
        (3, "type"),
    ],
)
def test_content_that_cannot_be_remembered_is_refused(content: object, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_content(content)
    assert refusal(caught) == ("content", rule)


@pytest.mark.parametrize("letter", ["a", "é", "字"[:1], "😀"])
def test_content_of_exactly_64_kib_is_kept(letter: str) -> None:
    n_letters, n_rest = divmod(MAX_CONTENT_BYTES, len(letter.encode()))
    content = letter * n_letters + "x" * n_rest
    assert len(content.encode()) == 65_536
    assert checked_content(content) == content


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ((), ()),
        (("nerys", "left-right"), ("nerys", "left-right")),
        (("#nerys", "##nerys", " nerys "), ("nerys",)),
        (("# #nerys",), ("nerys",)),
        (("b", "a", "b"), ("b", "a")),
        (("e\u0301",), ("\u00e9",)),
        (("c#", "a#b"), ("c#", "a#b")),
        (("two words", "字", "🐉"), ("two words", "字", "🐉")),
        (["list"], ("list",)),
        (("Bells", "bells", "BELLS", "Ö", "ö"), ("Bells", "Ö")),
        (("x" * 64,), ("x" * 64,)),
    ],
)
def test_tags_are_tidied_and_kept_in_order(given: tuple[str, ...], stored: tuple[str, ...]) -> None:
    assert checked_tags(given) == stored
    assert checked_tags(stored) == stored


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (("",), "empty"),
        (("#",), "empty"),
        ((" # ",), "empty"),
        (("\u200b",), "empty"),
        (("x" * 65,), "too_long"),
        (("a\nb",), "control_characters"),
        (("a\x00",), "control_characters"),
        (("a\ud800",), "control_characters"),
        ((1,), "type"),
        ("nerys", "type"),
        (None, "type"),
        (tuple(map(str, range(33))), "too_many"),
    ],
)
def test_tags_that_are_no_labels_are_refused(given: object, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_tags(given)
    assert refusal(caught) == ("tags", rule)


def test_thirty_two_tags_are_kept() -> None:
    tags = tuple(map(str, range(32)))
    assert checked_tags(tags + tags) == tags


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (" ", "empty"),
        ("x" * 65, "too_long"),
        ("a\nb", "control_characters"),
        ("a\u2029b", "control_characters"),
        (None, "type"),
    ],
)
def test_a_source_that_is_no_label_is_refused(given: object, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_source(given)
    assert refusal(caught) == ("source", rule)


def test_a_source_loses_the_blanks_at_its_ends() -> None:
    assert checked_source(" researcher ") == "researcher"


@pytest.mark.parametrize(("given", "stored"), [("", None), ("  ", None), (" retcon ", "retcon")])
def test_a_reason_is_optional(given: str, stored: str | None) -> None:
    assert checked_reason(given) == stored


@pytest.mark.parametrize(
    ("given", "rule"), [("a\nb", "control_characters"), ("x" * 201, "too_long"), (1, "type")]
)
def test_a_reason_that_is_no_line_is_refused_by_its_own_name(given: object, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_reason(given)
    assert refusal(caught) == ("reason", rule)


@pytest.mark.parametrize(
    ("lifetime", "tier", "expected"),
    [
        (Lifetime.CONVERSATION, Tier.CONVERSATION, Lifetime.CONVERSATION),
        (Lifetime.LONG_TERM, Tier.ACCOUNT, Lifetime.LONG_TERM),
        (Lifetime.SHORT_TERM, Tier.CHANNEL, Lifetime.SHORT_TERM),
    ],
)
def test_lifetimes_that_fit_their_tier_are_kept(
    lifetime: Lifetime, tier: Tier, expected: Lifetime
) -> None:
    assert checked_lifetime(lifetime, tier) is expected


@pytest.mark.parametrize(
    ("tier", "by_a_person", "by_an_agent", "imported"),
    [
        (Tier.CONVERSATION, Lifetime.CONVERSATION, Lifetime.CONVERSATION, Lifetime.CONVERSATION),
        (Tier.CHANNEL, Lifetime.LONG_TERM, Lifetime.SHORT_TERM, Lifetime.SHORT_TERM),
        (Tier.WORKSPACE, Lifetime.LONG_TERM, Lifetime.LONG_TERM, Lifetime.SHORT_TERM),
        (Tier.ACCOUNT, Lifetime.LONG_TERM, Lifetime.LONG_TERM, Lifetime.SHORT_TERM),
    ],
)
def test_what_a_person_writes_stays_and_what_an_agent_keeps_for_a_workspace_or_the_account(
    tier: Tier, by_a_person: Lifetime, by_an_agent: Lifetime, imported: Lifetime
) -> None:
    found = [own_lifetime(tier, one) for one in (Curator.AUTHOR, Curator.AGENT, Curator.IMPORT)]
    assert found == [by_a_person, by_an_agent, imported]


def test_a_draft_that_names_neither_gets_lifetime_and_source_of_its_curator() -> None:
    draft = MemoryDraft(ScopeKey.workspace(WORKSPACE_ID), "The toll is salt.")
    assert (draft.lifetime, draft.source) == (None, None)
    by_agent, by_author = draft.completed(Curator.AGENT), draft.completed(Curator.AUTHOR)
    assert (by_agent.lifetime, by_agent.source) == (Lifetime.LONG_TERM, "orchestrator")
    assert (by_author.lifetime, by_author.source) == (Lifetime.LONG_TERM, "user")
    named = replace(draft, lifetime=Lifetime.SHORT_TERM, source="researcher")
    assert named.completed(Curator.AGENT) == named


@pytest.mark.parametrize(
    ("lifetime", "tier", "rule"),
    [
        (Lifetime.LONG_TERM, Tier.CONVERSATION, "tier"),
        (Lifetime.SHORT_TERM, Tier.CONVERSATION, "tier"),
        (Lifetime.CONVERSATION, Tier.CHANNEL, "tier"),
        (Lifetime.CONVERSATION, Tier.WORKSPACE, "tier"),
        (Lifetime.CONVERSATION, Tier.ACCOUNT, "tier"),
        ("conversation", Tier.WORKSPACE, "type"),
        ("long_term", Tier.WORKSPACE, "type"),
        (1, Tier.WORKSPACE, "type"),
    ],
)
def test_lifetimes_that_do_not_fit_are_refused(lifetime: object, tier: Tier, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_lifetime(lifetime, tier)
    assert refusal(caught) == ("lifetime", rule)


@pytest.mark.parametrize(
    ("tier", "workspace_id", "key", "rule"),
    [
        (Tier.ACCOUNT, WORKSPACE_ID, "account", "workspace"),
        (Tier.CHANNEL, None, "c", "workspace"),
        (Tier.WORKSPACE, None, "w", "workspace"),
        (Tier.CHANNEL, WORKSPACE_ID, "", "empty"),
        (Tier.CHANNEL, "", "c", "empty"),
        (Tier.ACCOUNT, None, "other", "key"),
        (Tier.WORKSPACE, WORKSPACE_ID, "another-workspace", "key"),
    ],
)
def test_addresses_that_cannot_exist_are_refused(
    tier: Tier, workspace_id: str | None, key: str, rule: str
) -> None:
    with pytest.raises(InvalidValueError) as caught:
        ScopeKey(tier, workspace_id, key)
    assert refusal(caught) == ("scope", rule)


def test_scope_keys_of_several_tiers_can_be_sorted() -> None:
    scopes = [
        ScopeKey.workspace(WORKSPACE_ID),
        ScopeKey.account(),
        ScopeKey.channel(WORKSPACE_ID, "c"),
        ScopeKey.conversation(WORKSPACE_ID, "c"),
    ]
    assert [scope.tier for scope in sorted(scopes)] == sorted(scope.tier for scope in scopes)


def test_a_draft_is_tidied_when_it_is_made() -> None:
    draft = MemoryDraft(
        ScopeKey.workspace(WORKSPACE_ID),
        " kept ",
        importance=1,
        source=" user ",
        tags=("#nerys",),
        derived_from=(Derivation(" Page ", " block "), Derivation("Page", "block")),
    )
    assert draft.content == " kept "
    assert type(draft.importance) is float
    assert (draft.source, draft.tags, draft.lifetime) == ("user", ("nerys",), None)
    assert draft.derived_from == (Derivation("Page", "block"),)


@pytest.mark.parametrize(
    ("source_conversation", "derived_from"),
    [("c", ()), ("", ()), (None, (Derivation("Page"),))],
)
def test_a_draft_for_the_account_has_no_origin(
    source_conversation: str | None, derived_from: tuple[Derivation, ...]
) -> None:
    with pytest.raises(InvalidValueError) as caught:
        MemoryDraft(
            ScopeKey.account(),
            "Prefers dark themes",
            source_conversation=source_conversation,
            derived_from=derived_from,
        )
    assert refusal(caught) == ("scope", "account_holds_preferences_only")


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ((Derivation(" "),), "empty"),
        ((Derivation("a\x00"),), "control_characters"),
        ((Derivation("a", "b\nc"),), "control_characters"),
        ((Derivation("x" * 257),), "too_long"),
        (("Page",), "type"),
        ("Page", "type"),
        (tuple(Derivation(str(n)) for n in range(65)), "too_many"),
    ],
)
def test_references_that_name_nothing_are_refused(given: object, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_derivations(given)
    assert refusal(caught) == ("derived_from", rule)


def test_a_patch_checks_only_what_it_changes() -> None:
    patch = MemoryPatch(importance=1, tags=("#a",))
    assert (patch.content, patch.importance, patch.lifetime, patch.tags) == (
        None,
        1.0,
        None,
        ("a",),
    )
    with pytest.raises(InvalidValueError):
        MemoryPatch(content=" ")
    with pytest.raises(InvalidValueError):
        MemoryPatch(importance=math.nan)


def test_a_patch_leaves_everything_else_as_it_was() -> None:
    before = a_memory(tags=("a",), importance=0.4, source_conversation="c")
    after = before.patched(MemoryPatch(content="New text", tags=()))
    assert after == replace(before, content="New text", tags=())
    assert before.patched(MemoryPatch()) == before


@pytest.mark.parametrize(
    ("patch", "action"),
    [
        (MemoryPatch(), None),
        (MemoryPatch(content="New", importance=0.9, tags=("x",)), MemoryAction.EDITED),
        (MemoryPatch(importance=0.9, tags=("x",)), MemoryAction.REWEIGHTED),
        (MemoryPatch(lifetime=Lifetime.LONG_TERM, tags=("x",)), MemoryAction.RELABELLED),
        (MemoryPatch(tags=("x",)), MemoryAction.RETAGGED),
    ],
)
def test_a_change_is_named_by_its_weightiest_part(
    patch: MemoryPatch, action: MemoryAction | None
) -> None:
    before = a_memory()
    assert change_action(before, before.patched(patch)) is action


@pytest.mark.parametrize(
    ("forgotten", "paused", "retrievable"),
    [(False, False, True), (True, False, False), (False, True, False), (True, True, False)],
)
def test_forgotten_and_paused_memories_are_not_retrievable(
    *, forgotten: bool, paused: bool, retrievable: bool
) -> None:
    entry = a_memory(paused=paused, forgotten_at=NOON if forgotten else None)
    assert entry.is_forgotten is forgotten
    assert entry.is_retrievable is retrievable


def test_a_reference_names_scope_and_id() -> None:
    entry = a_memory(memory_id="m")
    assert (entry.ref.scope, entry.ref.id) == (ScopeKey.workspace(WORKSPACE_ID), "m")
