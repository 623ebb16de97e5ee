"""Nothing at the agent's door tells of a closed domain, nor of what is private to another agent.

Two stores are alike but for a canary. Every tool, resource and prompt is asked in both under the
same ids and times, and each answer is compared byte for byte, scores and order with it.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import uuid
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client, MCPError

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.mcp_server import server, session
from inklings_desktop.mcp_server.server import InklingsServer
from inklings_desktop.mcp_server.session import ClientSession
from inklings_desktop.usecases.knowledge.values import FactDraft, PolicyDraft
from inklings_desktop.usecases.rooms import conversations
from tests.mcp_server.agent_door import LOOM
from tests.support.builders import NOON
from tests.support.fake_embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings

CANARY = "The drowned bell of Nerys tolls under the left quay, tide after tide after tide."
SOUGHT = "left bell quay tide"
FACTS = ("Nerys is left-handed.", "The bell of Wend hangs at the quay.", "The tide has nine names.")
UNKNOWN = "0b8f4c1e-0000-4000-8000-000000000000"
"""What the tools that name one memory are asked for: there is no such in either store."""
ASKED: dict[str, tuple[dict[str, Any], ...]] = {
    "memory_read": (
        {"tier": "workspace", "query": SOUGHT, "mode": "keyword", "detail": "full"},
        {"tier": "workspace", "query": SOUGHT, "detail": "full"},
        {"tier": "workspace", "query": "drowned", "detail": "full"},
        {"tier": "workspace", "detail": "full"},
    ),
    "memory_search": tuple(
        {"query": one, "detail": "full", "limit": 50} for one in (SOUGHT, "drowned", "after:2000")
    ),
    "memory_list": ({"tier": "workspace", "detail": "full"},),
    "memory_get": ({"ids": [UNKNOWN]},),
    "memory_recent": ({"since": "2000-01-01"},),
    "memory_orient": (
        {"query": SOUGHT, "detail": "full"},
        {"detail": "full"},
        {"at_story": 3},
    ),
    "fact_search": (
        {"query": SOUGHT},
        {"query": SOUGHT, "mode": "keyword", "history": True},
        {"query": SOUGHT, "domain": "Secrets"},
    ),
    "fact_history": ({"id": UNKNOWN},),
    "fact_put": (
        {"domain": "Secrets", "topic": "Nerys", "content": CANARY, "sources": [UNKNOWN]},
        {"domain": "Canon", "topic": "Nerys/bell", "content": CANARY, "sources": [UNKNOWN]},
    ),
    "fact_supersede": ({"id": UNKNOWN, "content": CANARY, "reason": "Tried."},),
    "policy_list": ({}, {"domain": "Secrets"}),
    "policy_propose": ({"domain": "Secrets", "rule": CANARY, "reason": "Tried."},),
    "domain_list": ({}, {"role": "keeper"}),
    "domain_create": ({"name": "Secrets"}, {"name": "Secret5"}),
    "working_memory_read": ({},),
    "working_memory_write": ({"body": "Tried."},),
    "memory_put": ({"tier": "workspace", "content": CANARY, "check": "derivable"},),
    "memory_put_many": ({"memories": [{"tier": "workspace", "content": "The left tide."}]},),
    "memory_update": (
        {"tier": "workspace", "id": UNKNOWN, "patch": {"importance": 1.0}, "expected_version": 1},
    ),
    "memory_forget": ({"tier": "workspace", "id": UNKNOWN},),
    "memory_restore": ({"tier": "workspace", "id": UNKNOWN},),
    "named_entry_list": ({},),
    "named_entry_read": ({"name": "VOICE"},),
    "named_entry_propose": ({"name": "VOICE", "body": CANARY, "reason": "Tried."},),
    "proposal_list": ({},),
    "channel_list": ({"archived": True},),
    "conversation_start": ({"title": "Tried"},),
    "conversation_list": ({},),
    "conversation_get": ({"conversation": UNKNOWN},),
    "conversation_end": ({"conversation": UNKNOWN},),
    "conversation_archive": ({"conversation": UNKNOWN},),
    "conversation_resume": ({"conversation": UNKNOWN},),
    "conversation_rename": ({"conversation": UNKNOWN, "title": "Tried"},),
    "note_write": ({"conversation": UNKNOWN, "key": "tried", "value": 1},),
    "note_read": ({"conversation": UNKNOWN},),
    "note_list": ({"conversation": UNKNOWN},),
    "note_clear": ({"conversation": UNKNOWN},),
    "message_append": (
        {"conversation": UNKNOWN, "role": "assistant", "parts": "[]", "turn": "tried"},
    ),
    "message_list": ({"conversation": UNKNOWN},),
    "run_state_purge": ({"conversation": UNKNOWN},),
    "workspace_overview": ({},),
    "memory_history": ({"id": UNKNOWN},),
    "event_list": ({"since": "2000-01-01"},),
    "world_search": ({"query": SOUGHT},),
    "world_read": ({"page": "Nerys"},),
    "world_outline": ({},),
    "world_changes": ({"since": "2000-01-01"},),
    "world_propose": ({"page": "Nerys", "text": CANARY, "reason": "Tried."},),
    "retcon_list": ({"state": "all"},),
    "retcon_keep": ({"id": UNKNOWN},),
    "activity_list": ({},),
    "activity_propose": (
        {
            "name": "Tried",
            "prompt": CANARY,
            "schedule": {"daily": "10:30"},
            "channel": "general",
            "reason": "Tried.",
        },
    ),
    "skill_search": ({"query": SOUGHT},),
    "skill_read": ({"name": "name-collisions"},),
    "skill_propose": ({"files": CANARY, "reason": "Tried."},),
    "skill_trace_append": ({"name": "name-collisions", "output": CANARY},),
}
PROMPTED: tuple[tuple[str, dict[str, str]], ...] = (
    ("begin_turn", {"message": SOUGHT}),
    ("begin_turn", {}),
    ("orient", {"message": SOUGHT}),
    ("remember", {"what": SOUGHT}),
    ("wrap-up", {}),
)
COUNTING = {"scrub_preview", "scrub_execute"}
"""What would be deleted is counted whole: the author, whose word is asked, has to be told of it."""
Answers = list[tuple[str, str]]


def numbered(inklings: Inklings, first: int) -> Inklings:
    """The same at one instant, with ids that can be foretold."""
    numbers = itertools.count(first)

    def new_id() -> str:
        return str(uuid.UUID(int=next(numbers) << 96 | 0x4000 << 64 | 0x8000 << 48))

    def clock() -> Any:
        return NOON + timedelta(seconds=first)

    return replace(inklings, parts=replace(inklings.parts, new_id=new_id, clock=clock))


@contextmanager
def opened(root: Path, workspace: str, first: int) -> Iterator[Inklings]:
    with open_inklings(
        root, workspace=workspace, embedder=FakeEmbedder(), embed_writes=False
    ) as inklings:
        yield numbered(inklings, first)


def settle(inklings: Inklings, here: str) -> None:
    """What both stores have."""
    scope = ScopeKey.workspace(here)
    inklings.domains.create(here, "Canon")
    inklings.domains.create_role(here, "keeper")
    inklings.domains.assign(LOOM, here, "keeper")
    for number, text in enumerate(FACTS):
        inklings.facts.put(here, FactDraft("Canon", f"Topic {number}", text))
    inklings.policies.put(here, PolicyDraft("Canon", "Name the tide."))
    for text in ("The left tide is counted in bells.", "A quay of Wend.", "Bells, bells, bells."):
        inklings.memories.put(MemoryDraft(scope, text))
    rights = [
        Right(tier, None if tier is Tier.ACCOUNT else here, action)
        for tier in Tier
        for action in (Action.READ, Action.WRITE, Action.PROPOSE)
    ]
    inklings.clients.grant(LOOM, rights)


def in_closed_domain(inklings: Inklings, here: str) -> None:
    inklings.domains.create(here, "Secrets", closed=True)
    for number in range(3):
        draft = FactDraft("Secrets", f"Nerys/{number}", f"{CANARY} {number}")
        inklings.facts.put(here, draft)
    inklings.policies.put(here, PolicyDraft("Secrets", CANARY, always=True))
    left = inklings.facts.put(here, FactDraft("Secrets", "Nerys/hand", "Nerys has a left hand."))
    inklings.facts.supersede(left.fact.memory.ref, "Nerys has no hand.", reason="The flood.")


def private_to_another(inklings: Inklings, here: str) -> None:
    every = frozenset(Action) - {Action.MANAGE}
    other = Caller(CallerKind.AGENT, "other", Door.MCP, (Grant(Tier.WORKSPACE, here, every),))
    for number in range(3):
        draft = MemoryDraft(ScopeKey.workspace(here), f"{CANARY} {number}", private_to="other")
        inklings.as_caller(other).memories.put(draft)


@pytest.mark.parametrize("plant", [in_closed_domain, private_to_another])
def test_domain_no_leak(
    tmp_path: Path,
    made: tuple[Path, Workspace],
    monkeypatch: pytest.MonkeyPatch,
    plant: Callable[[Inklings, str], None],
) -> None:
    monkeypatch.setattr(session, "MAX_REFUSALS_PER_MINUTE", 1_000)
    root, here = made[0], made[1].id
    both = []
    for is_planted in (False, True):
        copy = shutil.copytree(root, tmp_path / "root")
        with opened(copy, here, 1) as inklings:
            settle(inklings, here)
        if is_planted:
            with opened(copy, here, 50_000) as inklings:
                plant(inklings, here)
        codes = (f"Talk{number:07}" for number in itertools.count())
        monkeypatch.setattr(conversations, "new_ref_code", partial(next, codes))
        with opened(copy, here, 100_000) as inklings:
            both.append(asyncio.run(answers(inklings, here)))
        copy.rename(tmp_path / f"done {is_planted}")  # an answer tells its folder by a digest
    bare, planted = both
    assert [path for path, _ in bare] == [path for path, _ in planted]
    for (path, without), (_, with_canary) in zip(bare, planted, strict=True):
        assert with_canary == without, path
    told = " ".join(said for _, said in bare)
    assert all(fact in told for fact in FACTS)
    assert set(server._LISTINGS) == {*ASKED, *COUNTING}


async def answers(inklings: Inklings, here: str) -> Answers:
    """What every question is answered with, under its name, in one order."""
    asking = ClientSession(LOOM, lambda: nullcontext(inklings))
    asking.is_program = True  # it has every tool
    told = []
    async with Client(InklingsServer(asking)) as client:
        for name in ("tools", "resources", "resource_templates", "prompts"):
            listed = await getattr(client, f"list_{name}")()
            told.append((name, listed.model_dump_json()))
        addresses = [str(one.uri) for one in (await client.list_resources()).resources]
        asked: list[tuple[str, Awaitable[Any]]] = [
            (address, client.read_resource(address))
            for address in (*addresses, "inklings://facts/Secrets", "inklings://facts/Nowhere")
        ]
        asked += [(name, client.get_prompt(name, given)) for name, given in PROMPTED]
        # Twice: the first search of a file is answered by its index alone.
        asked += [
            (f"{tool} {given}", client.call_tool(tool, given))
            for _again in range(2)
            for tool, questions in ASKED.items()
            for given in questions
        ]
        told += [(name, await _heard(one)) for name, one in asked]
    return told


async def _heard(asked: Any) -> str:
    try:
        found = await asked
    except MCPError as error:
        return str(error)
    return str(found.model_dump_json())
