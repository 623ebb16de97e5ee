"""The page about facts and rules has every heading of its source, and names tests that exist."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

import pytest

from tests.architecture.contract_report import REPOSITORY

PAGE = (REPOSITORY / "docs" / "facts-and-rules.md").read_text(encoding="utf-8")
HEADINGS = (
    "What is memory?",
    "Embeddings and search",
    "Policies",
    "Domains",
    "Access control",
    "Working memory",
    "Memory in the dispatch flow",
    "Related concepts",
)
ROWS = [
    line.strip("| ").split(" | ")
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith(("| heading ", "| promise "))
]
NAMED = re.compile(r"`([a-z0-9_/]+\.py)::(\w+)`")


@lru_cache
def played_in(path: str) -> frozenset[str]:
    """The tests of a module, those that it takes over from another one included."""
    tree = ast.parse((REPOSITORY / "tests" / path).read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    own = frozenset(node.name for node in tree.body if isinstance(node, functions))
    if path == "contracts/test_fact_is_a_memory.py":
        return own | played_in("contracts/test_memory_repository_contract.py")
    return own


def test_every_heading_has_its_sentences_in_order() -> None:
    headings = [row[0] for row in ROWS if len(row) == len(("heading", "sentence", "tests"))]
    assert tuple(dict.fromkeys(headings)) == HEADINGS


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[-2][:60])
def test_every_sentence_names_tests_that_exist(row: list[str]) -> None:
    named = NAMED.findall(row[-1])
    assert named
    assert NAMED.sub("", row[-1]).strip(", ") == ""
    for path, name in named:
        assert name.startswith("test_")
        assert name in played_in(path), (path, name)
