"""Runs the code of a skill in the sandbox, for a dry run; knows no widgets."""

from __future__ import annotations

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client.launching import own_environment, world_agent_command
from inklings_desktop.agent_client.script_run import carried_out, order, problem
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping
    from pathlib import Path

    from inklings_desktop.agent_client.script_run import Report

NOT_THERE = frozenset({wire.AGENT_NOT_INSTALLED, wire.SCRIPTS_NOT_INSTALLED})
"""Words of a report that say that there is no sandbox."""


@dataclass(frozen=True, slots=True)
class CodeRun:
    """What came of the code.

    Attributes:
        report: Of the script; it reads memory at most, and writes nothing.
        seconds: How long it took, with the time in which its interpreter was made ready.
    """

    report: Report
    seconds: float

    @property
    def has_sandbox(self) -> bool:
        """Whether there is one to run it in."""
        return self.report.word not in NOT_THERE

    @property
    def result(self) -> Any:
        """What the script returned, as JSON has it; None where it gave nothing."""
        return self.report.document.get("result") if self.report.is_ok else None


async def run_code(
    data_dir: Path, workspace_id: str, text: str, given: Mapping[str, Any], stop: threading.Event
) -> CodeRun | None:
    """What a script comes to, on a thread of its own; None where it was stopped.

    Args:
        data_dir: The data root.
        workspace_id: Whose memory it may read.
        text: Of the script.
        given: Its inputs.
        stop: Set by whoever does not wait any more.
    """
    began = time.monotonic()
    command = world_agent_command(data_dir, workspace_id)
    if command is None:
        return CodeRun(problem(wire.AGENT_NOT_INSTALLED), 0.0)

    def run() -> Report | None:
        variables = own_environment(os.environ)
        return carried_out(command, variables, order(text, given), is_stopped=stop.is_set)

    thread = ThreadPoolExecutor(1, thread_name_prefix="skill")
    try:
        report = await asyncio.get_running_loop().run_in_executor(thread, run)
    finally:
        stop.set()  # cancelling only ends the wait: the thread has to hear of it too
        thread.shutdown(wait=False)
    return None if report is None else CodeRun(report, time.monotonic() - began)
