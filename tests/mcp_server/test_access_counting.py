"""What a client asked for and got counts as one read: no more, none lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import MemoryDraft, MemoryRef, ScopeKey, Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.mcp_server.tools.memory_tools import NOTHING_MATCHED
from inklings_desktop.usecases.bundle import Inklings
from tests.mcp_server.agent_door import LOOM, AgentDoor
from tests.mcp_server.served_process import served

BELL = "The bell of Wend is never rung at noon."
TOLL = "The toll of Wend is paid in directions."
READERS, READERS_FULL = 20, 1_000


@pytest.fixture
def author(world: tuple[Path, str]) -> Iterator[Inklings]:
    root, workspace = world
    with open_inklings(root, workspace=workspace, embedder=NullEmbedder("none")) as opened:
        yield opened


def remember(author: Inklings, text: str) -> MemoryRef:
    assert author.workspace is not None
    scope = ScopeKey.workspace(author.workspace.id)
    return author.memories.put(MemoryDraft(scope, text)).ref


def reads(author: Inklings, ref: MemoryRef) -> int:
    return author.listing.show(ref).entry.access_count


@pytest.mark.endurance
@pytest.mark.timeout(900)
@pytest.mark.end2end
def test_readers_in_two_processes_count_exactly_as_often_as_they_read(
    world: tuple[Path, str], author: Inklings, reduced_or_full: Callable[[int, int], int]
) -> None:
    bell, toll = remember(author, BELL), remember(author, TOLL)
    n_each = reduced_or_full(READERS, READERS_FULL) // 2
    hits = {bell.id: 0, toll.id: 0}
    with ExitStack() as stack:
        pair = [stack.enter_context(served(*world, LOOM)) for _ in range(2)]
        for process in pair:
            process.begin()
        # All requests are on their way before the first answer is waited for.
        for number in range(1, n_each + 1):
            for process in pair:
                process.send(request(number, *asked(number)))
        for process in pair:
            for number in range(1, n_each + 1):
                result = process.answer(number)["result"]
                assert not result.get("isError"), result
                for hit in result["structuredContent"].get("hits", ()):
                    hits[{bell.id[:8]: bell.id, toll.id[:8]: toll.id}[hit["id"]]] += 1
                # The orientation holds both; the bell is not what it was asked for.
                hits[toll.id] += TOLL in result["structuredContent"].get("markdown", "")
        author.listing.show(bell)  # a person's look never counts
    assert min(hits.values()) >= n_each
    assert {ref.id: reads(author, ref) for ref in (bell, toll)} == hits


def asked(number: int) -> tuple[str, dict[str, Any]]:
    """Ways to retrieve, in turn: both memories, one of them, the whole turn."""
    return (
        ("memory_read", {"tier": "workspace", "query": "wend", "mode": "keyword"}),
        ("memory_read", {"tier": "workspace", "query": f"bell {number}", "mode": "keyword"}),
        ("memory_read", {"tier": "workspace", "limit": 2}),
        ("memory_orient", {"query": "toll"}),
    )[number % 4]


def request(number: int, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    call = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}


def test_only_what_was_handed_over_counts(door: AgentDoor) -> None:
    inklings = door.inklings
    bell, toll = remember(inklings, BELL), remember(inklings, TOLL)
    tagged = MemoryDraft(bell.scope, "It is cracked.", tags=("Clapper",))
    clapper = inklings.memories.put(tagged).ref

    def counted() -> tuple[int, int]:
        return reads(inklings, bell), reads(inklings, toll)

    found = door.answer("memory_read", tier="workspace", query="bell")
    assert [hit["id"] for hit in found["hits"]] == [bell.id]
    assert counted() == (1, 0)
    # Asked for twice in one request it is still one retrieval.
    door.answer("memory_read", tier="workspace", query="bell bell rung wend", limit=1)
    assert counted() == (2, 0)
    door.answer("memory_read", tier="workspace", limit=1)
    assert sum(counted()) == 3
    before = counted()
    told = door.answer("memory_orient", query="toll")
    assert told["markdown"].count(TOLL) == told["markdown"].count(BELL) == 1
    assert counted() == (before[0], before[1] + 1)
    assert reads(inklings, clapper) == 0
    door.answer("memory_orient", query="What became of the clapper?")
    assert reads(inklings, clapper) == 1


def test_what_is_refused_or_only_looked_at_counts_nothing(door: AgentDoor) -> None:
    inklings = door.inklings
    bell = remember(inklings, BELL)
    room = door.answer("conversation_start")["conversation"]["id"]
    door.refusal("memory_read", tier="workspace", query="bell", limit=101)
    door.refusal("memory_read", tier="conversation", scope="00000000000", query="bell")
    door.refusal("memory_read", client="nobody", tier="account", query="bell")
    unlike = door.answer("memory_read", tier="workspace", query="nothing like it", mode="keyword")
    assert ([hit["id"] for hit in unlike["hits"]], unlike["matched"]) == ([bell.id], False)
    assert unlike["notice"].startswith(NOTHING_MATCHED)
    assert door.answer("memory_read", tier="conversation", scope=room, query="bell")["hits"] == []
    door.answer("named_entry_list")
    door.answer("conversation_list")
    inklings.listing.locate(bell.id, door.workspace.id)
    inklings.listing.browse([ScopeKey.workspace(door.workspace.id)])
    assert reads(inklings, bell) == 0
    assert Tier.WORKSPACE is bell.scope.tier
