from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from tests.agent.conftest import World
from tests.support.processes import children_of, line_of, started
from tests.support.stopwatch import HANG_SECONDS, SLOWNESS

pytestmark = pytest.mark.slow

GONE_SECONDS = 3.0 * SLOWNESS


def test_host_death_leaves_nothing(world: World) -> None:
    host = started("tests.agent.host_process", str(world.root), world.workspace)
    left: list[int] = []
    try:
        agent = int(line_of(host))
        left = [agent, *children_of(agent)]
        assert left[1:], "the agent has a memory server"
        host.kill()
        began = time.monotonic()
        while any(map(_is_there, left)):
            assert time.monotonic() - began < GONE_SECONDS
            time.sleep(0.02)
    finally:
        host.kill()
        for one in filter(_is_there, left):
            os.kill(one, signal.SIGKILL)
        host.communicate(timeout=HANG_SECONDS)


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
