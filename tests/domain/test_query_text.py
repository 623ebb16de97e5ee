from __future__ import annotations

import pytest

from inklings_desktop.domain.words.query_text import (
    MAX_QUERY_CHARACTERS,
    MAX_TERMS,
    KeywordQuery,
    folded,
    is_cjk,
    keyword_query,
    match_spans,
    words_of,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        ("  \t\n", ()),
        ("?!… -- ()", ()),
        ('"', ()),
        ("_", ()),
        ("\x00", ()),
        ("\ud800", ()),
        ("What did Mira say about the dragon?", ("mira", "say", "dragon")),
        ("the of and", ("the", "of", "and")),
        ("dragon Dragon DRAGON", ("dragon",)),
        ("Elarindë", ("elarindë",)),
        ("Elarinde\u0308", ("elarindë",)),
        ("Kar-Thul", ("kar", "thul")),
        ("C++", ("c",)),
        ("snake_case", ("snake", "case")),
        ("3.14", ("3", "14")),
        ("Mira's sword", ("mira", "sword")),
        ("Mira\u2019s sword", ("mira", "sword")),
        ("don't we'll I'm can't isn't dragon", ("dragon",)),
        ("don't", ("don't",)),
        ("K'thar o'clock", ("k'thar", "o'clock", "kthar", "oclock")),
        ("東京", ("東京",)),
        ("ドラゴンの巣", ("どらごんの巣",)),
        ("🐉", ("🐉",)),
        ("🐉 dragon🔥", ("🐉", "dragon", "🔥")),
        ("👩\u200d🚀", ("👩", "🚀")),
        ("שלום עולם", ("שלום", "עולם")),
        ("שָׁלוֹם", ("שלום",)),
        ("كِتَابٌ", ("كتاب",)),
        ("بی\u200cتو", ("بيتو",)),
        ("हिन्दी भाषा", ("हिन्दी", "भाषा")),
        ("İstanbul", ("istanbul",)),
        ("STRASSE straße", ("strasse",)),
        ("ﬁre", ("fire",)),
        ("dra\u00adgon", ("dragon",)),
        ("\uff57\uff49\uff44\uff45", ("wide",)),
        ('dragon" OR 1=1 --', ("dragon", "1")),
        ("NEAR(a b) AND NOT body:*", ("near", "b", "not", "body")),
    ],
)
def test_any_text_becomes_its_content_words(text: str, words: tuple[str, ...]) -> None:
    assert keyword_query(text).words == words
    assert keyword_query(text).is_empty is (not words)


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("dragon", ()),
        ("red dragon", (("red", "dragon"),)),
        ("tower of the dragon", ()),
        ("Kar-Thul gate", (("kar", "thul"), ("thul", "gate"))),
        ("Mira's sword", (("mira's", "sword"),)),
        ("red dragon red dragon", (("red", "dragon"), ("dragon", "red"))),
        ("to be or", (("to", "be"), ("be", "or"))),
    ],
)
def test_content_words_side_by_side_are_phrases(
    text: str, phrases: tuple[tuple[str, str], ...]
) -> None:
    assert keyword_query(text).phrases == phrases


@pytest.mark.parametrize(
    ("text", "prefix"),
    [
        ("dra", "dra"),
        ("red dra", "dra"),
        ("red dra ", None),
        ("red dra\n", None),
        ("red dra\u3000", None),
        ("", None),
        ("?", None),
        ("the", "the"),
        ("Mira's", "mira"),
        ("東", "東"),
        ("red?", "red"),
        ("x" * (MAX_QUERY_CHARACTERS + 1), None),
    ],
)
def test_an_open_last_word_is_a_prefix(text: str, prefix: str | None) -> None:
    assert keyword_query(text, last_word_is_open=True).prefix == prefix
    assert keyword_query(text).prefix is None


def test_a_long_question_is_bounded_after_its_stop_words_are_gone() -> None:
    text = "what is the " * 40 + " ".join(f"word{n}" for n in range(100)) + " end"
    query = keyword_query(text, last_word_is_open=True)
    assert query.words == tuple(f"word{n}" for n in range(MAX_TERMS))
    assert len(query.phrases) <= MAX_TERMS
    assert query.prefix == "end"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Straße", "STRASSE"),
        ("e\u0301", "É"),
        ("e\u200b\u0301", "é"),
        ("ﬃ", "ffi"),
        ("İ", "i"),
        ("Ⅳ", "iv"),
        ("a\x00b", "a b"),
        ("a\ud800b", "ab"),
        ("\u202aabc\u202c", "abc"),
        ("が", "か\u3099"),
    ],
)
def test_texts_that_read_the_same_fold_to_the_same(text: str, same: str) -> None:
    assert folded(text) == folded(same)


@pytest.mark.parametrize(("one", "other"), [("が", "か"), ("é", "e"), ("й", "и"), ("ข้าว", "ขาว")])
def test_folding_keeps_different_letters_apart(one: str, other: str) -> None:
    assert folded(one) != folded(other)


def test_words_and_symbols_keep_their_order() -> None:
    assert words_of("a🐉b c☂") == ["a", "🐉", "b", "c", "☂"]


@pytest.mark.parametrize("character", [*"東ぁンー々가ไ〆", "\U00020000"])
def test_scripts_without_spaces_are_known(character: str) -> None:
    assert is_cjk(character)


@pytest.mark.parametrize("character", [*"aéאعह1 。、🐉"])
def test_scripts_with_spaces_are_not(character: str) -> None:
    assert not is_cjk(character)


def marked(text: str, query: str, *, is_open: bool = False) -> list[str]:
    spans = match_spans(text, keyword_query(query, last_word_is_open=is_open))
    return [text[start : start + length] for start, length in spans]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("Elarindë sleeps", "elarinde", ["Elarindë"]),
        ("Elarinde\u0308 sleeps", "elarinde", ["Elarinde\u0308"]),
        ("Elarinde sleeps", "Elarindë", ["Elarinde"]),
        ("ELARINDË", "elarindë", ["ELARINDË"]),
        ("Dragons sleep, the dragon slept", "dragon", ["Dragons", "dragon"]),
        ("stories of a story", "story", ["stories", "story"]),
        ("she stopped; stops; stopping", "stop", ["stopped", "stops", "stopping"]),
        ("two princesses, one princess", "princess", ["princesses", "princess"]),
        ("Mira's sword, Mira\u2019s shield, Mira", "mira", ["Mira's", "Mira\u2019s", "Mira"]),
        ("Mira fell", "Mira's", ["Mira"]),
        ("K'thar rose", "thar", ["K'thar"]),
        ("K'thar rose", "k'thar", ["K'thar"]),
        ("Kar-Thul gate", "kar-thul", ["Kar", "Thul"]),
        ("dragonfly", "dragon", []),
        ("nothing here", "dragon", []),
        ("", "dragon", []),
        ("anything", "?!", []),
        ("東京都に住む", "東京", ["東京"]),
        ("東京都に住む", "東京都", ["東京都"]),
        ("東京の塔", "東京タワー", ["東京"]),
        ("塔は高い", "塔", ["塔"]),
        ("佐々木さん", "佐々木", ["佐々木"]),
        ("v2東京", "東京", ["東京"]),
        ("v2東京", "v2", ["v2"]),
        ("ｶﾞﾗｽ 東京", "東京", ["東京"]),
        ("The 🐉 sleeps 🐉🐉", "🐉", ["🐉", "🐉", "🐉"]),
        ("Straße und 🐉", "🐉", ["🐉"]),
        ("Straße und 東京", "東京", ["東京"]),
        ("Die STRASSE", "straße", ["STRASSE"]),
        ("Die Straße", "strasse", ["Straße"]),
        ("İstanbul", "istanbul", ["İstanbul"]),
        ("שָׁלוֹם עולם", "שלום", ["שָׁלוֹם"]),
        ("كِتَابٌ", "كتاب", ["كِتَابٌ"]),
        ("हिन्दी भाषा", "हिन्दी", ["हिन्दी"]),
        ("dra\u200bgon", "dragon", ["dra\u200bgon"]),
        ("the dragon", "the of", ["the"]),
    ],
)
def test_every_form_of_the_words_is_marked(text: str, query: str, expected: list[str]) -> None:
    assert marked(text, query) == expected


def test_an_open_last_word_marks_what_begins_with_it() -> None:
    assert marked("Elarindë, elf, Thelar", "ela", is_open=True) == ["Elarindë"]
    assert marked("Elarindë", "ela") == []


def test_an_empty_query_marks_nothing() -> None:
    assert match_spans("anything at all", KeywordQuery(())) == ()
