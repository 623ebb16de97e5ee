"""What an agent does in a process of its own is in the open window within a second."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from tests.mcp_server.served_process import ServedProcess, served
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = [pytest.mark.usefixtures("qapp"), pytest.mark.end2end]

ONE_SECOND = 1.0
LOOM = "loom"
BELL, TOLL = "The bell of Wend is never rung at noon.", "The toll is paid in directions."


def let_in(bench: Bench) -> None:
    """The author's own agent may write."""
    inklings = bench.inklings
    rights = preset_rights(ClientKind.WORLD_AGENT, bench.workspace.id)
    inklings.clients.grant(LOOM, rights, kind=ClientKind.WORLD_AGENT)


class Agent:
    """A client of a server process; waiting for it does not hold the window up."""

    def __init__(self, process: ServedProcess) -> None:
        self.process = process
        self.number = 0

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The acknowledged answer."""
        self.number += 1
        answer = await asyncio.to_thread(
            self.process.ask, self.number, "tools/call", name=tool, arguments=arguments
        )
        assert not answer["result"].get("isError"), answer
        document: dict[str, Any] = answer["result"]["structuredContent"]
        return document


@pytest.mark.requirement("memory-storage")
@scene(drive, let_in)
async def test_what_an_agent_writes_changes_and_forgets_is_shown_within_a_second(
    window: WindowBench, /, tmp_path: Path
) -> None:
    with served(tmp_path, window.bench.workspace.id, LOOM) as process:
        await asyncio.to_thread(process.begin)
        agent = Agent(process)
        await window.until(window.window.page.empty.isVisible)
        put = await agent.call("memory_put", tier="workspace", content=BELL)
        await window.until(lambda: window.texts() == [BELL], seconds=ONE_SECOND)
        memory = put["memory"]
        await agent.call(
            "memory_update",
            tier="workspace",
            id=memory["id"],
            patch={"content": TOLL},
            expected_version=memory["version"],
        )
        await window.until(lambda: window.texts() == [TOLL], seconds=ONE_SECOND)
        await agent.call("memory_forget", tier="workspace", id=memory["id"], reason="wrong")
        await window.until(lambda: window.texts() == [], seconds=ONE_SECOND)


@scene(drive, let_in)
async def test_a_conversation_that_an_agent_starts_is_in_the_rail_within_a_second(
    window: WindowBench, /, tmp_path: Path
) -> None:
    with served(tmp_path, window.bench.workspace.id, LOOM) as process:
        await asyncio.to_thread(process.begin)
        started = await Agent(process).call("conversation_start", title="The toll house")

        def is_listed() -> bool:
            here = window.memory.shell.surroundings
            return here is not None and any(
                room.id == started["conversation"]["id"] for room in here.conversations
            )

        await window.until(is_listed, seconds=ONE_SECOND)
