from __future__ import annotations

import json

import pytest
from acp import schema

from inklings_desktop.acp_wire import parts
from inklings_desktop.agent_client.rows import TextBlock
from inklings_desktop.agent_client.thread_state import ThreadState
from tests.support.acp_schema import checked
from tests.support.spoken import MESSAGES


def test_every_update_of_a_replay_is_of_the_protocol() -> None:
    updates = list(parts.replay(MESSAGES))
    assert len(updates) > len(MESSAGES)
    for update in updates:
        message = {
            "jsonrpc": "2.0",
            "method": "session/update",
            "params": {"sessionId": "s", "update": update},
        }
        assert checked(message) is message


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_long_text_is_told_in_short_lines_and_is_one_again(role: str) -> None:
    quotes = [{"id": "0b4d7e90-0000-4000-8000-000000000001", "tier": "workspace"}]
    kept = [{"kind": "text", "text": f"{n} {letter * 50_000}", "quotes": quotes}
            for n, letter in enumerate("a\U0001f30a\n")]  # fmt: skip
    message = {"turn": "t1-0a1b2c3d", "role": role, "parts": kept, "id": "m1", "at": None}
    updates = list(parts.replay([message]))
    assert max(len(json.dumps(one)) for one in updates) < 60 * 1024
    assert {one.get("messageId", "m1") for one in updates} == {"m1"}
    thread = ThreadState()
    for update in updates:
        thread.apply(update)
    [turn] = thread.turns
    begins = [one for one in turn.blocks if isinstance(one, TextBlock) and one.begins]
    assert len(begins) == len(kept)
    said = "".join(one.text for one in turn.blocks if isinstance(one, TextBlock))
    assert said == "".join(str(one["text"]) for one in kept)


@pytest.mark.parametrize("said", [MESSAGES[0], MESSAGES[3]])
def test_what_a_person_said_is_the_same_after_the_way_to_the_agent(said: dict[str, str]) -> None:
    kept = parts.parts_of(said)
    blocks = parts.prompt_blocks(kept)
    schema.PromptRequest.model_validate({"sessionId": "s", "prompt": blocks})
    assert parts.parts_of_prompt(json.loads(json.dumps(blocks))) == kept


def test_what_is_no_part_is_left_out() -> None:
    assert parts.parts_of({"parts": "no json"}) == []
    assert parts.parts_of({"parts": '{"kind":"text"}'}) == []
    assert parts.parts_of({"parts": [1, {"kind": "text"}]}) == [{"kind": "text"}]
    assert parts.parts_of_prompt([{"type": "audio", "data": ""}, {}]) == []
