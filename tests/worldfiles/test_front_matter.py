from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import pytest

from inklings_desktop.domain.world.pages import BlockKind
from inklings_desktop.worldfiles.front_matter import front_matter_of, words_of
from tests.support.world_folders import WorldOnDisk


def front(*lines: str) -> Any:
    return front_matter_of(["---", *lines, "---", "text"])


def test_values_as_they_are_written() -> None:
    found = front(
        *("status: Canon", "born: 0312-04-01", "hour: 12:30", "country: NO", "alive: true"),
        *("age: 42", "handle: 007", "height: 1.5", 'quoted: "12"', "nothing:"),
        *("kin: [Theon, {of: Vale}]", "tale: |", "  two", "  lines"),
    )
    texts = {"status": "Canon", "born": "0312-04-01", "hour": "12:30", "country": "NO"}
    texts |= {"handle": "007", "quoted": "12", "tale": "two\nlines"}
    others = {"alive": True, "age": 42, "height": 1.5, "nothing": None}
    assert found.values == texts | others | {"kin": ["Theon", {"of": "Vale"}]}
    assert (found.problem, found.n_lines) == (None, 16)
    assert (found.lines["status"], found.lines["kin"]) == (2, 12)


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert front_matter_of(["---", "text"]).n_lines == 0
    assert front_matter_of(["text", "---", "a: b", "---"]).n_lines == 0
    assert front_matter_of([""]).n_lines == 0


def test_empty_front_matter_is_understood() -> None:
    for lines in ([], [""], ["# remark"], ["~"]):
        found = front(*lines)
        assert (found.values, found.problem) == ({}, None)


REFUSED = [
    ("a: b\nc: &name [x]\nd: *name", 3),
    ("a: *name", 2),
    ("a: !!python/object:os.system x", 2),
    ("a: 1\nb: !secret x", 3),
    ("- one\n- two", 2),
    ("just words", 2),
    ("a: b\nc: [x", 4),
    ("a: b\n\tc: d", 3),
    ("? [a, b]\n: c", 2),
    ("a: " + "[" * 9 + "]" * 9, 2),
    ("a: \x07", 2),
    ("a: " + "x" * 16 * 1024, 1),
]


@pytest.mark.parametrize(("text", "problem"), REFUSED)
def test_what_is_refused_tells_its_line(text: str, problem: int) -> None:
    found = front(*text.split("\n"))
    assert (found.values, found.lines, found.problem) == ({}, {}, problem)


def test_bombs_are_refused_before_they_are_built() -> None:
    laughs = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for before, name in pairwise("abcdefghi"):
        laughs.append(f"{name}: &{name} [" + ", ".join([f"*{before}"] * 9) + "]")
    for bomb in (laughs, ["a: " + "[" * 16_000], ["a: " + "{a: " * 3_900], ["? " * 8_000]):
        begin = time.process_time()
        assert front(*bomb).problem is not None
        assert time.process_time() - begin < 2


def test_words_of_a_key_in_any_case() -> None:
    assert words_of({"Tags": "a, b ,"}, "tags", "tag") == ("a", "b")
    assert words_of({"aliases": ["Ner", None, 7]}, "aliases") == ("Ner", "7")
    assert words_of({"tag": {"no": "list"}}, "tags", "tag") == ()


def test_page_keeps_the_words_of_its_front_matter(world: WorldOnDisk) -> None:
    page = world.page_of("---\ntitle: Nerys, the Grey\neyes: *grey\n---\n\n# Other\n\ntext\n")
    assert page.front_problem == 3
    assert page.title == "Other"
    [block, *_] = page.blocks
    assert (block.kind, block.first_line, block.last_line) == (BlockKind.FRONT, 2, 3)
    assert block.text == "title: Nerys, the Grey\neyes: *grey"
    page = world.page_of("---\ntitle: Nerys, the Grey\n---\n# Other\n")
    assert page.title == "Nerys, the Grey"
