"""A disk that is full, breaks once or turns read-only at any system call costs nobody a memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.end2end.failing_acts import ACTS
from tests.support.failing_calls import compiler, environment
from tests.support.processes import REPOSITORY

pytestmark = pytest.mark.skipif(compiler() is None, reason="no gcc, or not Linux")

EVERY = 0
"""Calls tried of an act and mode: as many as there are."""
SAMPLED = (
    "create a workspace",
    "put",
    "back up",
    "import again",
    "list",
    "check",
)


def swept(folder: Path, n_tried: int, *names: str) -> dict[str, Any]:
    """What a sweep over these acts says."""
    place = folder / "place"
    place.mkdir()
    program = (sys.executable, "-m", "tests.end2end.sweep_process")
    done = subprocess.run(
        [*program, str(place), str(n_tried), *names],
        cwd=REPOSITORY,
        env=environment(folder),
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


@pytest.mark.endurance
@pytest.mark.timeout(4 * 3_600)
def test_a_failing_call_is_told_and_leaves_all_as_before_or_after(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    n_tried = reduced_or_full(1, EVERY)
    names = SAMPLED if n_tried else [one.name for one in ACTS]
    said = swept(tmp_path, n_tried, *names)
    assert len(said["table"]) == 3 * len(names)
    assert said["problems"] == []
