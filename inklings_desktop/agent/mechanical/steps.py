"""What comes next in a turn without a model: calls, or the answer.

Everything follows from what was said and what came back, so a turn that was cut off goes on as it
would have gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.agent.mechanical.correcting import correct
from inklings_desktop.agent.mechanical.forgetting import forget
from inklings_desktop.agent.mechanical.intents import Kind, intent_of
from inklings_desktop.agent.mechanical.keeping import put, tally
from inklings_desktop.agent.mechanical.looking import (
    changed,
    find,
    left_off,
    next_turn,
    overview,
    recall,
    why,
)
from inklings_desktop.agent.mechanical.turn import Turn, said, say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.agent.planning import Answer, Result, Situation, Step


def next_step(prompt: str, situation: Situation, results: Sequence[Result]) -> Step:
    """What to do next.

    Args:
        prompt: What is planned for; as a rule what the person said.
        results: What came back in this turn, in the order of the calls.
    """
    intent = intent_of(prompt, situation)
    return _STEPS[intent.kind](Turn(intent, situation, results))


def _saying(name: str) -> Callable[[Turn], Answer]:
    return lambda turn: said(turn, name)


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
    Kind.LEFT_OFF: left_off,
    Kind.WHY: why,
    Kind.HELP: _saying("hint"),
    Kind.MODEL: _saying("model"),
    Kind.UNKEPT: _saying("unkept"),
    Kind.UNCHANGED: _saying("kept"),
    Kind.SKILLS: _saying("skills"),
    Kind.UNKNOWN_COMMAND: _saying("unknown_command"),
    Kind.THANKS: _saying("welcome"),
    Kind.SAY: say,
}
