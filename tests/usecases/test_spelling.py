"""How a text is spelt, in the language that knows most of its words."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial

import pytest

from inklings_desktop.domain.access.access import Caller, Door
from inklings_desktop.domain.errors import ScopeDeniedError
from tests.support.asking import asked_by
from tests.support.builders import an_agent

ME = Caller.person("author", Door.WINDOW)
WORDS = {
    "en_US": {"the", "gulls", "keep", "accounts", "of", "tide", "and", "salt"},
    "de_DE": {"die", "Möwen", "führen", "Buch", "über", "Ebbe", "und", "Salz"},
}


class Shelf:
    """Two dictionaries, and a note of which were opened."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    def languages(self) -> tuple[str, ...]:
        return tuple(WORDS)

    def known(self, language: str, words: Collection[str]) -> frozenset[str]:
        self.opened.append(language)
        return frozenset(one for one in words if {one, one.lower()} & WORDS[language])

    def suggestions(self, language: str, word: str) -> tuple[str, ...]:
        return tuple(one for one in sorted(WORDS[language]) if one[0] == word[0])


class Own:
    """Words of the author."""

    def __init__(self) -> None:
        self.words: set[str] = set()

    def read(self) -> frozenset[str]:
        return frozenset(self.words)

    def add(self, word: str) -> None:
        self.words.add(word)


def misspelt(text: str, *prefers: str, own: Own | None = None) -> tuple[str, list[str]]:
    checked = asked_by(ME, speller=Shelf(), own_words=own or Own()).spelling.check(text, prefers)
    for word in checked.misspelt:
        assert text[word.start : word.start + len(word.text)] == word.text
    return checked.language, [one.text for one in checked.misspelt]


def test_the_language_is_that_of_the_text() -> None:
    assert misspelt("The gulls keep accounts of tyde and salt.") == ("en_US", ["tyde"])
    assert misspelt("Die Möwen führen Buch über Epbe und Salz.") == ("de_DE", ["Epbe"])
    assert misspelt("Die Möwen führen Buch über Epbe.", "en_US") == ("de_DE", ["Epbe"])


def test_the_preferred_language_is_opened_alone_where_it_fits() -> None:
    shelf = Shelf()
    asked_by(ME, speller=shelf, own_words=Own()).spelling.check("die Möwen und Salz", ("de-AT",))
    assert set(shelf.opened) == {"de_DE"}


def test_a_text_of_no_language_is_left_alone() -> None:
    assert misspelt("Nerys Vael tor kesh.") == ("", [])
    assert misspelt("") == ("", [])
    assert misspelt("`code` 12 https://x.example") == ("", [])


def test_own_words_are_right_wherever_they_stand() -> None:
    own = Own()
    text = "The gulls of Nerys keep accounts."
    assert misspelt(text, own=own)[1] == ["Nerys"]
    asked_by(ME, own_words=own).spelling.learn("Nerys")
    assert misspelt(text, own=own)[1] == []


def test_what_is_no_prose_is_not_looked_at() -> None:
    text = (
        "The gulls keep [accounts](wrng.htm) of `cde` and ``b`c`` salt, NASA, iPhone.\n"
        "```\nwrong wrods\n```\nThe tide #tagg @nam me@home.example 3rd <wrod> the end_of a.b x."
    )
    assert misspelt(text) == ("en_US", [])
    assert misspelt("The gulls keep accounts ```") == ("en_US", [])


def test_a_mark_of_emphasis_is_no_part_of_a_word() -> None:
    assert misspelt("The **gulls** _keep_ *acounts* of tide.")[1] == ["acounts"]


def test_an_agent_has_nothing_spelt() -> None:
    spelling = asked_by(an_agent("quill"), speller=Shelf(), own_words=Own()).spelling
    for refused in (
        partial(spelling.check, "x"),
        partial(spelling.suggest, "x", "en_US"),
        partial(spelling.learn, "x"),
    ):
        with pytest.raises(ScopeDeniedError):
            refused()


def test_a_long_text_is_checked_in_a_blink_apart_from_the_dictionary() -> None:
    text = "The gulls keep accounts of tide and salt. " * 2_000
    assert misspelt(text) == ("en_US", [])
    assert re.search("salt", text)
