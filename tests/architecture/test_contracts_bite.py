from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.architecture.contract_report import REPOSITORY, check_contracts, contract_names

LAYERS = "Imports point inwards; adapters never meet"
UI_LAYERS = "Inside ui: a page never imports another page"
NO_USE_CASE_IN_KIT = "What pages share never calls a use case"
PURE_CORE = "The core knows no framework"
SQL = "Only storage speaks SQL"
QT = "Only ui and the scheduler's runner know Qt"
QASYNC = "qasync stays in two modules"
MODELS = "Only embeddings runs models"
SPELLING = "Only spelling looks words up"
PAGE_FILES = "Only worldfiles reads the author's pages"
PAGES = "Only the rules of the pages compare sequences of words"
PROTOCOL = "Only mcp_server and the agent's memory door speak the memory protocol"
MODELS_OF_A_PROTOCOL = "Only what speaks a protocol knows its models"
AGENT = "The agent knows no use case, no database and not its own client"
AGENT_LAYERS = "Inside agent: its doors stand around the turn, the turn around its rules"
AGENT_LIBRARIES = "Only the agent's doors and graph know its libraries"
PROVIDERS = "Only the agent's providers call a model elsewhere, and keep its key"
SANDBOX = "Only the agent's scripts run a sandbox"
NO_LIBRARY = "What speaks to agents and of them needs no library"
NUMPY = "numpy is the language of vectors"
APART = "A search of memories never opens the index of the pages"
NO_SECOND_SEARCH = "What is settled is found by the search of memories"
CYCLES = "No import cycles"


@dataclass(frozen=True)
class Violation:
    """One line at the end of one module, and the contracts it breaks in any case."""

    module: str
    line: str
    breaks: frozenset[str]


def violation(module: str, line: str, *breaks: str) -> Violation:
    return Violation(module, line, frozenset(breaks))


VIOLATIONS = [
    violation("domain/planted.py", "import inklings_desktop.settings", LAYERS),
    violation("domain/planted.py", "import inklings_desktop.usecases.ports.store", LAYERS),
    violation("domain/planted.py", "import PySide6.QtCore", PURE_CORE, QT),
    violation("usecases/planted.py", "import inklings_desktop.storage.engine.engine", LAYERS),
    violation("usecases/planted.py", "import sqlalchemy", PURE_CORE, SQL),
    violation(
        "usecases/planted.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import PySide6.QtCore",
        PURE_CORE,
        QT,
    ),
    violation("storage/planted.py", "import inklings_desktop.ui.kit.look.theme", LAYERS),
    violation("usecases/planted.py", "import rapidfuzz", PAGES),
    violation("storage/search/planted.py", "import inklings_desktop.storage.world", APART),
    violation(
        "usecases/knowledge/planted.py",
        "import inklings_desktop.domain.search.ranking",
        NO_SECOND_SEARCH,
    ),
    violation("storage/planted.py", "import onnxruntime", MODELS),
    violation("embeddings/planted.py", "import inklings_desktop.storage.engine.engine", LAYERS),
    violation("embeddings/planted.py", "def late():\n    import sqlite3", SQL),
    violation("ui/memory/planted.py", "import sqlalchemy", SQL),
    violation("ui/memory/planted.py", "import inklings_desktop.storage.engine.engine", LAYERS),
    violation("ui/memory/planted.py", "import inklings_desktop.ui.window.main_window", UI_LAYERS),
    violation("ui/memory/planted.py", "import inklings_desktop.ui.entries.rows", UI_LAYERS),
    violation("ui/kit/look/planted.py", "import inklings_desktop.ui.memory.page", UI_LAYERS),
    violation("ui/memory/planted.py", "import qasync", QASYNC),
    violation("ui/markdown/planted.py", "import hunspell", SPELLING),
    violation("spelling/planted.py", "import inklings_desktop.storage.engine.engine", LAYERS),
    violation("storage/planted.py", "import watchdog", PAGE_FILES),
    violation("usecases/planted.py", "import markdown_it", PURE_CORE, PAGE_FILES),
    violation("worldfiles/planted.py", "import inklings_desktop.storage.engine.engine", LAYERS),
    violation("ui/kit/lists/planted.py", "import numpy", NUMPY),
    violation("usecases/planted.py", "import mcp", PURE_CORE, PROTOCOL),
    violation("mcp_server/planted.py", "import inklings_desktop.storage.engine.engine", LAYERS),
    violation(
        "ui/markdown/planted.py", "import inklings_desktop.usecases.ports.store", NO_USE_CASE_IN_KIT
    ),
    violation(
        "ui/kit/controls/planted.py",
        "import inklings_desktop.usecases.ports.store",
        NO_USE_CASE_IN_KIT,
    ),
    violation(
        "agent/planted.py",
        "import inklings_desktop.usecases.ports.store",
        AGENT,
        AGENT_LAYERS,
    ),
    violation("agent/graph/planted.py", "import inklings_desktop.storage.runs.run_state", LAYERS),
    violation(
        "agent/graph/planted.py", "import inklings_desktop.agent.acp_door.routes", AGENT_LAYERS
    ),
    violation("agent/policy.py", "import inklings_desktop.agent.memory_door.call", AGENT_LAYERS),
    violation("agent/mechanical/planted.py", "import langgraph.graph", AGENT_LIBRARIES),
    violation("agent/graph/planted.py", "import mcp", PROTOCOL),
    violation("agent/graph/planted.py", "import pydantic", MODELS_OF_A_PROTOCOL),
    violation("agent/graph/planted.py", "def late():\n    import openai", PROVIDERS),
    violation("cli/planted.py", "import keyring", PROVIDERS),
    violation("agent/graph/planted.py", "import wasmtime", SANDBOX),
    violation("agent_client/planted.py", "import acp.schema", NO_LIBRARY, AGENT_LIBRARIES),
    violation("agent_client/planted.py", "import inklings_desktop.agent.planning", LAYERS),
    violation("ui/kit/ops/planted.py", "import inklings_desktop.agent.policy", LAYERS),
    violation("planted.py", "", LAYERS),
    violation("ui/planted.py", "", UI_LAYERS),
    violation("domain/errors.py", "import inklings_desktop.domain.memory", CYCLES),
]


def in_rounds() -> list[dict[str, Violation]]:
    """The violations by the module each is planted in; no contract is broken twice in a round.

    So one run of the linter tries several, and what it says of a contract is about one of them.
    """
    rounds: list[dict[str, Violation]] = []
    for number, case in enumerate(VIOLATIONS):
        for one in rounds:
            if not any(case.breaks & other.breaks for other in one.values()):
                break
        else:
            one = {}
            rounds.append(one)
        one[case.module.replace("planted", f"planted_{number}")] = case
    return rounds


@pytest.mark.parametrize("violations", in_rounds(), ids=lambda one: f"{len(one)} at once")
def test_planted_imports_break_the_right_contracts(
    tmp_path: Path, violations: dict[str, Violation]
) -> None:
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    package = Path(
        shutil.copytree(
            REPOSITORY / "inklings_desktop",
            tmp_path / "inklings_desktop",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    )
    for module, case in violations.items():
        with (package / module).open("a", encoding="utf-8") as stream:
            stream.write(f"\n{case.line}\n")
    said, printed = check_contracts(tmp_path)
    unnoticed = {
        (module, contract)
        for module, case in violations.items()
        for contract in case.breaks
        if Path(module).stem not in said.get(contract, "")
    }
    assert unnoticed == set(), printed


def test_every_contract_is_shown_to_bite() -> None:
    assert frozenset().union(*(case.breaks for case in VIOLATIONS)) == contract_names()
