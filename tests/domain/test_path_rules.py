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


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("", "empty"),
        ("/etc/page.md", "outside"),
        ("../page.md", "outside"),
        ("a/../../b.md", "outside"),
        ("a//b.md", "outside"),
        ("./a.md", "outside"),
        ("C:/a.md", "characters"),
        ("a\\b.md", "characters"),
        ("a?.md", "characters"),
        ("a\0.md", "characters"),
        ("a\n.md", "characters"),
        ("a\u202etxt.md", "characters"),
        ("a\u200b.md", "characters"),
        ("a\u2215b.md", "characters"),
        ("a\uff0fb.md", "characters"),
        ("a\ud800.md", "characters"),
        (".obsidian/a.md", "hidden"),
        ("a/.b.md", "hidden"),
        (" a.md", "ends"),
        ("a /b.md", "ends"),
        ("a./b.md", "ends"),
        ("CON.md", "reserved"),
        ("a/lpt1.old.md", "reserved"),
        ("com\u00b9.md", "reserved"),
        ("x" * 118 + ".md", "too_long"),
        ("a/" * 300 + "b.md", "too_long"),
        ("page.exe", "suffix"),
        ("page", "suffix"),
    ],
)
def test_refused_names_say_why(path: str, rule: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        checked_new_path(path)
    assert (caught.value.field, caught.value.rule) == ("path", rule)


def test_names_that_only_begin_like_a_device_are_free() -> None:
    for path in ("Conrad.md", "Nul and Void.md", "com10.md", "aux-notes.md"):
        assert checked_new_path(path) == path


def test_paths_are_one_in_any_case_and_form() -> None:
    assert path_key("Stra\u00dfe/\u00c9pee.md") == path_key("STRASSE/e\u0301PEE.md")
    assert path_key("a/b.md") != path_key("a/c.md")


@pytest.mark.parametrize(
    ("name", "is_copy"),
    [
        ("Nerys (conflicted copy 2026-01-02 101500).md", True),
        ("Nerys (Ann's conflicted copy 2026-01-02).md", True),
        ("Nerys (Case Conflict 1).md", True),
        ("Nerys.sync-conflict-20260102-101500-ABCDEFG.md", True),
        ("Nerys_conflict-20260102-101500.md", True),
        ("Nerys.conflict-2026.md", True),
        ("Conflict.md", False),
        ("The conflicted copyist.md", False),
        ("(conflicted copy)/Nerys.md", False),
        ("Nerys (2).md", False),
    ],
)
def test_copies_of_a_sync_program_are_told_by_name(name: str, is_copy: bool) -> None:  # noqa: FBT001
    assert is_conflict_copy(f"People/{name}") is is_copy


def test_a_page_is_called_by_its_name() -> None:
    assert title_of_name("People/Nerys v. Vale.md") == "Nerys v. Vale"
    assert title_of_name("People/README") == "README"
