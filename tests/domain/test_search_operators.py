from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter
from inklings_desktop.domain.memory import Curator
from inklings_desktop.domain.search.search_operators import (
    Misuse,
    NotUnderstood,
    Operator,
    narrowed,
    typed_search,
)

SPRING = datetime(2026, 3, 1, tzinfo=UTC)
STUDIO_AND_AUTHOR = frozenset({"Manuscript Studio", "author"})


@pytest.mark.parametrize(
    ("typed", "text", "where"),
    [
        ("tag:harbour", "", MemoryFilter(tags=frozenset({"harbour"}))),
        ("tag:#harbour gate", "gate", MemoryFilter(tags=frozenset({"harbour"}))),
        ('tag:"dark matter"', "", MemoryFilter(tags=frozenset({"dark matter"}))),
        ("TAG:a tag:b", "", MemoryFilter(tags=frozenset({"a", "b"}))),
        ("source:orchestrator", "", MemoryFilter(sources=frozenset({"orchestrator"}))),
        ("by:loom", "", MemoryFilter(writers=frozenset({"loom"}))),
        ('by:"Manuscript Studio" by:author x', "x", MemoryFilter(writers=STUDIO_AND_AUTHOR)),
        ("curator:Agent", "", MemoryFilter(curators=frozenset({Curator.AGENT}))),
        ("who  after:2026-03 said", "who said", MemoryFilter(written_since=SPRING)),
        ("before:2026-03-01", "", MemoryFilter(written_before=SPRING)),
        (
            "after:2025 after:2026-03",
            "",
            MemoryFilter(written_since=SPRING),
        ),
        ("importance:0.25..0.5", "", MemoryFilter(importance_min=0.25, importance_max=0.5)),
        ("importance:>=.5", "", MemoryFilter(importance_min=0.5)),
        ("importance:0.5", "", MemoryFilter(importance_min=0.5, importance_max=0.5)),
        ('say "harbour  glass" now', "say now", MemoryFilter(phrases=frozenset({"harbour glass"}))),
        ("\u201cWend Gate\u201d", "", MemoryFilter(phrases=frozenset({"Wend Gate"}))),
    ],
)
def test_operators_are_taken_out_of_the_words(typed: str, text: str, where: MemoryFilter) -> None:
    found = typed_search(typed, UTC)
    assert (found.text, found.where) == (text, where)
    assert found.has_operators
    assert found.not_understood == ()


@pytest.mark.parametrize(
    ("typed", "operator"),
    [
        ("before:soon", Operator.BEFORE),
        ("after:0000", Operator.AFTER),
        ("after:2026-02-0", Operator.AFTER),
        ("after:0000-01-01", Operator.AFTER),
        ("curator:somebody", Operator.CURATOR),
        ("importance:>7", Operator.IMPORTANCE),
        ("importance:<0", Operator.IMPORTANCE),
        ("importance:high", Operator.IMPORTANCE),
        ("importance:0.9..0.1", Operator.IMPORTANCE),
        ("tag:#", Operator.TAG),
        ('source:""', Operator.SOURCE),
        ("by:", Operator.BY),
        ("tag:", Operator.TAG),
        ("Curator:", Operator.CURATOR),
    ],
)
def test_an_operator_without_a_meaning_stays_text_and_is_named(
    typed: str, operator: Operator
) -> None:
    found = typed_search(f"tide {typed} gate", UTC)
    assert found.text == f"tide {typed} gate"
    assert found.where == EVERYTHING
    assert found.not_understood == (NotUnderstood(operator, typed),)


@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        ("after:2026-02-31", "2026-02-28"),
        ("after:2028-02-30", "2028-02-29"),
        ("before:2026-13-01", "2026-12-01"),
        ("before:2026-00-10", "2026-01-10"),
        ("before:2026-04-00", "2026-04-01"),
        ('after:"2026-14"', "2026-12"),
    ],
)
def test_a_day_that_is_in_no_calendar_is_named_with_one_that_is(typed: str, instead: str) -> None:
    found = typed_search(f"tide {typed} gate", UTC)
    assert found.text == f"tide {typed} gate"
    (wrong,) = found.not_understood
    assert (wrong.typed, wrong.why, wrong.instead) == (typed, Misuse.NO_SUCH_DAY, instead)
    assert typed_search(f"after:{instead}", UTC).not_understood == ()


@pytest.mark.parametrize(
    "typed",
    [
        "", "note: the tide", "https://x.example", 'an "open quote', '""', '"?!"', "tag :x",
        "12:30", "re:tag:x", "-tide", "-", 'x"y"z',
    ],
)  # fmt: skip
def test_what_is_no_operator_is_left_as_it_was_typed(typed: str) -> None:
    found = typed_search(typed, UTC)
    assert found.text == typed
    assert not found.has_operators
    assert found.not_understood == ()


@pytest.mark.parametrize("bounds", ["importance:>0.8 importance:<0.2", "after:2030 before:2020"])
def test_a_bound_that_leaves_nothing_stays_text_and_says_so(bounds: str) -> None:
    first, second = bounds.split()
    found = typed_search(bounds, UTC)
    assert found.where == typed_search(first, UTC).where
    assert found.text == second
    (wrong,) = found.not_understood
    assert (wrong.typed, wrong.why) == (second, Misuse.EXCLUDED)
    with pytest.raises(InvalidValueError) as refused:
        narrowed(found.where, typed_search(second, UTC).where)
    assert refused.value.rule == "excluded"


def test_what_is_to_be_left_out_is_not_looked_for_in_silence() -> None:
    found = typed_search("tide -tag:sea -note:x", UTC)
    assert found.text == "tide -tag:sea -note:x"
    assert found.not_understood == (NotUnderstood(Operator.TAG, "-tag:sea", Misuse.LEFT_OUT),)


def test_more_than_is_strict_and_at_least_is_not() -> None:
    above, below = (typed_search(f"importance:{sign}0.5", UTC).where for sign in "><")
    assert above.importance_min > 0.5
    assert below.importance_max < 0.5


def test_a_date_means_midnight_where_the_person_is() -> None:
    zone = timezone(timedelta(hours=5))
    found = typed_search("after:2026-03-01", zone).where.written_since
    assert found == SPRING - timedelta(hours=5)


def test_a_typed_search_narrows_a_filter() -> None:
    where = MemoryFilter(tags=frozenset({"a"}), importance_min=0.2, written_before=SPRING)
    more = typed_search('tag:b importance:>=0.5 before:2030 "x y"', UTC).where
    assert narrowed(where, more) == MemoryFilter(
        tags=frozenset({"a", "b"}),
        importance_min=0.5,
        written_before=SPRING,
        phrases=frozenset({"x y"}),
    )
    with pytest.raises(InvalidValueError):
        narrowed(MemoryFilter(importance_max=0.1), more)


PIECES = ["tag:", "before:", "importance:>", '"', "\u201c", " ", "2026-1-1", "0.5", "a", ":"]


@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_is_legal_and_no_word_is_lost(text: str) -> None:
    found = typed_search(text, UTC)
    again = typed_search(found.text, UTC)
    if not found.has_operators:
        assert found.text == text
    else:
        assert set(found.text.split()) <= set(text.split())
        assert again.text == found.text or again.has_operators
