"""What comes next in a turn without a model: calls, or the answer.

Everything follows from what was said and what came back, so a turn that was cut off goes on as it
would have gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.agent.mechanical.forgetting import forget
from inklings_desktop.agent.mechanical.intents import Kind, intent_of
from inklings_desktop.agent.mechanical.keeping import correct, put, tally
from inklings_desktop.agent.mechanical.looking import changed, find, next_turn, overview, recall
from inklings_desktop.agent.mechanical.turn import Turn, said, say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.agent.planning import Answer, Result, Situation, Step


def next_step(prompt: str, situation: Situation, results: Sequence[Result]) -> Step:
    """What to do next.

    Args:
        prompt: What is planned for; as a rule what the person said.
        situation: What is known of the turn.
        results: What came back in this turn, in the order of the calls.
    """
    intent = intent_of(prompt, situation)
    return _STEPS[intent.kind](Turn(intent, situation, results))


def _thanks(turn: Turn) -> Answer:
    return said(turn, "welcome")


def _skills(turn: Turn) -> Answer:
    return said(turn, "skills")


def _unknown_command(turn: Turn) -> Answer:
    return said(turn, "unknown_command")


_STEPS: Mapping[Kind, Callable[[Turn], Step]] = {
    Kind.PUT: put,
    Kind.HYPOTHESIS: put,
    Kind.TALLY: tally,
    Kind.OVERVIEW: overview,
    Kind.RECALL: recall,
    Kind.FIND: find,
    Kind.CHANGED: changed,
    Kind.NEXT_TURN: next_turn,
    Kind.FORGET: forget,
    Kind.CORRECT: correct,
    Kind.SKILLS: _skills,
    Kind.UNKNOWN_COMMAND: _unknown_command,
    Kind.THANKS: _thanks,
    Kind.SAY: say,
}
