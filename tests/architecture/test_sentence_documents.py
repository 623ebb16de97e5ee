"""The pages that follow a source sentence by sentence have its headings, and name real tests."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

import pytest

from tests.architecture.contract_report import REPOSITORY

HEADINGS = {
    "facts-and-rules": (
        "What is memory?",
        "Embeddings and search",
        "Policies",
        "Domains",
        "Access control",
        "Working memory",
        "Memory in the dispatch flow",
        "Related concepts",
    ),
    "the-team": (
        "Overview",
        "Overview Diagram",
        "Process Model: The Team Metaphor",
        "Orchestrator",
        "Researcher",
        "Worker",
        "Skill Composer",
        "Context Pipeline (Infrastructure)",
        "Multi-Provider Routing",
        "Memory Architecture",
        "Storage Architecture",
        "Session Continuity",
        "1. Context Externalization (Primary)",
        "2. Session Orientation Document (Secondary)",
        "3. Session Serialization (Suspend/Resume)",
        "Consolidation",
        "Runtime: CPython in Wasmtime",
        "Consumer API",
        "When RLM Activates",
        "Skill System",
        "Key Concepts",
        "Storage Model",
        "Related Documents",
    ),
}
"""Of each page, the headings of its source."""
ROWS = {
    page: [
        line.strip("| ").split(" | ")
        for line in (REPOSITORY / "docs" / f"{page}.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| ") and not line.startswith(("| heading ", "| promise "))
    ]
    for page in HEADINGS
}
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


@pytest.mark.parametrize("page", HEADINGS)
def test_every_heading_has_its_sentences_in_order(page: str) -> None:
    headings = [row[0] for row in ROWS[page] if len(row) == len(("heading", "sentence", "tests"))]
    assert tuple(dict.fromkeys(headings)) == HEADINGS[page]


@pytest.mark.parametrize(
    "row", [one for rows in ROWS.values() for one in rows], ids=lambda row: row[-2][:60]
)
def test_every_sentence_names_tests_that_exist(row: list[str]) -> None:
    named = NAMED.findall(row[-1])
    assert named
    assert NAMED.sub("", row[-1]).strip(", ") == ""
    for path, name in named:
        assert name.startswith("test_")
        assert name in played_in(path), (path, name)
