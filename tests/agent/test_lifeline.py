from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from inklings_desktop.agent.acp_door import lifeline
from inklings_desktop.agent.acp_door.lifeline import MAX_FRAME_BYTES, Lifeline
from inklings_desktop.agent.graph.turn import Stop, Teller
from tests.support.stopwatch import SCENE_SECONDS

QUICK_SECONDS = 0.05


def talked(lines: bytes, work: Callable[[Lifeline, int], Awaitable[Any]]) -> Any:
    """What some work makes of a lifeline that these lines come in by, and then its end."""
    into, feed = os.pipe()
    read, out = os.pipe()
    left = threading.Event()

    async def run() -> Any:
        with os.fdopen(into, "rb") as source:
            line = Lifeline(source, out, left.set)
            os.set_blocking(feed, True)
            sending = threading.Thread(target=_send, args=(feed, lines))
            sending.start()
            try:
                return await work(line, read)
            finally:
                assert await asyncio.to_thread(left.wait, SCENE_SECONDS)
                sending.join(SCENE_SECONDS)
                await line.close()

    try:
        return asyncio.run(run())
    finally:
        os.close(read)
        os.close(out)


def _send(feed: int, lines: bytes) -> None:
    with os.fdopen(feed, "wb") as stream:
        stream.write(lines)


async def everything(line: Lifeline, _read: int) -> list[dict[str, Any]]:
    found = []
    while (message := await line.receive()) is not None:
        found.append(message)
    return found


CALL, ANSWER = {"method": "a", "id": 1}, {"id": 1, "result": None}


def test_what_is_no_message_is_refused_by_the_code_of_the_protocol(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lifeline, "GRACE_SECONDS", QUICK_SECONDS)
    wrong = [b"noise", b"[" * 5_000, b"[1]", b'{"jsonrpc":"2.0"}', b'{"id":1}', b'{"method":1}']
    wrong += [b'{"method":"a","id":[1]}', b'{"cut']
    good = [json.dumps(one).encode() for one in (CALL, ANSWER)]
    lines = b"\n\n".join([*good, *wrong])

    async def answers(line: Lifeline, read: int) -> Any:
        found = await everything(line, read)
        told = b""
        while told.count(b"\n") < len(wrong):
            told += await asyncio.to_thread(os.read, read, 65_536)
        return found, [json.loads(one) for one in told.splitlines()]

    found, refused = talked(lines, answers)
    assert found == [CALL, ANSWER]
    codes = [-32700, -32700, -32600, -32600, -32600, -32600, -32600, -32700]
    assert [one["error"]["code"] for one in refused] == codes
    assert all(one["id"] is None and one["error"]["message"] for one in refused)


def test_frame_that_is_too_long_is_refused_and_the_next_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lifeline, "GRACE_SECONDS", QUICK_SECONDS)
    lines = b'{"a": "' + b"x" * (MAX_FRAME_BYTES + 10) + b'"}\n{"method": "b"}\n'

    async def first_answer(line: Lifeline, read: int) -> Any:
        found = await everything(line, read)
        return found, json.loads(os.read(read, 65_536))

    found, answer = talked(lines, first_answer)
    assert found == [{"method": "b"}]
    assert answer["error"]["code"] == -32600


def test_whoever_writes_more_than_the_pipe_takes_waits_for_the_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lifeline, "GRACE_SECONDS", QUICK_SECONDS)
    big = {"text": "x" * 3_000_000}

    async def flood(line: Lifeline, read: int) -> int:
        sending = asyncio.ensure_future(line.send(big))
        await asyncio.sleep(QUICK_SECONDS)
        assert not sending.done()
        n_read = 0
        while n_read < len(json.dumps(big, separators=(",", ":"))) + 1:
            n_read += len(await asyncio.to_thread(os.read, read, 1 << 20))
        await sending
        return n_read

    assert talked(b"", flood) == 3_000_012


def test_text_is_told_in_pieces_and_numbered() -> None:
    told: list[dict[str, Any]] = []

    async def send(update: dict[str, Any]) -> None:
        told.append(update)

    async def speak() -> None:
        teller = Teller("t1-1", send, "model")
        for word in ("one ", "two ", "three"):
            await teller.say(word)
        await teller.tell({"sessionUpdate": "tool_call"})
        await teller.say(" four")
        await asyncio.sleep(QUICK_SECONDS)
        await teller.finish("one two three four five", [{"id": "m", "tier": "workspace"}])

    asyncio.run(speak())
    texts = [one["content"]["text"] for one in told if "content" in one]
    assert texts == ["one two three", " four", " five"]
    own = [one["_meta"]["inklings"] for one in told]
    assert [one["seq"] for one in own] == [1, 2, 3, 4]
    assert own[-1]["quotes"] == [{"id": "m", "tier": "workspace"}]


def test_stop_ends_what_changes_nothing_and_keeps_its_first_reason() -> None:
    async def stopped() -> tuple[object, object, str]:
        stop = Stop()
        quick = await stop.unless(asyncio.sleep(0, "done"))
        asyncio.get_running_loop().call_later(0.01, stop.ask, "cancelled")
        slow = await stop.unless(asyncio.sleep(60, "never"))
        stop.ask("parked")
        return quick, slow, stop.word

    assert asyncio.run(stopped()) == ("done", None, "cancelled")
