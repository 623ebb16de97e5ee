"""No item of a layout is asked for: Python's handle on one outlives it.

Qt deletes the item of a widget together with the widget and tells nobody. Whatever it makes next
at the same place in memory then has the type of the old handle; that has ended the process.
"""

from __future__ import annotations

import ast
from pathlib import Path

from inklings_desktop import ui

HANDS_OUT = {"itemAt", "itemAtPosition", "replaceWidget"}


def calls(source: str) -> set[str]:
    found = (node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return {one.attr for one in found if isinstance(one, ast.Attribute)}


def test_nobody_asks_a_layout_for_an_item() -> None:
    assert ui.__file__ is not None
    sources = sorted(Path(ui.__file__).parent.rglob("*.py"))
    guilty = {
        path.name: asked
        for path in sources
        if (asked := HANDS_OUT & calls(path.read_text("utf-8")))
    }
    assert len(sources) > 100
    assert guilty == {}


def test_a_call_is_seen() -> None:
    assert calls("item = self._row.itemAt(3)") == {"itemAt"}
