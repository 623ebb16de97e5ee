"""Words are found as people write them: one cutter and one folding for index, query and marks."""

# ruff: noqa: RUF001 - other scripts are the point here

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from inklings_desktop.domain.words.query_text import (
    folded,
    holds_any,
    keyword_query,
    match_spans,
    openings_of,
)
from inklings_desktop.storage.schema.marks import TOKENIZE
from inklings_desktop.storage.search.search_text import indexed_text, match_expression

SAME = [
    ("👑Aldric", "aldric"),
    ("Mara🐚", "mara"),
    ("✅Mara", "Mara"),
    ("⚠️Never", "never"),
    ("1️⃣Mara", "mara"),
    ("Mara👑👑", "👑"),
    ("ⓂMara", "mara"),
    ("Saltglass™", "saltglass"),
    ("Wend®", "wend"),
    ("\ue000Mara", "mara"),
    ("ёлка", "елка"),
    ("Işık", "ışık"),
    ("IŞIK", "ışık"),
    ("İstanbul", "istanbul"),
    ("أحمد", "احمد"),
    ("مدرسة", "مدرسه"),
    ("مصطفى", "مصطفي"),
    ("مـــحمد", "محمد"),
    ("مُحَمَّد", "محمد"),
    ("Straße", "strasse"),
    ("Søren", "soren"),
    ("Łódź", "lodz"),
    ("Ærø", "aero"),
    ("カタカナ", "かたかな"),
    ("ｶﾀｶﾅ", "かたかな"),
    ("K'thar", "Kthar"),
    ("K’thar", "Kthar"),
    ("Kʼthar", "K'thar"),
    ("K'thar's", "kthar"),
    ("1,000", "1000"),
    ("1.000", "1,000"),
    ("1 000", "1000"),
    ("1\u202f000", "1'000"),
    ("Sueden", "Süden"),
]


@pytest.mark.parametrize(("one", "other"), [*SAME, *((other, one) for one, other in SAME)])
def test_a_word_is_found_and_marked_however_it_is_written(one: str, other: str) -> None:
    text, query = f"Once {one} came.", keyword_query(other)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE VIRTUAL TABLE held USING fts5(body, {TOKENIZE})")
        connection.execute("INSERT INTO held VALUES (?)", (indexed_text(text),))
        found = connection.execute(
            "SELECT 1 FROM held WHERE held MATCH ?", (match_expression(query),)
        ).fetchall()
    assert found
    assert match_spans(text, query)
    assert holds_any(text, openings_of(query))


@pytest.mark.parametrize(
    ("text", "other"),
    [("O'Brien", "brien"), ("l’eau", "eau"), ("room 1, 2000 men", "12000"), ("poet", "pot")],
)
def test_what_is_another_word_stays_one(text: str, other: str) -> None:
    marked = [text[at : at + size] for at, size in match_spans(text, keyword_query(other))]
    assert (other in {"brien", "eau"}) == bool(marked)


def test_folding_again_changes_nothing_whatever_stands_beside_a_letter() -> None:
    every = [chr(one) for one in range(0x80, 0x3000)] + [chr(one) for one in range(0xFB00, 0xFFFE)]
    for one in every:
        once = folded(f"a{one}b {one}'c")
        assert folded(once) == once
