"""Forgetting: the memory that is pointed at or clearly meant, or those that are chosen from a list.

Nothing is forgotten for being the likeliest. One memory is meant where it alone says all that was
said of it; of several, or of those that say only a part, the person chooses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.speech import speech
from inklings_desktop.agent.mechanical.turn import (
    QUERY_CHARACTERS,
    TIERS,
    Turn,
    add_reason,
    meant_words,
    not_done,
    place_of,
    query_of,
    said,
    said_words,
    words_of_memory,
)
from inklings_desktop.domain.likeness.grounding import negates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.mechanical.turn import Writing
    from inklings_desktop.agent.planning import Answer, Call, Result, Step

MOST_FORGOTTEN = 10
"""Memories in one turn: so many writes are allowed in it."""
READ, _READ_SEVERAL = 12, 40
"""Hits that are looked at in each tier: where one memory is meant, and where all of a subject."""
MOST_OFFERED = 9
_WHOLE, _WHOLE_CLAUSE = 0.3, 0.5
"""So much of a memory must have been named, by its subject or by a statement: one that says much
more is not forgotten for a part of it."""
_PART = 0.5
"""A memory with so large a share of the words may be the one that is meant."""


def forget(turn: Turn) -> Step:
    """Find the memories that are meant, and forget them; where it is not clear, ask which."""
    intent = turn.intent
    if done := turn.written("memory_forget"):
        return _after_forgetting(turn, done)
    if intent.is_everything:
        return said(turn, "forget_everything")
    if intent.named:
        if not turn.results:
            return (turn.call("memory_get", {"ids": [one.id for one in intent.named]}),)
        found = turn.read()
        if not found or intent.is_chosen:
            return _forget_calls(turn, found) if found else said(turn, "gone")
        writing = turn.writing()
        offer(writing, [writing.framed(one) for one in found])
        return writing.answer()
    spoken = speech(intent.language)
    wanted = [meant_words(one, spoken) for one in intent.topics or (intent.text,)]
    if not all(wanted):
        return said(turn, "forget_unclear")
    if not turn.results:
        query = " ".join(query_of(one, spoken) for one in intent.topics or (intent.text,))
        limits = dict.fromkeys(TIERS, _READ_SEVERAL if intent.topics else READ)
        return turn.reads(TIERS, query[:QUERY_CHARACTERS], limits)
    held = [(one, words_of_memory(one, spoken)) for one in turn.read()]
    if intent.topics:
        found = [one for one, words in held if any(each <= words for each in wanted)]
        return _forget_calls(turn, found) if found else _none(turn)
    return _one(turn, wanted[0], held)


def _one(
    turn: Turn, wanted: frozenset[str], held: Sequence[tuple[dict[str, Any], frozenset[str]]]
) -> Step:
    """The one memory that is meant, or a list to choose from."""
    intent, spoken = turn.intent, speech(turn.intent.language)
    fitting = [
        one
        for one, words in held
        if wanted <= words
        and not (intent.is_clause and negates(one["content"]) != negates(intent.text))
    ]
    exact = [one for one in fitting if said_words(one["content"], spoken) == wanted]
    meant = exact if len(exact) == 1 and intent.is_clause else fitting
    least = _WHOLE_CLAUSE if intent.is_clause else _WHOLE
    if len(meant) == 1 and len(wanted) >= least * len(said_words(meant[0]["content"], spoken)):
        return _forget_calls(turn, meant)
    near = sorted(
        (one for one in held if len(wanted & one[1]) / len(wanted) >= _PART),
        key=lambda one: -len(wanted & one[1]),
    )
    offered = (fitting or [one for one, _ in near])[:MOST_OFFERED]
    if not offered:
        return _none(turn)
    writing = turn.writing()
    if not fitting:
        writing.say("forget_part")
    offer(writing, [writing.framed(one) for one in offered])
    return writing.answer()


def offer(writing: Writing, lines: Sequence[str]) -> None:
    """A list that the person chooses from by number; the question comes last."""
    writing.listed(lines, is_numbered=True)
    writing.say("which")


def _none(turn: Turn) -> Answer:
    writing = turn.writing()
    words = " / ".join(turn.intent.topics) or turn.intent.text
    writing.say("forget_none", words=writing.quoted(words))
    return writing.answer()


def _forget_calls(turn: Turn, memories: Sequence[Mapping[str, Any]]) -> tuple[Call, ...]:
    return tuple(
        turn.call(
            "memory_forget",
            place_of(one) | {"id": one["id"], "reason": "asked"},
            after=number,
            text=str(one["content"]),
        )
        for number, one in enumerate(memories[:MOST_FORGOTTEN])
    )


def _after_forgetting(turn: Turn, done: Sequence[Result]) -> Answer:
    memories = {one["id"]: one for one in turn.read()}
    writing = turn.writing()

    def quote(result: Result) -> str:
        memory = memories[result.call.arguments["id"]]
        return writing.noted(memory["content"], memory)

    failed = [one for one in done if one.is_error]
    for name in ("forgotten", "forget_held"):
        is_held = name == "forget_held"
        told = [
            one
            for one in done
            if not one.is_error and (one.outcome.get("status") == "held_for_review") is is_held
        ]
        if len(told) == 1:
            writing.say(name, quote=quote(told[0]))
        elif told:
            writing.say(f"{name}_several", n=str(len(told)))
            writing.listed([quote(one) for one in told])
    if not failed:
        return writing.answer()
    if len(done) == 1:
        return not_done(turn, failed[0], "kept")
    add_reason(writing, failed[0], "kept_several")
    kept = [quote(one) for one in failed]
    if len(failed) < len(done):
        writing.listed(kept)  # the person has chosen already
    else:
        offer(writing, kept)
    return writing.answer()
