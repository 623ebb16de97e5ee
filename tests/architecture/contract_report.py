"""What import-linter says about a source tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def contract_names() -> set[str]:
    """Names of all contracts in ``pyproject.toml``."""
    with (REPOSITORY / "pyproject.toml").open("rb") as stream:
        settings = tomllib.load(stream)["tool"]["importlinter"]
    return {contract["name"] for contract in settings["contracts"]}


def check_contracts(tree: Path) -> tuple[dict[str, str], str]:
    """What is said of each broken contract of a tree, by name, and all that import-linter printed.

    Args:
        tree: Holds ``pyproject.toml`` and the package.

    Raises:
        AssertionError: The linter did not come to the end of its contracts.
    """
    linter = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert linter is not None, "import-linter is not installed beside this Python"
    result = subprocess.run(
        [linter, "--no-cache", "--no-logo"],
        cwd=tree,
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    # How many imports a contract was told to leave out is said behind its verdict.
    printed = re.sub(
        r" \(\d+ ignored imports?\)$", "", result.stdout + result.stderr, flags=re.MULTILINE
    )
    kept = {line.removesuffix(" KEPT") for line in printed.splitlines() if line.endswith(" KEPT")}
    broken = {
        name: printed.partition(f"\n{name}\n{'-' * len(name)}\n")[2].partition("\n---")[0]
        for line in printed.splitlines()
        if (name := line.removesuffix(" BROKEN")) != line
    }
    assert kept | broken.keys() == contract_names(), printed
    assert (result.returncode != 0) == bool(broken), printed
    return broken, printed
