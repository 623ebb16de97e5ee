"""No module asks Qt for anything but a size before a program stands: keys, fonts and icons fail."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import inklings_desktop

PLAIN_VALUES = {"QSize", "QSizeF", "QPoint", "QPointF", "QRect", "QRectF"}


def made_at_import(source: str) -> Iterator[str]:
    """Names of the Qt classes that are made while a module is imported."""
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name[:1] == "Q" and name[1:2].isupper() and name not in PLAIN_VALUES:
                yield name
        waiting += ast.iter_child_nodes(node)


def test_what_is_made_at_import_is_found() -> None:
    source = "KEYS = {1: QKeySequence('E')}\nclass A:\n    F = QFont()\n"
    assert sorted(made_at_import(source)) == ["QFont", "QKeySequence"]
    assert not list(made_at_import("def f():\n    return QKeySequence('E')\nS = QSize(1, 1)\n"))


def test_no_module_makes_anything_of_qt_while_it_is_imported() -> None:
    root = Path(inklings_desktop.__file__).parent
    found = {
        str(path.relative_to(root)): names
        for path in sorted(root.rglob("*.py"))
        if (names := list(made_at_import(path.read_text("utf-8"))))
    }
    assert found == {}
