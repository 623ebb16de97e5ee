"""A sweep without a model: it tells how far it is, and whoever says stop meanwhile is heard."""

from __future__ import annotations

import asyncio
from typing import Any

from inklings_desktop.agent.context.assembling import Assembled
from inklings_desktop.agent.graph.turn import Stop
from inklings_desktop.agent.mechanical.sweeping import Sweep
from inklings_desktop.agent.memory_door.briefs import Brief
from inklings_desktop.agent.planning import Call, Result, Situation

ABOUT = "the harbour"
BRIEF = Brief("t1.1", "researcher", "c1", ABOUT, {"about": ABOUT})
SITUATION = Situation("c1", "general", f"Compare all memories about {ABOUT} for contradictions")
HOURS = ("dusk", "noon", "dusk", "night")
HITS = [
    {"id": f"m{n}", "tier": "workspace", "score": 0.9,
     "content": f"The harbour gate of Sele closes at {hour}."}
    for n, hour in enumerate(HOURS)
]  # fmt: skip
READ = (Result(Call("1.1", "memory_read", {"tier": "workspace"}), {"hits": HITS}),)


class Quiet:
    """Nobody hears what a planner says."""

    async def __call__(self, text: str) -> None:
        """Nothing is said."""

    async def think(self, text: str) -> None:
        """Nothing is thought."""

    async def note(self, sent: Any) -> None:
        """Nothing is sent."""


def test_it_tells_of_every_text_that_it_has_compared() -> None:
    told: list[tuple[int, int]] = []

    async def progress(done: int, of: int) -> None:
        told.append((done, of))

    step = asyncio.run(Sweep(BRIEF, progress)(SITUATION, READ, Assembled(""), Quiet()))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert isinstance(step, tuple)
    kept = step[0].arguments["value"]
    assert (step[0].tool, kept["n_memories"], kept["n_pairs"]) == ("note_write", 4, 5)


def test_stop_is_heard_between_two_texts() -> None:
    told: list[int] = []

    async def stopped() -> Any:
        stop = Stop()

        async def progress(done: int, _of: int) -> None:
            told.append(done)
            stop.ask("cancelled")

        return await stop.unless(Sweep(BRIEF, progress)(SITUATION, READ, Assembled(""), Quiet()))

    assert asyncio.run(stopped()) is None
    assert len(told) < len(HOURS)
