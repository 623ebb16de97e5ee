from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.storage.search.search_text import (
    indexed_context,
    indexed_subject,
    indexed_text,
    match_expression,
)


@pytest.mark.parametrize(
    ("text", "indexed"),
    [
        ("Plain Words", "plain words"),
        ("zero\u200bwidth", "zerowidth"),
        ("\uff26\uff35\uff2c\uff2c", "full"),
        ("ﬁre", "fire"),
        ("❤\ufe0f", "❤"),
        ("in 京都市 now", "in  京都 都市 京 都 市  now"),
        ("猫", " 猫 "),
        ("a\x00b", "a b"),
    ],
)
def test_text_is_normalised_for_the_index(text: str, indexed: str) -> None:
    assert indexed_text(text) == indexed


def test_tags_are_the_subject() -> None:
    assert indexed_subject(["Map room", "京都"]).split() == ["map", "room", "京都", "京", "都"]


def test_neighbours_lend_their_nearest_thousand_characters() -> None:
    lent = indexed_context("a" * 5_000 + "nearer", "near" + "b" * 5_000, ())

    before, after = lent.split("\n")
    assert (len(before), len(after)) == (1_000, 1_000)
    assert before.endswith("nearer")
    assert after.startswith("near")
    assert indexed_context(None, None, ()) == ""
    assert indexed_context("one", None, ["Researcher"]) == "one\nresearcher"


@pytest.mark.parametrize(
    ("typed", "expression"),
    [
        ("harbour", '"harbour"'),
        ("harbour tithe", '"harbour" OR "tithe" OR "harbour tithe"'),
        ("京都", '"京都"'),
        ("京都市", '"京都" OR "都市"'),
        ("猫", '"猫"'),
        ("NEAR AND OR", '"near"'),
        ('"', None),
        ("* - ^", None),
        ("", None),
    ],
)
def test_a_query_is_quoted_terms_joined_by_or(typed: str, expression: str | None) -> None:
    assert match_expression(keyword_query(typed)) == expression


def test_the_open_last_word_is_also_a_prefix() -> None:
    assert match_expression(keyword_query("salt", last_word_is_open=True)) == '"salt" OR "salt" *'


@given(st.text(max_size=400), st.booleans())
def test_every_expression_is_made_of_quoted_terms(text: str, is_open: bool) -> None:  # noqa: FBT001
    expression = match_expression(keyword_query(text, last_word_is_open=is_open))

    if expression is not None:
        terms = [term.removesuffix(" *") for term in expression.split(" OR ")]
        assert all(term.startswith('"') and term.endswith('"') for term in terms)
        assert len(terms) <= 65
