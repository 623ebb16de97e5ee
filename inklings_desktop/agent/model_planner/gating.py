"""The refinement gate by a model: one cheap call says what is of no use, and what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.context.assembling import CHARACTERS_PER_TOKEN, Gate
from inklings_desktop.agent.context.framing import framed, head_and_tail, masked
from inklings_desktop.agent.model_planner.structured import Question, answered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.agent.context.assembling import Candidate, SkillOffer
    from inklings_desktop.agent.model_planner.structured import Aside

PROMPT_TOKENS = 500
CANDIDATE_CHARACTERS = 120
MOST_QUERIES = 2
QUERY_CHARACTERS = 80
ANSWER_TOKENS = 200
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["accept", "refine"]},
        "drop": {"type": "array", "items": {"type": "integer"}},
        "queries": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["verdict", "drop", "queries"],
    "additionalProperties": False,
}


async def gate_by_model(
    aside: Aside, prompt: str, candidates: Sequence[Candidate | SkillOffer], seconds: float
) -> Gate | None:
    """What a model would leave away and look for; None where the rules have to say.

    It can drop candidates alone: named entries are none.

    Args:
        seconds: How long it may take.
    """
    lines = [
        f"{number}. ({one.tier}) {' '.join(one.text.split())[:CANDIDATE_CHARACTERS]}"
        for number, one in enumerate(candidates, start=1)
    ]

    def read(told: Any) -> Gate:
        if told["verdict"] not in {"accept", "refine"}:
            raise ValueError('verdict is "accept" or "refine".')
        numbers, queries = told["drop"], told["queries"]
        if not all(type(one) is int and 1 <= one <= len(lines) for one in numbers):
            raise ValueError("drop has numbers of candidates alone.")
        if not all(isinstance(one, str) and len(one) <= QUERY_CHARACTERS for one in queries):
            raise ValueError(f"A query has at most {QUERY_CHARACTERS} characters.")
        wanted = [one.strip() for one in queries if one.strip()][:MOST_QUERIES]
        return Gate(
            tuple(candidates[one - 1].id for one in dict.fromkeys(numbers)),
            "model",
            tuple(wanted) if told["verdict"] == "refine" else (),
        )

    slices = {
        "candidates": framed(aside.mark, "candidates", masked("\n".join(lines)) or "none"),
        "message": "The author's message:\n"
        + head_and_tail(prompt, PROMPT_TOKENS * CHARACTERS_PER_TOKEN),
    }
    question = Question("gate", slices, SCHEMA, read, ANSWER_TOKENS)
    return await answered(aside, question, seconds)
