"""The twelve scenarios, spoken: the sentences of their page, said to the World Agent.

Through the process that the Conversation page leads, and through ``inklings chat``; the agent
without a model, and one whose model plays a script. All of them are played on one data root, whose
host serves every workspace, and with agents that need not be loaded anew; at full length on a root
and with the whole program for each.
"""

# ruff: noqa: RUF001  the sentences are the page's own, with its marks

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.memories.decay import relevance_of
from inklings_desktop.domain.memory import Curator, Lifetime, MemoryEntry, ScopeKey, Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.bundle import Inklings
from tests.end2end.agent_doors import ProtocolDoor
from tests.end2end.talkers import (
    WORLD_AGENT,
    ChatTalker,
    ColdAgent,
    Heard,
    Starting,
    Talker,
    WarmAgent,
    WindowTalker,
    warm,
)
from tests.support.builders import a_memory
from tests.support.processes import kill_processes_on

pytestmark = [pytest.mark.end2end, pytest.mark.endurance]

DRAGONS = "Remember that this workspace is used for my fantasy novel project about dragons."
NAME = "Remember that my main character’s name is Elarindë."
WHO = "What do you know about my main character?"
WHAT = "What do you remember about this workspace?"
DARK = "Remember that I always prefer dark themes in my writing — note this at the account level."
PREFERENCES = "What do you know about my preferences?"
VILLAIN = "Remember that the villain’s name is Malachar — workspace scope only."
WHICH_VILLAIN = "Do you know anything about a villain named Malachar?"
CHAPTERS = "Keep track for this conversation: I want to discuss chapters 1–3 today."
WHICH_CHAPTERS = "What chapters did I want to discuss?"
SESSION = "Remind me short-term: I have a writing session scheduled for next week."
SCHEDULE = "Do you remember anything about my schedule?"
STUDIED = "I have already investigated the historical context for Chapter 5."
CONTEXT = "What do you know about the historical context?"
RESEARCH = "What research has been done so far?"
THREE_PAGES = "Keep track of this — I’ve edited 3 pages so far today."
TWO_MORE = "I just edited 2 more pages. How many have I edited today?"
BACKSTORY = (
    "Remember permanently: The protagonist’s backstory is that she was a scholar who lost her"
    " memory."
)
WHICH_BACKSTORY = "What do you know about the protagonist’s backstory?"
NEW_WORKSPACE = "What do you know about this workspace?"
MAP = "The world map is kept in the ‘Maps’ page."
WHERE_MAP = "Where is the world map?"


def _puts(when: str, content: str, **more: Any) -> list[dict[str, Any]]:
    arguments = {"tier": "workspace", "content": content, "importance": 0.8} | more
    call = {"name": "memory_put", "arguments": arguments}
    said = {"when": when, "after": 1, "text": "I’ll remember that."}
    return [{"when": when, "calls": [call]}, said]


def _reads(when: str, query: str, *tiers: str) -> list[dict[str, Any]]:
    asked = [
        {"name": "memory_read", "arguments": {"tier": one, "query": query, "found_only": True}}
        for one in tiers
    ]
    return [
        {"when": when, "calls": asked},
        {"when": when, "after": len(asked), "text": "You have noted: {found}"},
    ]


def _noted(n_pages: int) -> dict[str, Any]:
    arguments = {"key": "tally.edit pages", "value": n_pages}
    return {"name": "note_write", "arguments": arguments}


SCRIPT = [
    *_puts(DRAGONS, "This workspace is used for my fantasy novel project about dragons."),
    *_puts(NAME, "My main character’s name is Elarindë."),
    {"when": WHO, "text": "{context}"},
    *_reads(WHAT, "", "workspace"),
    *_puts(DARK, "I always prefer dark themes in my writing.", tier="account"),
    *_reads(PREFERENCES, "prefer", "workspace", "account"),
    *_puts(VILLAIN, "The villain’s name is Malachar."),
    *_reads(WHICH_VILLAIN, "villain Malachar", "workspace", "account"),
    *_puts(
        CHAPTERS,
        "I want to discuss chapters 1–3 today.",
        tier="conversation",
        lifetime="conversation",
    ),
    {
        "when": WHICH_CHAPTERS,
        "calls": [
            {
                "name": "memory_read",
                "arguments": {
                    "tier": "conversation",
                    "query": "chapters discuss",
                    "found_only": True,
                },
            }
        ],
    },
    {"when": WHICH_CHAPTERS, "after": 1, "text": "You have noted: {found}"},
    *_puts(
        SESSION,
        "I have a writing session scheduled for next week.",
        lifetime="short_term",
        importance=0.5,
    ),
    {"when": SCHEDULE, "text": "{context}"},
    *_puts(STUDIED, STUDIED, private=True),
    *_reads(RESEARCH, "research investigated Chapter 5", "workspace"),
    *_reads(CONTEXT, "historical context", "workspace"),
    {"when": THREE_PAGES, "calls": [_noted(3)]},
    {"when": THREE_PAGES, "after": 1, "text": "3 pages so far."},
    {"when": TWO_MORE, "calls": [_noted(5)]},
    {"when": TWO_MORE, "after": 1, "text": "5 pages."},
    *_puts(BACKSTORY, "The protagonist’s backstory is that she was a scholar who lost her memory."),
    *_reads(WHICH_BACKSTORY, "protagonist backstory", "workspace"),
    *_reads(NEW_WORKSPACE, "", "workspace"),
    *_puts(MAP, MAP),
    *_reads(WHERE_MAP, "world map", "workspace"),
]
"""What the scripted model does. What its orientation found it does not read once more."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A data root, the author at it, and one way to talk with the World Agent.

    Attributes:
        root: The data root.
        inklings: The author's use cases.
        talker: The way.
        is_scripted: Whether a model that plays a script plans.
    """

    root: Path
    inklings: Inklings
    talker: Talker
    is_scripted: bool

    def workspace(self, name: str) -> str:
        """Id of a new workspace that the agent was let into."""
        made = self.inklings.workspaces.create(f"{name} of {uuid.uuid4().hex[:8]}")
        for client in (WORLD_AGENT, "writer", "researcher"):
            rights = preset_rights(ClientKind.WORLD_AGENT, made.id)
            self.inklings.clients.grant(client, rights, kind=ClientKind.WORLD_AGENT)
        return made.id

    def kept(self, workspace: str | None) -> list[MemoryEntry]:
        """What the workspace tier, or the account's, holds."""
        scope = ScopeKey.account() if workspace is None else ScopeKey.workspace(workspace)
        return list(self.inklings.listing.browse([scope]).entries)

    def memory(self, workspace: str, begins: str) -> MemoryEntry:
        """The one memory of the workspace tier that says this."""
        (found,) = [one for one in self.kept(workspace) if begins in one.content]
        return found


MECHANICAL = {"window-mechanical": ("window", False), "chat-mechanical": ("chat", False)}
SCRIPTED = {"window-scripted": ("window", True), "chat-scripted": ("chat", True)}
"""A model that plays a script: at full length, by night."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    ways = MECHANICAL | SCRIPTED if is_full(metafunc.config) else MECHANICAL
    both = [(one, one) for one in ways.values()]
    metafunc.parametrize(("spoken", "stage"), both, ids=list(ways), indirect=True)


def is_full(config: pytest.Config) -> bool:
    """Whether everything is played at full length."""
    return bool(config.getoption("markexpr") == "endurance")


@pytest.fixture(scope="module")
def warm_agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where agents are forked."""
    with warm(tmp_path_factory.mktemp("warm")) as address:
        yield address


@pytest.fixture(scope="module")
def shared_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data root of every scene."""
    with a_root(tmp_path_factory.mktemp("spoken")) as root:
        yield root


@contextmanager
def a_root(folder: Path) -> Iterator[Path]:
    """A data root that is searched by words alone, so that no model of meaning is loaded."""
    root = folder / "root"
    root.mkdir()
    settings = '[embedding]\nmodel = "none"\n[background]\nfaded = "prune"\n'
    (root / "settings.toml").write_text(settings, encoding="utf-8")
    try:
        yield root
    finally:
        kill_processes_on(root)


@pytest.fixture
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, Starting]]:
    """A data root, and what starts its agents."""
    _, is_scripted = request.param
    script = tmp_path / "script.json" if is_scripted else None
    if script is not None:
        script.write_text(json.dumps(SCRIPT), encoding="utf-8")
    if is_full(request.config) or not hasattr(os, "fork"):
        with a_root(tmp_path) as root:
            yield root, ColdAgent(script)
        return
    starting = WarmAgent(request.getfixturevalue("warm_agents"), script)
    if request.function is test_spoken_account_across_workspaces:  # the account is of the root
        with a_root(tmp_path) as root:
            yield root, starting
    else:
        yield request.getfixturevalue("shared_root"), starting


@pytest.fixture
def spoken(
    request: pytest.FixtureRequest, stage: tuple[Path, Starting], qtbot: QtBot
) -> Iterator[Spoken]:
    """A scene."""
    (through, is_scripted), (root, starting) = request.param, stage
    with open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False) as inklings:
        talker: Talker = (
            WindowTalker(root, inklings, qtbot, starting)
            if through == "window"
            else ChatTalker(root, starting)
        )
        try:
            yield Spoken(root, inklings, talker, is_scripted)
        finally:
            talker.close()


def said(heard: Heard) -> str:
    """The last answer."""
    return heard.answers[-1]


@pytest.mark.requirement("spoken-memory-storage")
def test_spoken_memory_storage(spoken: Spoken) -> None:
    here = spoken.workspace("A")
    heard = spoken.talker.talk(here, DRAGONS)
    assert said(heard).startswith("I’ll remember that")
    (kept,) = spoken.kept(here)
    assert "fantasy novel project about dragons" in kept.content
    assert (kept.curator, kept.lifetime, kept.access_count) == (
        Curator.AGENT,
        Lifetime.LONG_TERM,
        0,
    )
    assert heard.wrote == ((kept.id,),)
    assert spoken.kept(None) == []
    logged = spoken.inklings.log.list(here)
    assert any(kept.id in str(one) for one in logged)


@pytest.mark.requirement("spoken-memory-retrieval")
def test_spoken_memory_retrieval(spoken: Spoken) -> None:
    here = spoken.workspace("A")
    first = spoken.talker.talk(here, NAME)
    spoken.talker.end(here, first.conversation)
    then = spoken.talker.talk(here, WHO)
    assert then.conversation != first.conversation
    assert "Elarindë" in said(then)
    kept = spoken.memory(here, "Elarindë")
    assert kept.access_count == 1


@pytest.mark.requirement("spoken-relevance-decay")
def test_spoken_relevance_decay(spoken: Spoken) -> None:
    here = spoken.workspace("A")
    scope, now = ScopeKey.workspace(here), datetime.now(UTC)
    long_ago = now - timedelta(days=21)
    texts = {
        "Temporary note: check formatting tomorrow.": (Lifetime.SHORT_TERM, 0.1),
        "Core theme: redemption arc for the protagonist.": (Lifetime.LONG_TERM, 0.9),
        "The quay of Wend is paved with mud bricks.": (Lifetime.LONG_TERM, 0.6),
        "The tower of Wend has forty steps.": (Lifetime.LONG_TERM, 0.6),
        "The tide comes twice a day.": (Lifetime.LONG_TERM, 0.6),
    }
    with spoken.inklings.parts.store.write(here, initiator="test") as unit:
        unit.memories.add(
            [
                a_memory(
                    text, scope=scope, lifetime=lifetime, importance=importance, created_at=long_ago
                )
                for text, (lifetime, importance) in texts.items()
            ]
        )
        unit.commit()
    note = spoken.memory(here, "check formatting")
    assert relevance_of(note, spoken.inklings.settings.decay, now) == pytest.approx(0.008, abs=1e-4)
    n_before = len(spoken.kept(here))
    with open_inklings(
        spoken.root, workspace=here, embedder=NullEmbedder("none"), embed_writes=False
    ) as pruning:
        pruning.consolidation.run(scope)
    assert len(spoken.kept(here)) == n_before - 1
    heard = spoken.talker.talk(here, WHAT)
    assert "redemption arc" in said(heard)
    assert "check formatting" not in said(heard)


@pytest.mark.requirement("spoken-account-across-workspaces")
def test_spoken_account_across_workspaces(spoken: Spoken) -> None:
    a, b = spoken.workspace("A"), spoken.workspace("B")
    spoken.talker.talk(a, DARK)
    assert spoken.kept(None) == []
    (proposed,) = spoken.inklings.proposals.list(None)
    spoken.inklings.proposals.accept(proposed.ref)
    (kept,) = spoken.kept(None)
    assert "dark themes" in kept.content
    assert spoken.kept(a) == spoken.kept(b) == []
    assert "dark themes" in said(spoken.talker.talk(b, PREFERENCES))


@pytest.mark.requirement("spoken-workspace-no-leak")
def test_spoken_workspace_no_leak(spoken: Spoken) -> None:
    a, b = spoken.workspace("A"), spoken.workspace("B")
    spoken.talker.talk(a, VILLAIN)
    assert "Malachar" in spoken.memory(a, "Malachar").content
    there = spoken.talker.talk(b, WHICH_VILLAIN)
    assert "name is Malachar" not in said(there)
    assert spoken.kept(b) == spoken.kept(None) == []
    assert "name is Malachar" in said(spoken.talker.talk(a, WHICH_VILLAIN))


@pytest.mark.requirement("spoken-conversation-cleared")
def test_spoken_conversation_cleared(spoken: Spoken) -> None:
    here = spoken.workspace("A")
    first = spoken.talker.talk(here, CHAPTERS, WHICH_CHAPTERS)
    assert "chapters 1–3" in said(first)
    spoken.talker.end(here, first.conversation)
    after = spoken.talker.talk(here, WHICH_CHAPTERS)
    assert "1–3" not in said(after)
    own = ScopeKey.conversation(here, first.conversation)
    assert list(spoken.inklings.listing.browse([own]).entries) == []


@pytest.mark.requirement("spoken-short-term-survives")
def test_spoken_short_term_survives(spoken: Spoken) -> None:
    here = spoken.workspace("A")
    first = spoken.talker.talk(here, SESSION)
    spoken.talker.end(here, first.conversation)
    assert "writing session" in said(spoken.talker.talk(here, SCHEDULE))
    kept = spoken.memory(here, "writing session")
    assert (kept.lifetime, kept.access_count) == (Lifetime.SHORT_TERM, 1)


@pytest.mark.requirement("spoken-agent-private")
def test_spoken_agent_private(spoken: Spoken) -> None:
    here = spoken.workspace("A")
    with open_inklings(
        spoken.root, workspace=here, embedder=NullEmbedder("none"), embed_writes=False
    ) as opened:
        ProtocolDoor(opened, here, "researcher").put(Tier.WORKSPACE, STUDIED, private=True)
        assert "historical context" not in said(spoken.talker.talk(here, RESEARCH))
        ours = f"Remember for yourself: {STUDIED}"
        spoken.talker.talk(here, STUDIED if spoken.is_scripted else ours)
        assert "already investigated" in said(spoken.talker.talk(here, CONTEXT))
        writer = ProtocolDoor(opened, here, "writer")
        assert writer.read(Tier.WORKSPACE, "historical context") == []
    owners = {one.agent_id for one in spoken.kept(here)}
    assert owners == {"researcher", WORLD_AGENT}


@pytest.mark.requirement("spoken-scratchpad")
def test_spoken_scratchpad(spoken: Spoken) -> None:
    here = spoken.workspace("A")
    heard = spoken.talker.talk(here, THREE_PAGES, TWO_MORE)
    assert "5 pages" in said(heard)
    notes = spoken.inklings.notes.list([ScopeKey.conversation(here, heard.conversation)])
    assert [one.key for one in notes if "5" in one.value_json] != []
    assert spoken.kept(here) == []


@pytest.mark.requirement("spoken-survives-restart")
def test_spoken_survives_restart(spoken: Spoken) -> None:
    here = spoken.workspace("A")
    spoken.talker.talk(here, BACKSTORY)
    spoken.talker.kill()
    heard = spoken.talker.talk(here, WHICH_BACKSTORY)
    assert "scholar who lost her memory" in said(heard)
    own = ScopeKey.conversation(here, heard.conversation)
    assert list(spoken.inklings.listing.browse([own]).entries) == []
    messages, _ = spoken.inklings.messages.list(here, heard.conversation)
    assert [one.role.value for one in messages] == ["user", "assistant"]


@pytest.mark.requirement("spoken-empty-workspace")
def test_spoken_empty_workspace(spoken: Spoken) -> None:
    full, new = spoken.workspace("A"), spoken.workspace("B")
    spoken.talker.talk(full, DRAGONS)
    heard = spoken.talker.talk(new, NEW_WORKSPACE)
    assert "dragons" not in said(heard)
    assert "nothing" in said(heard).lower()
    assert spoken.kept(new) == []


@pytest.mark.requirement("spoken-repository-scoping")
def test_spoken_repository_scoping(spoken: Spoken) -> None:
    a, b = spoken.workspace("A"), spoken.workspace("B")
    spoken.talker.talk(a, MAP if spoken.is_scripted else f"Remember: {MAP}")
    assert "Maps" in spoken.memory(a, "world map").content
    assert "Maps" not in said(spoken.talker.talk(b, WHERE_MAP))
    assert spoken.kept(b) == []
    for file in (spoken.root / "workspaces" / b).rglob("*"):
        assert not file.is_file() or b"Maps" not in file.read_bytes()
