"""A model that plays a script: where the last words or results match, these events."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal

from inklings_desktop.agent.planning import Answer, Call, Quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.context.assembling import Assembled
    from inklings_desktop.agent.planning import Result, Say, Situation, Step


class FakeModel:
    """Plans by a script; pure, as every planner.

    Each line is ``{"when": text in the prompt, "after": number of results, "calls": [{tool,
    arguments, title}], "say": text, "pause": seconds between words, "quotes": [{id, tier}]}``.
    The first line that fits is played. ``{id}`` in what is said is the id of the last memory that
    came back, ``{found}`` what every memory that came back says; ``{conversation}`` in an argument
    is the conversation's id.
    """

    produced_by: Literal["mechanical", "model"] = "model"

    def __init__(self, script: Sequence[Mapping[str, Any]]) -> None:
        """Play this."""
        self._script = script

    async def __call__(
        self, situation: Situation, results: Sequence[Result], context: Assembled, say: Say
    ) -> Step:
        """What the first line that fits says."""
        for line in self._script:
            if line.get("when", "") in situation.prompt and line.get("after", 0) == len(results):
                return await self._played(line, situation, results, context, say)
        await say("I know nothing to say.")
        return Answer("I know nothing to say.")

    async def _played(
        self,
        line: Mapping[str, Any],
        situation: Situation,
        results: Sequence[Result],
        context: Assembled,
        say: Say,
    ) -> Step:
        if "calls" in line:
            here = {"{conversation}": situation.conversation}
            return tuple(
                Call(
                    str(len(results) + number),
                    one["tool"],
                    {name: here.get(value, value) for name, value in one["arguments"].items()},
                    "",
                    one["tool"],
                )
                for number, one in enumerate(line["calls"], start=1)
            )
        text = str(line["say"]).replace("{id}", _last_id(results))
        text = text.replace("{context}", context.document).replace("{found}", _found(results))
        for number, word in enumerate(text.split(" ")):
            await say(f" {word}" if number else word)
            if pause := line.get("pause"):
                await asyncio.sleep(pause)
        quotes = tuple(Quote(one["id"], one["tier"]) for one in line.get("quotes", ()))
        return Answer(text, quotes)


def _found(results: Sequence[Result]) -> str:
    hits = (hit for result in results for hit in result.outcome.get("hits") or ())
    return " · ".join(f"“{hit['content']}”" for hit in hits) or "nothing"


def _last_id(results: Sequence[Result]) -> str:
    for result in reversed(results):
        memory = result.outcome.get("memory") or next(iter(result.outcome.get("hits") or ()), None)
        if memory:
            return str(memory["id"])
    return ""
