"""The engine's explanation in words: nothing is added up here, nothing is left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.search.explanation import Blend, Fading
from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.ui.kit.why.facts import (
    matched_words,
    ordinal,
    strength_facts,
    why_found,
)
from tests.support.builders import a_memory
from tests.ui.preview_scene import an_explanation

pytestmark = pytest.mark.usefixtures("qapp")

QUERY = keyword_query("harbour glass")


def test_both_searches_stand_in_the_table_with_rank_and_measure() -> None:
    entry = a_memory("Smell before sight in every harbour. Harbours smell.")
    why = why_found(an_explanation(), entry, QUERY, next_score=None)
    words, meaning = why.found
    assert words.detail == "\u201charbour\u201d, \u201cHarbours\u201d"
    assert (words.rank, words.figure) == ("1st", "BM25 3.25")
    assert (meaning.rank, meaning.figure) == ("2nd", "0.42 alike")
    assert why.fused == "0.0325"


@pytest.mark.parametrize(
    ("content", "semantic_rank", "sentence"),
    [
        ("In every harbour.", 2, "Found by the word \u201charbour\u201d and by meaning."),
        ("In every harbour.", None, "Found by the word \u201charbour\u201d."),
        (
            "A harbour of glass.",
            None,
            "Found by the words \u201charbour\u201d, \u201cglass\u201d.",
        ),
        ("Gulls.", None, "Found by a tag."),
    ],
)
def test_one_sentence_says_why(content: str, semantic_rank: int | None, sentence: str) -> None:
    explanation = an_explanation(semantic_rank=semantic_rank)
    why = why_found(explanation, a_memory(content), QUERY, next_score=None)
    assert why.sentence == sentence


def test_what_no_word_found_was_found_by_meaning() -> None:
    explanation = replace(an_explanation(), keyword_rank=None)
    why = why_found(explanation, a_memory("Gulls."), QUERY, next_score=None)
    assert why.sentence == "Found by meaning."


def test_every_factor_of_the_blend_is_shown_by_name() -> None:
    why = why_found(an_explanation(), a_memory("Glass."), QUERY, next_score=0.5)
    assert why.order is not None
    assert [(bar.name, bar.figure) for bar in why.order.bars] == [
        ("Words", "0.300"),
        ("Meaning", "0.250"),
        ("Names its subject", "0.160"),
        ("Word by word", "0.000"),
        ("Its conversation", "0.050"),
    ]
    assert len(why.order.bars) == len(Blend._fields)
    assert why.order.formula == "0.760 \u00d7 1.000 = 0.760   next: 0.500"
    assert "0.9 + 0.1" in why.order.note


def test_what_a_search_did_not_do_is_said() -> None:
    explanation = an_explanation(semantic_rank=None)
    (_, meaning) = why_found(explanation, a_memory("Glass."), QUERY, next_score=None).found
    assert meaning.rank == "not near"


def test_a_match_in_a_tag_is_named_as_one() -> None:
    (words, _) = why_found(an_explanation(), a_memory("Gulls."), QUERY, next_score=None).found
    assert words.detail == "in a tag"


def test_strength_is_made_of_importance_decay_and_reads() -> None:
    facts = strength_facts(Fading(0.71, 0.995, 96.0, 5, 1.225))
    assert facts.figure == "1.23"
    assert [(bar.name, bar.figure) for bar in facts.bars] == [
        ("Importance", "0.71"),
        ("Decay, 4 d", "\u00d7 0.618"),
        ("Read 5 times", "\u00d7 2.79"),
    ]
    assert strength_facts(Fading(0.5, 1.0, 96.0, 0, 0.5)).bars[1].name == "Never fades"


def test_words_are_named_once_in_the_order_of_the_text() -> None:
    assert matched_words("Glass, harbour, glass.", QUERY) == ("Glass", "harbour")


@pytest.mark.parametrize(
    ("number", "expected"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (22, "22nd"), (113, "113th")],
)
def test_places_in_a_list(number: int, expected: str) -> None:
    assert ordinal(number) == expected
