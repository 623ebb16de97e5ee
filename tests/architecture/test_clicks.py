"""A click says whether a button is checked; whoever takes something else must not be told that."""

from __future__ import annotations

import ast
import re

from tests.architecture.contract_report import REPOSITORY

CONNECTED = re.compile(r"\.(?:clicked|triggered|toggled)\.connect\(self\.(\w+)\)")


def optional_firsts(tree: ast.Module) -> set[tuple[str, str]]:
    """Class and name of each method whose first argument may be left out."""
    return {
        (owner.name, method.name)
        for owner in ast.walk(tree)
        if isinstance(owner, ast.ClassDef)
        for method in owner.body
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
        and len(method.args.args) > 1
        and len(method.args.defaults) == len(method.args.args) - 1
        and "checked" not in method.args.args[1].arg
    }


def test_no_click_is_taken_for_an_argument_that_may_be_left_out() -> None:
    taken, n_connected = [], 0
    for path in sorted((REPOSITORY / "inklings_desktop" / "ui").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        firsts = optional_firsts(ast.parse(text))
        for owner in ast.walk(ast.parse(text)):
            if isinstance(owner, ast.ClassDef):
                own = set(CONNECTED.findall(ast.get_source_segment(text, owner) or ""))
                n_connected += len(own)
                taken += [(path.name, name) for name in own if (owner.name, name) in firsts]
    assert n_connected > 100
    assert taken == []
