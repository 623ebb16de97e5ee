"""A turn that nobody watches, as an activity's: what it may use, and what its answer adds.

Without a model the rules carry out what they understand; for anything else they tell what memory
holds, and that a model was needed. Whatever would have been asked waits, and the answer says what.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from inklings_desktop.agent.graph.turn import Limits
from inklings_desktop.agent.mechanical.intents import Kind, intent_of
from inklings_desktop.agent.mechanical.looking import overview
from inklings_desktop.agent.mechanical.speech import speech
from inklings_desktop.agent.mechanical.steps import next_step
from inklings_desktop.agent.mechanical.turn import Turn
from inklings_desktop.agent.planning import LATER, MEMORY_WRITES, Answer
from inklings_desktop.domain.background.activities import MICRO, May, budget_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.agent.context.assembling import Assembled
    from inklings_desktop.agent.graph.turn import PlannerPort
    from inklings_desktop.agent.planning import (
        Call,
        Judge,
        Result,
        Say,
        Situation,
        Step,
        Verdict,
    )

_PROPOSES = "_propose"
"""So ends the name of a tool by which an agent proposes."""
_UNDERSTOOD_BY_A_MODEL = frozenset({Kind.SAY, Kind.HELP, Kind.THANKS})


def allowance_of(told: str) -> tuple[Limits, float, frozenset[May]]:
    """What a turn may use, what it may cost (0 for as much as any other), and what it may do.

    Args:
        told: The budget as its host told it: JSON with the figures of ``Budget``.

    Raises:
        InvalidValueError: It is no budget.
        ValueError: It is no JSON.
    """
    budget = budget_of(json.loads(told))
    seconds = float(budget.seconds)
    limits = Limits(tool_calls=budget.tool_calls, seconds=seconds, is_final=True)
    return limits, (budget.cost_micro or 0) / MICRO, budget.may


def judge_alone(
    judge: Judge, may: frozenset[May], call: Call, situation: Situation, results: Sequence[Result]
) -> Verdict:
    """What the policy says of a call; what the author did not allow unasked is a question."""
    verdict = judge(call, situation, results)
    is_kept, proposes = call.tool in MEMORY_WRITES, call.tool.endswith(_PROPOSES)
    is_free = (May.KEEP in may or not is_kept) and (May.PROPOSE in may or not proposes)
    if is_free or verdict.decision != "allow":
        return verdict
    return replace(verdict, decision="ask", word="policy")


def next_step_alone(prompt: str, situation: Situation, results: Sequence[Result]) -> Step:
    """What the rules do next: what they understand, else a digest of what memory holds."""
    intent = intent_of(prompt, situation)
    if intent.kind not in _UNDERSTOOD_BY_A_MODEL:
        return next_step(prompt, situation, results)
    step = overview(Turn(replace(intent, about="all"), situation, results))
    if isinstance(step, Answer):
        said = speech(intent.language).table["say"]["digest"]
        return replace(step, text=f"{said}\n\n{step.text}")
    return step


@dataclass(frozen=True, slots=True)
class Unwatched:
    """A planner whose answer says what waits for the author."""

    planner: PlannerPort

    @property
    def produced_by(self) -> Literal["mechanical", "model"]:
        return self.planner.produced_by

    async def __call__(
        self, situation: Situation, results: Sequence[Result], context: Assembled, say: Say
    ) -> Step:
        step = await self.planner(situation, results, context, say)
        waiting = dict.fromkeys(one.call.title for one in results if one.word == LATER)
        if not isinstance(step, Answer) or not waiting:
            return step
        language = intent_of(situation.prompt, situation).language
        head = speech(language).table["say"]["waits"]
        told = "\n".join((f"\n\n{head}\n", *(f"- {title}" for title in waiting)))
        await say(told)
        return replace(step, text=f"{step.text}{told}")
