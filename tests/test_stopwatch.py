"""What elapsed-time tests are judged by: the program's own seconds, and not the machine's."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from tests.support import stopwatch
from tests.support.stopwatch import Stopwatch, until


def test_what_the_program_takes_counts_asleep_or_at_work() -> None:
    watch = Stopwatch()
    time.sleep(0.05)
    slept = watch.seconds
    assert slept >= 0.04  # but for how long waking up took
    begun = time.thread_time()
    while time.thread_time() - begun < 0.05:
        pass
    assert watch.seconds - slept >= 0.04


def test_what_another_thread_holds_up_counts() -> None:
    lock = threading.Lock()
    lock.acquire()
    holding = threading.Timer(0.05, lock.release)
    watch = Stopwatch()
    holding.start()
    with lock:
        assert watch.seconds >= 0.04
    holding.join()


def test_the_longest_wait_for_a_processor_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    queued = {"1": 5.0, "2": 3.0}
    clock = [100.0]
    monkeypatch.setattr(stopwatch, "_seconds_queued", lambda _others: queued.copy())
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    watch = Stopwatch()
    clock[0] += 3.0
    queued |= {"1": 6.0, "2": 5.0}  # one waited for 1 s, the other for 2 s
    assert watch.seconds == 1.0
    clock[0] += 1.0
    del queued["1"]  # a thread has ended
    queued["3"] = 0.25  # and one has begun
    assert watch.seconds == 1.75
    clock[0] += 1.0
    queued["3"] = 4.0  # never less than nothing
    assert watch.seconds == 1.75


def test_a_wait_ends_with_its_condition_or_fails_with_what_it_was_told() -> None:
    looks: list[None] = []

    def third() -> bool:
        looks.append(None)
        return len(looks) == 3

    assert 0.0 < asyncio.run(until(third, seconds=5.0)) < 5.0
    with pytest.raises(AssertionError, match=r"not in 0\.05 s; a list of 4"):
        asyncio.run(until(lambda: False, seconds=0.05, told=lambda: "a list of 4"))
