"""The right to carry out a turn outlives a file that somebody else writes to."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from typing import Any, cast

import pytest

from inklings_desktop.agent.acp_door import prompting
from inklings_desktop.agent.ports import RunState
from inklings_desktop.domain.errors import DatabaseBusyError


class BusyFile:
    """A file that is free when a turn begins, and busy ever after."""

    def __init__(self) -> None:
        self.n_taken = 0
        self.has_gone_on = asyncio.Event()

    def take_lease(self, *_: object) -> None:
        self.n_taken += 1
        if self.n_taken > 3:
            self.has_gone_on.set()
        if self.n_taken > 1:
            raise DatabaseBusyError

    def release_lease(self, *_: object) -> None:
        raise DatabaseBusyError


def test_busy_file_neither_ends_the_renewal_nor_a_turn_that_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def at_once(work: Any, *values: object) -> Any:
        return work(*values)

    monkeypatch.setattr(prompting, "TURN_RENEWAL_SECONDS", 0.001)
    monkeypatch.setattr(asyncio, "to_thread", at_once)

    async def turn() -> str:
        busy = BusyFile()
        async with prompting.leased(cast("RunState", busy), "c", "me"):
            await busy.has_gone_on.wait()
            return "done"

    assert asyncio.run(asyncio.wait_for(turn(), 5)) == "done"


def test_process_that_only_waits_for_its_parent_is_gone() -> None:
    if sys.platform != "linux":  # only Linux tells it so
        return
    ended, told = os.pipe()
    if (pid := os.fork()) == 0:  # it ends at once, and nobody asks how
        os._exit(0)
    os.close(told)
    try:
        assert os.read(ended, 1) == b""  # its end of the pipe is closed: it has ended
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert prompting.is_gone(f"inklings-agent:{platform.node()}:{pid}")
        assert not prompting.is_gone(f"inklings-agent:{platform.node()}:{os.getpid()}")
    finally:
        os.close(ended)
        os.waitpid(pid, 0)
