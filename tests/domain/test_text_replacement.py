from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.text_replacement import (
    MAX_SOUGHT_CHARACTERS,
    ReplacementWish,
    plan_replacements,
)
from inklings_desktop.domain.memory_values import MAX_CONTENT_BYTES
from tests.support.builders import a_memory


def after_of(content: str, wish: ReplacementWish) -> str | None:
    plan = plan_replacements([a_memory(content)], wish)
    return plan.changes[0].after if plan.changes else None


def test_each_change_is_named_with_its_version_and_places() -> None:
    entries = [a_memory("Wend, old Wend", memory_id="a"), a_memory("The tide", memory_id="b")]
    plan = plan_replacements(entries, ReplacementWish("Wend", "Wende"))
    (one,) = plan.changes
    assert (one.ref.id, one.version, one.n_matches) == ("a", entries[0].version, 2)
    assert (one.before, one.after) == ("Wend, old Wend", "Wende, old Wende")
    assert (plan.n_looked_at, plan.n_matches, plan.refused) == (2, 2, ())


@pytest.mark.parametrize(
    ("content", "wish", "after"),
    [
        ("Wend WEND", ReplacementWish("wend", "x"), "x x"),
        ("Wend WEND", ReplacementWish("WEND", "x", match_case=True), "Wend x"),
        ("Wendel at Wend", ReplacementWish("wend", "x", whole_words=True), "Wendel at x"),
        ("a.c abc", ReplacementWish("a.c", "x"), "x abc"),
        ("dollar", ReplacementWish("dollar", r"\1 $0"), r"\1 $0"),
        ("cafe\u0301 and caf\u00e9", ReplacementWish("caf\u00e9", "inn"), "inn and inn"),
        ("cafe\u0301", ReplacementWish("cafe", "inn"), None),
        ("海の塩", ReplacementWish("塩", "水"), "海の水"),
        ("two  blanks", ReplacementWish("  ", " "), "two blanks"),
        ("same", ReplacementWish("same", "same"), None),
    ],
)
def test_text_is_sought_as_it_stands(
    content: str, wish: ReplacementWish, after: str | None
) -> None:
    assert after_of(content, wish) == after


def test_a_memory_that_would_be_left_without_words_is_refused() -> None:
    plan = plan_replacements([a_memory("gull")], ReplacementWish("gull"))
    assert plan.changes == ()
    assert [one.fault for one in plan.refused] == ["empty"]


def test_a_memory_that_would_grow_too_long_is_refused() -> None:
    plan = plan_replacements(
        [a_memory("x" * MAX_CONTENT_BYTES), a_memory("x")], ReplacementWish("x", "yy")
    )
    assert [one.fault for one in plan.refused] == ["too_long"]
    assert [one.after for one in plan.changes] == ["yy"]


@pytest.mark.parametrize(
    ("sought", "put", "rule"),
    [
        ("", "x", "empty"),
        ("a\x00", "x", "nul"),
        ("a", "\x00", "nul"),
        ("a" * (MAX_SOUGHT_CHARACTERS + 1), "", "too_long"),
    ],
)
def test_what_cannot_be_sought_is_refused(sought: str, put: str, rule: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        ReplacementWish(sought, put)
    assert refused.value.rule == rule


_LETTERS = st.text(st.characters(exclude_characters="\x00"), max_size=12)


@given(st.builds("{}{}".format, _LETTERS, st.sampled_from("x.e\u0301")), _LETTERS)
def test_replacing_a_text_by_nothing_leaves_the_rest(sought: str, content: str) -> None:
    text = f"{content} end"
    plan = plan_replacements([a_memory(text)], ReplacementWish(sought, match_case=True))
    for one in (*plan.changes, *plan.refused):
        assert one.n_matches >= 1
        assert len(one.after) < len(text)
