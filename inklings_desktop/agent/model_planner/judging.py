"""A cheap model says yes or no about what came of a skill, where no rule for a machine can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.context.framing import framed, head_and_tail, masked
from inklings_desktop.agent.model_planner.structured import Question, answered

if TYPE_CHECKING:
    from inklings_desktop.agent.model_planner.structured import Aside

ANSWER_TOKENS = 200
_QUESTION, _GIVEN, _CAME = 500, 8_000, 16_000
"""Characters of each that are shown."""
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"why": {"type": "string"}, "holds": {"type": "boolean"}},
    "required": ["why", "holds"],
    "additionalProperties": False,
}


async def judged_by_model(aside: Aside, question: str, given: str, output: str) -> bool | None:
    """Whether it holds; None without a model for it, and where that fails."""
    slices = {
        "question": framed(aside.mark, "question", masked(question[:_QUESTION])),
        "given": framed(aside.mark, "given", _part(given, _GIVEN)),
        "outcome": framed(aside.mark, "outcome", _part(output, _CAME)),
    }
    return await answered(aside, Question("judge", slices, SCHEMA, _read, ANSWER_TOKENS))


def _part(text: str, room: int) -> str:
    return head_and_tail(masked(text), room)


def _read(told: Any) -> bool:
    if not isinstance(told["holds"], bool):
        raise ValueError("It is true or false.")  # noqa: TRY004 - told to the model
    return told["holds"]
