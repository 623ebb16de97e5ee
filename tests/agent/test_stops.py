"""A stop is heard at once, whatever the work for a prompt waits for."""

from __future__ import annotations

import asyncio
import time
from typing import Any, cast

import pytest

from inklings_desktop.agent.acp_door.sessions import STOP_SECONDS, Session
from inklings_desktop.agent.graph.turn import Limits, Stop, Turn
from inklings_desktop.domain.errors import AgentError
from tests.agent.conftest import World
from tests.support.stopwatch import SLOWNESS, Stopwatch

BOUND_SECONDS = 0.1 * SLOWNESS


def a_session() -> Session:
    nothing = cast("Any", None)
    return Session("c", "general", "w", nothing, nothing, nothing, nothing, nothing)


def test_what_a_turn_used_in_a_process_that_is_gone_counts() -> None:
    def a_turn(seconds: float) -> Turn:
        nothing = cast("Any", None)
        turn = Turn("t", "c", nothing, nothing, nothing, nothing, nothing, nothing)
        turn.limits, turn.began = Limits(seconds=600), time.monotonic() - seconds
        return turn

    first, second = a_turn(400), a_turn(300)
    spent = {"ms": first.newly_spent()}
    assert not first.has_used_up(spent)
    assert not second.has_used_up({})
    assert second.has_used_up(spent)
    spent["ms"] += second.newly_spent()
    assert spent["ms"] >= 700_000
    assert not second.has_used_up(spent | {"grants": 1})


@pytest.mark.parametrize("waits_for", ["something", "its turn", "nothing yet"])
def test_stop_waits_for_nothing_and_the_work_is_done_all_the_same(waits_for: str) -> None:
    done: list[str] = []

    async def scene() -> tuple[dict[str, Any] | None, float]:
        session, stop, go_on = a_session(), Stop(), asyncio.Event()
        if waits_for == "its turn":
            await session.ordered.acquire()

        async def work() -> dict[str, Any]:
            async with session.ordered:
                await go_on.wait()
                done.append("kept")
                return {}

        answering = asyncio.ensure_future(session.answered(stop, work()))
        if waits_for != "nothing yet":
            await asyncio.sleep(0.01)
        watch = Stopwatch()
        stop.ask("cancelled")
        answer = await answering
        took = watch.seconds
        assert session.stop is None, "the next prompt is taken"
        assert session.works, "what is left to do goes on"
        if waits_for == "its turn":
            session.ordered.release()
        go_on.set()
        await session.settled()
        assert not session.works
        return answer, took

    answer, took = asyncio.run(scene())
    assert answer is None
    assert took < BOUND_SECONDS
    assert done == ["kept"]


def test_failure_after_a_stop_is_nobodys_and_before_one_is_told() -> None:
    async def fails(after: float) -> dict[str, Any]:
        await asyncio.sleep(after)
        raise AgentError("memory_unreachable")

    async def scene() -> None:
        session, stop = a_session(), Stop()
        stop.ask("cancelled")
        assert await session.answered(stop, fails(2 * STOP_SECONDS)) is None
        await session.settled()
        with pytest.raises(AgentError):
            await session.answered(Stop(), fails(0))

    asyncio.run(scene())


@pytest.mark.slow
def test_stop_right_behind_a_prompt_keeps_what_was_said(world: World) -> None:
    with world.agent() as agent:
        client = agent.client
        session = client.new()
        for _ in range(3):
            number = client.prompt(session, "Remember that the sluice is shut")
            client.cancel(session)
            ended = client.wait(number)
            assert ended["stopReason"] == "cancelled"
            assert ended["_meta"]["inklings"]["turn"]
        assert client.say(session, "Hello")["stopReason"] == "end_turn"
    stopped = [("user", "complete"), ("assistant", "stopped")]
    assert world.said(session) == stopped * 3 + [("user", "complete"), ("assistant", "complete")]
