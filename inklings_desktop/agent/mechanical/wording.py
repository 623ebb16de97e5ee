"""Answers of the planner without a model: sentences of the language, and memories in quotes.

What a memory says stands between quotation marks, introduced by its framing phrase, with its tier,
its age and a link; nothing of it stands anywhere else, and none of it is taken for Markdown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.planning import Answer, Quote
from inklings_desktop.domain.ages import age

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.mechanical.speech import Speech

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
