"""What came of working by a skill: checked, noted once however often it is sent, and told back.

The program does this itself, whatever a planner wants; what a rule cannot tell a model is asked.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.context.skill_work import left_by, role_in, told_broken
from inklings_desktop.agent.graph.nodes.situations import results_of
from inklings_desktop.agent.memory_door.call import Outcome
from inklings_desktop.agent.memory_door.filters import RECORDS
from inklings_desktop.agent.model_planner.judging import judged_by_model
from inklings_desktop.domain.runs.run_rows import run_id_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn
    from inklings_desktop.agent.planning import Call

CODE = "code_template"
PASSED, FAILED, UNNOTED = "passed", "failed", "unnoted"


@dataclass(frozen=True, slots=True)
class Run:
    """One artifact that was worked by.

    Attributes:
        output: What came of it: text, or JSON as text.
        is_broken_off: Whether it came to nothing that could be checked.
    """

    skill: str
    file: str
    given: str
    output: str
    ms: int = 0
    fuel: int | None = None
    tokens: int | None = None
    is_broken_off: bool = False


async def outcome_noted(turn: Turn, call: Call) -> Outcome:
    """An answer by a skill, checked against all of its files that were followed."""
    told = call.arguments
    run = run_id_of(turn.conversation, turn.id)
    runs = await asyncio.to_thread(turn.runs.runs, turn.conversation, 1)
    spent = next((one.spent for one in runs if one.id == run), None)
    tokens = spent and spent.input_tokens + spent.output_tokens
    broken: list[Mapping[str, Any]] = []
    status = PASSED
    for file in told["files"]:
        one = Run(
            told["skill"], file, told["input"], told["output"], turn.ms, tokens=tokens or None
        )
        noted = await noted_run(turn, call, one)
        broken += noted.get("broken") or []
        status = status if noted else UNNOTED
    if broken:
        status = f"{FAILED}: {told_broken(broken)}"
    return Outcome({"status": status, "broken": broken})


async def noted_run(turn: Turn, call: Call, run: Run) -> Mapping[str, Any]:
    """What holds of it, as ``skill_trace_append`` answers; nothing where it could not be noted.

    A skill may be gone or switched off by now; that takes nothing away from what was done.
    """
    memory = replace(turn.memory, brief=None)  # not in the name of who was sent
    questions: list[str] = []
    if not run.is_broken_off:
        of = {"name": run.skill, "file": run.file}
        read = await memory.call(RECORDS, "skill_read", of)
        questions = next(iter(read.answer.get("files") or [{}])).get("questions") or []
    aside = turn.aside("act")
    judged = [await judged_by_model(aside, one, run.given, run.output) for one in questions]
    report = {
        "name": run.skill, "file": run.file, "input": run.given, "output": run.output,
        "run": turn.id, "ms": run.ms, "tokens": run.tokens, "fuel": run.fuel,
        "failed": run.is_broken_off, "judged": judged, "request_key": f"{turn.id}:{call.id}",
    }  # fmt: skip
    noted = await memory.call(RECORDS, "skill_trace_append", report)
    return {} if noted.is_error else noted.answer


async def code_of(turn: Turn, skill: str, file: str) -> Outcome:
    """The script of a skill as whoever asks may read it; no planner is told a word of it."""
    read = await turn.memory.call(turn.process, "skill_read", {"name": skill, "file": file})
    (found,) = read.answer.get("files") or [{}]
    if not read.is_error and found.get("kind") != CODE:
        message = f"{file} is no script of {skill}."
        return Outcome({"word": "invalid_value", "message": message}, is_error=True)
    return read


def handed_on(state: TurnState) -> dict[str, Any]:
    """What whoever is sent has of the skills that the turn is worked by: less, and a role."""
    results = results_of(state)
    left = left_by(results)
    return {"only": None if left is None else sorted(left), "role": role_in(results)}


def as_text(value: object) -> str:
    """What came of a script, as it is noted."""
    return json.dumps(value, ensure_ascii=False)
