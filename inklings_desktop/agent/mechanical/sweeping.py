"""A Researcher without a model: reads all that is noted about a subject, and compares it in pairs.

What it finds differs in a number, a date, a name, a yes or no: a contradiction in other words it
does not see. Nothing is decided here; both sides are quoted.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from inklings_desktop.agent.mechanical.intents import Intent, Kind, languages_for
from inklings_desktop.agent.mechanical.speech import speech
from inklings_desktop.agent.mechanical.turn import (
    QUERY_CHARACTERS,
    TIERS,
    Turn,
    asked_words,
    certainty,
    query_of,
    shortened,
)
from inklings_desktop.agent.planning import Answer
from inklings_desktop.domain.knowledge.disagreement import disagrees
from inklings_desktop.domain.likeness.rewording import names_in
from inklings_desktop.domain.world.contradiction import contradicts, sentences_in

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence

    from inklings_desktop.agent.memory_door.briefs import Brief
    from inklings_desktop.agent.planning import Call, Result, Situation, Step
    from inklings_desktop.domain.likeness.differences import Difference

    Comparing: TypeAlias = Callable[[str, str], tuple[Difference | None, bool]]

MEMORIES, PAGES = "memories", "pages"
"""Where a sweep looks: ``where`` among the inputs of a brief."""
NOTE = "contradictions"
_READ, _PASSAGES = 50, 50
"""Of a tier, and of the pages, the nearest."""
_MOST_PAIRS = 20
_QUOTED = 300
"""Characters of a text, as a finding quotes it."""
_MEMORY = ("id", "tier", "scope", "content", "framing", "created_at")


@dataclass(frozen=True, slots=True)
class Sweep:
    """Plans the steps of a sweep.

    Attributes:
        brief: Its inputs name the subject as ``about``, and ``memories`` or ``pages`` as ``where``.
        progress: Told how many texts are compared, and of how many.
    """

    brief: Brief
    progress: Callable[[int, int], Awaitable[None]]
    produced_by: Literal["mechanical", "model"] = "mechanical"

    async def __call__(
        self, situation: Situation, results: Sequence[Result], context: object, say: object
    ) -> Step:
        """What to do next: read, note down what was found, report."""
        del context, say
        brief = self.brief
        about = str(brief.inputs.get("about") or brief.goal)
        language = languages_for(situation.prompt, situation)[0]
        turn = Turn(Intent(Kind.COMPARE, language, about), situation, results)
        if done := turn.written("note_write"):
            return Answer("", report=_report(turn, done[-1].call.arguments))
        step = (await self._noting(turn),) if results else _reading(turn, brief)
        return tuple(replace(one, id=f"{brief.call}.{one.id}") for one in step)

    async def _noting(self, turn: Turn) -> Call:
        """The call that keeps what was found: the whole of it, as the report tells it."""
        memories, passages = _about(turn)
        is_of_pages = self.brief.inputs.get("where") == PAGES
        found: list[dict[str, Any]] = []
        compare = _comparing()
        for number, one in enumerate(memories, start=1):
            found += _pairs(one, passages if is_of_pages else memories[number:], compare)
            # Many take seconds: whoever says stop meanwhile is heard between two of them.
            await asyncio.sleep(0)
            await self.progress(number, len(memories))
        found.sort(key=lambda pair: not pair["is_sure"])
        return _kept(turn, self.brief, memories, passages, found)


def _reading(turn: Turn, brief: Brief) -> tuple[Call, ...]:
    query = query_of(turn.intent.text, speech(turn.intent.language))[:QUERY_CHARACTERS]
    reads = turn.reads(TIERS, query, dict.fromkeys(TIERS, _READ))
    if brief.inputs.get("where") != PAGES:
        return reads
    asked = {"query": query, "limit": _PASSAGES}
    return (*reads, turn.call("world_search", asked, after=len(reads), text=query))


def _kept(
    turn: Turn,
    brief: Brief,
    memories: Sequence[dict[str, Any]],
    passages: Sequence[dict[str, Any]],
    pairs: Sequence[dict[str, Any]],
) -> Call:
    shown = pairs[:_MOST_PAIRS]
    value = {
        "n_memories": len(memories),
        "n_passages": len(passages),
        "n_pairs": len(pairs),
        "pairs": shown,
        "findings": [line for one in shown for line in _lines(turn, one)],
    }
    conversation = turn.situation.conversation
    arguments = {"conversation": conversation, "key": f"{brief.notes}{NOTE}", "value": value}
    return turn.call("note_write", arguments, title="finding")


def _about(turn: Turn) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What was read that is about the subject: memories, and places of pages."""
    spoken = speech(turn.intent.language)
    asked = asked_words(turn.intent.text, spoken)

    def is_about(text: Mapping[str, Any]) -> bool:
        return not asked or certainty(asked, {**text, "score": 1.0}, spoken) > 0

    memories = [
        {key: one[key] for key in _MEMORY if one.get(key) is not None}
        for one in turn.read()
        if is_about(one)
    ]
    found = [
        one
        for result in turn.written("world_search")
        for one in result.outcome.get("passages") or ()
    ]
    passages = [
        {"page": {"title": one["page"]["title"], "path": one["page"].get("path", "")},
         "heading": one["heading"], "axes": {"lifecycle": one["axes"]["lifecycle"]},
         "excerpt": one["excerpt"]}
        for one in found
        if is_about({"content": f"{one['page']['title']}\n{one['excerpt']}"})
    ]  # fmt: skip
    return memories, passages


def _pairs(
    first: dict[str, Any], others: Iterable[dict[str, Any]], compare: Comparing
) -> Iterator[dict[str, Any]]:
    """Texts that differ from one: ``{kind, is_sure, first, second}``."""
    for second in others:
        kind, is_sure = compare(_text(first), _text(second))
        if kind is not None:
            yield {"kind": str(kind), "is_sure": is_sure, "first": first, "second": second}


def _comparing() -> Comparing:
    """Compares two texts, of which each is read once; and whether they say nearly the same."""
    read, names = cache(sentences_in), cache(names_in)

    def compare(one: str, other: str) -> tuple[Difference | None, bool]:
        plain = contradicts(one, other, names(one) | names(other), read)
        return (plain, True) if plain is not None else (disagrees(one, other), False)

    return compare


def _text(one: Mapping[str, Any]) -> str:
    return str(one["excerpt"] if "excerpt" in one else one["content"])


def _lines(turn: Turn, pair: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A pair as two lines of the card: where it stands, and what it says."""
    writing = turn.writing()
    kind = writing.word(f"difference_{pair['kind']}")
    for place, one in enumerate((pair["first"], pair["second"])):
        quote = writing.quoted(shortened(_text(one), _QUOTED))
        text = f"{kind}: {quote}" if place else quote
        if "excerpt" in one:
            yield {"place": one["page"]["title"], "text": text}
        else:
            memory = {"id": one["id"], "tier": one["tier"]}
            yield {"place": writing.word(one["tier"]), "text": text, "memory": memory}


def _report(turn: Turn, kept: Mapping[str, Any]) -> dict[str, Any]:
    """The report, of what was noted down."""
    value, writing = kept["value"], turn.writing()
    sides = [one for pair in value["pairs"] for one in (pair["first"], pair["second"])]
    named = {one["id"]: {"id": one["id"], "tier": one["tier"]} for one in sides if "id" in one}
    says = writing.speech.table["say"]
    told = writing.counted(value["n_pairs"], says["compare_found"]).rstrip(" :")
    counts = counted(writing, value)
    about = writing.quoted(turn.intent.text)
    if counts:
        summary = writing.sentence("compared", what=about, counts=counts)
        summary += f" {told}." if value["n_pairs"] else f" {says['compare_none']}"
    else:
        summary = writing.sentence("compare_nothing", what=about)
    return {
        "summary": summary,
        "note_key": kept["key"],
        "sources": list(named.values()),
        "confidence": "medium" if any(one["is_sure"] for one in value["pairs"]) else "low",
        "open_questions": [],
    }


def counted(writing: Any, value: Mapping[str, Any]) -> str:
    """How much was compared, in words; empty for nothing."""
    says = writing.speech.table["say"]
    return ", ".join(
        writing.counted(value[f"n_{name}"], says[f"compared_{forms}"])
        for name, forms in (("memories", MEMORIES), ("passages", PAGES))
        if value[f"n_{name}"]
    )
