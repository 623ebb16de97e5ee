"""What comes next in a turn without a model: calls, or the answer.

Everything follows from what was said and what came back, so a turn that was cut off goes on as it
would have gone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.certainty import (
    CLEAR_AHEAD,
    PERHAPS_FROM,
    QUOTED_FROM,
    asked_words,
    certainty,
    query_of,
)
from inklings_desktop.agent.mechanical.extraction import Kept, same_unit
from inklings_desktop.agent.mechanical.intents import Intent, Kind, intent_of
from inklings_desktop.agent.mechanical.speech import LANGUAGES, speech
from inklings_desktop.agent.mechanical.wording import TITLE_CHARACTERS, Writing, shortened
from inklings_desktop.agent.planning import DENIED, LATER, REFUSED, Answer, Call
from inklings_desktop.domain.likeness.grounding import share_said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from inklings_desktop.agent.planning import Result, Situation, Step

TIERS = ("conversation", "channel", "workspace", "account")
"""In the order in which they are looked through."""
SOURCE = "orchestrator"
HYPOTHESIS, SUPERSEDES = "hypothesis", "supersedes"
TALLY = "tally."
LOOKED_BACK = timedelta(days=7)
"""How far back changes are told where nobody says since when."""
_READ, _READ_TO_FORGET, _FOUND, _CHANGES = 4, 3, 7, 7
_MOST_QUOTES, _MOST_PERHAPS = 5, 3
_OVERVIEW = {"conversation": 1, "channel": 1, "workspace": 4, "account": 1}
_OVERVIEW_OF_ONE = 7
_QUERY_CHARACTERS = 2_000


def next_step(prompt: str, situation: Situation, results: Sequence[Result]) -> Step:
    """What to do next.

    Args:
        prompt: What is planned for; as a rule what the person said.
        situation: What is known of the turn.
        results: What came back in this turn, in the order of the calls.
    """
    intent = intent_of(prompt, situation)
    return _STEPS[intent.kind](_Turn(intent, situation, results))


@dataclass(frozen=True, slots=True)
class _Turn:
    """What a step is made of.

    Attributes:
        intent: What is wanted.
        situation: The turn.
        results: What came back.
    """

    intent: Intent
    situation: Situation
    results: Sequence[Result]

    def writing(self) -> Writing:
        """An empty answer in the language of the message."""
        return Writing(speech(self.intent.language), self.situation.started_at)

    def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        why: str = "asked",
        title: str = "",
        **of: str,
    ) -> Call:
        """The next call; ``title`` names the sentence of its card where it is not the tool's."""
        return self._numbered(len(self.results) + 1, tool, arguments, why=why, title=title, **of)

    def reads(
        self, tiers: Iterable[str], query: str, limits: Mapping[str, int]
    ) -> tuple[Call, ...]:
        """One read per tier, at once."""
        words = speech(self.intent.language).table["words"]
        return tuple(
            self._numbered(
                len(self.results) + number,
                "memory_read",
                self.scoped(tier)
                | {"query": query, "limit": limits[tier], "detail": "full"}
                | ({"found_only": True} if query else {}),
                tier=words[tier],
                text=query,
            )
            for number, tier in enumerate(tiers, start=1)
        )

    def _numbered(
        self,
        number: int,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        why: str = "asked",
        title: str = "",
        **of: str,
    ) -> Call:
        titles = speech(self.intent.language).table["titles"]
        shown = {name: shortened(value, TITLE_CHARACTERS) for name, value in of.items()}
        told = titles[title or tool].format(**shown).rstrip(" :")
        return Call(str(number), tool, arguments, why, told)

    def scoped(self, tier: str) -> dict[str, Any]:
        """The tier with the room of this turn in it."""
        rooms = {"conversation": self.situation.conversation, "channel": self.situation.channel}
        return {"tier": tier} | ({"scope": rooms[tier]} if tier in rooms else {})

    def hits(self) -> list[dict[str, Any]]:
        """What all reads found, with the tier that it was looked for in."""
        return [
            {"tier": one.call.arguments.get("tier", ""), **hit}
            for one in self.results
            if not one.is_error
            for hit in one.outcome.get("hits") or ()
        ]

    def sure_hits(self, about: str) -> list[tuple[float, dict[str, Any]]]:
        """The hits with how sure it is that each is about something, as they were found."""
        spoken = speech(self.intent.language)
        asked = asked_words(about, spoken)
        return [(certainty(asked, one, spoken), one) for one in self.hits()]


# --- keeping --------------------------------------------------------------------------------------


def _put(turn: _Turn) -> Step:
    kept = turn.intent.kept or Kept("")
    if not kept.text:
        return _said(turn, "no_text")
    if not turn.results:
        return (_put_call(turn, kept),)
    return _after_put(turn, turn.results[-1], kept.text, kept.left_question)


def _put_call(turn: _Turn, kept: Kept) -> Call:
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


def _after_put(turn: _Turn, result: Result, text: str, left_question: str = "") -> Answer:
    writing, outcome = turn.writing(), result.outcome
    if result.is_error:
        return _not_done(turn, result, "not_kept")
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


def _correct(turn: _Turn) -> Step:
    intent = turn.intent
    if not turn.results:
        ids = [one.id for one in intent.named]
        return (turn.call("memory_get", {"ids": ids}, why="corrects"),)
    if len(turn.results) > 1:
        return _after_correction(turn, turn.results[-1])
    found = [] if turn.results[0].is_error else turn.results[0].outcome.get("memories") or []
    meant = max(found, key=lambda one: share_said(one["content"], intent.text), default=None)
    if meant is not None and intent.old and (text := _replaced(meant["content"], intent)):
        arguments = _place_of(meant) | {
            "id": meant["id"],
            "patch": {"content": text},
            "expected_version": meant["version"],
            "detail": "full",
        }
        return (turn.call("memory_update", arguments, why="corrects", text=text),)
    if meant is None or not share_said(intent.text, meant["content"]):
        return _say(turn)
    text = intent.text[:1].upper() + intent.text[1:]
    arguments = _place_of(meant) | {
        "content": text,
        "replaces": meant["id"],
        "tags": [*(one for one in meant.get("tags", ()) if one != SUPERSEDES), SUPERSEDES],
        "importance": meant.get("importance", 0.8),
        "source": SOURCE,
        "detail": "full",
    }
    if meant["tier"] not in {"conversation", "account"}:
        arguments |= {"lifetime": meant["lifetime"], "conversation": turn.situation.conversation}
    return (turn.call("memory_put", arguments, why="corrects", title="correct", text=text),)


def _replaced(content: str, intent: Intent) -> str:
    """What a memory would say with the new words for the old ones; empty where it has none."""
    pattern = re.compile(rf"(?<!\w){re.escape(intent.old)}(?!\w)", re.IGNORECASE)
    text, n_replaced = pattern.subn(lambda _: intent.new, content)
    return text if n_replaced else ""


def _after_correction(turn: _Turn, result: Result) -> Answer:
    if result.is_error:
        return _not_done(turn, result, "kept")
    writing, arguments = turn.writing(), result.call.arguments
    text = str(arguments.get("content") or arguments.get("patch", {}).get("content"))
    if result.outcome.get("status") == "held_for_review":
        writing.say("correct_held", quote=writing.quoted(text))
        return writing.answer()
    memory = {"tier": arguments["tier"], **(result.outcome.get("memory") or {})}
    quote = writing.noted(text, memory)
    writing.say("corrected", quote=quote, where=writing.where(arguments))
    return writing.answer()


# --- counting -------------------------------------------------------------------------------------


def _tally(turn: _Turn) -> Step:
    counted = turn.intent.counted
    assert counted is not None
    conversation = turn.situation.conversation
    if not turn.results:
        return (turn.call("note_list", {"conversation": conversation}),)
    if turn.results[0].is_error:
        return _not_done(turn, turn.results[0], "not_kept")
    notes = _tallies(turn.results[0].outcome)
    fitting = [
        one
        for one in notes
        if (not counted.verb or one[0] == counted.verb)
        and (not counted.unit or same_unit(one[1], counted.unit))
    ]
    if counted.number is None:
        if not fitting:
            return _said(turn, "count_none")
        verb, unit, value = fitting[0]
        return _told_count(turn, value, unit)
    if not fitting and not (counted.verb and counted.unit):
        return _said(turn, "count_which")
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
        return _not_done(turn, turn.results[-1], "not_kept")
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


def _told_count(turn: _Turn, value: int, unit: str) -> Answer:
    counted, writing = turn.intent.counted, turn.writing()
    is_today = re.search(r"\b(?:today|heute)\b", turn.intent.text, re.IGNORECASE) is not None
    name = "count" if is_today else "count_other"
    if counted is not None and not counted.is_asked and counted.number is not None:
        name = "count_kept"
    writing.say(name, count=f"{value} {unit}")
    return writing.answer()


# --- looking up -----------------------------------------------------------------------------------


def _overview(turn: _Turn) -> Step:
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


def _recall(turn: _Turn) -> Step:
    question, spoken = turn.intent.text, speech(turn.intent.language)
    if not asked_words(question, spoken):
        return _said(turn, "nothing")
    n_reads = len(TIERS)
    if not turn.results:
        query = query_of(question, spoken)[:_QUERY_CHARACTERS]
        return turn.reads(TIERS, query, dict.fromkeys(TIERS, _READ))
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


def _find(turn: _Turn) -> Step:
    what = turn.intent.text
    if not turn.results:
        arguments = {"query": what[:_QUERY_CHARACTERS], "limit": _FOUND, "detail": "full"}
        return (turn.call("memory_search", arguments, text=what),)
    if turn.results[0].is_error:
        return _not_done(turn, turn.results[0], "found_none")
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


def _changed(turn: _Turn) -> Step:
    if not turn.results:
        since = turn.intent.text or _looked_back(turn.situation.started_at)
        return (turn.call("memory_recent", {"since": since, "limit": _CHANGES}),)
    news, writing = turn.results[0], turn.writing()
    if news.is_error:
        return _not_done(turn, news, "changed_none")
    counts, entries = news.outcome.get("counts") or {}, news.outcome.get("named_entries") or []
    if not counts and not entries:
        return _said(turn, "changed_none")
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


def _next_turn(turn: _Turn) -> Step:
    if not turn.results:
        arguments = {"conversation": turn.situation.conversation, "detail": "full"}
        return (turn.call("memory_orient", arguments),)
    result, writing = turn.results[0], turn.writing()
    if result.is_error:
        return _not_done(turn, result, "nothing_in")
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


# --- forgetting -----------------------------------------------------------------------------------


def _forget(turn: _Turn) -> Step:
    intent = turn.intent
    if intent.is_everything:
        return _said(turn, "forget_everything")
    if turn.results and turn.results[-1].call.tool == "memory_forget":
        return _after_forgetting(turn, turn.results[-1])
    if intent.named:
        if not turn.results:
            ids = [one.id for one in intent.named]
            return (turn.call("memory_get", {"ids": ids}),)
        found = [] if turn.results[0].is_error else turn.results[0].outcome.get("memories") or []
        return (_forget_call(turn, found[0]),) if found else _said(turn, "gone")
    spoken = speech(intent.language)
    if not asked_words(intent.text, spoken):
        return _said(turn, "forget_unclear")
    if not turn.results:
        query = query_of(intent.text, spoken)[:_QUERY_CHARACTERS]
        return turn.reads(TIERS, query, dict.fromkeys(TIERS, _READ_TO_FORGET))
    sure = sorted(turn.sure_hits(intent.text), key=lambda one: -one[0])
    sure = [one for one in sure if one[0] >= PERHAPS_FROM]
    if not sure:
        return _said(turn, "forget_none")
    best, behind = sure[0], sure[1][0] if len(sure) > 1 else 0.0
    if best[0] >= QUOTED_FROM and best[0] - behind >= CLEAR_AHEAD:
        return (_forget_call(turn, best[1]),)
    writing = turn.writing()
    writing.say("forget_which")
    lines = [writing.framed(one) for _, one in sure[:_MOST_QUOTES]]
    writing.listed(lines, is_numbered=True)
    return writing.answer()


def _forget_call(turn: _Turn, memory: Mapping[str, Any]) -> Call:
    arguments = _place_of(memory) | {"id": memory["id"], "reason": "asked"}
    return turn.call("memory_forget", arguments, text=str(memory["content"]))


def _after_forgetting(turn: _Turn, result: Result) -> Answer:
    if result.is_error:
        return _not_done(turn, result, "kept")
    writing, id_ = turn.writing(), result.call.arguments["id"]
    read = [*turn.hits(), *(turn.results[0].outcome.get("memories") or ())]
    memory = next((one for one in read if one["id"] == id_), None)
    quote = writing.noted(memory["content"], memory) if memory else id_
    is_held = result.outcome.get("status") == "held_for_review"
    writing.say("forget_held" if is_held else "forgotten", quote=quote)
    return writing.answer()


def _place_of(memory: Mapping[str, Any]) -> dict[str, Any]:
    """Tier and scope of a memory, as tools take them."""
    tier = memory["tier"]
    scope = memory.get("scope")
    return {"tier": tier} | ({"scope": scope} if tier in {"conversation", "channel"} else {})


# --- the rest -------------------------------------------------------------------------------------


def _say(turn: _Turn) -> Answer:
    hints = [speech(one).table["say"]["hint"] for one in LANGUAGES]
    said = [one.text for one in turn.situation.earlier if one.role == "assistant"]
    is_said = any(hint in text for text in said for hint in hints)
    return _said(turn, "heard" if is_said else "hint")


def _thanks(turn: _Turn) -> Answer:
    return _said(turn, "welcome")


def _skills(turn: _Turn) -> Answer:
    return _said(turn, "skills")


def _unknown_command(turn: _Turn) -> Answer:
    return _said(turn, "unknown_command")


def _said(turn: _Turn, name: str) -> Answer:
    writing = turn.writing()
    writing.say(name)
    return writing.answer()


def _not_done(turn: _Turn, result: Result, denied: str) -> Answer:
    """Why a call came to nothing, in a sentence."""
    writing = turn.writing()
    match result.word:
        case word if word == DENIED:
            writing.say(denied)
        case word if word == LATER:
            writing.say("later")
        case word if word == REFUSED:
            reasons = writing.speech.table["say"]
            why = str(result.outcome.get("why") or "")
            reason = reasons.get(f"refused_{why}") or str(result.outcome.get("message") or why)
            writing.say("refused", reason=reason)
        case word:
            message = str(result.outcome.get("message") or word)
            writing.say("failed", message=message)
    return writing.answer()


_STEPS: Mapping[Kind, Callable[[_Turn], Step]] = {
    Kind.PUT: _put,
    Kind.HYPOTHESIS: _put,
    Kind.TALLY: _tally,
    Kind.OVERVIEW: _overview,
    Kind.RECALL: _recall,
    Kind.FIND: _find,
    Kind.CHANGED: _changed,
    Kind.NEXT_TURN: _next_turn,
    Kind.FORGET: _forget,
    Kind.CORRECT: _correct,
    Kind.SKILLS: _skills,
    Kind.UNKNOWN_COMMAND: _unknown_command,
    Kind.THANKS: _thanks,
    Kind.SAY: _say,
}
