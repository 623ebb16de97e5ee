"""Older turns made short: what the person said word for word, and what a model may add to it.

A compact form is ``{quotes, names, memory_ids, intents, decisions, commitments, open}``, lists of
texts. The first three are picked by rules whoever words the others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.context.framing import masked
from inklings_desktop.agent.context.summarising import telling_sentences
from inklings_desktop.agent.mechanical.intents import Kind, intent_of
from inklings_desktop.domain.entries.named_entry import CHARACTERS_PER_TOKEN
from inklings_desktop.domain.likeness.grounding import sentences_of
from inklings_desktop.domain.words.function_words import EVERY_LANGUAGE
from inklings_desktop.domain.words.query_text import folded, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inklings_desktop.agent.planning import Situation, Utterance

KEPT_MESSAGES = 8
"""The last four turns stay as they are."""
HISTORY_SHARE = 0.35
"""Of a model's window, for what was said before."""
ANSWER_SHARE = 0.25
"""Of it, for what the model says."""
DUE_SHARE = 0.7
"""Of what is left, for everything that a turn sends."""
FIXED_TOKENS = 3_500
"""About what the rules and the tools take, which every call is sent."""
HISTORY_TOKENS = 3_000
"""Of what the state of a turn carries along, before its oldest part would be lost."""
MOST_QUOTES = 40
QUOTE_CHARACTERS = 200
MOST_NAMES = 60
MOST_IDS = 60
MOST_LINES = 8
WORDED = ("intents", "decisions", "commitments", "open")
_ORDERS = frozenset({Kind.PUT, Kind.HYPOTHESIS, Kind.CORRECT, Kind.FORGET, Kind.UNKEPT, Kind.TALLY})
_NAME = re.compile(r"(?<![\w'\u2019])(?:[^\W\d_a-z][\w'\u2019-]*|\w*\d[\w.,:-]*)")


def is_due(history: Sequence[Mapping[str, Any]], other_characters: int, window: int) -> bool:
    """Whether older turns have to be made short before a model is asked.

    Args:
        history: What was said before, as the state keeps it.
        other_characters: Of what else changes from call to call.
        window: Tokens that the model takes in all.
    """
    if len(history) <= KEPT_MESSAGES:
        return False
    tokens = sum(int(one.get("tokens") or 0) for one in history)
    usable = window * (1 - ANSWER_SHARE) * DUE_SHARE
    return bool(
        tokens > min(HISTORY_TOKENS, window * HISTORY_SHARE)
        or FIXED_TOKENS + tokens + other_characters / CHARACTERS_PER_TOKEN > usable
    )


def compacted(
    older: Sequence[Utterance], before: Mapping[str, Any] | None, situation: Situation
) -> dict[str, Any]:
    """What is kept of older turns by rules.

    Args:
        older: What was said in them, oldest first.
        before: The compact form of what was said before that; None for nothing.
    """
    held = before or {}
    said = [one.text for one in older if one.role == "user"]
    quotes = [*held.get("quotes", ()), *_orders(said, situation)]
    texts = "\n".join(one.text for one in older)
    names = [*held.get("names", ()), *names_in(texts)]
    ids = [*held.get("memory_ids", ()), *(quote.id for one in older for quote in one.quotes)]
    return {
        "quotes": list(dict.fromkeys(quotes))[-MOST_QUOTES:],
        "names": list(dict.fromkeys(names))[-MOST_NAMES:],
        "memory_ids": list(dict.fromkeys(ids))[-MOST_IDS:],
        **{key: list(held.get(key, ())) for key in WORDED},
    }


def names_in(text: str) -> tuple[str, ...]:
    """The names and numbers of a text, each once: words with a capital first, or with a figure."""
    found = (one.rstrip(".,:-'\u2019") for one in _NAME.findall(text))
    named = (one for one in found if one[:1].isupper() or any(map(str.isdigit, one)))
    return tuple(dict.fromkeys(one for one in named if folded(one) not in EVERY_LANGUAGE))


def missing_names(texts: Iterable[str], source: str) -> tuple[str, ...]:
    """The names and numbers of some texts that their source does not hold."""
    known = set(words_of(folded(source)))
    return tuple(
        one for text in texts for one in names_in(text) if not set(words_of(folded(one))) <= known
    )


def told_compact(compact: Mapping[str, Any]) -> str:
    """A compact form as a model reads it."""
    lines: list[str] = []
    for key in ("quotes", *WORDED, "names", "memory_ids"):
        if compact.get(key):
            lines.append(f"{key}:")
            lines += [f"- {one}" for one in compact[key]]
    return masked("\n".join(lines))


def _orders(said: Iterable[str], situation: Situation) -> list[str]:
    """What the person asked for, decided and prefers, word for word."""
    found: list[str] = []
    for message in said:
        intent = intent_of(message, situation)
        sentences = telling_sentences(message)
        if intent.kind in _ORDERS:
            sentences = sentences_of(message)
        found += [one[:QUOTE_CHARACTERS] for one in sentences]
    return found
