from __future__ import annotations

import unicodedata

import pytest

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.world.path_rules import (
    checked_new_path,
    is_conflict_copy,
    path_key,
    title_of_name,
)


@pytest.mark.parametrize(
    "path",
    ["Nerys.md", "People/Nerys of the Vale.md", "影の国.txt", "Ülf & co (2).markdown", "a.b.MD"],
)
def test_names_of_any_script(path: str) -> None:
    assert checked_new_path(path) == path
    assert checked_new_path(unicodedata.normalize("NFD", path)) == path


def test_joiners_belong_to_the_spelling() -> None:
    assert checked_new_path("\u0645\u06cc\u200c\u0646.md") == "\u0645\u06cc\u200c\u0646.md"


REFUSED = {
    "empty": [""],
    "outside": ["/etc/page.md", "../page.md", "a/../../b.md", "a//b.md", "./a.md"],
    "characters": [
        *("C:/a.md", "a\\b.md", "a?.md", "a\0.md", "a\n.md", "a\u202etxt.md", "a\u200b.md"),
        *("a\u2215b.md", "a\uff0fb.md", "a\ud800.md"),
    ],
    "hidden": [".obsidian/a.md", "a/.b.md"],
    "ends": [" a.md", "a /b.md", "a./b.md"],
    "reserved": ["CON.md", "a/lpt1.old.md", "com\u00b9.md"],
    "too_long": ["x" * 118 + ".md", "a/" * 300 + "b.md"],
    "suffix": ["page.exe", "page"],
}


@pytest.mark.parametrize("rule", REFUSED)
def test_refused_names_say_why(rule: str) -> None:
    for path in REFUSED[rule]:
        with pytest.raises(InvalidValueError) as caught:
            checked_new_path(path)
        assert (path, caught.value.field, caught.value.rule) == (path, "path", rule)


def test_names_that_only_begin_like_a_device_are_free() -> None:
    for path in ("Conrad.md", "Nul and Void.md", "com10.md", "aux-notes.md"):
        assert checked_new_path(path) == path


def test_paths_are_one_in_any_case_and_form() -> None:
    assert path_key("Stra\u00dfe/\u00c9pee.md") == path_key("STRASSE/e\u0301PEE.md")
    assert path_key("a/b.md") != path_key("a/c.md")


def test_copies_of_a_sync_program_are_told_by_name() -> None:
    copies = ["Nerys (conflicted copy 2026-01-02 101500).md", "Nerys (Case Conflict 1).md"]
    copies += ["Nerys (Ann's conflicted copy 2026-01-02).md", "Nerys.conflict-2026.md"]
    copies += ["Nerys.sync-conflict-20260102-101500-ABC.md", "Nerys_conflict-20260102-101500.md"]
    assert all(is_conflict_copy(f"People/{name}") for name in copies)
    pages = [
        "Conflict.md",
        "The conflicted copyist.md",
        "(conflicted copy)/Nerys.md",
        "Nerys (2).md",
    ]
    assert not any(is_conflict_copy(f"People/{name}") for name in pages)


def test_a_page_is_called_by_its_name() -> None:
    assert title_of_name("People/Nerys v. Vale.md") == "Nerys v. Vale"
    assert title_of_name("People/README") == "README"
