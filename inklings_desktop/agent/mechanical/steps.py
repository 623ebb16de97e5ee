"""What comes next in a turn without a model: keeping, counting, correcting, or the answer.

Everything follows from what was said and what came back, so a turn that was cut off goes on as it
would have gone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from inklings_desktop.agent.mechanical.comparing import compare
from inklings_desktop.agent.mechanical.forgetting import MOST_OFFERED, READ, forget, offer
from inklings_desktop.agent.mechanical.intents import Kind, intent_of
from inklings_desktop.agent.mechanical.looking import (
    changed,
    find,
    left_off,
    next_turn,
    overview,
    recall,
    why,
)
from inklings_desktop.agent.mechanical.speech import Kept, same_unit, speech
from inklings_desktop.agent.mechanical.turn import (
    CLEAR_AHEAD,
    QUERY_CHARACTERS,
    SOURCE,
    TIERS,
    Turn,
    asked_words,
    not_done,
    place_of,
    query_of,
    said,
    said_words,
    say,
)
from inklings_desktop.domain.likeness.grounding import sentences_of
from inklings_desktop.domain.words.hidden_text import without_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.agent.planning import Answer, Call, Result, Situation, Step

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


SUPERSEDES = "supersedes"
_ALIKE = 0.5
"""A memory that shares so much with the correction may be the one that is meant."""
_PERHAPS_ALIKE = 0.25
_MOST_LEFT = 2
"""Words of a memory that says one thing which a correction of it leaves out."""


def correct(turn: Turn) -> Step:
    """Correct the memory that is meant; where it is not clear, ask which; else it is talk."""
    intent, spoken = turn.intent, speech(turn.intent.language)
    if done := turn.written("memory_put", "memory_update"):
        return _after_correction(turn, done[-1])
    about = intent.old or intent.text
    if not about:
        return said(turn, "forget_unclear")
    if not turn.results:
        calls = []
        if intent.named:
            calls.append(
                turn.call("memory_get", {"ids": [one.id for one in intent.named]}, why="corrects")
            )
        if not intent.is_chosen:
            if not asked_words(about, spoken):
                return say(turn)
            query = query_of(about, spoken)[:QUERY_CHARACTERS]
            calls += turn.reads(TIERS, query, dict.fromkeys(TIERS, READ), after=len(calls))
        return tuple(calls)
    found = turn.read()
    if intent.is_chosen:
        return _correction(turn, found[0]) if found else said(turn, "gone")
    if intent.old and (swapped := [one for one in found if _swapped(one["content"], turn)]):
        return _correction(turn, swapped[0]) if len(swapped) == 1 else _ask(turn, swapped)
    if not intent.text:
        return said(turn, "correct_none")
    words = said_words(intent.text, spoken)
    ranked = sorted(
        ((_alike(words, said_words(one["content"], spoken)), one) for one in found),
        key=lambda one: -one[0],
    )
    ranked = [one for one in ranked if one[0] >= _PERHAPS_ALIKE]
    if not ranked:
        return said(turn, "correct_none")
    best, meant = ranked[0]
    behind = ranked[1][0] if len(ranked) > 1 else 0.0
    left = said_words(meant["content"], spoken) - words
    says_one_thing = len(sentences_of(meant["content"])) == 1 and len(left) <= _MOST_LEFT
    if best >= _ALIKE and best - behind >= CLEAR_AHEAD and says_one_thing and not intent.old:
        return _correction(turn, meant)
    return _ask(turn, [one for _, one in ranked])


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    """How much two texts share, 0 to 1, whichever is the longer."""
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def _ask(turn: Turn, memories: Sequence[Mapping[str, Any]]) -> Answer:
    """Which memory is meant, each as it is, and as it would be."""
    writing = turn.writing()
    offer(
        writing,
        [
            f"{writing.framed(one)} \u2192 {writing.quoted(_corrected(one, turn))}"
            for one in memories[:MOST_OFFERED]
        ],
    )
    return writing.answer()


def _correction(turn: Turn, meant: Mapping[str, Any]) -> Step:
    """The call that corrects a memory; the policy asks with what it says and would say."""
    text = _corrected(meant, turn)
    if _swapped(meant["content"], turn):
        arguments = place_of(meant) | {
            "id": meant["id"],
            "patch": {"content": text},
            "expected_version": meant["version"],
            "detail": "full",
        }
        return (turn.call("memory_update", arguments, why="corrects", text=text),)
    arguments = place_of(meant) | {
        "content": text,
        "replaces": meant["id"],
        "tags": [*(one for one in meant.get("tags", ()) if one != SUPERSEDES), SUPERSEDES],
        "importance": meant.get("importance", 0.8),
        "source": SOURCE,
        "detail": "full",
    }
    if meant.get("private"):
        arguments["private"] = True
    if meant["tier"] not in {"conversation", "account"}:
        arguments |= {"lifetime": meant["lifetime"], "conversation": turn.situation.conversation}
    return (turn.call("memory_put", arguments, why="corrects", title="correct", text=text),)


def _corrected(memory: Mapping[str, Any], turn: Turn) -> str:
    """What a memory would say."""
    text = _swapped(memory["content"], turn) or turn.intent.text
    return text[:1].upper() + text[1:]


def _swapped(content: str, turn: Turn) -> str:
    """A memory with the new words for the old ones; empty where it has none of them.

    They are looked for as they look: what does not show in the memory is left out.
    """
    if not turn.intent.old:
        return ""
    shown, old = (normalize("NFC", without_codes(one)) for one in (content, turn.intent.old))
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
    text, n_replaced = pattern.subn(lambda _: turn.intent.new, shown)
    return text if n_replaced else ""


def _after_correction(turn: Turn, result: Result) -> Answer:
    if result.is_error:
        return not_done(turn, result, "kept")
    writing, arguments = turn.writing(), result.call.arguments
    text = str(arguments.get("content") or arguments.get("patch", {}).get("content"))
    id_ = arguments.get("replaces") or arguments.get("id")
    before = next((one["content"] for one in turn.read() if one["id"] == id_), "")
    quotes = {"before": writing.quoted(before), "quote": writing.quoted(text)}
    if result.outcome.get("status") == "held_for_review":
        writing.say("correct_held", **quotes)
        return writing.answer()
    memory = {"tier": arguments["tier"], **(result.outcome.get("memory") or {})}
    quotes["quote"] = writing.noted(text, memory)
    writing.say("corrected", where=writing.where(arguments), **quotes)
    return writing.answer()


def skills(turn: Turn) -> Step:
    """Name the skills that may be chosen; without a model nobody works by one."""
    if not turn.results:
        return (turn.call("skill_search", {"query": ""}),)
    writing = turn.writing()
    found = turn.results[0].outcome.get("skills") or ()
    listed = ", ".join(writing.quoted(str(one["title"])) for one in found)
    return said(turn, "skills_here", skills=listed) if listed else said(turn, "skills")


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


def _of_model(name: str) -> Callable[[Turn], Answer]:
    """Says something else where a model answers."""

    def answer(turn: Turn) -> Answer:
        provider, _, model = turn.situation.model.partition("/")
        if not model:
            return said(turn, name)
        return said(turn, f"{name}_with", model=model, provider=provider)

    return answer


_STEPS: Mapping[Kind, Callable[[Turn], Step]] = {
    Kind.PUT: put,
    Kind.HYPOTHESIS: put,
    Kind.TALLY: tally,
    Kind.OVERVIEW: overview,
    Kind.RECALL: recall,
    Kind.FIND: find,
    Kind.COMPARE: compare,
    Kind.CHANGED: changed,
    Kind.NEXT_TURN: next_turn,
    Kind.FORGET: forget,
    Kind.CORRECT: correct,
    Kind.LEFT_OFF: left_off,
    Kind.WHY: why,
    Kind.HELP: _of_model("hint"),
    Kind.MODEL: _of_model("model"),
    Kind.UNKEPT: _saying("unkept"),
    Kind.UNCHANGED: _saying("kept"),
    Kind.SKILLS: skills,
    Kind.COMPOSE: _saying("compose"),
    Kind.ROLE: _saying("role"),
    Kind.UNKNOWN_COMMAND: _saying("unknown_command"),
    Kind.THANKS: _saying("welcome"),
    Kind.SAY: say,
}
