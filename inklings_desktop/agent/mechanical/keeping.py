"""Keeping something, and counting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.extraction import Kept, same_unit
from inklings_desktop.agent.mechanical.intents import Kind
from inklings_desktop.agent.mechanical.turn import SOURCE, Turn, not_done, said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.planning import Answer, Call, Result, Step

HYPOTHESIS = "hypothesis"
TALLY = "tally."


def put(turn: Turn) -> Step:
    """Keep what the message says, and say what became of it."""
    kept = turn.intent.kept or Kept("")
    if not kept.text:
        return said(turn, "no_list" if kept.heading else "no_text")
    if not turn.results:
        return (_put_call(turn, kept),)
    return _after_put(turn, turn.results[-1], kept.text, kept.left_question)


def _put_call(turn: Turn, kept: Kept) -> Call:
    tier = kept.tier or "workspace"
    arguments = turn.scoped(tier) | {"content": kept.text, "source": SOURCE, "detail": "full"}
    lasts = {"workspace": "long_term", "account": "long_term", "channel": "short_term"}
    if tier in lasts:
        arguments["lifetime"] = kept.lifetime or lasts[tier]
    default = 0.5 if tier == "conversation" else 0.8
    arguments["importance"] = default if kept.importance is None else kept.importance
    if tier != "account":
        arguments["conversation"] = turn.situation.conversation
    if kept.is_private:
        arguments["private"] = True
    if turn.intent.kind is Kind.HYPOTHESIS:
        arguments |= {"tags": [HYPOTHESIS], "importance": 0.4}
    title = "hypothesis" if turn.intent.kind is Kind.HYPOTHESIS else "memory_put"
    return turn.call("memory_put", arguments, title=title, text=kept.text)


def _after_put(turn: Turn, result: Result, text: str, left_question: str = "") -> Answer:
    writing, outcome = turn.writing(), result.outcome
    if result.is_error:
        return not_done(turn, result, "not_kept")
    memory = {"tier": result.call.arguments["tier"], **(outcome.get("memory") or {})}
    where = writing.where(result.call.arguments)
    if outcome.get("status") == "held_for_review":
        is_secret = outcome.get("reason") == "secret"
        if is_secret:
            writing.say("held_secret")
        else:
            writing.say("held", quote=writing.quoted(text), where=where)
    elif entry := outcome.get("named_entry"):
        writing.say("known_entry", name=str(entry), quote=writing.quoted(text))
    elif outcome.get("status") == "known" or outcome.get("already_known"):
        told = writing.where(memory) if memory["tier"] != result.call.arguments["tier"] else where
        known = str(memory.get("content") or text)
        writing.say("known", quote=writing.noted(known, memory), where=told)
    elif turn.intent.kind is Kind.HYPOTHESIS:
        writing.say("guess", quote=writing.noted(text, memory))
    else:
        writing.say("stored", quote=writing.noted(text, memory), where=where)
    if left_question:
        writing.say("question_left")
    return writing.answer()


def tally(turn: Turn) -> Step:
    """Add a figure to what was counted in this conversation, or tell the sum."""
    counted = turn.intent.counted
    assert counted is not None
    conversation = turn.situation.conversation
    if not turn.results:
        return (turn.call("note_list", {"conversation": conversation}),)
    if turn.results[0].is_error:
        return not_done(turn, turn.results[0], "not_kept")
    notes = _tallies(turn.results[0].outcome)
    fitting = [
        one
        for one in notes
        if (not counted.verb or one[0] == counted.verb)
        and (not counted.unit or same_unit(one[1], counted.unit))
    ]
    if counted.number is None:
        if not fitting:
            return said(turn, "count_none")
        verb, unit, value = fitting[0]
        return _told_count(turn, value, unit)
    if not fitting and not (counted.verb and counted.unit):
        return said(turn, "count_which")
    verb, unit, before = fitting[0] if fitting else (counted.verb, counted.unit, 0)
    is_sum = counted.is_more or not counted.is_total
    value = before + counted.number if is_sum else counted.number
    if len(turn.results) == 1:
        key = f"{TALLY}{verb} {unit}"
        if not fitting:
            key = f"{TALLY}{verb} {counted.unit}"
        arguments = {"conversation": conversation, "key": key, "value": value}
        return (turn.call("note_write", arguments, text=f"{value} {unit}"),)
    if turn.results[-1].is_error:
        return not_done(turn, turn.results[-1], "not_kept")
    return _told_count(
        turn, value, max(unit, counted.unit or unit, key=len) if value != 1 else unit
    )


def _tallies(outcome: Mapping[str, Any]) -> list[tuple[str, str, int]]:
    """Verb, unit and value of each tally, the latest first."""
    found = []
    for note in outcome.get("notes") or ():
        verb, _, unit = str(note["key"]).removeprefix(TALLY).partition(" ")
        if str(note["key"]).startswith(TALLY) and unit and isinstance(note["value"], int):
            found.append((verb, unit, note["value"]))
    return found


def _told_count(turn: Turn, value: int, unit: str) -> Answer:
    counted, writing = turn.intent.counted, turn.writing()
    is_today = re.search(r"\b(?:today|heute)\b", turn.intent.text, re.IGNORECASE) is not None
    name = "count" if is_today else "count_other"
    if counted is not None and not counted.is_asked and counted.number is not None:
        name = "count_kept"
    writing.say(name, count=f"{value} {unit}")
    return writing.answer()
