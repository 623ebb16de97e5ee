"""What is spent against what may be: asked before a ceiling would be passed, and told after a call.

Money is in millionths of the provider's currency. A provider that tells no price costs nothing
here: there is nothing to hold against a ceiling.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from inklings_desktop.acp_wire import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.agent.planning import Sent
    from inklings_desktop.agent.ports import RunState
    from inklings_desktop.agent_settings import AgentSettings
    from inklings_desktop.domain.runs.run_rows import Spent

MICRO = 1_000_000
DAY_KEPT_SECONDS = 60.0
"""So long the sum of the day is taken for true: it is gathered over every workspace."""

TURNS_TOLD = 50
"""Of so many turns is told what they cost when their conversation is opened."""


@dataclass(frozen=True, slots=True)
class Due:
    """A question that comes before more is spent.

    Attributes:
        of: Which ceiling would be passed.
        spent: In the turn or on the day, so far.
        next: What the next call may cost.
        ceiling: What it may come to, with what was granted before.
        currency: Empty for not told.
    """

    of: Literal["turn", "day"]
    spent: int
    next: int
    ceiling: int
    currency: str = ""

    @property
    def detail(self) -> str:
        """Spent and ceiling, as a line of figures."""
        return f"{self.spent / MICRO:.2f} / {self.ceiling / MICRO:.2f} {self.currency}".rstrip()

    def figures(self) -> dict[str, Any]:
        """It as a client is told of it."""
        figures = {"spent": self.spent, "next": self.next, "ceiling": self.ceiling}
        return {"of": self.of, "currency": self.currency} | figures

    def question(self) -> dict[str, Any]:
        """It as the client is asked."""
        spent = "this turn" if self.of == "turn" else "today"
        return {
            "id": f"{words.SPEND_TOOL}-{self.ceiling}",
            "tool": words.SPEND_TOOL,
            "title": "Spend more?",
            "tool_kind": "other",
            "input": self.figures(),
            words.TOOL: words.SPEND_TOOL,
            words.EFFECT: f"Spent {spent}: {self.detail}. The next step would pass that.",
        }


class Accounts:
    """Holds what was spent against the ceilings of the settings."""

    def __init__(
        self,
        settings: Callable[[], AgentSettings],
        day_sum: Callable[[int], int],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Know the ceilings.

        Args:
            settings: What holds now.
            day_sum: What all workspaces have spent since a time, in milliseconds since 1970, UTC.
            clock: Tells the time, in seconds since 1970.
        """
        self._settings = settings
        self._day_sum = day_sum
        self._clock = clock
        self._day = (0.0, 0, 0)

    def due(self, turn: Spent, n_calls: int, grants: int = 0) -> Due | None:
        """The question that has to be answered before the next call; None for none.

        What the next call costs is not known; it is taken for what the turn's calls cost on
        average. A grant allows the same again.

        Args:
            turn: What the turn has used so far.
            n_calls: Calls of models that it made.
            grants: How often the person has agreed to more in this turn.
        """
        settings, spent = self._settings(), turn.cost_micro or 0
        next_one = spent // max(n_calls, 1)
        currency = turn.currency or ""
        if settings.turn_cost:
            ceiling = round(settings.turn_cost * MICRO) * (1 + grants)
            if spent and spent + next_one > ceiling:
                return Due("turn", spent, next_one, ceiling, currency)
        if settings.daily_cost and not grants:
            ceiling, day = round(settings.daily_cost * MICRO), self.today()
            if day and day + next_one > ceiling:
                return Due("day", day, next_one, ceiling, currency)
        return None

    def today(self) -> int:
        """What was spent since midnight, where the person is."""
        now = self._clock()
        at, since, spent = self._day
        midnight = _midnight(now)
        if since != midnight or not 0 <= now - at < DAY_KEPT_SECONDS:
            spent = self._day_sum(midnight)
            self._day = (now, midnight, spent)
        return spent

    def told(self, sent: Sent, runs: RunState, run_id: str) -> dict[str, Any]:
        """What a call used, and what its conversation cost so far, as an update."""
        conversation, _, _ = run_id.partition(":")
        spent, latest = runs.spent(conversation), runs.runs(conversation, 1)
        own: dict[str, Any] = {
            "model": sent.model,
            "provider": sent.provider,
            "local": sent.is_local,
            "cost_known": sent.cost_micro is not None,
        }
        if latest and latest[0].spent.cost_micro is not None:
            own |= {"turn_micro": latest[0].spent.cost_micro, "day_micro": self.today()}
        update = {
            "sessionUpdate": words.USAGE,
            "used": sent.input_tokens + sent.output_tokens,
            "size": sent.window,
            "_meta": {words.OWN: own},
        }
        if spent.cost_micro is not None and spent.currency:
            update["cost"] = {"amount": spent.cost_micro / MICRO, "currency": spent.currency}
        return update

    def before(self, runs: RunState, conversation: str) -> dict[str, Any]:
        """What a conversation and its latest turns have cost, for whom opens it; or nothing."""
        spent, turns = runs.spent(conversation), runs.runs(conversation, TURNS_TOLD)
        if spent.cost_micro is None:
            return {}
        paid = {one.id.partition(":")[2]: one.spent.cost_micro for one in turns}
        told = {"talk_micro": spent.cost_micro, "day_micro": self.today(), "turns": paid}
        return {words.COSTS: told | {"currency": spent.currency or ""}}

    def note(self, cost_micro: int | None) -> None:
        """A call cost this: it counts to the day at once."""
        at, since, spent = self._day
        self._day = (at, since, spent + (cost_micro or 0))


def _midnight(now: float) -> int:
    """When the day began, in milliseconds since 1970, UTC."""
    day = datetime.fromtimestamp(now).astimezone().replace(hour=0, minute=0, second=0)
    return round(day.replace(microsecond=0).timestamp()) * 1000
