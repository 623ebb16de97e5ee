"""A dry run of a skill: its code in the sandbox, its templates filled; knows no widgets."""

from __future__ import annotations

import asyncio
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import scripts as ends
from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client.launching import own_environment, world_agent_command
from inklings_desktop.agent_client.script_run import carried_out, order, problem
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.skills.assertions import Finding, findings_of
from inklings_desktop.domain.skills.skill import MAIN_FILE, ArtifactKind
from inklings_desktop.usecases.skills.runs import TASK

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping
    from pathlib import Path

    from inklings_desktop.agent_client.script_run import Report
    from inklings_desktop.domain.skills.skill import Artifact, Contents, Skill
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.skills.runs import Guidance

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
    def is_cut_off(self) -> bool:
        """Whether it was stopped because it went on for too long."""
        return self.report.document.get("outcome") in {ends.OUT_OF_FUEL, ends.TIME_LIMIT}

    @property
    def result(self) -> Any:
        """What the script returned, as JSON has it; None where it gave nothing."""
        return self.report.document.get("result") if self.report.is_ok else None


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a dry run came to.

    Attributes:
        told: What the skill tells for the input.
        findings: What holds of what came of the code, and of the answer that was typed.
        code: What came of the code; None where none was run.
    """

    told: Guidance
    findings: tuple[Finding, ...] = ()
    code: CodeRun | None = None


def given_of(text: str) -> dict[str, Any]:
    """What was typed as an input: JSON by its names, or one text."""
    found = _read(text)
    return found if isinstance(found, dict) else {TASK: text}


def code_of(contents: Contents, path: str = "") -> Artifact | None:
    """The code that a dry run runs: the file on show, else the first; None where there is none."""
    codes = contents.of_kind(ArtifactKind.CODE_TEMPLATE)
    return next((one for one in codes if one.path == path), codes[0] if codes else None)


def findings_on(artifact: Artifact, run: CodeRun, given: str) -> tuple[Finding, ...]:
    """What holds of what came of some code; without an answer no assertion does."""
    if not run.has_sandbox:
        return ()
    if not run.report.is_ok:
        return tuple(Finding(one, holds=False) for one in artifact.assertions)
    return findings_of(artifact.assertions, run.result, given)


def told_dry(inklings: Inklings, here: str, skill: Skill, given: str) -> Guidance:
    """What a skill tells for an input; runs on a reader."""
    return inklings.skill_runs.guidance(here, skill.name, given_of(given), skill.level)


def answer_findings(skill: Skill, path: str, given: str, answer: str) -> tuple[Finding, ...]:
    """What holds of an answer that somebody typed, of what the file on show asserts."""
    artifact = skill.contents.artifact(path) or skill.contents.artifact(MAIN_FILE)
    if artifact is None or not answer.strip():
        return ()
    return findings_of(artifact.assertions, _read(answer), given)


def _read(text: str) -> Any:
    """What JSON says, or the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


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
