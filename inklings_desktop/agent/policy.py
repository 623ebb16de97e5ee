"""What a call may do: allowed, asked about or refused, by what it does and what it rests on.

One pure function that every planner's calls go through. It bounds what can be done by an order
that hides in a memory, a page or an answer of a tool: what the person did not say does not reach
their workspace without a question. What a client may read and write at all, secrets, and what
waits for the author is decided again where the memory is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from inklings_desktop.agent.planning import (
    BY_MODEL,
    MEMORY_WRITES,
    Call,
    Quote,
    Result,
    Situation,
    Verdict,
    is_skill,
)
from inklings_desktop.domain.likeness.grounding import GROUNDED_FROM, grounding_of
from inklings_desktop.domain.rooms.conversation import SUMMARY_NOTE
from inklings_desktop.domain.words.query_text import folded, words_of

MOST_WRITES = 10
"""Memory writes in one turn."""
STRETCH = 8
"""So many words in a row are a quotation."""
HYPOTHESIS = "hypothesis"
DICTATED = "orchestrator"
"""The source of a memory that the person dictated to the World Agent."""
HYPOTHESIS_IMPORTANCE = 0.4
_SHORT_ID = 8

READS = frozenset({
    "memory_read", "memory_get", "memory_list", "memory_search", "memory_recent", "memory_orient",
    "workspace_overview", "named_entry_list", "named_entry_read", "note_read", "note_list",
    "conversation_get", "conversation_list", "channel_list", "message_list", "proposal_list",
    "world_search", "world_read", "world_outline", "world_changes", "retcon_list",
    "memory_history", "event_list", "skill_read", "skill_search",
})  # fmt: skip
"""Tools that only look."""
KEEPS_NOTHING = frozenset({
    "note_write", "note_clear", "conversation_rename", "named_entry_propose", "world_propose",
    "skill_propose",
})  # fmt: skip
"""Tools that stay inside the conversation, or only propose: the author decides later."""
_EFFECTS = {
    "memory_put": ("A memory would be kept.", "{n} memories would be kept."),
    "memory_update": ("A memory would be changed.", "{n} memories would be changed."),
    "memory_forget": (
        "A memory would be forgotten; you can undo that.",
        "{n} memories would be forgotten; you can undo that.",
    ),
    "memory_restore": ("A memory would be restored.", "{n} memories would be restored."),
    "proposes": ("A memory would be proposed to you.", "{n} memories would be proposed to you."),
    "replaces": (
        "A memory would be forgotten, and another would take its place.",
        "{n} memories would be forgotten, and others would take their place.",
    ),
}
"""What would happen, to one memory and to several."""


def judge(call: Call, situation: Situation, results: Sequence[Result] = ()) -> Verdict:
    """What the policy says of a call.

    Args:
        results: What came back in this turn so far.
    """
    if call.tool == "note_write" and call.arguments.get("key") == SUMMARY_NOTE:
        return Verdict("refuse", "policy")  # what it says is kept in the channel at the end
    if call.tool in READS or call.tool in KEEPS_NOTHING or is_skill(call.tool):
        return Verdict("allow")
    if call.tool not in MEMORY_WRITES:
        return Verdict("ask" if "__" in call.tool else "refuse", "tool", tier=_tier(call))
    told = _told(call, results)
    if word := _refused(call, situation, results):
        return replace(told, decision="refuse", word=word)
    judging = _JUDGES.get(call.tool)
    verdict = judging(call, situation, told) if judging else told
    if situation.write_policy == "ask" and verdict.decision == "allow":
        return replace(verdict, decision="ask", word="policy")
    return verdict


class Writes:
    """The memory writes of a whole turn, made or about to be, whoever of the team makes them."""

    def __init__(self) -> None:
        self._calls: set[str] = set()

    def take(self, call: Call) -> bool:
        """Count a call that is to be made, once; False where it is one too many."""
        if call.tool in MEMORY_WRITES and call.id not in self._calls:
            if len(self._calls) >= MOST_WRITES:
                return False
            self._calls.add(call.id)
        return True

    def give_back(self, call_id: str) -> None:
        """Count a call no more: it was not made, or changed nothing."""
        self._calls.discard(call_id)

    def restore(self, state: Mapping[str, Any], allowed: str) -> None:
        """Count what a process that is gone has made or allowed, by the state that it left.

        Args:
            state: The channels of a turn, or of somebody who was sent in it.
            allowed: The decision of a call that is to be made.
        """
        made = [one["call"] for one in state.get("results") or [] if not one.get("is_error")]
        waiting = [one for one in state.get("calls") or [] if one.get("decision") == allowed]
        self._calls |= {one["id"] for one in (*made, *waiting) if one["tool"] in MEMORY_WRITES}


def _refused(call: Call, situation: Situation, results: Sequence[Result]) -> str:
    """Why no question helps; empty where it may be done or asked about."""
    if situation.write_policy == "never":
        return "policy"
    if call.tool == "memory_put" and _is_quotation(_content(call), situation, results):
        return "derivable"
    return ""


def _put(call: Call, situation: Situation, told: Verdict) -> Verdict:
    tier, grounding = _tier(call), grounding_of(_content(call), situation.said)
    if call.arguments.get("replaces") and not (grounding.holds and not told.is_authors):
        return replace(told, decision="ask", word="corrects")
    if grounding.holds or tier == "account":
        return told
    if tier == "conversation":
        return replace(told, call=_as_hypothesis(call))
    word = "negation" if grounding.share >= GROUNDED_FROM else "inference"
    return replace(told, decision="ask", word=word)


def _update(_call: Call, situation: Situation, told: Verdict) -> Verdict:
    is_said = told.after is not None and grounding_of(told.after, situation.said).holds
    if is_said and not told.is_authors:
        return told
    return replace(told, decision="ask", word="changes")


def _forget(call: Call, situation: Situation, told: Verdict) -> Verdict:
    # A memory that the person points at may itself tell a model to forget it.
    if call.why != BY_MODEL and is_pointed_at(str(call.arguments.get("id", "")), situation):
        return told
    return replace(told, decision="ask", word="forgets")


_JUDGES = {  # what is restored was there before
    "memory_put": _put,
    "memory_update": _update,
    "memory_forget": _forget,
}


def effect_of_all(effects: Iterable[str]) -> str:
    """What several calls would do together, from what each of them would do."""
    several = dict(_EFFECTS.values())
    return " ".join(
        one if n == 1 else several.get(one, one).format(n=n) for one, n in Counter(effects).items()
    )


def is_pointed_at(id_: str, situation: Situation) -> bool:
    """Whether the person named a memory itself in this turn: by its id, a link, or beside it."""
    if len(id_) < _SHORT_ID:
        return False
    places = (situation.prompt, *(one.uri for one in situation.attachments))
    return any(id_[:_SHORT_ID].lower() in one.lower() for one in places)


def _as_hypothesis(call: Call) -> Call:
    """The put as a working guess: nobody said it. A model may have put anything in its fields."""
    given, told = call.arguments.get("tags"), call.arguments.get("importance")
    tags = list(given) if isinstance(given, list | tuple) else []
    if HYPOTHESIS not in tags:
        tags.append(HYPOTHESIS)
    importance = HYPOTHESIS_IMPORTANCE
    if isinstance(told, int | float) and told >= 0:
        importance = min(float(told), importance)
    return replace(call, arguments={**call.arguments, "tags": tags, "importance": importance})


def _told(call: Call, results: Sequence[Result]) -> Verdict:
    """What would happen, with the text before and after as far as this turn read it."""
    tier, id_ = _tier(call), call.arguments.get("replaces") or call.arguments.get("id")
    kind = "replaces" if call.arguments.get("replaces") else call.tool
    if call.tool == "memory_put" and tier == "account":
        kind = "proposes"
    return Verdict(
        "allow",
        effect=_EFFECTS[kind][0],
        before=_text_of(str(id_), results) if id_ else None,
        after=_content(call) or None,
        is_authors=bool(id_) and not _is_agents(str(id_), results),
        tier=tier,
        touched=(Quote(str(id_), tier),) if id_ else (),
    )


def _tier(call: Call) -> str:
    return str(call.arguments.get("tier") or "")


def _content(call: Call) -> str:
    """The text that a write would leave."""
    patch = call.arguments.get("patch")
    source = patch if isinstance(patch, Mapping) else call.arguments
    return str(source.get("content") or "")


def _text_of(id_: str, results: Sequence[Result]) -> str | None:
    """What a memory says, if this turn read it."""
    return next((str(one["content"]) for one in _read(id_, results) if "content" in one), None)


def _is_agents(id_: str, results: Sequence[Result]) -> bool:
    """Whether an agent worded a memory that this turn read, and not the author through one."""
    return any(
        one.get("curator") == "agent" and one.get("source") != DICTATED
        for one in _read(id_, results)
    )


def _read(id_: str, results: Sequence[Result]) -> Iterator[Mapping[str, Any]]:
    for result in results:
        for key in ("hits", "memories"):
            for one in result.outcome.get(key) or ():
                if one["id"][:_SHORT_ID] == id_[:_SHORT_ID]:
                    yield one


def _is_quotation(text: str, situation: Situation, results: Sequence[Result]) -> bool:
    """Whether a text holds eight words in a row of what the turn read, and nobody said them."""
    stretches = _stretches(text)
    if not stretches:
        return False
    unsaid = stretches.difference(*map(_stretches, situation.said))
    read = [one.text for one in situation.attachments]
    read += [text for one in results for text in _texts_in(one.outcome)]
    return any(unsaid & _stretches(one) for one in read)


def _stretches(text: str) -> frozenset[tuple[str, ...]]:
    words = words_of(folded(text))
    return frozenset(tuple(words[at : at + STRETCH]) for at in range(len(words) - STRETCH + 1))


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts_in(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from _texts_in(one)
