"""What two states of the Conversation page show is what the agent writes, without a model and with.

``python -m tests.agent.test_harbour_talk`` records it anew.
"""

from __future__ import annotations

import json
import re
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.domain.memory import ScopeKey
from tests.agent.conftest import World, world_at
from tests.agent.test_team import report, sent
from tests.pictures.harbour import COMPARE, HARBOUR, RECORDED, Named, add_harbour
from tests.support.processes import kill_processes_on

pytestmark = pytest.mark.slow

MEMORIES = "Read every memory of the harbour; quote those that cannot both be true"
PAGES = "Read what pages say of the harbour; quote what no memory agrees with"
CHAT: tuple[dict[str, Any], ...] = (
    {"when": COMPARE, "calls": [sent(MEMORIES), sent(PAGES)]},
    {"when": COMPARE, "after": 2, "text":
     "Two things cannot both be true.\n\n"
     "1. **The gate.** *You have noted* that it closes [at dusk](memory:workspace/MEMORY-0), and "
     "that it closes [at noon](memory:workspace/MEMORY-1); your page *The harbour* says midnight.\n"
     "2. **The keys.** The harbour master has [nine](memory:workspace/MEMORY-2) or "
     "[twelve](memory:workspace/MEMORY-3).\n\n"
     "The pilot\u2019s letter may be wrong on purpose. I changed nothing: say which one holds."},
    {"process": "researcher", "when": MEMORIES, "calls": [
        {"name": "memory_read", "arguments": {"tier": "workspace", "query": "harbour"}}]},
    {"process": "researcher", "when": MEMORIES, "after": 1, "text": report(
        "Two pairs cannot both be true: the hour of the gate, and the number of keys.",
        *({"place": "workspace", "id": f"MEMORY-{n}", "text": one}
          for n, one in enumerate(HARBOUR[:4])))},
    {"process": "researcher", "when": PAGES, "calls": [
        {"name": "world_search", "arguments": {"query": "harbour gate"}},
        {"name": "world_read", "arguments": {"page": "The harbour"}}]},
    {"process": "researcher", "when": PAGES, "after": 2, "text": report(
        "The page lets the gate close at midnight, which no memory says.",
        {"place": "The harbour", "page": "The harbour",
         "text": "The harbour gate closes at midnight."})},
)  # fmt: skip


def told(world: World, folder: Path) -> dict[str, Any]:
    """What the agent answers and notes down, as it is recorded."""
    with world.inklings() as opened:
        ids = add_harbour(opened, world.workspace, folder)
    return {
        "mechanical": _asked(world, ids, None),
        "model": _asked(world, ids, Named(ids).meant(CHAT)),
    }


def _asked(world: World, ids: dict[str, str], chat: Any) -> Any:
    with world.agent(chat=chat) as agent:
        talk = agent.client.new()
        agent.client.say(talk, COMPARE)
    with world.inklings() as opened:
        (asked, answer), _ = opened.messages.list(world.workspace, talk)
        notes = opened.notes.list([ScopeKey.conversation(world.workspace, talk)])
    names = Named(ids | {"CONVERSATION": talk, "TURN": answer.turn})
    said = {
        "produced_by": answer.produced_by.value,
        "ms": (answer.created_at - asked.created_at) // timedelta(milliseconds=1),
        "parts": json.loads(answer.parts_json),
        "notes": {one.key: json.loads(one.value_json) for one in notes},
    }
    return names.told(said)


def timeless(recorded: object) -> str:
    """It without what a clock says."""
    clocked = re.compile(r'"(ms|created_at)": ("[^"]*"|\d+)')
    return clocked.sub("", json.dumps(recorded, sort_keys=True, indent=1))


def test_the_pictures_show_what_the_agent_writes(world: World, tmp_path: Path) -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert timeless(told(world, tmp_path / "isles")) == timeless(recorded)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "root"
        made = told(world_at(root), Path(scratch) / "isles")
        kill_processes_on(root)
    RECORDED.write_text(
        json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8"
    )
