"""Somebody whom the agent sent for something, as a row of its card shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire.shapes import dict_of, line_of, list_of, number_of

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_FINDINGS, MOST_STEPS, MOST_RIGHTS, MOST_QUESTIONS = 30, 40, 20, 5
RUNNING, DONE, STOPPED, LIMIT, FAILED = "running", "done", "stopped", "limit", "failed"
STATES: Final = frozenset({RUNNING, DONE, STOPPED, LIMIT, FAILED})


@dataclass(frozen=True, slots=True)
class RunRight:
    """Something that it may write: a tool, and the tier of memory, empty for none."""

    tool: str
    tier: str = ""


@dataclass(frozen=True, slots=True)
class RunStep:
    """Something that it did.

    Attributes:
        tool: The name of the tool.
        tier: Of memory; empty for none.
        about: What was looked for, opened or written.
        n: How much came of it.
        status: As of a ``StepBlock``.
    """

    tool: str
    tier: str = ""
    about: str = ""
    n: int = 0
    ms: int = 0
    status: str = "completed"


@dataclass(frozen=True, slots=True)
class RunFinding:
    """Something that it found: where, and a sentence.

    Attributes:
        memory: Id of the memory that it stands in, with its tier; empty for none.
        page: Title or path of the page; likewise.
    """

    place: str
    text: str
    memory: str = ""
    tier: str = ""
    page: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One who was sent.

    Attributes:
        role: ``researcher``, ``worker``, ``composer``, or another word.
        goal: What it was sent for, in the words of who sent it.
        state: One of ``STATES``.
        overlay: A role that was laid over its rules; empty for none.
        is_interactive: Whether its questions reach the person.
        is_resumed: Whether it went on after the program had ended under it.
        is_incomplete: Whether it ended before it was done.
        problem: The word for what it ended by; empty for nothing.
        may: What it may write.
        seconds: How long it may take.
        did: What it did, in order.
        findings: What it found, so far.
        n_findings: How many in all.
        n_memories: How many it read.
        n_pages: The same of pages.
        model: What answered for it, as ``provider/model``; empty for none.
        tokens: How many went in, and came out.
        cost_micro: What it cost, in millionths of ``currency``; None for nothing, or not told.
        done: How much is done of what it does at the moment.
        of: Of how much; 0 for not known.
    """

    role: str
    goal: str
    state: str = RUNNING
    overlay: str = ""
    is_interactive: bool = False
    is_resumed: bool = False
    is_incomplete: bool = False
    problem: str = ""
    summary: str = ""
    may: tuple[RunRight, ...] = ()
    seconds: int = 0
    did: tuple[RunStep, ...] = ()
    findings: tuple[RunFinding, ...] = ()
    n_findings: int = 0
    n_memories: int = 0
    n_pages: int = 0
    open_questions: tuple[str, ...] = ()
    model: str = ""
    tokens: tuple[int, int] = (0, 0)
    cost_micro: int | None = None
    currency: str = ""
    done: int = 0
    of: int = 0

    @property
    def is_running(self) -> bool:
        """Whether it is at work."""
        return self.state == RUNNING


def run_of(told: object) -> Run | None:
    """What an agent tells of one whom it sent; None where it tells nothing."""
    run = dict_of(told)
    if not run:
        return None
    state = line_of(run.get("state"), 20)
    return Run(
        line_of(run.get("role"), 40),
        line_of(run.get("goal"), 600),
        state if state in STATES else DONE,
        line_of(run.get("overlay"), 600),
        run.get("interactive") is True,
        run.get("resumed") is True,
        run.get("incomplete") is True,
        line_of(run.get("problem"), 60),
        line_of(run.get("summary"), 600),
        tuple(
            RunRight(line_of(one.get("tool"), 60), line_of(one.get("tier"), 40))
            for one in map(dict_of, list_of(run.get("may"))[:MOST_RIGHTS])
        ),
        number_of(run.get("seconds")) or 0,
        tuple(map(_step, list_of(run.get("did"))[-MOST_STEPS:])),
        tuple(map(_finding, list_of(run.get("findings"))[:MOST_FINDINGS])),
        number_of(run.get("n_findings")) or 0,
        number_of(run.get("n_memories")) or 0,
        number_of(run.get("n_pages")) or 0,
        tuple(line_of(one) for one in list_of(run.get("open_questions"))[:MOST_QUESTIONS]),
        line_of(run.get("model"), 200),
        (number_of(run.get("input")) or 0, number_of(run.get("output")) or 0),
        number_of(run.get("cost_micro")),
        line_of(run.get("currency"), 20),
        number_of(run.get("done")) or 0,
        number_of(run.get("of")) or 0,
    )


def _step(told: object) -> RunStep:
    one: Mapping[str, Any] = dict_of(told)
    return RunStep(
        line_of(one.get("tool"), 60),
        line_of(one.get("tier"), 40),
        line_of(one.get("about"), 120),
        number_of(one.get("n")) or 0,
        number_of(one.get("ms")) or 0,
        line_of(one.get("status"), 40),
    )


def _finding(told: object) -> RunFinding:
    one: Mapping[str, Any] = dict_of(told)
    memory = dict_of(one.get("memory"))
    return RunFinding(
        line_of(one.get("place"), 120),
        line_of(one.get("text"), 400),
        line_of(memory.get("id"), 100),
        line_of(memory.get("tier"), 40),
        line_of(one.get("page"), 500),
    )
