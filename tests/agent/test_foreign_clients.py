"""Foreign clients of the agent, each with a process of it: what they hear is what the page says."""

from __future__ import annotations

import json

import pytest

from tests.agent.conftest import World
from tests.agent.foreign_clients import (
    FORGET,
    KEPT,
    KINDS,
    PAGE,
    SAID,
    SdkClient,
    agent_command,
    transcript,
)
from tests.support.wide import mostly_wide

LINE_BYTES = 60 * 1024
"""Less than what a stream of asyncio reads as a line where it is told no other limit."""


@pytest.mark.slow
@pytest.mark.end2end
@pytest.mark.parametrize("kind", mostly_wide(KINDS, every_day=lambda kind: kind == "sdk"))
def test_a_foreign_client_hears_what_the_page_says(kind: str, world: World) -> None:
    heard = transcript(KINDS[kind], world)
    turns = heard.split("> ")
    asked = [turn for turn in turns if turn.startswith(f'session/prompt "{FORGET}"')]
    denied, stopped, allowed = asked
    assert "answered deny) failed" in denied
    assert "= cancelled" in stopped
    assert "answered once) completed" in allowed
    assert world.memories() == [KEPT]
    (loaded,) = (turn for turn in turns if turn.startswith("session/load"))
    assert [line for line in loaded.splitlines() if line.startswith("you: ")] == [
        f"you: {text}" for text, _ in SAID
    ]
    assert heard in PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_client_of_the_library_loads_a_long_message(world: World) -> None:
    text = "Hello " + "and tell me of the wide sea " * 7_000
    memory = {"name": "elsewhere", "command": "/nowhere", "args": [], "env": []}
    with SdkClient(agent_command(world)) as client:
        client.begin()
        session = client.open(memory)
        assert client.say(session, text) == "end_turn"
    with SdkClient(agent_command(world)) as client:
        client.begin()
        client.open(memory, session)
        said = [one for one in client.heard if one["sessionUpdate"] == "user_message_chunk"]
    assert "".join(one["content"]["text"] for one in said) == text
    assert len({one["messageId"] for one in said}) == 1
    assert max(len(json.dumps(one)) for one in said) < LINE_BYTES
