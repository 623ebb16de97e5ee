"""Looking something up: what is noted, what answers a question, what changed.

What the author's pages say stands under a heading of its own, apart from memories.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.speech import speech
from inklings_desktop.agent.mechanical.turn import (
    PERHAPS_FROM,
    QUERY_CHARACTERS,
    QUOTED_FROM,
    TIERS,
    Turn,
    asked_words,
    certainty,
    not_done,
    query_of,
    said,
)
from inklings_desktop.domain.likeness.sameness import says_the_same
from inklings_desktop.domain.rooms.conversation import SUMMARY_NOTE
from inklings_desktop.domain.rooms.told_orientation import told_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.mechanical.turn import Writing
    from inklings_desktop.agent.planning import Call, Result, Step

LOOKED_BACK = timedelta(days=7)
"""How far back changes are told where nobody says since when."""
READ = 4
"""Hits that are looked at in each tier where a question is asked."""
PREFERENCE = "A prior preference recorded as:"
_FOUND, _CHANGES = 7, 7
_MOST_PASSAGES = 3
_MOST_QUOTES, _MOST_PERHAPS = 5, 3
_OVERVIEW = {"conversation": 1, "channel": 1, "workspace": 4, "account": 1}
_OVERVIEW_OF_ONE = 7


def overview(turn: Turn) -> Step:
    """What matters most of what is noted, by tier."""
    about = turn.intent.about
    limits = _OVERVIEW if about == "all" else {about: _OVERVIEW_OF_ONE}
    if not turn.results:
        return (_orient_call(turn, [one for one in TIERS if one in limits]),)
    if turn.results[0].is_error:
        return not_done(turn, turn.results[0], "nothing_in")
    writing, hits = turn.writing(), _oriented(turn.results[0], limits)
    if about == "all" and all(one["tier"] == "account" for one in hits):
        writing.say("fresh")
    elif not hits:
        writing.say("nothing_in")
    _by_tier(writing, hits)
    return writing.answer()


def _orient_call(turn: Turn, tiers: Sequence[str]) -> Call:
    """Look at what matters most: that is no read of it."""
    arguments = {"conversation": turn.situation.conversation, "detail": "full"}
    return turn.call("memory_orient", arguments | {"tiers": list(tiers)})


def _oriented(result: Result, limits: Mapping[str, int]) -> list[dict[str, Any]]:
    """The memories of an orientation, at most so many of a tier, in the form of a read one."""
    outcome = result.outcome
    said = told_in(str(outcome.get("markdown", "")), int(outcome.get("standing_characters", 0)))
    items = [one for one in outcome.get("items") or () if one["id"] in said]
    return [
        one
        | dict(zip(("framing", "content"), said[one["id"]], strict=True))
        | {"derived_from": [{"target": page} for page in one.get("derived_from") or ()]}
        for tier in limits
        for one in [each for each in items if each["tier"] == tier][: limits[tier]]
    ]


def left_off(turn: Turn) -> Step:
    """What was talked about last, from the notes of that conversation and from the channel."""
    here = turn.situation.conversation
    if not turn.results:
        listed = turn.call("conversation_list", {})
        arguments = {"conversation": here, "detail": "full", "tiers": ["channel"]}
        return (listed, turn.call("memory_orient", arguments, after=1))
    others = [
        one for one in turn.results[0].outcome.get("conversations") or () if one["id"] != here
    ]
    last = next((one for one in others if one["title"]), others[0] if others else None)
    if last is not None and len(turn.results) == _LOOKED:
        return (turn.call("note_list", {"conversation": last["id"]}),)
    kept = _oriented(turn.results[1], {"channel": _OVERVIEW_OF_ONE})
    notes = turn.results[-1].outcome.get("notes") or () if last is not None else ()
    lines = next(
        (str(one["value"]) for one in notes if one["key"] == SUMMARY_NOTE), ""
    ).splitlines()
    lines = [one for one in lines if not any(says_the_same(one, each["content"]) for each in kept)]
    writing = turn.writing()
    if last is None:
        writing.say("left_off_first")
    else:
        when = writing.age_of(last["ended_at"] or last["started_at"] or "")
        writing.say(
            "left_off" if lines or kept else "left_off_empty",
            title=writing.quoted(last["title"] or "\u2026"),
            when=when,
        )
        writing.listed([f"{writing.quoted(one)} ({writing.word('of_notes')})" for one in lines])
    writing.listed([writing.framed(one) for one in kept])
    return writing.answer()


_LOOKED = 2


def why(turn: Turn) -> Step:
    """What the last answer rests on: the memories that it quotes."""
    answers = [one for one in turn.situation.earlier if one.role == "assistant"]
    return said(turn, "why" if answers and answers[-1].quotes else "why_nothing")


def _by_tier(writing: Writing, hits: Sequence[Mapping[str, Any]]) -> None:
    for tier in TIERS:
        if of_tier := [one for one in hits if one["tier"] == tier]:
            writing.add(f"**{writing.word(f'heading_{tier}')}**")
            writing.listed([writing.framed(one) for one in of_tier])


def recall(turn: Turn) -> Step:
    """Quote what answers a question; name by a link what may be related."""
    question, spoken = turn.intent.text, speech(turn.intent.language)
    if not asked_words(question, spoken):
        return said(turn, "no_question")
    if not turn.results:
        query = query_of(question, spoken)[:QUERY_CHARACTERS]
        reads = turn.reads(TIERS, query, dict.fromkeys(TIERS, READ))
        return (*reads, *turn.page_search(query, after=len(reads)))
    sure = turn.sure_hits(question)
    quoted = [one for one in sure if one[0] >= QUOTED_FROM]
    quoted = sorted(quoted, key=lambda one: -one[0])[:_MOST_QUOTES]
    perhaps = [one for one in sure if PERHAPS_FROM <= one[0] < QUOTED_FROM]
    perhaps = sorted(perhaps, key=lambda one: -one[0])[:_MOST_PERHAPS]
    writing = turn.writing()
    if quoted:
        quotes = sorted(
            (one for _, one in quoted), key=lambda one: one.get("framing") == PREFERENCE
        )
        lines = [writing.framed(one) for one in quotes]
        writing.add(lines[0]) if len(lines) == 1 else writing.listed(lines)
    if perhaps:
        writing.say("perhaps")
        writing.listed([writing.pointed(one) for _, one in perhaps])
    passages = _passages(turn, question, QUOTED_FROM)
    if quoted or perhaps:
        _add_pages(turn, writing, passages)
        return writing.answer()
    is_ours = spoken.patterns["recall.ours"].search(question) is not None
    if is_ours and not turn.written("conversation_list"):
        return (turn.call("conversation_list", {}),)
    writing.say("nothing")
    if turn.intent.about == "bare":
        writing.say("heard")
    if is_ours and _has_ended_others(turn.results[-1], turn.situation.conversation):
        writing.say("ended")
    _add_pages(turn, writing, passages)
    return writing.answer()


def _passages(turn: Turn, about: str, least: float) -> list[dict[str, Any]]:
    """Places of pages that hold enough of the words of a question, best first."""
    spoken = speech(turn.intent.language)
    asked = asked_words(about, spoken)
    found = [
        one
        for result in turn.written("world_search")
        for one in result.outcome.get("passages") or ()
    ]
    return [
        one
        for one in found
        if certainty(asked, {"score": 1.0, "content": _said_there(one)}, spoken) > least
    ][:_MOST_PASSAGES]


def _said_there(passage: Mapping[str, Any]) -> str:
    return "\n".join((passage["page"]["title"], passage["heading"], passage["excerpt"]))


def _add_pages(turn: Turn, writing: Writing, passages: Sequence[Mapping[str, Any]]) -> None:
    """What pages say, each with its page and block; and that some were not there to be asked."""
    if passages:
        writing.add(f"**{writing.word('heading_pages')}**")
        writing.listed([writing.paged(one) for one in passages])
    if any(one.outcome.get("stale") for one in turn.written("world_search")):
        writing.say("pages_stale")


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
        searched = turn.call("memory_search", arguments, text=what)
        return (searched, *turn.page_search(what[:QUERY_CHARACTERS], after=1))
    if turn.results[0].is_error:
        return not_done(turn, turn.results[0], "found_none")
    spoken, writing = speech(turn.intent.language), turn.writing()
    asked = asked_words(what, spoken)
    hits = turn.hits()
    saying = [one for one in hits if not asked or certainty(asked, {**one, "score": 1.0}, spoken)]
    others = [one for one in hits if one not in saying][:_MOST_PERHAPS]
    passages = _passages(turn, what, 0.0)
    if not saying:
        writing.say("nothing" if passages else "found_none")
    _by_tier(writing, saying)
    if others and turn.intent.about != "said_of":
        writing.say("perhaps")
        writing.listed([writing.pointed(one) for one in others])
    _add_pages(turn, writing, passages)
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
