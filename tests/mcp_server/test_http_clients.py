"""One server over HTTP for every client: each by its own token, with its own rights."""

from __future__ import annotations

import json
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.mcp_server.words.sizes import PAGE_CHARACTERS
from inklings_desktop.usecases.bundle import Inklings
from tests.mcp_server.agent_door import LOOM, STRANGER, is_free_and_sound
from tests.mcp_server.served_process import (
    Loopback,
    initialize,
    inklings_command,
    running,
    served_over_http,
    served_to_everyone,
)
from tests.support.stopwatch import HANG_SECONDS

pytestmark = pytest.mark.end2end

OK, UNAUTHORIZED, NO_SESSION, UNAVAILABLE = 200, 401, 404, 503
UNKNOWN = (
    "This server needs the bearer token of a client that it serves."
    " See it, or make one, with: inklings mcp token CLIENT"
)


def opened(root: Path) -> AbstractContextManager[Inklings]:
    return open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False)


def token_of(root: Path, client: str, *, renew: bool = False) -> str:
    with opened(root) as inklings:
        return inklings.clients.show_token(client, renew=renew)


class HttpClient:
    """A client that shows a token; it can hold several sessions, one after the other."""

    def __init__(self, loopback: Loopback, token: str) -> None:
        self.loopback = loopback
        self.token = token
        self.session = ""

    def ask(self, message: dict[str, Any]) -> tuple[int, str]:
        """Status and body of the answer."""
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {self.token}",
            "Mcp-Protocol-Version": "2025-06-18",
        }
        if self.session:
            headers["Mcp-Session-Id"] = self.session
        request = urllib.request.Request(  # noqa: S310 - a loopback address
            self.loopback.address, json.dumps(message).encode(), headers
        )
        try:
            with urllib.request.urlopen(request, timeout=HANG_SECONDS) as answer:  # noqa: S310
                self.session = answer.headers.get("mcp-session-id", self.session)
                return int(answer.status), answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def begin(self) -> tuple[int, str]:
        """Shake hands anew."""
        self.session = ""
        status, body = self.ask(initialize())
        if status == OK:
            self.ask({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return status, body

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool."""
        params = {"name": tool, "arguments": arguments}
        status, body = self.ask(
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        )
        assert status == OK, body
        data = next(_data(body))
        result: dict[str, Any] = data["result"]
        return result


def _data(body: str) -> Iterator[dict[str, Any]]:
    for line in body.splitlines():
        if line.startswith("data: {"):
            yield json.loads(line.removeprefix("data: "))


def test_an_answer_about_twenty_of_the_longest_memories_fits_its_event(
    world: tuple[Path, str],
) -> None:
    root, workspace = world
    with opened(root) as inklings:
        scope = ScopeKey.workspace(workspace)
        for number in range(20):
            text = f"Chronicle {number}: ".ljust(65_536, "x")
            inklings.memories.put(MemoryDraft(scope, text))
    token = token_of(root, STRANGER)
    with served_to_everyone(root) as loopback:
        client = HttpClient(loopback, token)
        assert client.begin()[0] == OK
        ids: list[str] = []
        page: str | None = ""
        while page is not None:
            result = client.call("memory_search", query="chronicle", limit=20, next=page)
            told = result["structuredContent"]
            assert len(json.dumps(told, ensure_ascii=False)) <= PAGE_CHARACTERS
            assert len(result["content"][0]["text"]) <= PAGE_CHARACTERS
            ids += [one["id"] for one in told["hits"]]
            page = told["next"]
        assert len(set(ids)) == len(ids) == 20
        part = client.call("memory_get", ids=ids[:1])["structuredContent"]
        assert part["next"] == f"0.{len(part['memories'][0]['content'])}"


def test_the_token_says_who_comes(world: tuple[Path, str]) -> None:
    root, _ = world
    tokens = {client: token_of(root, client) for client in (LOOM, STRANGER)}
    with served_to_everyone(root) as loopback:
        loom, stranger = (HttpClient(loopback, tokens[client]) for client in (LOOM, STRANGER))
        assert loom.begin()[0] == stranger.begin()[0] == OK
        put = loom.call("memory_put", tier="workspace", content="The bell of Wend is cracked.")
        assert put["structuredContent"]["status"] == "stored"
        refused = stranger.call("memory_put", tier="workspace", content="Not mine to write.")
        assert refused["isError"]
        hits = stranger.call("memory_read", tier="workspace", query="bell")["structuredContent"]
        assert [one["content"] for one in hits["hits"]] == ["The bell of Wend is cracked."]
        # What one client has opened is not there for another, nor for a guess.
        thief = HttpClient(loopback, stranger.token)
        thief.session = loom.session
        listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        assert thief.ask(listing)[0] == NO_SESSION
        thief.token = "guess"  # noqa: S105 - a wrong one
        status, body = thief.ask(listing)
        assert (status, json.loads(body)) == (UNAUTHORIZED, {"error": UNKNOWN})
        loopback.running.process.send_signal(signal.SIGTERM)
        loopback.running.seconds_to_end()
        assert loopback.running.process.returncode == 0
        assert loopback.running.lines == []
    with opened(root) as inklings:
        calls = {
            one.client.name: [(call.tool, call.answer) for call in one.activity.calls]
            for one in inklings.clients.list()
        }
    assert calls[LOOM] == [("memory_put", "stored")]
    assert calls[STRANGER] == [("memory_read", "entries"), ("memory_put", "refused")]
    assert is_free_and_sound(*world)


def test_a_token_holds_from_the_next_request_on_until_it_is_renewed(
    world: tuple[Path, str],
) -> None:
    root, _ = world
    with served_to_everyone(root) as loopback:
        first = HttpClient(loopback, token_of(root, LOOM))
        assert first.begin()[0] == OK
        second = HttpClient(loopback, token_of(root, LOOM, renew=True))
        assert second.begin()[0] == OK
        assert first.ask(initialize())[0] == UNAUTHORIZED
        with opened(root) as inklings:
            assert inklings.clients.remove_token(LOOM)
        assert second.ask(initialize())[0] == UNAUTHORIZED


def test_a_client_alone_keeps_its_token_past_the_end_of_the_server(
    world: tuple[Path, str],
) -> None:
    root, _ = world
    stranger = token_of(root, STRANGER)
    with served_over_http(*world, LOOM) as before:
        assert before.token == token_of(root, LOOM)
        assert HttpClient(before, stranger).begin()[0] == UNAUTHORIZED
    with served_over_http(*world, LOOM) as after:
        assert HttpClient(after, before.token).begin()[0] == OK


def test_a_client_that_cannot_be_served_hears_why_and_is_once_it_can(
    world: tuple[Path, str],
) -> None:
    root, workspace = world
    with opened(root) as inklings:
        inklings.workspaces.create("Brine")
    with served_to_everyone(root) as loopback:
        client = HttpClient(loopback, token_of(root, "newcomer"))
        status, body = client.begin()
        assert status == UNAVAILABLE
        assert json.loads(body)["error"] == (
            "Say which workspace is meant, with --workspace: there are \u201cSaltglass\u201d,"
            " \u201cBrine\u201d."
        )
        with opened(root) as inklings:
            rights = preset_rights(ClientKind.EXTERNAL, workspace)
            inklings.clients.grant("newcomer", rights)
        assert client.begin()[0] == OK


def test_over_stdio_the_client_has_to_be_named(world: tuple[Path, str]) -> None:
    with running(inklings_command(world[0], "mcp", "serve")) as process:
        _, err = process.process.communicate(timeout=HANG_SECONDS)
    assert process.process.returncode == 2
    assert "--client NAME" in err.decode()
