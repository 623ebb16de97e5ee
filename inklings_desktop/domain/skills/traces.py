"""What came of the runs of a skill, and the same as examples that a program can learn from."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.plain_rows import time_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

MAX_TRACES = 500
"""Of one skill in one file; the oldest go first."""
MAX_TRACE_TEXT = 64 * 1024


class TraceOutcome(StrEnum):
    """How a run of an artifact ended."""

    PASSED = "passed"
    FAILED = "failed"
    """Something came of it that breaks an assertion."""
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillTrace:
    """One run of one artifact.

    Attributes:
        id: Random UUID.
        skill: Name of the skill.
        position: Of the artifact among the skill's files, from 0.
        run_id: Of the turn that it was part of; empty for a dry run.
        assertions: Each assertion with ``holds`` and ``got``.
        given: What it was given, as text; empty where that is not kept.
        output: What came of it.
        ms: Milliseconds.
        fuel: Steps of the sandbox; None for what was not run in it.
        tokens: What a model read and wrote; None without one.
        cost_micro: Millionths of the provider's currency.
    """

    id: str
    skill: str
    version: int
    position: int
    run_id: str
    outcome: TraceOutcome
    assertions: tuple[Mapping[str, Any], ...]
    ms: int
    at: datetime
    given: str = ""
    output: str = ""
    fuel: int | None = None
    tokens: int | None = None
    cost_micro: int | None = None


def checked_trace_text(text: str, field: str) -> str:
    """What a run was given, or what came of it.

    Raises:
        InvalidValueError: It is over 64 KiB.
    """
    if len(text.encode(errors="replace")) > MAX_TRACE_TEXT:
        raise InvalidValueError(field, "too_long", MAX_TRACE_TEXT)
    return text


def training_lines(traces: Iterable[SkillTrace]) -> Iterator[str]:
    """Traces as JSON lines: each an example with ``inputs``, ``outputs`` and what was measured.

    ``dspy.Example(**inputs, **outputs).with_inputs(*inputs)`` makes an example of a line.
    """
    for one in traces:
        inputs = _object(one.given, "task")
        outputs = {
            (key if key not in inputs else f"{key}_out"): value
            for key, value in _object(one.output, "answer").items()
        }
        line = {
            "inputs": inputs,
            "outputs": outputs,
            "score": float(one.outcome is TraceOutcome.PASSED),
            "skill": one.skill,
            "version": one.version,
            "artifact": one.position,
            "outcome": one.outcome.value,
            "assertions": list(one.assertions),
            "ms": one.ms,
            "fuel": one.fuel,
            "tokens": one.tokens,
            "cost_micro": one.cost_micro,
            "at": time_text(one.at),
        }
        yield json.dumps(line, ensure_ascii=False)


def _object(text: str, name: str) -> dict[str, Any]:
    """What JSON says of its own names, or the text under one name."""
    try:
        found = json.loads(text)
    except ValueError:
        return {name: text}
    return found if isinstance(found, dict) else {name: text}
