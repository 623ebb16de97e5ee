"""Seconds that the program took, however busy the machine is with others, and waits judged by them.

A test that judges elapsed time judges the machine too: on a loaded one a thread that has work
stands in the queue for a processor. Where the system tells how long, that does not count here;
sleeping, waiting for a lock, a file or another thread does, and so does computing.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DEADLINE_SECONDS = 30.0
"""By a ``Stopwatch``, of one wait."""
HANG_SECONDS = 60.0
"""Elapsed, of one wait for another thread or process: ends what hangs, and judges nothing."""
SCENE_SECONDS = 300.0
"""Elapsed, of a whole scene, likewise."""
SLOWNESS = 3.0
"""How many times as long as the design says something may take here: the machine of a test is any
machine. The benchmarks measure; these tests find what waits for something or grows without end."""

_PROCESSES = "/proc"
_NANO = 1e9


class Stopwatch:
    """Seconds of this process since it was made, without those it waited for a processor.

    Only Linux tells of that; elsewhere they are elapsed seconds. Of several threads that wait
    between two looks, the longest wait is left out, so a look now and then makes it exact.

    Args:
        others: Ids of further processes whose waits do not count either, as those of a program
            whose end is waited for.
    """

    def __init__(self, *others: int) -> None:
        self._others = others
        self._seconds = 0.0
        self._at = time.perf_counter()
        self._queued = _seconds_queued(others)

    @property
    def seconds(self) -> float:
        """What has been taken until now."""
        at, queued = time.perf_counter(), _seconds_queued(self._others)
        waits = [wait - self._queued.get(thread, 0.0) for thread, wait in queued.items()]
        self._seconds += max(0.0, at - self._at - max(waits, default=0.0))
        self._at, self._queued = at, queued
        return self._seconds


async def until(
    condition: Callable[[], bool],
    *,
    seconds: float = DEADLINE_SECONDS,
    told: Callable[[], object] | None = None,
) -> float:
    """Wait until something holds.

    Args:
        condition: Looked at every 5 ms.
        seconds: How long it may take, by a ``Stopwatch``.
        told: What a failure should show, asked when it fails.

    Returns:
        How long it took, in seconds by a ``Stopwatch``.
    """
    watch = Stopwatch()
    while not condition():
        assert watch.seconds < seconds, f"not in {seconds:g} s{_shown(told)}"
        await asyncio.sleep(0.005)
    return watch.seconds


def _shown(told: Callable[[], object] | None) -> str:
    return "" if told is None else f"; {told()}"


def _seconds_queued(others: Sequence[int]) -> dict[str, float]:
    """How long every thread has waited for a processor so far; empty where nobody tells."""
    queued = {}
    for process in ("self", *map(str, others)):
        threads = f"{_PROCESSES}/{process}/task"
        with suppress(OSError):  # it has just ended, or this is another system
            # Not through pathlib, which takes three times as long: waits look two hundred times a
            # second.
            for thread in os.listdir(threads):  # noqa: PTH208
                with suppress(OSError, ValueError):  # the same of a thread
                    with open(f"{threads}/{thread}/schedstat", "rb") as told:  # noqa: PTH123
                        _, waited, _ = told.read().split()
                    queued[thread] = int(waited) / _NANO
    return queued
