from __future__ import annotations

from tests.architecture.fresh_interpreter import run_fresh

IMPORT_ALL_WITHOUT_QT = """
import importlib, json, pkgutil, sys
sys.modules["PySide6"] = sys.modules["shiboken6"] = sys.modules["qasync"] = None
names = []
for name in {packages!r}:
    package = importlib.import_module(name)
    names.append(name)
    for module in pkgutil.walk_packages(getattr(package, "__path__", []), name + "."):
        importlib.import_module(module.name)
        names.append(module.name)
print(json.dumps(names))
"""
PACKAGES = ("domain", "usecases", "storage", "embeddings", "settings", "logs", "bootstrap", "cli")


def test_everything_but_the_window_imports_without_qt() -> None:
    packages = [f"inklings_desktop.{one}" for one in PACKAGES]
    imported = run_fresh(IMPORT_ALL_WITHOUT_QT.format(packages=packages))
    assert set(packages) <= set(imported)
    assert "inklings_desktop.storage.engine.engine" in imported


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
