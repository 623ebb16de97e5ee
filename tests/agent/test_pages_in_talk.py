"""Pages in conversation: what they say is quoted apart from memories, and read block by block."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.agent.context.framing import told_result
from inklings_desktop.agent.memory_door.filters import ORCHESTRATOR, PIPELINE, may_call
from inklings_desktop.agent.model_planner.tool_specs import completed
from inklings_desktop.agent.planning import Call, Situation
from inklings_desktop.agent.policy import judge
from inklings_desktop.domain.memory import Derivation, MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.bundle import Inklings
from tests.agent.conftest import World
from tests.agent.spoken_turns import Talk
from tests.end2end.stage import OWN, Stage, workspace_of

NERYS = """---
status: canon
---
# Nerys

## Looks

Her left eye is grey, and her coat smells of tar.
"""
HERE = Situation("c1", "general", "")


def linked(inklings: Inklings, workspace_id: str, folder: Path) -> Path:
    """A folder of one page, read."""
    folder.mkdir()
    (folder / "Nerys.md").write_text(NERYS, encoding="utf-8")
    inklings.world.link(workspace_id, folder)
    inklings.world.look(workspace_id)
    return folder


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    """A conversation of an agent that knows of pages."""
    stage = Stage(tmp_path / "root", "protocol", NullEmbedder("none"))
    with stage.stack:
        linked(stage.a, workspace_of(stage.a), tmp_path / "isles")
        yield Talk(stage, stage.a, has_pages=True)


@pytest.mark.slow
def test_the_agent_quotes_a_line_of_a_page(world: World, tmp_path: Path) -> None:
    with world.inklings() as inklings:
        linked(inklings, world.workspace, tmp_path / "isles")
    with world.agent() as agent:
        agent.client.say(agent.client.new(), "Which colour has the left eye of Nerys?")
        (told,) = agent.client.texts()
    assert told.startswith("I found nothing about that in your memories.")
    assert "**In your pages**" in told
    assert "*Nerys* \u203a Looks (canon): " in told
    assert "Her left eye is grey" in told


def test_pages_stand_apart_from_memories(talk: Talk) -> None:
    talk.stage.keep("The author wants the left eye of Nerys to stay grey.")
    told = talk.say("What do you know about the left eye of Nerys?")
    memories, _, pages = told.text.partition("**In your pages**")
    assert "wants the left eye" in memories
    assert "coat smells of tar" not in memories
    assert ("wants the left eye" in pages, "coat smells of tar" in pages) == (False, True)
    assert len(told.quotes) == 1
    assert [one.call.tool for one in talk.calls][-1] == "world_search"
    assert "**In your pages**" in talk.say("find tar").text
    assert "**In deinen Seiten**" in talk.say("Suche: Nerys").text
    assert talk.say("find lighthouse").text == "Nothing matches that."


def test_an_overview_names_the_pages_that_a_memory_rests_on(talk: Talk) -> None:
    here = ScopeKey.workspace(workspace_of(talk.inklings))
    drawn = (Derivation("Nerys"),)
    talk.inklings.memories.put(MemoryDraft(here, "Nerys has one grey eye.", derived_from=drawn))
    told = talk.say("What do you remember about this workspace?").text
    assert "Nerys has one grey eye." in told
    assert "derived from \u201cNerys\u201d; check the source" in told


def test_pages_that_are_not_there_are_said_to_be_missing(talk: Talk, tmp_path: Path) -> None:
    shutil.move(tmp_path / "isles", tmp_path / "away")
    talk.inklings.world.look(workspace_of(talk.inklings))
    assert "were not there just now" in talk.say("Where is the lamp of Sele?").text


def test_where_there_are_no_pages_none_are_looked_for(talk: Talk) -> None:
    talk.has_pages = False
    assert "In your pages" not in talk.say("find tar").text
    assert {one.call.tool for one in talk.calls} == {"memory_search"}


def test_a_model_reads_blocks_and_each_of_them_is_shown_whole(talk: Talk, tmp_path: Path) -> None:
    paragraphs = [f"Line {n} of the long tide." for n in range(200)]
    (tmp_path / "isles" / "Tide.md").write_text("\n\n".join(paragraphs), encoding="utf-8")
    talk.inklings.world.look(workspace_of(talk.inklings))
    door = talk.stage.client(talk.inklings, OWN)
    shown: list[str] = []
    offset: int | None = 0
    while offset is not None:
        asked = completed("world_read", {"page": "Tide", "offset": offset, "limit": 30_000}, HERE)
        answer = door.call("world_read", **asked)
        told = json.loads(told_result(answer))
        assert "left_out" not in told
        shown += [one["text"] for one in told["blocks"]]
        offset = answer["next"]
    assert shown == paragraphs


def test_what_the_agent_may_do_with_pages() -> None:
    assert all(may_call(ORCHESTRATOR, one) for one in ("world_search", "world_read"))
    assert not may_call(PIPELINE, "world_read")
    assert not may_call(ORCHESTRATOR, "retcon_keep")
    assert judge(Call("1", "world_read", {"page": "Nerys"}), HERE).decision == "allow"
    assert judge(Call("1", "world_propose", {"page": "Nerys"}), HERE).decision == "allow"
    assert judge(Call("1", "retcon_keep", {"id": "x"}), HERE).decision == "refuse"
