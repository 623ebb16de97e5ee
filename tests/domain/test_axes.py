from __future__ import annotations

import pytest

from inklings_desktop.domain.world.axes import AxisSource, AxisValue, axes_of, is_below, marks_of
from inklings_desktop.domain.world.pages import FolderRules

PLAIN = FolderRules()
PATH = "People/Nerys.md"


def test_a_page_that_says_nothing_has_the_defaults() -> None:
    axes = axes_of({}, (), (), PLAIN, path=PATH)
    every = (axes.origin, axes.lifecycle, axes.weight, axes.standing)
    assert [one.value for one in every] == ["author", "draft", "normal", "settled"]
    assert {one.source for one in every} == {AxisSource.DEFAULT}


def test_a_key_tells_where_it_is() -> None:
    axes = axes_of({"Status": "Canon"}, (), (), PLAIN, path=PATH, front_lines={"Status": 4})
    assert axes.lifecycle == AxisValue("canon", AxisSource.KEY, "Status", "Canon", 4, PATH)


@pytest.mark.parametrize(
    ("front", "value", "name"),
    [
        ({"state": "idea", "status": "canon"}, "canon", "status"),
        ({"lifecycle": "retired", "status": "canon"}, "retired", "lifecycle"),
        ({"status": "", "state": "idea"}, "idea", "state"),
        ({"status": ["canon", "draft"]}, "canon", "status"),
        ({"status": "Half done"}, "Half done", "status"),
        ({"status": "WIP"}, "draft", "status"),
        ({"status": {"is": "canon"}}, "draft", ""),
        ({"status": 3}, "3", "status"),
    ],
)
def test_the_first_key_that_says_something_counts(
    front: dict[str, object], value: str, name: str
) -> None:
    rules = FolderRules(axes={"lifecycle": {"wip": "draft"}})
    found = axes_of(front, (), (), rules).lifecycle
    assert (found.value, found.name) == (value, name)


def test_a_rule_of_the_folder_counts_where_the_page_says_nothing() -> None:
    rules = FolderRules(folders={"Archive/**": {"lifecycle": "retired"}, "**": {"weight": "minor"}})
    old = axes_of({}, (), (), rules, path="Archive/Old/King.md")
    assert old.lifecycle.value == "retired"
    assert (old.lifecycle.source, old.lifecycle.name) == (AxisSource.RULE, "Archive/**")
    assert old.weight.value == "minor"
    assert axes_of({}, (), (), rules, path=PATH).lifecycle.source is AxisSource.DEFAULT
    said = axes_of({"status": "canon"}, (), (), rules, path="Archive/King.md")
    assert said.lifecycle.value == "canon"


def test_tags_say_something_too() -> None:
    axes = axes_of({}, ("Core", "todo"), (), PLAIN)
    assert axes.weight == AxisValue("core", AxisSource.TAG, "Core", "Core")
    assert (axes.standing.value, axes.standing.source) == ("open", AxisSource.TAG)


def test_a_question_in_the_block_opens_what_the_page_settles() -> None:
    marks = marks_of("> [!Question]- Who betrayed her?\n> Nobody says. #todo")
    assert marks == ("!question", "#todo")
    standing = axes_of({"standing": "settled"}, (), marks, PLAIN).standing
    assert standing == AxisValue("open", AxisSource.CALLOUT, "question", "question")
    assert marks_of("A price of &#39; and C# and #12") == ()


@pytest.mark.parametrize(
    ("path", "pattern", "is_meant"),
    [
        ("Archive/a.md", "archive/**", True),
        ("Old/Archive/a.md", "Archive/**", False),
        ("Old/Archive/a.md", "**/Archive/**", True),
        ("Archive/b/a.md", "Archive/*", True),
        ("Archive/b/a.md", "**/Archive/**", True),
        ("Archive/a.md", "/Archive/*.md", True),
        ("notes.md", "note?.md", True),
        ("a+b.md", "a+b.md", True),
    ],
)
def test_patterns_name_paths(path: str, pattern: str, *, is_meant: bool) -> None:
    assert is_below(path, pattern) is is_meant
