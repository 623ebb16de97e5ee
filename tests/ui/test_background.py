"""Calls run off the caller's thread; the latest question wins; bugs are told."""

from __future__ import annotations

import asyncio
import threading

from inklings_desktop.ui.kit.ops.background import Background, Latest
from tests.support.stopwatch import HANG_SECONDS


def test_reads_and_writes_run_elsewhere_and_writes_in_order() -> None:
    order: list[int] = []

    async def act() -> set[str]:
        background = Background(print)
        name = await background.read(lambda: threading.current_thread().name)
        await asyncio.gather(*(background.write(order.append, n) for n in range(20)))
        await background.close()
        return {name, threading.current_thread().name}

    assert len(asyncio.run(act())) == 2
    assert order == list(range(20))


def test_a_newer_action_cancels_the_older() -> None:
    answers: list[str] = []

    async def ask(background: Background, gate: threading.Event, text: str) -> None:
        await background.read(gate.wait, HANG_SECONDS)
        answers.append(text)

    async def act() -> None:
        background = Background(print)
        latest = Latest(background)
        gate = threading.Event()
        latest.run(ask(background, gate, "old"))
        latest.run(ask(background, gate, "new"))
        gate.set()
        await latest.settled()
        await background.close()

    asyncio.run(act())
    assert answers == ["new"]


def test_a_bug_in_an_action_is_told() -> None:
    bugs: list[BaseException] = []

    async def fail() -> None:
        raise LookupError

    async def act() -> None:
        background = Background(bugs.append)
        await asyncio.wait({background.spawn(fail())})
        await background.close()

    asyncio.run(act())
    assert [type(bug) for bug in bugs] == [LookupError]


def test_closing_waits_for_a_write_under_way() -> None:
    done: list[str] = []

    async def act() -> None:
        background = Background(print)
        begun, gate = threading.Event(), threading.Event()

        def write() -> None:
            begun.set()
            gate.wait(HANG_SECONDS)
            done.append("written")

        async def writing() -> None:
            await background.write(write)

        background.spawn(writing())
        await asyncio.to_thread(begun.wait, HANG_SECONDS)
        closing = asyncio.ensure_future(background.close())
        await asyncio.sleep(0.02)
        gate.set()
        await closing

    asyncio.run(act())
    assert done == ["written"]
