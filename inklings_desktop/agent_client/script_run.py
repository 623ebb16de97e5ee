"""One script in the agent's process, as whoever waits for it sees it; of its report what is shown.

An analysis answers with ``{"summary": text, "findings": [{"says": text, "memories": [ids],
"pages": [ids]}]}``; a script of one's own may answer with anything.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import scripts as lines
from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.calls import LineSplitter
from inklings_desktop.acp_wire.scripts import OUTCOMES
from inklings_desktop.acp_wire.shapes import dict_of, line_of, list_of, text_of
from inklings_desktop.agent_client.plain_process import PlainProcess
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MOST_FINDINGS = 500
_MOST_LINKS = 50
_WAIT_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Step:
    """How far it is.

    Attributes:
        text: What it does; empty while its interpreter is made ready, once on a machine.
        share: 0 to 1; None where it cannot be said.
    """

    text: str
    share: float | None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found, with the ids of the memories and pages it is about."""

    says: str
    memories: tuple[str, ...]
    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What a script answered.

    Attributes:
        is_ok: Whether it gave a result.
        summary: One sentence; where it gave none, why, or all that it answered.
        n_left_out: How many findings more there are than are kept here.
        printed: What it printed.
        document: All of it as plain data.
        word: Of the problem where it could not begin, or memory was out of reach; else empty.
        last_lines: What its process said last, where that ended unexpectedly.
    """

    is_ok: bool
    summary: str
    findings: tuple[Finding, ...]
    n_left_out: int
    printed: str
    document: Mapping[str, Any]
    word: str = ""
    last_lines: tuple[str, ...] = ()


def carried_out(
    command: Sequence[str],
    environment: Mapping[str, str],
    asked: bytes,
    tell: Callable[[Step], None] = lambda _step: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Report | None:
    """What a script came to, in a process of its own; None where it was stopped.

    Args:
        command: Starts the agent on a workspace.
        environment: Its variables.
        asked: What `order` makes.
        tell: Told of each step.
        is_stopped: Asked a few times a second whether anybody still waits.
    """
    try:
        process = PlainProcess([*command, lines.SCRIPT_MODE], environment)
    except OSError as error:
        sentence = f"The agent could not be started: {error.strerror}."
        return problem(words.AGENT_FAILED_TO_START, sentence)
    run, step = ScriptRun(), None
    try:
        process.send(asked)
        while run.report is None:
            if is_stopped():
                return None
            if (data := process.read(_WAIT_SECONDS)) is None:
                continue
            run.feed(data)
            if run.step is not None and run.step != step:
                step = run.step
                tell(step)
    finally:
        process.leave()
    if run.report.word == words.AGENT_GONE:
        return replace(run.report, last_lines=tuple(process.last_lines))
    return run.report


def problem(word: str, sentence: str = "") -> Report:
    """What is there of a script that could not begin, or whose memory was out of reach."""
    return Report(
        is_ok=False,
        summary=sentence,
        findings=(),
        n_left_out=0,
        printed="",
        document={"problem": word},
        word=word,
    )


def order(script: str, inputs: Mapping[str, str]) -> bytes:
    """The line that has a script run."""
    asked = {lines.SCRIPT: script, lines.INPUTS: dict(inputs)}
    return json.dumps(asked).encode() + b"\n"


class ScriptRun:
    """What its process has said so far."""

    def __init__(self) -> None:
        self.step: Step | None = None
        self.report: Report | None = None
        self._lines = LineSplitter()

    def feed(self, data: bytes) -> None:
        """Take what the process wrote, or with nothing its end: there is a report then."""
        self._lines.feed(data)
        while (line := self._lines.next()) is not None:
            self._take(line)
        if not data and self.report is None:
            self.report = problem(words.AGENT_GONE, "The agent ended unexpectedly.")

    def _take(self, line: bytes) -> None:
        try:
            told = dict_of(json.loads(line))
        except ValueError:
            return
        if lines.COMPILING in told:
            self.step = Step("", None)
        elif lines.PROGRESS in told:
            step = dict_of(told[lines.PROGRESS])
            share = step.get("share")
            is_share = isinstance(share, float) and 0 <= share <= 1
            self.step = Step(line_of(step.get("text")), share if is_share else None)
        elif lines.PROBLEM in told:
            why = dict_of(told[lines.PROBLEM])
            self.report = problem(line_of(why.get("word")), line_of(why.get("message")))
        elif lines.RAN in told:
            self.report = _report(dict_of(told[lines.RAN]))


def _report(ran: Mapping[str, Any]) -> Report:
    outcome = line_of(ran.get("outcome"))
    result = ran.get("result")
    is_ok = outcome == lines.OK
    findings = [_finding(dict_of(one)) for one in list_of(dict_of(result).get("findings"))]
    summary = text_of(dict_of(result).get("summary"))
    if not is_ok:
        summary = f"{OUTCOMES.get(outcome, outcome)} {line_of(ran.get('said'))}".rstrip()
    elif not summary:
        summary = json.dumps(result, indent=1, ensure_ascii=False)
    return Report(
        is_ok=is_ok,
        summary=summary,
        findings=tuple(findings[:MOST_FINDINGS]),
        n_left_out=max(0, len(findings) - MOST_FINDINGS),
        printed=text_of(ran.get("printed")),
        document=dict(ran),
    )


def _finding(told: Mapping[str, Any]) -> Finding:
    return Finding(text_of(told.get("says")), _ids(told.get("memories")), _ids(told.get("pages")))


def _ids(told: object) -> tuple[str, ...]:
    found = dict.fromkeys(line_of(one) for one in list_of(told)[:_MOST_LINKS])
    return tuple(one for one in found if one)
