"""Dictionaries of the system, each read when it is asked for; a broken one only knows nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.spelling.hunspell_speller import HunspellSpeller


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tl_TL.aff").write_text("SET UTF-8\nTRY gulstide\n", encoding="utf-8")
    (tmp_path / "tl_TL.dic").write_text("4\ngull\ntide\nflüstern\ndon't\n", encoding="utf-8")
    (tmp_path / "no_aff.dic").write_text("1\nlost\n", encoding="utf-8")
    (tmp_path / "tl_AA.aff").symlink_to("tl_TL.aff")
    (tmp_path / "tl_AA.dic").symlink_to("tl_TL.dic")
    return tmp_path


def test_each_dictionary_has_one_name(folder: Path) -> None:
    assert HunspellSpeller([folder]).languages() == ("tl_TL",)


def test_words_are_known_and_others_are_suggested(folder: Path) -> None:
    speller = HunspellSpeller([folder])
    asked = {"gull", "gul", "flüstern", "don\u2019t", "x" * 200}
    assert speller.known("tl_TL", asked) == asked - {"gul"}
    assert "gull" in speller.suggestions("tl_TL", "gul")
    assert speller.suggestions("tl_TL", "x" * 200) == ()


def test_what_an_alphabet_lacks_is_not_judged() -> None:
    speller = HunspellSpeller()  # with the dictionary that comes with the library
    assert "en_US" in speller.languages()
    asked = {"潮", "a\u0301", "harbor", "harrbor"}
    assert speller.known("en_US", asked) == asked - {"harrbor"}
    assert speller.suggestions("en_US", "潮") == ()


def test_without_a_dictionary_everything_is_right(tmp_path: Path) -> None:
    speller = HunspellSpeller([tmp_path])
    assert speller.languages() == ()
    assert speller.known("de_DE", {"Wrot"}) == {"Wrot"}
    assert speller.suggestions("de_DE", "Wrot") == ()
