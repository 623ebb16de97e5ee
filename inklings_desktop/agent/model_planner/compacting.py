"""Older turns made short by a cheap model, beside what the rules keep word for word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.context.compaction import (
    MOST_LINES,
    QUOTE_CHARACTERS,
    WORDED,
    missing_names,
    told_compact,
)
from inklings_desktop.agent.context.framing import framed, masked
from inklings_desktop.agent.model_planner.structured import Question, answered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.model_planner.structured import Aside
    from inklings_desktop.agent.planning import Utterance

_LIST = {"type": "array", "items": {"type": "string"}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": dict.fromkeys(WORDED, _LIST),
    "required": list(WORDED),
    "additionalProperties": False,
}


async def worded_by_model(
    aside: Aside, older: Sequence[Utterance], before: Mapping[str, Any] | None
) -> dict[str, list[str]] | None:
    """What older turns were about; None where what the rules keep has to do.

    Args:
        older: What was said in them, oldest first.
        before: The compact form of what was said before that; None for nothing.
    """
    source = "\n".join([told_compact(before or {}), *(f"{one.role}: {one.text}" for one in older)])

    def read(told: Any) -> dict[str, list[str]]:
        lists = {key: [" ".join(str(one).split()) for one in told[key]] for key in WORDED}
        texts = [one for each in lists.values() for one in each]
        if any(len(one) > QUOTE_CHARACTERS for one in texts):
            raise ValueError(f"A sentence has at most {QUOTE_CHARACTERS} characters.")
        if missing := missing_names(texts, source):
            raise ValueError(f"Not used in it: {', '.join(missing)[:100]}.")
        return {key: each[:MOST_LINES] for key, each in lists.items()}

    slices = {"older": framed(aside.mark, "older", masked(source))}
    return await answered(aside, Question("compact", slices, SCHEMA, read))
