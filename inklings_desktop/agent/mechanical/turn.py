"""One turn as the rules see it: how sure an answer is, and the sentences it is told in."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.speech import LANGUAGES, plain, speech
from inklings_desktop.agent.planning import DENIED, LATER, REFUSED, Answer, Call, Quote
from inklings_desktop.domain.ages import age
from inklings_desktop.domain.likeness.grounding import content_words
from inklings_desktop.domain.words.query_text import bare, folded, words_of
from inklings_desktop.domain.words.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inklings_desktop.agent.mechanical.intents import Intent
    from inklings_desktop.agent.mechanical.speech import Speech
    from inklings_desktop.agent.planning import Result, Situation

QUOTED_FROM = 0.45
PERHAPS_FROM = 0.3
CLEAR_AHEAD = 0.15
"""So far ahead of the next one a memory is the one that is meant."""

_SHARED_BEGINNING = 5
_LONGEST_ENDING = 3
_MOST_FORMS = 30


def asked_words(question: str, speech: Speech) -> frozenset[str]:
    """The words of a question that say what is looked for, as they are compared."""
    weightless = {stem(bare(word)) for word in speech.weightless} | speech.weightless
    return content_words(question) - weightless


def query_of(question: str, speech: Speech) -> str:
    """A question as it is looked for: without its weightless words, with related ones behind."""
    words = words_of(folded(question))
    kept = [word for word in words if word not in speech.weightless]
    asked = asked_words(question, speech)
    related = {one for word in asked for one in speech.related.get(word, ())}
    forms = {form for word in kept if stem(bare(word)) in asked for form in speech.forms_of(word)}
    more = sorted((related | forms) - set(kept))
    return " ".join([*(kept if asked else words), *more[:_MOST_FORMS]])


def certainty(asked: frozenset[str], hit: Mapping[str, Any], speech: Speech) -> float:
    """How sure it is that a hit answers the question, 0 to 1."""
    score = hit.get("score")
    if not asked or score is None:
        return 0.0
    text = "\n".join((str(hit.get("content", "")), *hit.get("tags", ())))
    held = [speech.base_of(one) for one in content_words(text)]
    n_held = 0
    for word in asked:
        meant = [speech.base_of(one) for one in (word, *speech.related.get(word, ()))]
        n_held += any(_is_same(one, other) for one in meant for other in held)
    return float(score) * n_held / len(asked)


def said_words(text: str, speech: Speech) -> frozenset[str]:
    """The words that say what a text is about, each in its one form: to tell texts apart.

    Unlike those that a search compares they keep their accents: a market in French is no month.
    """
    return _kept_apart(text, content_words(text), speech)


def meant_words(question: str, speech: Speech) -> frozenset[str]:
    """The same of what was asked for, without the words that only ask."""
    return _kept_apart(question, asked_words(question, speech), speech)


def _kept_apart(text: str, stems: frozenset[str], speech: Speech) -> frozenset[str]:
    lower = unicodedata.normalize("NFC", plain(text).casefold())
    pieces = (piece for word in words_of(lower) for piece in (word, *word.split("'")))
    meant = {
        one for one in pieces if content_words(one) <= stems and stem(bare(folded(one))) in stems
    }
    if speech.endings:
        return frozenset(map(speech.base_of, meant))
    return frozenset(stem(one) if one.isascii() else one for one in meant)


def words_of_memory(memory: Mapping[str, Any], speech: Speech) -> frozenset[str]:
    """The same of a memory, its tags among them."""
    return said_words("\n".join((str(memory["content"]), *memory.get("tags", ()))), speech)


def _is_same(one: str, other: str) -> bool:
    """Whether two words are forms of one, or one is the last part of the other."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) < _SHARED_BEGINNING:
        return False
    if long.endswith(short):
        return True
    return short[:-1] == long[: len(short) - 1] and len(long) - len(short) <= _LONGEST_ENDING


LONGEST_QUOTE = 600
LINK_WORDS = 6
"""A memory that may be related is named by so many of its words."""
TITLE_CHARACTERS = 60
_INNER_QUOTES = str.maketrans("\u201c\u201d\u201e\u00ab\u00bb", "\u2018\u2019\u201a\u2039\u203a")
"""Marks inside a quote are the inner ones, so that none of them ends it."""
_MARKDOWN = re.compile(r"([\\\[\]<>`*_~|])")


@dataclass(slots=True)
class Writing:
    """An answer while it is written.

    Attributes:
        started_at: When the turn began; empty tells no ages.
    """

    speech: Speech
    started_at: str = ""
    _parts: list[str] = field(default_factory=list)
    _quotes: dict[Quote, None] = field(default_factory=dict)

    def say(self, name: str, /, **values: str) -> None:
        """Add a sentence by its name."""
        self._parts.append(self.sentence(name, **values))

    def add(self, text: str) -> None:
        self._parts.append(text)

    def sentence(self, name: str, /, **values: str) -> str:
        """A sentence by its name; braces in what is filled in stay as they are."""
        said: str = self.speech.table["say"][name]
        return said.format(**values)

    def answer(self) -> Answer:
        """What was written."""
        return Answer("\n\n".join(self._parts), tuple(self._quotes))

    def word(self, name: str) -> str:
        """A word by its name."""
        return str(self.speech.table["words"][name])

    def quoted(self, text: str) -> str:
        """A text between quotation marks, on one line, with a link to nowhere."""
        left, right = self.speech.table["words"]["quotes"]
        return f"{left}{escaped(shortened(text, LONGEST_QUOTE))}{right}"

    def noted(self, text: str, memory: Mapping[str, Any]) -> str:
        """A text in quotes, which lead to the memory that holds it where that is known."""
        quoted = self.quoted(text)
        return self.link(memory, quoted) if memory.get("id") else quoted

    def framed(self, memory: Mapping[str, Any]) -> str:
        """A memory as it is quoted: who vouches for it, where and when, its words, a link."""
        framings = self.speech.table["framing"]
        framing = framings.get(memory.get("framing"), framings["Based on an earlier entry:"])
        facts = [self.word(memory["tier"])]
        created_at = str(memory.get("created_at") or "")
        if told := self.age_of(created_at) or self._age_said(str(memory.get("age") or "")):
            facts.append(told)
        said = f"*{framing}* ({', '.join(facts)}): {self.noted(memory['content'], memory)}"
        if pages := [one["target"] for one in memory.get("derived_from") or ()]:
            listed = ", ".join(self.quoted(one) for one in pages)
            said += f" ({self.sentence('source', pages=listed)})"
        return said

    def pointed(self, memory: Mapping[str, Any]) -> str:
        """A link to a memory, named by its first words in quotes."""
        words = str(memory["content"]).split()
        begins = " ".join(words[:LINK_WORDS]) + (" \u2026" if len(words) > LINK_WORDS else "")
        left, right = self.speech.table["words"]["quotes"]
        named = f"{left}{escaped(shortened(begins, LONGEST_QUOTE))}{right}"
        return f"{self.link(memory, named)} ({self.word(memory['tier'])})"

    def paged(self, passage: Mapping[str, Any]) -> str:
        """A place of a page as it is quoted: its title and heading, what the page is, its words.

        A heading that is the title is not said again.
        """
        title, heading = passage["page"]["title"], passage["heading"].rpartition("/")[2]
        named = f"*{escaped(title)}*" + (
            f" \u203a {escaped(heading)}" if heading not in {"", title} else ""
        )
        lifecycle = str(passage["axes"]["lifecycle"])
        known = self.speech.table["words"].get(lifecycle, lifecycle)
        return f"{named} ({escaped(known)}): {self.quoted(passage['excerpt'])}"

    def link(self, memory: Mapping[str, Any], words: str) -> str:
        """A link to a memory; the answer names it from then on."""
        quote = Quote(str(memory["id"]), str(memory["tier"]))
        self._quotes[quote] = None
        return f"[{words}](memory:{quote.tier}/{quote.id})"

    def listed(self, lines: Sequence[str], *, is_numbered: bool = False) -> None:
        """Add a list; an empty one is none."""
        if not lines:
            return
        marks = (f"{number}. " if is_numbered else "- " for number in range(1, len(lines) + 1))
        self._parts.append("\n".join(map("".join, zip(marks, lines, strict=False))))

    def where(self, arguments: Mapping[str, Any]) -> str:
        """Where something was kept and for how long, as a put named it."""
        told = [self.word(str(arguments["tier"]))]
        if (lifetime := arguments.get("lifetime")) is not None:
            told.append(self.word(str(lifetime)))
        if arguments.get("private"):
            told.append(self.word("private"))
        return ", ".join(told)

    def age_of(self, created_at: str) -> str:
        """How long ago something was; empty where that is not known."""
        if not created_at or not self.started_at:
            return ""
        return self._age_said(age(_instant(created_at), _instant(self.started_at)))

    def _age_said(self, told: str) -> str:
        if not told:
            return ""
        figure, _, unit = told.partition(" ")
        ages = self.speech.table["ages"]
        if not unit:
            return str(ages["now"])
        one, many = ages[unit]
        return str(one) if figure == "1" else str(many).format(n=figure)

    def counted(self, number: int, forms: Sequence[str]) -> str:
        """A number of things, in the form for one or for several."""
        return forms[number != 1].format(n=number)


def escaped(text: str) -> str:
    """A text of which nothing is taken for Markdown, or for the end of its quote."""
    return _MARKDOWN.sub(r"\\\1", text.translate(_INNER_QUOTES))


def shortened(text: str, longest: int) -> str:
    """A text on one line, cut at a word where it is too long."""
    tidy = " ".join(text.split())
    if len(tidy) <= longest:
        return tidy
    head, _, _ = tidy[:longest].rpartition(" ")
    return f"{head or tidy[:longest]} \u2026"


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


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

    def page_search(self, query: str, *, after: int) -> tuple[Call, ...]:
        """A search of the author's pages behind so many other calls; none where there are none."""
        if not self.situation.has_pages:
            return ()
        return (self.call("world_search", {"query": query, "limit": 5}, after=after, text=query),)

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


def said(turn: Turn, name: str, **values: str) -> Answer:
    """An answer of one sentence."""
    writing = turn.writing()
    writing.say(name, **values)
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
