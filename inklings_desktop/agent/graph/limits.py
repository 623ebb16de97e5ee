"""How far one turn may go before it asks whether to go on."""

from __future__ import annotations

from dataclasses import dataclass

READS_AT_ONCE = 4
MAX_REPEATS = 3
"""An identical call is made so often; the next ones are refused."""
MAX_REPEAT_REFUSALS = 2
"""After so many of these the turn ends."""
RESULT_CHARACTERS = 64 * 1024
"""Of one tool's answer, as the planner is handed it and the state keeps it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a turn may use until it stops and says so; going on grants the same again.

    Attributes:
        steps: How often the planner is asked.
        tool_calls: How many tools are called.
        seconds: How long it may take in all.
    """

    steps: int = 25
    tool_calls: int = 60
    seconds: float = 600.0

    @property
    def recursion(self) -> int:
        """Steps of the graph until it is stopped as one that never ends."""
        return 4 * self.steps + 10
