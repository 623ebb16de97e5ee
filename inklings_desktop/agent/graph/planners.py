"""What decides the next step of a turn: without a model the rules, and nothing else yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from inklings_desktop.agent.planning import Answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.agent.context.assembling import Assembled
    from inklings_desktop.agent.graph.turn import Say
    from inklings_desktop.agent.planning import Planner, Result, Situation, Step


@dataclass(frozen=True, slots=True)
class MechanicalPlanner:
    """Plans by rules.

    Attributes:
        next_step: The rules, a pure function.
    """

    next_step: Planner
    produced_by: Literal["mechanical", "model"] = "mechanical"

    async def __call__(
        self,
        situation: Situation,
        results: Sequence[Result],
        context: Assembled,  # noqa: ARG002 - the rules read for themselves what is asked for
        say: Say,
    ) -> Step:
        """The next calls, or the answer, told as a whole."""
        step = self.next_step(situation.prompt, situation, results)
        if isinstance(step, Answer):
            await say(step.text)
        return step
