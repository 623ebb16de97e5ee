"""The right to carry out a turn of a conversation: one process at a time has it."""

from __future__ import annotations

import asyncio
import os
import platform
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from inklings_desktop.acp_wire.words import BUSY_ELSEWHERE
from inklings_desktop.domain.errors import AgentError, StorageError
from inklings_desktop.domain.runs.run_rows import (
    TURN_LEASE_SECONDS,
    TURN_RENEWAL_SECONDS,
    turn_lease,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from inklings_desktop.agent.ports import RunState

_PROGRAM = "inklings-agent"


def holder_name() -> str:
    """The name of this process in leases; it tells others on this machine when it is gone."""
    return f"{_PROGRAM}:{platform.node()}:{os.getpid()}"


def holder_of(runs: RunState, conversation: str) -> str | None:
    """Who carries out a turn of a conversation at the moment; None for nobody who lives."""
    lease = runs.lease(turn_lease(conversation))
    return None if lease is None or is_gone(lease.holder) else lease.holder


def is_gone(holder: str) -> bool:
    """Whether a holder is a process of this machine that is surely not there any more."""
    program, _, rest = holder.partition(":")
    node, _, pid = rest.rpartition(":")
    if program != _PROGRAM or node != platform.node() or not pid.isdigit() or os.name != "posix":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return _has_ended(pid)


def _has_ended(pid: str) -> bool:
    """Whether it only waits for its parent to hear of its end, where the system tells that."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as told:  # noqa: PTH123 - no file of ours
            state = told.read().rpartition(b")")[2].split()[:1]
    except OSError:
        return False
    return state in ([b"Z"], [b"X"])


@asynccontextmanager
async def leased(runs: RunState, conversation: str, holder: str) -> AsyncIterator[None]:
    """Have it while the block lasts.

    Raises:
        AgentError: Another process has it.
    """
    name = turn_lease(conversation)
    await asyncio.to_thread(_take, runs, name, holder)
    renewing = asyncio.create_task(_renew(runs, name, holder))
    try:
        yield
    finally:
        renewing.cancel()
        with suppress(
            StorageError
        ):  # it runs out by itself, and how the turn ended is no less true
            await asyncio.to_thread(runs.release_lease, name, holder)


def _take(runs: RunState, name: str, holder: str) -> None:
    other = runs.take_lease(name, holder, TURN_LEASE_SECONDS)
    if other is not None and is_gone(other.holder):
        runs.release_lease(name, other.holder)
        other = runs.take_lease(name, holder, TURN_LEASE_SECONDS)
    if other is not None:
        raise AgentError(BUSY_ELSEWHERE, retry=True, detail=other.holder)


async def _renew(runs: RunState, name: str, holder: str) -> None:
    while True:
        await asyncio.sleep(TURN_RENEWAL_SECONDS)
        with suppress(StorageError):  # the next time will do
            await asyncio.to_thread(runs.take_lease, name, holder, TURN_LEASE_SECONDS)
