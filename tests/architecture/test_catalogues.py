"""Every sentence of the window is in the catalogue of every language, and said right."""

from __future__ import annotations

import ast
import runpy
from collections.abc import Iterator
from gettext import GNUTranslations
from typing import Any

import pytest
from babel.messages.catalog import Catalog

from inklings_desktop.settings import SETTINGS, OneOf
from inklings_desktop.ui.kit.look.translation import ENGLISH, LANGUAGE_NAMES, catalogue_of
from tests.support.processes import REPOSITORY

TOOL = runpy.run_path(str(REPOSITORY / "packaging" / "catalogues.py"))
WINDOW = REPOSITORY / "inklings_desktop" / "ui"
OTHERS = sorted(LANGUAGE_NAMES.keys() - {ENGLISH})
N_WORDS = {"tr": slice(0, None), "counted": slice(1, None), "tr_as": slice(0, None)}
"""Which arguments of the functions are words."""


def ids(catalogue: Catalog) -> set[tuple[object, str | None]]:
    return {(one.id, one.context) for one in TOOL["sentences"](catalogue)}


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in N_WORDS:
            yield node


def is_literal(word: ast.expr) -> bool:
    return isinstance(word, ast.Constant) and isinstance(word.value, str)


def unknown_words(tree: ast.AST) -> list[int]:
    """Lines on which words that no catalogue can know are given to be translated."""
    wrong = [
        call.lineno
        for call in calls(tree)
        if not all(is_literal(word) for word in call.args[N_WORDS[ast.unparse(call.func)]])
    ]
    # Qt has a way of its own, with other catalogues.
    wrong += [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in {"tr", "translate"}
        and not _is_text(node)
    ]
    return wrong


def _is_text(node: ast.Attribute) -> bool:
    """Whether it is what texts and painters call ``translate``."""
    return node.attr == "translate" and not ast.unparse(node.value).endswith("Application")


def test_the_settings_know_the_languages_of_the_window() -> None:
    known = SETTINGS["appearance.language"]
    assert isinstance(known, OneOf)
    assert {"system", *LANGUAGE_NAMES} == set(known.words)
    assert set(TOOL["LANGUAGES"]) == set(OTHERS)


def test_every_word_is_given_where_the_catalogue_finds_it() -> None:
    wrong = [
        f"{path.relative_to(WINDOW)}:{line}"
        for path in sorted(WINDOW.rglob("*.py"))
        for line in unknown_words(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "code",
    ['tr(f"{n} hits")', "tr(name)", 'counted(n, one, "{n} hits")', 'self.tr("Save")'],
)
def test_a_word_that_no_catalogue_can_know_is_found(code: str) -> None:
    assert unknown_words(ast.parse(code)) == [1]


def test_every_sentence_is_translated_and_no_other_is() -> None:
    words = ids(TOOL["words_of_the_window"]())
    for code in OTHERS:
        catalogue = TOOL["read"](code)
        assert words - ids(catalogue) == set(), f"{code}: run python packaging/catalogues.py"
        assert ids(catalogue) - words == set(), f"{code}: run python packaging/catalogues.py"
        assert TOOL["faults"](catalogue) == [], code


@pytest.mark.parametrize("code", OTHERS)
def test_the_program_reads_what_was_translated(code: str) -> None:
    compiled: GNUTranslations = catalogue_of(code)
    for one in TOOL["sentences"](TOOL["read"](code)):
        if isinstance(one.id, str):
            told = compiled.pgettext(one.context, one.id) if one.context else None
            assert (told or compiled.gettext(one.id)) == one.string
        else:
            single, plural = one.id
            told_of = (compiled.ngettext(single, plural, n) for n in (1, 5))
            assert tuple(told_of) == one.string


@pytest.mark.parametrize(
    ("english", "here", "fault"),
    [
        ("Save", "", "not translated"),
        ("Open {name}", "Oeffnen", "other placeholders"),
        (" and ", "und", "blanks at an end"),
        ("One\nTwo", "Eins zwei", "other lines"),
        (("1 hit", "{n} hits"), ("{n} Treffer", ""), "not translated"),
        (("1 hit", "{n} hits"), ("1 Treffer", "Treffer"), "other placeholders"),
    ],
)
def test_what_would_be_said_wrong_is_named(english: Any, here: Any, fault: str) -> None:
    catalogue = Catalog(locale="de")
    catalogue.add(english, here)
    (said,) = TOOL["faults"](catalogue)
    assert said.startswith(fault)


def test_a_number_may_be_told_where_english_says_one() -> None:
    catalogue = Catalog(locale="fr")
    catalogue.add(("1 memory", "{n} memories"), ("{n} souvenir", "{n} souvenirs"))
    assert TOOL["faults"](catalogue) == []
