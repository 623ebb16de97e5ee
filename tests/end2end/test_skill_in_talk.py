"""A skill at work in a conversation, in the window and on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.bundle import Inklings
from tests.end2end.talkers import WORLD_AGENT, ChatTalker, ColdAgent, Talker, WindowTalker
from tests.support.processes import kill_processes_on

pytestmark = [pytest.mark.end2end, pytest.mark.slow]

SKILL = """---
name: tide-tables
description: Reads the tides of a day.
metadata:
  inklings:
    input: {type: object, properties: {day: {type: string}}}
    assertions: [{check: max_length, value: 12}]
---
Read the table of {{day}}.
"""
SCRIPT = (
    {"when": "tides", "calls": [{"name": "skill_tide_tables", "arguments": {"day": "Monday"}}]},
    {"when": "tides", "after": 1, "text": "At six in the morning."},
    {"when": "not as it asks for", "text": "At six."},
)
Way = Callable[[Path, Inklings, QtBot, ColdAgent], Talker]


def by_window(root: Path, inklings: Inklings, qtbot: QtBot, agent: ColdAgent) -> Talker:
    return WindowTalker(root, inklings, qtbot, agent)


def by_chat(root: Path, _: Inklings, __: QtBot, agent: ColdAgent) -> Talker:
    return ChatTalker(root, agent)


@pytest.mark.parametrize("way", [by_window, by_chat])
def test_answer_by_a_skill_is_put_right_and_noted(way: Way, tmp_path: Path, qtbot: QtBot) -> None:
    root, script = tmp_path / "root", tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPT), encoding="utf-8")
    with open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False) as opened:
        here = opened.workspaces.create("Saltglass").id
        rights = preset_rights(ClientKind.WORLD_AGENT, here)
        opened.clients.grant(WORLD_AGENT, rights, kind=ClientKind.WORLD_AGENT)
        opened.skills.save(here, {"SKILL.md": SKILL})
        talker = way(root, opened, qtbot, ColdAgent(script))
        try:
            heard = talker.talk(here, "Tell the tides")
        finally:
            talker.close()
            kill_processes_on(root)
        kept = opened.skill_runs.traces(here, "tide-tables")
    assert [" ".join(one.split()) for one in heard.answers] == ["At six in the morning. At six."]
    assert sorted((one.outcome.value, one.output) for one in kept) == [
        ("failed", "At six in the morning."), ("passed", "At six."),
    ]  # fmt: skip
    assert {one.run_id for one in kept} == {kept[0].run_id}
