"""A hasty person at the window for a long time: nothing breaks, and memory does not grow."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import REPOSITORY

pytestmark = pytest.mark.end2end
ACTIONS = 200
ACTIONS_ENDURANCE = 50_000
MOST_GROWTH = 0.10
SEEDS = (11, 23, 37)


def soaked(data_dir: Path, n_actions: int, seed: int, *, timeout_seconds: float) -> dict[str, Any]:
    """Random actions over a sample world; what they came to, once all went well."""
    # A crash says which line of Python it came from.
    program = [sys.executable, "-X", "faulthandler", "-m"]
    said = subprocess.run(
        [*program, "tests.ui.soak_process", str(data_dir), str(n_actions), str(seed)],
        check=False,
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=timeout_seconds,
    )
    assert said.returncode == 0, f"status {said.returncode}: {said.stderr}"
    told: dict[str, Any] = json.loads(said.stdout)
    assert told["n_actions"] == n_actions
    return told


@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(3 * 3_600)
def test_ui_soak(
    tmp_path: Path, built_sample: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    n_actions = reduced_or_full(ACTIONS, ACTIONS_ENDURANCE)
    for seed in SEEDS[: reduced_or_full(1, len(SEEDS))]:
        root = Path(shutil.copytree(built_sample, tmp_path / str(seed) / "data-sample"))
        told = soaked(root, n_actions, seed, timeout_seconds=3_500)
        # What the walk itself made is told beside the growth: it belongs to nobody's leak.
        assert told["end"]["worlds"] >= told["warm"]["worlds"] >= 1, told
        assert told["end"]["rows"] >= told["warm"]["rows"] > 0, told
        if n_actions == ACTIONS_ENDURANCE:  # a short run is all warming up
            assert told["growth"] < MOST_GROWTH, told
