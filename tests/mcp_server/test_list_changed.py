"""Clients hear that what is listed for them has changed, whichever process changed it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.server.subscriptions import PromptsListChanged, ResourcesListChanged, ToolsListChanged

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.memory import Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.mcp_server import announcing
from inklings_desktop.usecases.bundle import Inklings
from tests.mcp_server.agent_door import LOOM, STRANGER, AgentDoor
from tests.mcp_server.served_process import served
from tests.support.stopwatch import HANG_SECONDS

PAUSE_SECONDS = 0.05
QUIET_SECONDS = 0.4
"""Many looks."""
TOOLS, PROMPTS, RESOURCES = (
    f"notifications/{kind}/list_changed" for kind in ("tools", "prompts", "resources")
)
METHODS = {
    ToolsListChanged: TOOLS,
    PromptsListChanged: PROMPTS,
    ResourcesListChanged: RESOURCES,
}


def granting(inklings: Inklings, workspace: str) -> Callable[[], None]:
    """Gives the stranger the right to write, and takes it away the next time."""
    right = Right(Tier.WORKSPACE, workspace, Action.WRITE)
    has_right = False

    def change() -> None:
        nonlocal has_right
        (inklings.clients.revoke if has_right else inklings.clients.grant)(STRANGER, [right])
        has_right = not has_right

    return change


def linking(inklings: Inklings, workspace: str, folder: Path) -> Callable[[], None]:
    """Links a folder of pages, and unlinks it the next time."""
    folder.mkdir()

    def change() -> None:
        if inklings.world.folders(workspace):
            inklings.world.unlink(workspace, folder.name)
        else:
            inklings.world.link(workspace, folder)

    return change


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing, "PAUSE_SECONDS", PAUSE_SECONDS)


@asynccontextmanager
async def listening(door: AgentDoor, client: str, mode: Any) -> AsyncIterator[list[str]]:
    """What a client of either age of the protocol has been told so far."""
    told: list[str] = []
    tell = told.append

    async def hear(message: Any) -> None:
        tell(message.method)

    async with Client(door.server(client), mode=mode, message_handler=hear) as speaking:
        if mode == "legacy":
            yield told
            return
        async with speaking.listen(
            tools_list_changed=True, prompts_list_changed=True, resources_list_changed=True
        ) as events:

            async def collect() -> None:
                async for event in events:
                    tell(METHODS[type(event)])

            collecting = asyncio.create_task(collect())
            yield told
            collecting.cancel()


async def until(told: list[str], method: str, change: Callable[[], object]) -> None:
    """Change something until it is told: what changes while a client connects is known to it."""
    deadline = time.monotonic() + HANG_SECONDS
    while method not in told:
        assert time.monotonic() < deadline, told
        await asyncio.to_thread(change)
        await asyncio.sleep(0.1)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_hears_of_other_tools_prompts_and_conversations(
    door: AgentDoor, mode: str
) -> None:
    inklings = door.inklings
    loom = inklings.clients.admit(LOOM, door.workspace.id)

    async def played() -> None:
        async with listening(door, STRANGER, mode) as told:
            await until(told, TOOLS, granting(inklings, door.workspace.id))
            await until(told, PROMPTS, lambda: None)
            assert RESOURCES not in told
        async with listening(door, LOOM, mode) as told:
            await until(
                told,
                RESOURCES,
                lambda: inklings.as_caller(loom).conversations.start(door.workspace.id),
            )
            assert set(told) == {RESOURCES}

    asyncio.run(played())


def test_what_changes_no_list_is_not_announced_nor_a_stranger_noted(door: AgentDoor) -> None:
    inklings, workspace = door.inklings, door.workspace.id
    loom = inklings.clients.admit(LOOM, workspace)

    async def played() -> None:
        async with listening(door, "nobody", "auto") as told:
            await asyncio.to_thread(granting(inklings, workspace))
            await asyncio.sleep(QUIET_SECONDS)
            assert told == []
        async with listening(door, STRANGER, "auto") as told:
            await until(told, TOOLS, granting(inklings, workspace))
            await asyncio.sleep(QUIET_SECONDS)
            told.clear()
            # Calls of clients, memories, and a conversation that the stranger takes no part in.
            await asyncio.to_thread(door.answer, "memory_put", tier="workspace", content="A bell.")
            await asyncio.to_thread(inklings.as_caller(loom).conversations.start, workspace)
            await asyncio.sleep(QUIET_SECONDS)
            assert told == []

    asyncio.run(played())
    known = {one.client.name for one in inklings.clients.list()}
    assert known == {LOOM, STRANGER}


@pytest.mark.end2end
def test_a_client_hears_of_what_another_process_granted(world: tuple[Path, str]) -> None:
    with served(*world, STRANGER, "--linger", "0") as process:
        said = process.begin()["result"]["capabilities"]
        assert all(said[kind]["listChanged"] for kind in ("tools", "prompts", "resources"))
        with open_inklings(
            world[0], workspace=world[1], embedder=NullEmbedder("none"), embed_writes=False
        ) as inklings:
            change = granting(inklings, world[1])
            deadline = time.monotonic() + HANG_SECONDS
            while not any(json.loads(line).get("method") == TOOLS for line in process.lines):
                assert time.monotonic() < deadline
                change()
                time.sleep(0.3)
        process.end_input()
        assert process.process.wait(HANG_SECONDS) == 0
        assert process.wrote_only_protocol()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_hears_of_the_tools_for_pages_once_there_are_any(
    door: AgentDoor, tmp_path: Path, mode: str
) -> None:
    change = linking(door.inklings, door.workspace.id, tmp_path / "isles")

    async def played() -> None:
        async with listening(door, LOOM, mode) as told:
            await until(told, TOOLS, change)
            assert RESOURCES not in told

    asyncio.run(played())
