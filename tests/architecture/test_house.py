"""What a module of the window may know, by what it is."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.architecture.contract_report import REPOSITORY

UI = REPOSITORY / "inklings_desktop" / "ui"
WIDGETS = "PySide6.QtWidgets"
MOST_IN_A_FOLDER = 20
KNOW_BOTH = {
    "access.page",
    "app.application",
    "control.tiers_page",
    "kit.page.context",
    "memory.page",
    "scrub.requests",
    "window.main_window",
    "window.notices",
    "window.viewing",
}
"""They join use cases and widgets; the list may only become shorter."""


def imported_by(path: Path) -> set[str]:
    """Modules that one module imports, wherever in it."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {one.module for one in nodes if isinstance(one, ast.ImportFrom) and one.module}


def imports() -> dict[str, set[str]]:
    """Of every module of the window what it imports, by its name below ``ui``."""
    return {
        ".".join(path.relative_to(UI).with_suffix("").parts): imported_by(path)
        for path in UI.rglob("*.py")
    }


def test_what_draws_never_calls_a_use_case() -> None:
    both = {
        name
        for name, modules in imports().items()
        if WIDGETS in modules
        and any(one.startswith("inklings_desktop.usecases") for one in modules)
    }
    assert both == KNOW_BOTH


def test_states_and_words_know_no_widget() -> None:
    pure = {
        name: modules
        for name, modules in imports().items()
        if name.rpartition(".")[2] in {"state", "words", "facts", "reads"}
        or name.endswith(("_words", "_facts"))
    }
    assert len(pure) > 20
    assert {name for name, modules in pure.items() if WIDGETS in modules} == set()


def test_a_folder_can_be_read_at_a_glance() -> None:
    crowded = {
        str(folder.relative_to(UI)): n
        for folder in [UI, *UI.rglob("*")]
        if folder.is_dir() and (n := len(list(folder.glob("[!_]*.py")))) > MOST_IN_A_FOLDER
    }
    assert crowded == {}


def test_no_module_lies_loose() -> None:
    assert [one.name for one in UI.glob("*.py")] == ["__init__.py"]
