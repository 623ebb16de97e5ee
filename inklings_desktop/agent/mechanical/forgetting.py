"""Forgetting one memory: the one that is pointed at, or clearly meant, or chosen from a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.certainty import (
    CLEAR_AHEAD,
    PERHAPS_FROM,
    QUOTED_FROM,
    asked_words,
    query_of,
)
from inklings_desktop.agent.mechanical.speech import speech
from inklings_desktop.agent.mechanical.turn import (
    QUERY_CHARACTERS,
    TIERS,
    Turn,
    not_done,
    place_of,
    said,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.planning import Answer, Call, Result, Step

_READ = 3
_MOST_OFFERED = 5


def forget(turn: Turn) -> Step:
    """Find the memory that is meant, and forget it; several are listed to choose from."""
    intent = turn.intent
    if intent.is_everything:
        return said(turn, "forget_everything")
    if turn.results and turn.results[-1].call.tool == "memory_forget":
        return _after_forgetting(turn, turn.results[-1])
    if intent.named:
        if not turn.results:
            ids = [one.id for one in intent.named]
            return (turn.call("memory_get", {"ids": ids}),)
        found = [] if turn.results[0].is_error else turn.results[0].outcome.get("memories") or []
        return (_forget_call(turn, found[0]),) if found else said(turn, "gone")
    spoken = speech(intent.language)
    if not asked_words(intent.text, spoken):
        return said(turn, "forget_unclear")
    if not turn.results:
        query = query_of(intent.text, spoken)[:QUERY_CHARACTERS]
        return turn.reads(TIERS, query, dict.fromkeys(TIERS, _READ))
    sure = sorted(turn.sure_hits(intent.text), key=lambda one: -one[0])
    sure = [one for one in sure if one[0] >= PERHAPS_FROM]
    if not sure:
        return said(turn, "forget_none")
    best, behind = sure[0], sure[1][0] if len(sure) > 1 else 0.0
    if best[0] >= QUOTED_FROM and best[0] - behind >= CLEAR_AHEAD:
        return (_forget_call(turn, best[1]),)
    writing = turn.writing()
    writing.say("forget_which")
    lines = [writing.framed(one) for _, one in sure[:_MOST_OFFERED]]
    writing.listed(lines, is_numbered=True)
    return writing.answer()


def _forget_call(turn: Turn, memory: Mapping[str, Any]) -> Call:
    arguments = place_of(memory) | {"id": memory["id"], "reason": "asked"}
    return turn.call("memory_forget", arguments, text=str(memory["content"]))


def _after_forgetting(turn: Turn, result: Result) -> Answer:
    if result.is_error:
        return not_done(turn, result, "kept")
    writing, id_ = turn.writing(), result.call.arguments["id"]
    read = [*turn.hits(), *(turn.results[0].outcome.get("memories") or ())]
    memory = next((one for one in read if one["id"] == id_), None)
    quote = writing.noted(memory["content"], memory) if memory else id_
    is_held = result.outcome.get("status") == "held_for_review"
    writing.say("forget_held" if is_held else "forgotten", quote=quote)
    return writing.answer()
