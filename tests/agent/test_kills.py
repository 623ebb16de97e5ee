from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.log.events import EventKind
from tests.support.acp_client import AgentGoneError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.agent.conftest import World

pytestmark = [pytest.mark.endurance, pytest.mark.slow]

NODES = ("receive", "orient", "gate", "plan", "decide", "act", "persist")
MOMENTS = [f"{when}:{node}" for node in NODES for when in ("before", "after", "kept")]
THINGS = ("harbour", "lantern", "ferry", "orchard", "mill", "chapel", "bridge", "quarry", "weir")
STATES = ("cracked", "painted blue", "haunted")


def test_kill_at_every_node(world: World, reduced_or_full: Callable[[int, int], int]) -> None:
    every = len(MOMENTS) // reduced_or_full(4, len(MOMENTS))
    for number, moment in enumerate(MOMENTS[::-every]):
        kept = f"The {THINGS[number % len(THINGS)]} is {STATES[number // len(THINGS)]}"
        with world.agent(dies=moment) as agent:
            session = agent.client.new()
            with pytest.raises(AgentGoneError):
                agent.client.say(session, f"Remember that {kept[0].lower()}{kept[1:]}")
            heard = agent.client.updates
        with world.agent() as agent:
            agent.client.updates += heard
            found = agent.client.load(session)["_meta"]["inklings"]
            assert found["unfinished"]["turn"].startswith("t1-"), moment
            ended = agent.client.say(session, "/continue")
            assert ended.get("stopReason") == "end_turn", (moment, ended)
            assert len(agent.client.texts()) == 1, moment
            assert agent.client.texts()[0].count(kept) == 1, moment
            assert "error" in agent.client.say(session, "/continue"), moment
        assert world.memories().count(kept) == 1, moment
        assert world.said(session) == [("user", "complete"), ("assistant", "complete")], moment


def test_write_is_not_repeated(world: World) -> None:
    with world.agent(dies="after:act") as agent:
        session = agent.client.new()
        with pytest.raises(AgentGoneError):
            agent.client.say(session, "Remember that the ferry leaves at dusk")
    written = world.memories()
    with world.agent() as agent:
        agent.client.load(session)
        agent.client.say(session, "/continue")
    assert written == world.memories() == ["The ferry leaves at dusk"]
    with world.inklings() as opened:
        events = opened.log.list(world.workspace)
    assert [one.kind for one in events].count(EventKind.MEMORY_CREATED) == 1


def test_answer_is_shown_after_kill(world: World) -> None:
    with world.agent(dies="before:persist") as agent:
        session = agent.client.new()
        with pytest.raises(AgentGoneError):
            agent.client.say(session, "Remember that the mill is haunted")
        before = agent.client.texts()
        heard = agent.client.updates
    with world.agent() as agent:
        agent.client.load(session)
        agent.client.say(session, "/continue")
        alone = agent.client.texts()
        agent.client.updates = heard + agent.client.updates
        together = agent.client.texts()
    assert before == alone == together
    assert "haunted" in before[0]


def test_state_that_is_none_is_said_so_and_a_new_turn_begins(world: World) -> None:
    with world.agent(dies="before:plan") as agent:
        session = agent.client.new()
        with pytest.raises(AgentGoneError):
            agent.client.say(session, "Remember that the mill is haunted")
    runs = world.runs()
    newest = runs.checkpoint(session, "")
    assert newest is not None
    runs.put_checkpoint(replace(newest, state_version=99))
    with world.agent() as agent:
        assert "unfinished" in agent.client.load(session)["_meta"]["inklings"]
        unknown = agent.client.say(session, "/continue")
        assert unknown["error"]["data"]["word"] == "run_unknown_version"
        runs.delete_thread(session)
        damaged = agent.client.say(session, "/continue")
        assert damaged["error"]["data"]["word"] == "run_damaged"
        assert agent.client.say(session, "/retry")["stopReason"] == "end_turn"
    assert world.memories() == ["The mill is haunted"]
    assert world.said(session) == [("user", "complete"), ("assistant", "complete")]


def test_turn_rests_when_its_host_leaves(world: World) -> None:
    with world.agent() as agent:
        session = agent.client.new()
        agent.client.say(session, "Remember that the quarry is deep")
        agent.client.answer_with = lambda _: None
        agent.client.prompt(session, "Forget that the quarry is deep")
        agent.client.until(lambda: len(agent.client.asked) == 1)
    assert [one.state for one in world.runs().runs(session)] == ["parked", "finished"]
    assert world.runs().lease(f"run:{session}") is None
    with world.agent() as agent:
        assert agent.client.load(session)["_meta"]["inklings"]["unfinished"]["node"] == "decide"
        assert agent.client.say(session, "/continue")["stopReason"] == "end_turn"
        assert len(agent.client.asked) == 1
    assert world.memories() == []


@pytest.mark.parametrize("moment", ["", "answered"])
def test_question_is_asked_again(world: World, moment: str) -> None:
    with world.agent() as agent:
        session = agent.client.new()
        agent.client.say(session, "Remember that the weir is broken")
    with world.agent(dies=moment) as agent:
        agent.client.load(session)
        agent.client.answer_with = lambda _: "once" if moment else None
        number = agent.client.prompt(session, "Forget that the weir is broken")
        agent.client.until(lambda: len(agent.client.asked) == 1)
        if not moment:
            agent.kill()
        with pytest.raises(AgentGoneError):
            agent.client.wait(number)
    assert world.memories() == ["The weir is broken"]
    with world.agent() as agent:
        found = agent.client.load(session)["_meta"]["inklings"]
        assert found["unfinished"]["node"] == "decide"
        agent.client.answer_with = lambda _: "deny"
        assert agent.client.say(session, "/continue")["stopReason"] == "end_turn"
        assert len(agent.client.asked) == 1
    assert world.memories() == ["The weir is broken"]
