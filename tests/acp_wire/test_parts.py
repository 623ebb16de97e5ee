from __future__ import annotations

import json

import pytest
from acp import schema

from inklings_desktop.acp_wire import parts
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
