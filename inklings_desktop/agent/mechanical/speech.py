"""A language as the planner without a model knows it: its patterns and its sentences.

Both stand in ``resources/mechanical``, a file per language; they are read once.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.words.query_text import bare, folded, words_of
from inklings_desktop.domain.words.stemming import stem
from inklings_desktop.resource_files import resource

if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES = ("en", "de", "fr")
"""In the order in which they are tried where a message tells none."""

_FLAGS = re.IGNORECASE
_DIGITS = r"\d{1,6}"
_LONG_ENOUGH = 5
"""Shorter words are left as they are."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Words that begin a wish to keep something, with what they say of it besides.

    Attributes:
        pattern: Matches at the beginning.
        tier: The tier that they name; empty for none.
        lifetime: The lifetime likewise.
        importance: The importance likewise; None for none.
        is_private: Whether they want it kept for the agent alone.
        is_plain: Whether they count at the end of a text without a mark before them.
        is_opening_only: Whether they are cut after the first words alone.
    """

    pattern: re.Pattern[str]
    tier: str = ""
    lifetime: str = ""
    importance: float | None = None
    is_private: bool = False
    is_plain: bool = False
    is_opening_only: bool = False


@dataclass(frozen=True, slots=True)
class Speech:
    """One language.

    Attributes:
        puts: What begins a wish to keep something.
        labels: What does so and belongs to the words that are kept.
        places: Where and for how long.
        patterns: The other patterns, by section and name.
        verbs: Each form of a verb that counts something, with the one it is counted under.
        abouts: What an overview may be about: the tier or ``all``, and its pattern.
        known_by: Words that it is known by.
        weightless: Words of a question that say nothing about what is looked for.
        related: Words that may stand for another one, by its stem.
        endings: Endings that the words of the language take, which the search does not know.
        table: The file as it is, for its sentences.
    """

    language: str
    puts: tuple[Opening, ...]
    labels: tuple[Opening, ...]
    places: tuple[Opening, ...]
    patterns: Mapping[str, re.Pattern[str]]
    verbs: Mapping[str, str]
    numbers: Mapping[str, int]
    abouts: Mapping[str, re.Pattern[str]]
    known_by: frozenset[str]
    weightless: frozenset[str]
    related: Mapping[str, tuple[str, ...]]
    endings: tuple[str, ...]
    table: Mapping[str, Any]

    def forms_of(self, word: str) -> tuple[str, ...]:
        """A word without its ending, and with the others."""
        base = self.base_of(word)
        return (base, *(base + one for one in self.endings)) if self.endings else ()

    def base_of(self, word: str) -> str:
        """A word without its ending, as far as that is known."""
        if len(word) < _LONG_ENOUGH:
            return word
        return next((word.removesuffix(one) for one in self.endings if word.endswith(one)), word)


@cache
def speech(language: str) -> Speech:
    """A language by its code, one of ``LANGUAGES``."""
    text = resource(f"mechanical/{language}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    tally = table["tally"]
    verbs = {form: verb for verb, forms in tally["verbs"].items() for form in forms}
    numbers = "|".join((_DIGITS, *tally["numbers"]))
    filled = {"{verbs}": "|".join(verbs), "{numbers}": numbers}
    abouts = table["overview"]["about"]
    filled["{about}"] = "|".join(abouts.values())
    patterns = {
        f"{section}.{name}": _compiled(value, filled)
        for section, entries in table.items()
        if isinstance(entries, dict) and section in _PATTERN_SECTIONS
        for name, value in entries.items()
        if isinstance(value, str)
    }
    patterns |= {name: _compiled(table[name], {}) for name in _PATTERN_WORDS}
    return Speech(
        language,
        puts=tuple(map(_opening, table["put"])),
        labels=tuple(map(_opening, table["label"])),
        places=tuple(map(_opening, table["place"])),
        patterns=patterns,
        verbs=verbs,
        numbers=tally["numbers"],
        abouts={name: _compiled(value, {}) for name, value in abouts.items()},
        known_by=frozenset(words_of(folded(table["known_by"]))),
        weightless=frozenset(map(folded, table["recall"]["weightless"])),
        related={
            stem(bare(one)): tuple(stem(bare(each)) for each in group if each != one)
            for group in table["recall"].get("related", ())
            for one in group
        },
        endings=tuple(table["recall"].get("endings", ())),
        table=table,
    )


_PATTERN_SECTIONS = frozenset({
    "tally", "overview", "recall", "find", "changed", "next_turn", "forget", "correct",
    "hypothesis", "summary", "talk", "keep", "left_off", "why", "help",
})  # fmt: skip
_PATTERN_WORDS = ("polite", "that", "tail_opening", "tail_close")


def _opening(entry: Mapping[str, Any]) -> Opening:
    return Opening(**{**entry, "pattern": _compiled(entry["pattern"], {})})


def _compiled(pattern: str, filled: Mapping[str, str]) -> re.Pattern[str]:
    for name, value in filled.items():
        pattern = pattern.replace(name, value)
    return re.compile(pattern, _FLAGS)
