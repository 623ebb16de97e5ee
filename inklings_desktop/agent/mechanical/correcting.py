"""Correcting: a memory that clearly leads takes the new words; of several the person chooses.

What is looked at are all memories that the words could mean. A memory that says more than the
correction is never replaced unseen: what it says besides would be lost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from inklings_desktop.agent.mechanical.certainty import (
    CLEAR_AHEAD,
    asked_words,
    query_of,
    said_words,
)
from inklings_desktop.agent.mechanical.forgetting import MOST_OFFERED, READ, offer
from inklings_desktop.agent.mechanical.speech import speech
from inklings_desktop.agent.mechanical.turn import (
    QUERY_CHARACTERS,
    SOURCE,
    TIERS,
    Turn,
    not_done,
    place_of,
    said,
    say,
)
from inklings_desktop.domain.likeness.grounding import sentences_of
from inklings_desktop.domain.words.hidden_text import without_codes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.planning import Answer, Result, Step

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
