"""Short programs in a Python of their own, where nothing has been imported yet."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.architecture.contract_report import REPOSITORY


def run_fresh(program: str) -> Any:
    """What the program prints as JSON on its last line.

    Raises:
        AssertionError: The program failed; carries its traceback.
    """
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])
