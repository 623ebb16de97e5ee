from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.null_embedder import NullEmbedder
from tests.mcp_server.agent_door import LOOM, agent_door
from tests.mcp_server.served_process import served

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.mcp_server.served_process import ServedProcess

pytestmark = pytest.mark.end2end

LEAVE_SECONDS = 2.0
MALFORMED, MALFORMED_FULL = 200, 1_000


@pytest.fixture
def world(tmp_path: Path) -> tuple[Path, str]:
    """A data root and the workspace in it."""
    root = tmp_path / "root"
    with agent_door(root) as door:
        return root, door.workspace.id


def put(process: ServedProcess, number: int, text: str) -> dict[str, Any]:
    arguments = {"tier": "workspace", "content": text}
    return process.ask(number, "tools/call", name="memory_put", arguments=arguments)


def leaves_within_two_seconds(process: ServedProcess) -> bool:
    began = time.monotonic()
    process.process.wait(timeout=30)
    return time.monotonic() - began <= LEAVE_SECONDS


def the_store_is_free(root: Path, workspace: str) -> None:
    """Another program writes at once and finds everything whole."""
    with open_inklings(root, workspace=workspace, embedder=NullEmbedder("none")) as inklings:
        began = time.monotonic()
        scope = ScopeKey.workspace(workspace)
        inklings.put_memory(inklings.caller, MemoryDraft(scope, "Written afterwards."))
        assert time.monotonic() - began < LEAVE_SECONDS
        assert inklings.check_data(inklings.caller).is_clean


def test_an_older_client_is_answered_in_its_version(world: tuple[Path, str]) -> None:
    with served(*world, LOOM) as process:
        answer = process.begin()["result"]
        assert answer["protocolVersion"] == "2025-06-18"
        assert answer["serverInfo"]["name"] == "inklings"


def test_the_server_leaves_when_its_input_ends(world: tuple[Path, str]) -> None:
    with served(*world, LOOM) as process:
        process.begin()
        assert not put(process, 1, "Said before the end.")["result"].get("isError")
        assert process.process.stdin is not None
        process.process.stdin.close()
        assert leaves_within_two_seconds(process)
        assert process.process.returncode == 0
    the_store_is_free(*world)


def test_the_server_leaves_when_its_client_dies_unread(world: tuple[Path, str]) -> None:
    with served(*world, LOOM) as process:
        process.begin()
        put(process, 1, "Said before the client died.")
        assert process.process.stdin is not None
        assert process.process.stdout is not None
        process.send(
            {
                "jsonrpc": "2.0",
                "id": 2,
                "method": "tools/call",
                "params": {"name": "memory_orient", "arguments": {}},
            }
        )
        process.process.stdin.close()
        assert leaves_within_two_seconds(process)
    the_store_is_free(*world)


def test_malformed_messages_are_survived_and_only_the_protocol_is_written(
    world: tuple[Path, str], reduced_or_full: Callable[[int, int], int]
) -> None:
    dice = random.Random(7)  # noqa: S311 - the same garbage in every run
    with served(*world, LOOM) as process:
        process.begin()
        for number in range(reduced_or_full(MALFORMED, MALFORMED_FULL)):
            process.write(garbage(dice, number))
        answer = put(process, 1_000_001, "Said after the garbage.")
        assert not answer["result"].get("isError")
        assert process.process.stdin is not None
        process.process.stdin.close()
        assert leaves_within_two_seconds(process)
        for line in process.lines:
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0"
    the_store_is_free(*world)


def garbage(dice: random.Random, number: int) -> bytes:
    """Something that is no request, or none that can be answered."""
    kinds = (
        b"",
        b"not json at all",
        b'{"jsonrpc": "2.0", "id": ',
        b"[]",
        b"null",
        b'{"jsonrpc": "1.0", "method": 7}',
        json.dumps({"jsonrpc": "2.0", "id": {"a": 1}, "method": "tools/call"}).encode(),
        json.dumps({"jsonrpc": "2.0", "method": "tools/call", "params": [1, 2]}).encode(),
        json.dumps(
            {"jsonrpc": "2.0", "id": 10 + number, "method": "no/such", "params": {}}
        ).encode(),
        json.dumps(
            {
                "jsonrpc": "2.0",
                "id": 10 + number,
                "method": "tools/call",
                "params": {"name": "memory_read", "arguments": {"tier": 3}},
            }
        ).encode(),
        bytes(dice.randrange(32, 255) for _ in range(dice.randrange(1, 200))),
        b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * 5_000 + b'"}',
    )
    return dice.choice(kinds)


def test_the_loopback_server_wants_its_token_and_its_own_host(world: tuple[Path, str]) -> None:
    root, workspace = world
    with served(root, workspace, LOOM, "--http", "--port", "0") as process:
        assert process.process.stderr is not None
        address = process.process.stderr.readline().decode().split()[-1]
        token = process.process.stderr.readline().decode().split()[-1]
        assert address.startswith("http://127.0.0.1:")
        message = {
            "jsonrpc": "2.0",
            "id": 0,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "web", "version": "1"},
            },
        }
        assert status_of(address, message, {}) == 401
        assert status_of(address, message, {"Authorization": "Bearer guess"}) == 401
        own = {"Authorization": f"Bearer {token}"}
        assert status_of(address, message, own) == 200
        assert status_of(address, message, own | {"Origin": "http://elsewhere.example"}) == 403
        assert status_of(address, message, own | {"Host": "elsewhere.example"}) == 421


def status_of(address: str, message: dict[str, Any], headers: dict[str, str]) -> int:
    request = urllib.request.Request(  # noqa: S310 - a loopback address
        address,
        json.dumps(message).encode(),
        {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **headers,
        },
    )
    deadline = time.monotonic() + 20
    while True:
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
                return int(answer.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code
        except urllib.error.URLError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
