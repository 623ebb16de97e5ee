from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import MemoryPatch
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole
from inklings_desktop.domain.runs.run_rows import RESTORED
from tests.agent.conftest import World
from tests.support.acp_client import AcpClient, AgentGoneError
from tests.support.agent_process import WORLD_AGENT

pytestmark = [pytest.mark.endurance, pytest.mark.slow]

NODES = ("receive", "orient", "gate", "plan", "decide", "act", "persist")
MOMENTS = [f"{when}:{node}" for node in NODES for when in ("before", "after", "kept")]
THINGS = ("harbour", "lantern", "ferry", "orchard", "mill", "chapel", "bridge", "quarry", "weir")
STATES = ("cracked", "painted blue", "haunted")


@pytest.mark.parametrize("has_model", [False, True])
def test_kill_at_every_node(
    world: World, reduced_or_full: Callable[[int, int], int], *, has_model: bool
) -> None:
    every = len(MOMENTS) // reduced_or_full(4, len(MOMENTS))
    for number, moment in enumerate(MOMENTS[::-every]):
        kept = f"The {THINGS[number % len(THINGS)]} is {STATES[number // len(THINGS)]}"
        chat = keeping(kept) if has_model else None
        with world.agent(dies=moment, chat=chat) as agent:
            session = agent.client.new()
            with pytest.raises(AgentGoneError):
                agent.client.say(session, f"Remember that {kept[0].lower()}{kept[1:]}")
            heard = agent.client.updates
        with world.agent(chat=chat) as agent:
            agent.client.updates += heard
            found = agent.client.load(session)["_meta"]["inklings"]
            assert found["unfinished"]["turn"].startswith("t1-"), moment
            ended = agent.client.say(session, "/continue")
            assert ended.get("stopReason") == "end_turn", (moment, ended)
            assert len(agent.client.texts()) == 1, moment
            assert agent.client.texts()[0].count(kept) == 1, moment
            assert agent.client.texts()[0].startswith("On it. " if has_model else "I"), moment
            assert agent.client.say(session, "/continue")["stopReason"] == "end_turn", moment
            assert agent.client.spoken() == "Nothing is waiting to be continued.", moment
        assert world.memories().count(kept) == 1, moment
        assert world.said(session) == [("user", "complete"), ("assistant", "complete")], moment


def keeping(text: str) -> tuple[dict[str, Any], ...]:
    """What a model says that keeps a memory."""
    arguments = {"tier": "workspace", "content": text}
    call = {"name": "memory_put", "arguments": arguments}
    return (
        {"text": "On it. ", "calls": [call]},
        {"after": 1, "text": f"Kept it, as you said: {text}."},
        {
            "process": "gate",
            "text": '{"verdict": "refine", "drop": [], "queries": ["the harbour"]}',
        },
        {"process": "title", "text": f'{{"title": "{text}"}}'},
    )


@pytest.mark.parametrize("has_keys", [True, False])
def test_write_is_not_repeated(world: World, *, has_keys: bool) -> None:
    with world.agent(dies="after:act", has_keys=has_keys) as agent:
        session = agent.client.new()
        with pytest.raises(AgentGoneError):
            agent.client.say(session, "Remember that the ferry leaves at dusk")
    assert world.memories() == ["The ferry leaves at dusk"]
    with world.inklings() as opened:  # the same words twice would be one memory without keys, too
        [memory] = opened.listing.browse([world.scope]).entries
        patch = MemoryPatch(content="No boat sails in winter")
        opened.memories.update(memory.ref, patch, expected_version=memory.version)
    with world.agent(has_keys=has_keys) as agent:
        agent.client.load(session)
        agent.client.say(session, "/continue")
    repeated = [] if has_keys else ["The ferry leaves at dusk"]
    assert world.memories() == ["No boat sails in winter", *repeated]
    with world.inklings() as opened:
        events = opened.log.list(world.workspace)
    n_written = [one.kind for one in events].count(EventKind.MEMORY_CREATED)
    assert n_written == (1 if has_keys else 2)


def test_turn_that_a_backup_shows_under_way_cannot_go_on_and_says_so(world: World) -> None:
    with world.agent(dies="before:plan") as agent:
        session = agent.client.new()
        with pytest.raises(AgentGoneError):
            agent.client.say(session, "Remember that the mill is haunted")
    runs = world.runs()
    runs.end_run(runs.runs(session, 1)[0].id, "parked", RESTORED)
    with world.agent() as agent:
        found = agent.client.load(session)["_meta"]["inklings"]
        assert found["unfinished"]["problem"] == {"word": "run_damaged"}
        assert problems(agent.client) == ["run_damaged"]
        damaged = agent.client.say(session, "/continue")
        assert damaged["error"]["data"]["word"] == "run_damaged"
        assert world.memories() == []
        assert agent.client.say(session, "/retry")["stopReason"] == "end_turn"
    assert world.memories() == ["The mill is haunted"]


def problems(client: AcpClient) -> list[str]:
    """Words of the problems that were told beside an answer."""
    own = [(one.get("_meta") or {}).get("inklings", {}) for one in client.updates]
    return [one["problem"]["word"] for one in own if "problem" in one]


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
    assert alone == together  # whatever came before is not said twice
    assert before in ([], alone)  # a thread writes it: the kill may be quicker
    assert "haunted" in alone[0]


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
        found = agent.client.load(session)["_meta"]["inklings"]
        assert found["unfinished"]["problem"] == {"word": "run_unknown_version"}
        assert problems(agent.client) == ["run_unknown_version"]
        unknown = agent.client.say(session, "/continue")
        assert unknown["error"]["data"]["word"] == "run_unknown_version"
        runs.delete_thread(session)
        assert agent.client.say(session, "/continue")["stopReason"] == "end_turn"
    assert world.memories() == ["The mill is haunted"]
    assert world.said(session) == [("user", "complete"), ("assistant", "complete")]


def test_message_that_was_kept_before_the_agent_was_there_is_answered(world: World) -> None:
    with world.inklings() as opened:
        session = opened.conversations.start(world.workspace).id
        opened.conversations.invite(world.workspace, session, WORLD_AGENT)
        parts = '[{"kind": "text", "text": "Remember that the mill is haunted"}]'
        opened.messages.append(
            world.workspace, session, MessageDraft(MessageRole.USER, parts, "t1-0000abcd")
        )
    with world.agent() as agent:
        found = agent.client.load(session)["_meta"]["inklings"]
        assert found["unfinished"] == {"turn": "t1-0000abcd", "node": ""}
        ended = agent.client.say(session, "/continue")
        assert ended["_meta"]["inklings"]["turn"] == "t1-0000abcd"
        assert "unfinished" not in agent.client.load(session)["_meta"]["inklings"]
    assert world.memories() == ["The mill is haunted"]
    assert world.said(session) == [("user", "complete"), ("assistant", "complete")]


def test_message_that_the_client_has_kept_is_stored_once(world: World) -> None:
    with world.agent() as agent:
        session = agent.client.new()
        parts = '[{"kind": "text", "text": "Remember that the weir is deep"}]'
        with world.inklings() as opened:
            draft = MessageDraft(MessageRole.USER, parts, "t1-0000abcd")
            opened.messages.append(world.workspace, session, draft)
        block = {"type": "text", "text": "Remember that the weir is deep"}
        meta = {"inklings": {"turn": "t1-0000abcd"}}
        asked = {"sessionId": session, "prompt": [block], "_meta": meta}
        assert agent.client.ask("session/prompt", asked)["_meta"]["inklings"]["turn"] == (
            "t1-0000abcd"
        )
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
