"""The page about the audit of memory asks every question and names tests that exist."""

from __future__ import annotations

import ast
import re

from tests.architecture.contract_report import REPOSITORY

PAGE = (REPOSITORY / "docs" / "how-memory-is-audited.md").read_text(encoding="utf-8")
AXES, FAILURES, QUESTIONS = 9, 10, 7


def part(heading: str) -> str:
    return PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]


def numbers(heading: str) -> list[int]:
    return [int(n) for n in re.findall(r"^\*\*(\d+)\. .+?\*\* ?", part(heading), re.MULTILINE)]


def test_every_axis_and_every_question_has_an_answer() -> None:
    assert numbers("Nine axes") == list(range(1, AXES + 1))
    assert numbers("Seven questions") == list(range(1, QUESTIONS + 1))


def test_every_failure_names_a_test_that_plays_it() -> None:
    rows = re.findall(r"^\| [A-Z].+$", part("Ten failures"), re.MULTILINE)
    assert len(rows) == FAILURES
    source = REPOSITORY / "tests" / "end2end" / "test_failure_modes.py"
    tree = ast.parse(source.read_text(encoding="utf-8"))
    played = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for row in rows:
        named = re.findall(r"`test_failure_modes\.py::(\w+)`", row)
        assert named, row
        assert set(named) <= played, row
