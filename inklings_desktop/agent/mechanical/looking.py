"""Looking something up: what is noted, what answers a question, what changed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.certainty import (
    PERHAPS_FROM,
    QUOTED_FROM,
    asked_words,
    certainty,
    query_of,
)
from inklings_desktop.agent.mechanical.speech import speech
from inklings_desktop.agent.mechanical.turn import (
    QUERY_CHARACTERS,
    TIERS,
    Turn,
    not_done,
    said,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.mechanical.wording import Writing
    from inklings_desktop.agent.planning import Result, Step

LOOKED_BACK = timedelta(days=7)
"""How far back changes are told where nobody says since when."""
READ = 4
"""Hits that are looked at in each tier where a question is asked."""
_FOUND, _CHANGES = 7, 7
_MOST_QUOTES, _MOST_PERHAPS = 5, 3
_OVERVIEW = {"conversation": 1, "channel": 1, "workspace": 4, "account": 1}
_OVERVIEW_OF_ONE = 7


def overview(turn: Turn) -> Step:
    """What matters most of what is noted, by tier."""
    about = turn.intent.about
    limits = _OVERVIEW if about == "all" else {about: _OVERVIEW_OF_ONE}
    if not turn.results:
        return turn.reads([one for one in TIERS if one in limits], "", limits)
    writing, hits = turn.writing(), turn.hits()
    if about == "all" and all(one["tier"] == "account" for one in hits):
        writing.say("fresh")
    elif not hits:
        writing.say("nothing_in")
    _by_tier(writing, hits)
    return writing.answer()


def _by_tier(writing: Writing, hits: Sequence[Mapping[str, Any]]) -> None:
    for tier in TIERS:
        if of_tier := [one for one in hits if one["tier"] == tier]:
            writing.add(f"**{writing.word(f'heading_{tier}')}**")
            writing.listed([writing.framed(one) for one in of_tier])


def recall(turn: Turn) -> Step:
    """Quote what answers a question; name by a link what may be related."""
    question, spoken = turn.intent.text, speech(turn.intent.language)
    if not asked_words(question, spoken):
        return said(turn, "nothing")
    n_reads = len(TIERS)
    if not turn.results:
        query = query_of(question, spoken)[:QUERY_CHARACTERS]
        return turn.reads(TIERS, query, dict.fromkeys(TIERS, READ))
    sure = turn.sure_hits(question)
    quoted = [one for one in sure if one[0] >= QUOTED_FROM]
    quoted = sorted(quoted, key=lambda one: -one[0])[:_MOST_QUOTES]
    perhaps = [one for one in sure if PERHAPS_FROM <= one[0] < QUOTED_FROM]
    perhaps = sorted(perhaps, key=lambda one: -one[0])[:_MOST_PERHAPS]
    writing = turn.writing()
    if quoted:
        quotes = [one for tier in TIERS for _, one in quoted if one["tier"] == tier]
        lines = [writing.framed(one) for one in quotes]
        writing.add(lines[0]) if len(lines) == 1 else writing.listed(lines)
    if perhaps:
        if not quoted:
            writing.say("nothing")
        writing.say("perhaps")
        writing.listed([writing.pointed(one) for _, one in perhaps])
    if quoted or perhaps:
        return writing.answer()
    if len(turn.results) == n_reads:
        return (turn.call("conversation_list", {}),)
    writing.say("nothing")
    if _has_ended_others(turn.results[-1], turn.situation.conversation):
        writing.say("ended")
    return writing.answer()


def _has_ended_others(result: Result, conversation: str) -> bool:
    return any(
        one["id"] != conversation and one["state"] != "active"
        for one in result.outcome.get("conversations") or ()
    )


def find(turn: Turn) -> Step:
    """Everything that says some words, by tier."""
    what = turn.intent.text
    if not turn.results:
        arguments = {"query": what[:QUERY_CHARACTERS], "limit": _FOUND, "detail": "full"}
        return (turn.call("memory_search", arguments, text=what),)
    if turn.results[0].is_error:
        return not_done(turn, turn.results[0], "found_none")
    spoken, writing = speech(turn.intent.language), turn.writing()
    asked = asked_words(what, spoken)
    hits = turn.hits()
    saying = [one for one in hits if not asked or certainty(asked, {**one, "score": 1.0}, spoken)]
    others = [one for one in hits if one not in saying][:_MOST_PERHAPS]
    if not saying:
        writing.say("found_none")
    _by_tier(writing, saying)
    if others and turn.intent.about != "said_of":
        writing.say("perhaps")
        writing.listed([writing.pointed(one) for one in others])
    return writing.answer()


def changed(turn: Turn) -> Step:
    """What others changed lately."""
    if not turn.results:
        since = turn.intent.text or _looked_back(turn.situation.started_at)
        return (turn.call("memory_recent", {"since": since, "limit": _CHANGES}),)
    news, writing = turn.results[0], turn.writing()
    if news.is_error:
        return not_done(turn, news, "changed_none")
    counts, entries = news.outcome.get("counts") or {}, news.outcome.get("named_entries") or []
    if not counts and not entries:
        return said(turn, "changed_none")
    there = [
        one["id"] for one in news.outcome.get("memories") or () if one["change"] != "forgotten"
    ]
    if there and len(turn.results) == 1:
        return (turn.call("memory_get", {"ids": there}),)
    kinds = writing.speech.table["say"]["changed_kinds"]
    told = [writing.counted(n, kinds[one]) for one, n in counts.items() if one in kinds]
    if told:
        writing.say("changed", counts=", ".join(told))
    if entries:
        writing.say("changed_entries", names=", ".join(map(str, entries)))
    if there and not turn.results[1].is_error:
        found = turn.results[1].outcome.get("memories") or ()
        writing.listed([writing.pointed(one) for one in found])
    return writing.answer()


def _looked_back(started_at: str) -> str:
    if not started_at:
        return ""
    return (datetime.fromisoformat(started_at) - LOOKED_BACK).isoformat(timespec="seconds")


def next_turn(turn: Turn) -> Step:
    """What an agent would be told at its first word, in figures."""
    if not turn.results:
        arguments = {"conversation": turn.situation.conversation, "detail": "full"}
        return (turn.call("memory_orient", arguments),)
    result, writing = turn.results[0], turn.writing()
    if result.is_error:
        return not_done(turn, result, "nothing_in")
    told = [
        writing.sentence(
            "next_turn_tier",
            tier=writing.word(one["tier"]),
            n=str(one["sent"]),
            total=str(one["total"]),
        )
        for one in result.outcome.get("sections") or ()
        if one["total"]
    ]
    tokens, budget = (
        str(-(-int(result.outcome.get(name) or 0) // 4))
        for name in ("characters", "budget_characters")
    )
    counts = ", ".join(told) or writing.sentence("next_turn_none")
    writing.say("next_turn", counts=counts, tokens=tokens, budget=budget)
    return writing.answer()
