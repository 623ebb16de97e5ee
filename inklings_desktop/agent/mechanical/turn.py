"""One turn as the rules see it, and what all of them say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.certainty import asked_words, certainty
from inklings_desktop.agent.mechanical.extraction import plain
from inklings_desktop.agent.mechanical.speech import LANGUAGES, speech
from inklings_desktop.agent.mechanical.wording import TITLE_CHARACTERS, Writing, shortened
from inklings_desktop.agent.planning import DENIED, LATER, REFUSED, Answer, Call

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inklings_desktop.agent.mechanical.intents import Intent
    from inklings_desktop.agent.planning import Result, Situation

TIERS = ("conversation", "channel", "workspace", "account")
"""In the order in which they are looked through."""
SOURCE = "orchestrator"
QUERY_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class Turn:
    """What a step is made of."""

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
        after: int = 0,
        **of: str,
    ) -> Call:
        """The next call, behind so many others of this step.

        ``title`` names the sentence of its card where it is not the tool's.
        """
        number = len(self.results) + 1 + after
        return self._numbered(number, tool, arguments, why=why, title=title, **of)

    def reads(
        self, tiers: Iterable[str], query: str, limits: Mapping[str, int], *, after: int = 0
    ) -> tuple[Call, ...]:
        """One read per tier, at once, behind so many other calls of this step."""
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
            for number, tier in enumerate(tiers, start=1 + after)
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

    def read(self) -> list[dict[str, Any]]:
        """The memories that were found or fetched, each once."""
        fetched = [
            memory
            for one in self.results
            if not one.is_error
            for memory in one.outcome.get("memories") or ()
        ]
        return list({one["id"]: one for one in (*fetched, *self.hits())}.values())

    def written(self, *tools: str) -> list[Result]:
        """What became of the calls of these tools."""
        return [one for one in self.results if one.call.tool in tools]

    def sure_hits(self, about: str) -> list[tuple[float, dict[str, Any]]]:
        """The hits with how sure it is that each is about something, as they were found."""
        spoken = speech(self.intent.language)
        asked = asked_words(about, spoken)
        return [(certainty(asked, one, spoken), one) for one in self.hits()]


def place_of(memory: Mapping[str, Any]) -> dict[str, Any]:
    """Tier and scope of a memory, as tools take them."""
    tier = memory["tier"]
    scope = memory.get("scope")
    return {"tier": tier} | ({"scope": scope} if tier in {"conversation", "channel"} else {})


def said(turn: Turn, name: str) -> Answer:
    """An answer of one sentence."""
    writing = turn.writing()
    writing.say(name)
    return writing.answer()


def not_done(turn: Turn, result: Result, denied: str) -> Answer:
    """Why a call came to nothing, in a sentence."""
    writing = turn.writing()
    add_reason(writing, result, denied)
    return writing.answer()


def add_reason(writing: Writing, result: Result, denied: str) -> None:
    """Say why a call came to nothing."""
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


def say(turn: Turn) -> Answer:
    """What is said to mere talk: once in a conversation what can be done, then that nothing was."""
    text = plain(turn.intent.text)
    if any(speech(one).patterns["forget.idle"].match(text) for one in LANGUAGES):
        return said(turn, "kept")
    if any(speech(one).patterns["summary.pattern"].search(text) for one in LANGUAGES):
        return said(turn, "heard_decision")
    hints = [speech(one).table["say"]["hint"] for one in LANGUAGES]
    told = [one.text for one in turn.situation.earlier if one.role == "assistant"]
    is_told = any(hint in text for text in told for hint in hints)
    return said(turn, "heard" if is_told else "hint")
