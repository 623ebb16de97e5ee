"""A hasty person at the window for a long time: nothing breaks, and memory does not grow."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.processes import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.end2end
MOST_GROWTH = 0.10


def soaked(
    data_dir: Path, n_actions: int, seed: int, *, timeout_seconds: float
) -> dict[str, float]:
    """Random actions over the sample world; what they came to, once all went well."""
    program = [sys.executable, "-m"]
    subprocess.run(
        [*program, "inklings_desktop.cli", "demo", "--data-dir", str(data_dir)],
        check=True,
        cwd=REPOSITORY,
        capture_output=True,
        timeout=100,
    )
    said = subprocess.run(
        [*program, "tests.ui.soak_process", str(data_dir), str(n_actions), str(seed)],
        check=False,
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=timeout_seconds,
    )
    assert said.returncode == 0, said.stderr
    told: dict[str, float] = json.loads(said.stdout)
    assert told["n_actions"] == n_actions
    return told


@pytest.mark.slow
def test_ui_soak_in_short(tmp_path: Path) -> None:
    soaked(tmp_path / "data-sample", 2_000, seed=11, timeout_seconds=110)


@pytest.mark.endurance
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads its memory from /proc")
@pytest.mark.timeout(3_600)
def test_ui_soak(tmp_path: Path) -> None:
    told = soaked(tmp_path / "data-sample", 50_000, seed=1, timeout_seconds=3_500)
    assert told["growth"] < MOST_GROWTH, told
