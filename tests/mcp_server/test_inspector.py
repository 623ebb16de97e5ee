"""A foreign client of the protocol at the agent's door, over stdio and over HTTP."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import Curator, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.mcp_server.words.answers import UNTRUSTED_SHORT
from tests.mcp_server.agent_door import LOOM, STRANGER
from tests.mcp_server.inspector import Inspector, call, pinned
from tests.mcp_server.served_process import served_over_http
from tests.mcp_server.test_tools import READING, WRITING
from tests.support.wide import mostly_wide

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.mcp_server.inspector import Said

    Asks = Callable[..., Said]

pytestmark = [
    pytest.mark.end2end,
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(shutil.which("npx") is None, reason="npx is not installed"),
]

BELL = "The bell of Wend is never rung at noon."


@pytest.fixture(
    scope="module",
    params=mostly_wide(
        ((packages,) for packages in pinned()),
        every_day=lambda one: one[0] == pinned()[-1],
        ids=lambda one: one[0][0].rpartition("@")[2],
    ),
)
def inspector(request: pytest.FixtureRequest) -> Inspector:
    found = Inspector(request.param)
    if not found.is_there():
        reason = f"npx cannot fetch {' '.join(found.packages)} here"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def structured(said: Said) -> dict[str, Any]:
    assert said.status == 0, said
    document: dict[str, Any] = said.document["structuredContent"]
    return document


def test_a_foreign_client_finds_everything_it_may_use(
    world: tuple[Path, str], inspector: Inspector
) -> None:
    # Its own judge of how portable the schemas are has no objection.
    strict = ["--strict"] if inspector.is_current else []
    for client, expected in ((LOOM, READING | WRITING), (STRANGER, READING)):
        listed = inspector.ask_stdio(*world, client, "--method", "tools/list", *strict)
        assert listed.status == 0, listed
        assert not (strict and listed.err), listed.err  # nor a warning
        tools = {tool["name"]: tool for tool in listed.document["tools"]}
        assert set(tools) >= expected
        assert (set(tools) >= WRITING) == (client == LOOM)
        assert tools["memory_read"]["annotations"]["readOnlyHint"] is True
    templates = inspector.ask_stdio(*world, LOOM, "--method", "resources/templates/list")
    assert len(templates.document["resourceTemplates"]) == 2


def test_what_a_foreign_client_writes_is_read_and_counted(
    world: tuple[Path, str], inspector: Inspector
) -> None:
    root, workspace = world
    put = call("memory_put", tier="workspace", content=BELL, importance=0.8, tags=["bell"])
    stored = structured(inspector.ask_stdio(root, workspace, LOOM, *put))
    assert stored["status"] == "stored"
    read = call("memory_read", tier="workspace", query="bell", limit=5)
    found = structured(inspector.ask_stdio(root, workspace, LOOM, *read))
    assert found["note"] == UNTRUSTED_SHORT
    assert [hit["content"] for hit in found["hits"]] == [BELL]
    with open_inklings(root, workspace=workspace, embedder=NullEmbedder("none")) as inklings:
        page = inklings.listing.browse([ScopeKey.workspace(workspace)])
        (entry,) = page.entries
    assert (entry.content, entry.importance, entry.tags) == (BELL, 0.8, ("bell",))
    assert (entry.curator, entry.access_count) == (Curator.AGENT, 1)


def test_a_foreign_client_hears_why_it_is_refused(
    world: tuple[Path, str], inspector: Inspector
) -> None:
    closed = call("memory_read", tier="account", query=BELL)
    refused = inspector.ask_stdio(*world, STRANGER, *closed)
    assert "Not open to this client: read in the account tier" in refused.out
    assert BELL not in refused.out + refused.err
    missing = inspector.ask_stdio(
        *world, LOOM, "--method", "resources/read", "--uri", "inklings://named/workspace/NONE"
    )
    assert missing.status != 0
    assert "There is no such named entry. There are: VOICE." in missing.out + missing.err


def test_a_foreign_client_comes_in_over_http_with_the_token_alone(world: tuple[Path, str]) -> None:
    current = Inspector(pinned()[-1])
    if not current.is_there():
        assert not os.environ.get("CI"), "npx cannot fetch the inspector"
        pytest.skip("npx cannot fetch the inspector here")
    with served_over_http(*world, LOOM) as loopback:
        (name, value), *_ = loopback.headers.items()
        header = f"{name}: {value}"
        put = call("memory_put", tier="workspace", content=BELL)
        assert structured(current.ask_http(loopback.address, header, *put))["status"] == "stored"
        read = call("memory_read", tier="workspace", query="bell")
        found = structured(current.ask_http(loopback.address, header, *read))
        assert [hit["content"] for hit in found["hits"]] == [BELL]
        guessed = current.ask_http(
            loopback.address, f"{name}: Bearer guess", "--method", "tools/list"
        )
        assert guessed.status != 0
        assert "memory_read" not in guessed.out
