from __future__ import annotations

import pytest

from tests.architecture.fresh_interpreter import run_fresh

IMPORT_ALL_WITHOUT_QT = """
import importlib, json, pkgutil, sys
sys.modules["PySide6"] = sys.modules["shiboken6"] = sys.modules["qasync"] = None
package = importlib.import_module({package!r})
names = [package.__name__]
for module in pkgutil.walk_packages(getattr(package, "__path__", []), package.__name__ + "."):
    importlib.import_module(module.name)
    names.append(module.name)
print(json.dumps(names))
"""


@pytest.mark.parametrize(
    "package",
    ["domain", "usecases", "storage", "embeddings", "settings", "logs", "bootstrap", "cli"],
)
def test_everything_but_the_window_imports_without_qt(package: str) -> None:
    name = f"inklings_desktop.{package}"
    imported = run_fresh(IMPORT_ALL_WITHOUT_QT.format(package=name))
    assert name in imported


def test_the_blocked_import_really_fails() -> None:
    program = """
import json, sys
sys.modules["PySide6"] = None
try:
    import PySide6.QtCore
except ImportError:
    print(json.dumps("blocked"))
"""
    assert run_fresh(program) == "blocked"
