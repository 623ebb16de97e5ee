"""Sentences that a person meets are plain English: none has a word of the list beside this file."""

from __future__ import annotations

import ast
import re
import runpy
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.processes import REPOSITORY

TOOL = runpy.run_path(str(REPOSITORY / "packaging" / "catalogues.py"))
LIST = tomllib.loads(Path(__file__).with_name("plain_words.toml").read_text(encoding="utf-8"))
FORBIDDEN = {
    re.compile(pattern, re.IGNORECASE): hint for pattern, hint in LIST["forbidden"].items()
}
DOORS = ("cli", "mcp_server", "agent_client", "agent", "acp_wire")
PAGES = ("README.md", "CHANGELOG.md", "SECURITY.md", "docs/install.md", "docs/index.md")
MAX_README_WORDS = 1_200
MAX_CHANGELOG_LINES = 60


def window() -> Iterator[str]:
    """Every sentence of the window."""
    for message in TOOL["sentences"](TOOL["words_of_the_window"]()):
        yield from [message.id] if isinstance(message.id, str) else message.id


def doors() -> Iterator[str]:
    """Every text with a blank in the code of the other doors, but for docstrings."""
    for door in DOORS:
        for path in sorted((REPOSITORY / "inklings_desktop" / door).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            yield from (
                node.value
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant)
                and id(node) not in silent
                and isinstance(node.value, str)
                and " " in node.value
            )


def agent() -> Iterator[str]:
    """What the agent says without a model."""
    path = REPOSITORY / "resources" / "mechanical" / "en.toml"
    spoken = tomllib.loads(path.read_text(encoding="utf-8"))
    for table in ("words", "ages", "titles", "say", "door"):
        yield from (one for one in spoken[table].values() if isinstance(one, str))


def pages() -> Iterator[str]:
    """The lines of the pages that a newcomer reads."""
    for page in PAGES:
        yield from (REPOSITORY / page).read_text(encoding="utf-8").splitlines()


def stumbles(text: str) -> list[str]:
    """Why a sentence is not plain."""
    if text in LIST["allowed"]:
        return []
    return [hint for pattern, hint in FORBIDDEN.items() if pattern.search(text)]


@pytest.mark.parametrize("door", [window, doors, agent, pages])
def test_every_sentence_is_plain(door: Callable[[], Iterator[str]]) -> None:
    said = list(door())
    assert len(said) > 20
    assert {text: why for text in said if (why := stumbles(text))} == {}


def test_every_exception_is_still_said() -> None:
    said = {*window(), *doors(), *agent(), *pages()}
    assert set(LIST["allowed"]) <= said


@pytest.mark.parametrize(
    "text", ["It stands above.", "Go on", "Taken back: 3 memories", "3 memories of yours"]
)
def test_what_is_not_plain_is_noticed(text: str) -> None:
    assert stumbles(text)


def test_a_newcomer_is_not_told_everything_at_once() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert len(readme.split()) <= MAX_README_WORDS
    changelog = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    assert len(changelog.splitlines()) <= MAX_CHANGELOG_LINES
