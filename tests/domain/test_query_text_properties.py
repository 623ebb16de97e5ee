from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.words.query_text import (
    MAX_TERMS,
    folded,
    holds_any,
    keyword_query,
    match_spans,
    openings_of,
    words_of,
)

# Everything Python can hold, lone surrogates and NUL included, and what queries are made of.
any_text = st.text(st.characters(), max_size=200)
query_text = st.text(
    st.sampled_from(
        "abcdrgons '\"\u2019*()-+:^ANDORNEAR_\x00\u0301\u200d字東京のがé🐉☂ßİﬁ\ud800שَकि"
    ),
    max_size=80,
)
texts = st.one_of(any_text, query_text)


@given(texts, st.booleans())
def test_any_text_is_a_legal_bounded_query(text: str, is_open: bool) -> None:  # noqa: FBT001  hypothesis passes by position
    query = keyword_query(text, last_word_is_open=is_open)
    assert len(query.words) <= MAX_TERMS
    assert len(query.phrases) <= MAX_TERMS
    assert len(set(query.words)) == len(query.words)
    assert all(query.words)
    for word in (*query.words, query.prefix or ""):
        assert word.encode("utf-8").decode("utf-8") == word
        assert "\x00" not in word
        assert not any(map(str.isspace, word))


@given(texts)
def test_folding_twice_changes_nothing(text: str) -> None:
    once = folded(text)
    assert folded(once) == once


@given(texts)
def test_words_are_parts_of_the_text_in_order(text: str) -> None:
    tidy = folded(text)
    position = 0
    for word in words_of(tidy):
        position = tidy.index(word, position) + len(word)
    assert position <= len(tidy)


@given(texts, texts, st.booleans())
def test_marks_lie_inside_the_text_and_never_overlap(
    text: str,
    query: str,
    is_open: bool,  # noqa: FBT001  hypothesis passes by position
) -> None:
    spans = match_spans(text, keyword_query(query, last_word_is_open=is_open))
    end_of_last = 0
    for start, length in spans:
        assert length > 0
        assert start >= end_of_last
        end_of_last = start + length
    assert end_of_last <= len(text)


@given(st.lists(st.sampled_from(["Elarindë", "dragons", "東京", "🐉", "Kar'thul"]), min_size=1))
def test_a_text_marks_every_word_of_itself(words: list[str]) -> None:
    text = " ".join(words)
    spans = match_spans(text, keyword_query(text))
    assert [text[start : start + length] for start, length in spans] == words


_ROOTS = ("hope", "hop", "happy", "relation", "sensible", "valency", "organ", "tide", "size", "ski")
_ENDINGS = ("", "s", "ing", "ed", "ily", "ization", "ational", "ability", "fulness", "ically", "er")
english = st.lists(
    st.builds(str.__add__, st.sampled_from(_ROOTS), st.sampled_from(_ENDINGS)), min_size=1
).map(" ".join)


@given(st.one_of(texts, english), st.one_of(texts, english), st.booleans())
def test_what_is_marked_holds_an_opening(text: str, query: str, is_open: bool) -> None:  # noqa: FBT001  hypothesis passes by position
    sought = keyword_query(query, last_word_is_open=is_open)
    if match_spans(text, sought):
        assert holds_any(text, openings_of(sought))


def test_what_holds_no_opening_is_seen_at_once() -> None:
    openings = openings_of(keyword_query("tidal bells"))
    assert holds_any("The BELL.", openings)
    assert not holds_any("Salt is money.", openings)
