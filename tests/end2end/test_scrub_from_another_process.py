"""An agent in a process of its own asks for a scrub; the author answers in the open window."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inklings_desktop.ui.kit.panes.banner import BannerCause
from inklings_desktop.ui.scrub.state import ScrubStep
from tests.mcp_server.served_process import ServedProcess, served
from tests.support.scenes import scene
from tests.ui.test_scrub_requests import (
    LOOM,
    WITHIN_SECONDS,
    attending,
    looked_at,
    with_an_agent,
)
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.end2end

KEEP_NAMED = {"tier": "workspace", "mode": "keep_named"}


class Agent:
    """One client over stdio."""

    def __init__(self, process: ServedProcess) -> None:
        self._process = process
        self._number = 0
        process.begin()

    def call(self, tool: str, **arguments: Any) -> tuple[bool, Any]:
        """Whether it went wrong, and the answer or the sentence."""
        self._number += 1
        result = self._process.ask(self._number, "tools/call", name=tool, arguments=arguments)[
            "result"
        ]
        is_error = bool(result.get("isError"))
        return is_error, result["content"][0]["text"] if is_error else result["structuredContent"]

    def ask(self) -> tuple[bool, Any]:
        """Count, and ask the author for it."""
        _, counted = self.call("scrub_preview", **KEEP_NAMED)
        return self.call(
            "scrub_execute", **KEEP_NAMED, token=counted["token"], confirm=counted["phrase"]
        )


@scene(drive, with_an_agent)
async def test_from_the_agents_wish_to_its_outcome(
    bench: WindowBench, /, tmp_path: Path, qapp: QApplication
) -> None:
    with served(tmp_path, bench.bench.workspace.id, LOOM) as process:
        agent = await asyncio.to_thread(Agent, process)
        went_wrong, said = await asyncio.to_thread(agent.ask)
        assert went_wrong
        assert "No window of Inklings is open" in said
        desk = await attending(bench)
        went_wrong, waiting = await asyncio.to_thread(agent.ask)
        assert (went_wrong, waiting["status"]) == (False, "waiting")
        took = await bench.until(
            lambda: bench.window.pages.banners.cause is BannerCause.SCRUB_REQUEST
        )
        assert took < WITHIN_SECONDS
        await looked_at(bench)
        assert bench.window.opened is not None
        assert bench.window.opened.control is not None
        scrub = bench.window.opened.scrub
        assert scrub.dialog is not None
        scrub.dialog.manifest_foot.go_on.click()
        await bench.until(lambda: scrub.state.step is ScrubStep.CONFIRM)
        QTest.keyClicks(scrub.dialog.confirm.field, "scrub workspace 3")
        scrub.dialog.confirm.box.click()
        scrub.dialog.confirm_foot.execute.click()
        await bench.until(lambda: scrub.state.step is ScrubStep.RESULT, seconds=60)
        _, told = await asyncio.to_thread(
            agent.call, "scrub_execute", **KEEP_NAMED, request=waiting["request"]
        )
        assert told["status"] == "executed"
        _, left = await asyncio.to_thread(agent.call, "memory_read", tier="workspace")
        assert left["hits"] == []
        scrub.dialog.outcome_foot.done.click()
        await desk.leave()
