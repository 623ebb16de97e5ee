"""The page that docs/adding-a-page.md builds, built as it says: a folder and a line."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.architecture.contract_report import REPOSITORY, check_contracts

_BLOCK = re.compile(r"<!-- (file|line): (\S+) -->\n```\w+\n(.*?)```\n", re.DOTALL)
_WORD = re.compile(r"<!-- word: (\S+) (\| \w+) -->")


def a_copy(tree: Path) -> None:
    """The product and what its window is driven with, to be changed."""
    leave = shutil.ignore_patterns("__pycache__")
    for part in ("inklings_desktop", "resources", "tests", "benchmarks"):
        shutil.copytree(REPOSITORY / part, tree / part, ignore=leave)
    shutil.copy(REPOSITORY / "pyproject.toml", tree)


def follow(guide: str, tree: Path) -> list[str]:
    """Do what the guide says; the paths it touched, in its order."""
    touched = []
    for kind, path, text in _BLOCK.findall(guide):
        target = tree / path
        if kind == "file":
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
        else:
            before = target.read_text(encoding="utf-8")
            end = before.index("\n    )\n", before.index("def page_specs"))
            target.write_text(before[: end + 1] + text + before[end + 1 :], encoding="utf-8")
        touched.append(path)
    for path, word in _WORD.findall(guide):
        target = tree / path
        before = target.read_text(encoding="utf-8")
        pages = re.search(r'"memory \| [^"]*', before)
        assert pages is not None
        target.write_text(f"{before[: pages.end()]} {word}{before[pages.end() :]}", "utf-8")
        touched.append(path)
    return touched


def test_a_page_is_a_folder_and_a_line(tmp_path: Path) -> None:
    a_copy(tmp_path)
    touched = follow((REPOSITORY / "docs/adding-a-page.md").read_text(encoding="utf-8"), tmp_path)
    assert touched == [
        "inklings_desktop/ui/hello/__init__.py",
        "inklings_desktop/ui/hello/page.py",
        "inklings_desktop/ui/window/register.py",
        "pyproject.toml",
    ]
    broken, printed = check_contracts(tmp_path)
    assert broken == {}, printed
    shown = subprocess.run(
        [sys.executable, "-m", "tests.architecture.hello_process", str(tmp_path / "root")],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.splitlines() == [
        f"from {tmp_path / 'inklings_desktop'}",
        "title: Hello, Saltglass - Inklings",
        "sentence: Hello, Saltglass: 1 conversation",
        "after another: Hello, Saltglass: 2 conversations",
        "status bar: F5: refresh",
        "rail: Hello",
        "menu and keys: Hello Alt+Shift+8",
        "palette: Hello",
        "passing note: Hello, Saltglass",
    ]
