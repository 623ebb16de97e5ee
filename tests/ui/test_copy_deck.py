"""The copy deck: every sentence of the design that a person meets, as the program says it.

The sentences are written out here as the design has them; ``{…}`` stands for what is filled in.
Where the design lets a title stand in bold with a full stop, the program's large titles have none.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import inklings_desktop
from inklings_desktop.ui.memory.acts.table import ACTS, MemoryAct

TIER_LINES = (
    "Nothing fades here until the conversation closes.",
    "Stays findable; unused memories rank lower.",
)
EMPTY = (
    "Nothing is remembered here yet",
    ("{name} is new. Tell the agent what to remember, or write the first memory yourself."),
    "Your {n} account memories already apply.",
    "Write a memory",
    "Import",
    "Open the sample world",
    "This conversation has not kept anything",
    "Working memory appears here while the agent works.",
    "Nothing shared in #{name} yet",
    "Memories land here when they matter to more than one conversation.",
    "Nothing is known about you",
    ("Your own preferences belong here and apply in every world. Facts about a world don\u2019t."),
    "Nothing matches \u201c{text}\u201d",
    "Try fewer words, or search by meaning.",
    "Only these exact words were looked for.",
    "Clear filters",
    "The agent has no notes open",
    "No events like that",
    "Try more dates or types.",
    "Write how this world should sound. The agent reads it at every turn.",
)
CONFIRMATIONS = (
    "Forget {n} memories?",
    "Forget {count}",
    "Keep them",
    "Delete {name}?",
    "Delete entry",
    "Keep it",
    "Save your changes to this memory?",
    "Save",
    "Discard",
    "Stay",
    "{n} entries would be removed, {kept}",
    "Nothing here to remove",
    "Remove {n} entries for good?",
    "{n} entries removed, {kept}",
)
STATES = (
    "Searching by words only.",
    ("No search model is installed, so memories in other words are missed."),
    "Set up a model\u2026",
    "The search model did not load.",
    "Try again",
    "This database is from a newer Inklings",
    (
        "It was last written with schema {found}. This version understands schema {supported} and "
        "earlier. Nothing has been opened for writing, and nothing has been changed."
    ),
    "Choose another folder\u2026",
    "Copy details",
    "There is no \u201copen anyway\u201d. An older program cannot know what a newer one meant.",
    "Read-only: the disk cannot be written to.",
    "You can read, search and export to another place. Editing is off until the disk is writable.",
    "Export to\u2026",
    "Not saved: the disk is full.",
    "Your text is still in the editor.",
    "Copy text",
    "Part of the database could not be read.",
    "Nothing has been repaired yet. The last good copy is from {date}.",
    "Open the copy",
    "Export what can be read",
    "Another window is using this workspace.",
    "Preparing for search stopped after {progress}. It will try again in 30 minutes.",
    "Stopped. What was finished stays.",
    "This file is not an Inklings export",
    "This export uses schema version {found}; this version reads {supported}.",
    "Importance runs from 0 to 1.",
    "A memory needs at least one word.",
)
FRAMING = (
    "You have noted:",
    "A prior preference recorded as:",
    "Based on an earlier entry:",
    "Decided earlier in this conversation:",
    "A working guess, not settled:",
)
CONFLICT = (
    "The agent changed this while you were editing.",
    "Compare",
    "Keep mine",
    "Take theirs",
)
DECK = TIER_LINES + EMPTY + CONFIRMATIONS + STATES + FRAMING + CONFLICT


@pytest.fixture(scope="module")
def said() -> frozenset[str]:
    """Every text in the program's own source, docstrings left out."""
    package = Path(inklings_desktop.__file__).parent
    found: set[str] = set()
    for path in package.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        found |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docstrings
        }
    return frozenset(found)


@pytest.mark.parametrize("sentence", DECK)
def test_the_program_says_it_in_these_words(sentence: str, said: frozenset[str]) -> None:
    assert sentence in said


@pytest.mark.parametrize(("count", "sentence"), [(1, "1 memory"), (2, "2 memories")])
def test_forgetting_is_told_with_its_number(count: int, sentence: str) -> None:
    assert ACTS[MemoryAct.FORGET].said(count, None) == f"Forgot {sentence}"


def test_a_sentence_that_nobody_says_is_noticed(said: frozenset[str]) -> None:
    assert "Nothing fades here until the conversation closes!" not in said


def test_no_sentence_shouts(said: frozenset[str]) -> None:
    """No exclamation marks: the voice of the product is calm."""
    shouted = [one for one in said if " " in one and one.rstrip("\u201d\"')").endswith("!")]
    assert shouted == []


def test_apostrophes_are_set_as_a_book_sets_them() -> None:
    """In what goes through translation: elsewhere they are the quotes of SQL."""
    translated = [
        one.value
        for path in Path(inklings_desktop.__file__).parent.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and _called(call) in {"tr", "_tr"}
        for one in ast.walk(call)
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    ]
    assert len(translated) > 500
    assert sorted({one for one in translated if re.search(r"\w'(\w|\s)", one)}) == []


def _called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
