"""A language as the planner without a model knows it, and what it takes from a message.

Both stand in ``resources/mechanical``, a file per language; they are read once.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.words.function_words import EVERY_LANGUAGE
from inklings_desktop.domain.words.query_text import bare, folded, words_of
from inklings_desktop.domain.words.stemming import stem
from inklings_desktop.resource_files import resource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SEPARATOR = re.compile(r"\s*(?:[:,\u2013\u2014-]\s*|\s+|$)")
_MARK = r"(?:\s*[,;(\u2013\u2014]\s*|\s+-\s+|[.!]\s+|^)"
_END = r"\s*[.!)]*\s*$"
_ID = re.compile(
    r"(?:memory:|inklings://memory/)(?:(?P<tier>conversation|channel|workspace|account)/)?"
    r"(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,36})\b"
    r"|\b(?P<bare>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b",
    re.IGNORECASE,
)
_PLAIN_SIGNS = str.maketrans(
    "\u2019\u02bc\uff07\uff1f\uff01\uff1a\uff0c\uff1b\u3002\u3000\u00a0\u202f", "'''?!:,;.   "
)
"""Signs that keyboards of other scripts write, with the plain ones."""
_TRAILING_QUESTION = re.compile(r"(?<=[.!;\n])\s+[^.!?\n]+\?\s*$")


@dataclass(frozen=True, slots=True)
class Kept:
    """What is to be kept.

    Attributes:
        text: The person's words.
        tier: Where; empty where nothing was said about it.
        lifetime: How long; likewise.
        importance: 0 to 1; None likewise.
        is_private: For the agent alone.
        left_question: A question that stood behind it and is no part of it.
        is_pointing: Whether the words only point at what was said before.
        heading: What announces a list that is not there yet; ends with its colon.
    """

    text: str
    tier: str = ""
    lifetime: str = ""
    importance: float | None = None
    is_private: bool = False
    left_question: str = ""
    is_pointing: bool = False
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Counted:
    """A figure that was told, or asked for.

    Attributes:
        verb: What was done, in the form that it is counted under; empty if it was not said.
        unit: What was counted, as it was said; empty likewise.
        number: How many; None where it is only asked.
        is_more: Whether they come on top of what was counted.
        is_total: Whether the figure is all of them.
        is_asked: Whether the sum is asked for.
    """

    verb: str = ""
    unit: str = ""
    number: int | None = None
    is_more: bool = False
    is_total: bool = False
    is_asked: bool = False


def plain(text: str) -> str:
    """A text for matching, character by character as long as it was."""
    return text.translate(_PLAIN_SIGNS)


def begun(text: str, speech: Speech) -> int:
    """Where a message begins behind its politeness."""
    start = len(text) - len(text.lstrip())
    found = speech.patterns["polite"].match(plain(text), start)
    return found.end() if found else start


def kept_of(text: str, speech: Speech) -> Kept | None:
    """What a message wants kept; None where it wants nothing kept."""
    start = begun(text, speech)
    whole = plain(text)
    for opening in speech.labels:
        if opening.pattern.match(whole, start):
            return _with(Kept(text[start:].strip()), opening)
    for opening in speech.puts:
        if found := opening.pattern.match(whole, start):
            if speech.patterns["keep.pointing"].fullmatch(whole, found.end()):
                heading = ":" if whole.rstrip().endswith(":") else ""
                return _with(Kept("", is_pointing=True, heading=heading), opening)
            kept, at = _after_opening(whole, found.end(), _with(Kept(""), opening), speech)
            at = _behind_heading(whole, found.end(), at, speech)
            is_wish = ":" in whole[start:at] or (start > 0 and _is_clause(whole, found.end(), at))
            if whole.rstrip().endswith("?") and not is_wish:
                question = _TRAILING_QUESTION.search(text, at)
                if question is None:
                    return None
                kept = replace(kept, left_question=question.group().strip())
                text = text[: question.start()]
            if is_wish and ":" not in whole[start:at]:
                text = text.rstrip().rstrip("?")
            return _checked(_cut_behind(replace(kept, text=text[at:].strip()), speech), speech)
    return None


def _behind_heading(whole: str, opened: int, at: int, speech: Speech) -> int:
    """Past words that only announce what follows, such as "the following rule:"."""
    for begin in (opened, at):
        gap = _SEPARATOR.match(whole, begin)
        behind = gap.end() if gap else begin
        if found := speech.patterns["keep.heading"].match(whole, behind):
            return max(at, found.end())
    return at


def _checked(kept: Kept, speech: Speech) -> Kept:
    """What is to be kept, if it says something; else what it points at or announces."""
    if not kept.text or (kept.text.endswith(":") and "\n" not in kept.text):
        return replace(kept, text="", is_pointing=True, heading=kept.text or ":")
    if not set(words_of(folded(kept.text))) - EVERY_LANGUAGE:
        return replace(kept, text="", is_pointing=True)
    clause = speech.patterns.get("keep.clause")
    if clause is not None and (found := clause.match(kept.text)):
        parts = (found["subject"], found["verb"], found["rest"])
        return replace(kept, text=_begun_large(" ".join(filter(None, parts)) + found["end"]))
    return kept


def _is_clause(whole: str, opened: int, at: int) -> bool:
    """Whether what is to be kept is a clause: "can you remember that …?" is a wish."""
    return bool(
        re.match(
            r"\W*(?:(?:that|to|dass|que)\b|qu')", whole[opened:at] or whole[at:], re.IGNORECASE
        )
    ) or (bool(re.match(r"(?:dass|to)\b", whole[at:], re.IGNORECASE)))


def _after_opening(whole: str, at: int, kept: Kept, speech: Speech) -> tuple[Kept, int]:
    """Past the words about where and how long that follow the first ones, and past "that"."""
    is_going = True
    while is_going:
        is_going = False
        gap = _SEPARATOR.match(whole, at)
        behind = gap.end() if gap else at
        for place in speech.places:
            found = place.pattern.match(whole, behind)
            if found is None and (this := speech.patterns["keep.pointer"].match(whole, behind)):
                found = place.pattern.match(whole, this.end())
                found = (
                    found
                    if found and re.match(r"\s*[:,\u2013\u2014-]", whole[found.end() :])
                    else None
                )
            if found and _is_over(whole, found.end(), place):
                kept, at, is_going = _with(kept, place), found.end(), True
                break
    gap = _SEPARATOR.match(whole, at)
    at = gap.end() if gap else at
    that = speech.patterns["that"].match(whole, at)
    return kept, that.end() if that and ":" not in whole[at - 2 : at] else at


def _is_over(whole: str, at: int, place: Opening) -> bool:
    """Whether words about a place end here, and are not the beginning of what is said of it."""
    rest = whole[at:]
    if place.is_opening_only:
        return bool(
            re.match(r"\s*(?:[:,\u2013\u2014-]|that\b|permanently\b|$)", rest, re.IGNORECASE)
        )
    if place.is_plain or place.lifetime or place.is_private:
        return not rest or not rest[0].isalnum()
    return bool(re.match(r"\s*(?:[:,\u2013\u2014-]|that\b|dass\b|$)", rest, re.IGNORECASE))


def _cut_behind(kept: Kept, speech: Speech) -> Kept:
    """Without the words about where and how long at the end."""
    whole = kept.text
    lead, close = (speech.patterns[name].pattern for name in ("tail_opening", "tail_close"))
    is_going = True
    while is_going:
        is_going = False
        for place in speech.places:
            if place.is_opening_only:
                continue
            mark = rf"(?:{_MARK}|\s+)" if place.is_plain else _MARK
            tail = re.compile(
                rf"(?P<mark>{mark}){lead}(?:{place.pattern.pattern}){close}{_END}", re.IGNORECASE
            )
            found = tail.search(plain(kept.text))
            if found and found.start():
                ended = kept.text[: found.start()].rstrip(" ,;\u2013\u2014-(")
                stop = "." if found.group("mark").strip()[:1] in {".", "!"} else ""
                kept, is_going = replace(_with(kept, place), text=ended + stop), True
                break
    text = kept.text
    if text != whole and whole.endswith(".") and text[-1:].isalnum():
        text += "."
    return replace(kept, text=_begun_large(text))


def _with(kept: Kept, opening: Opening) -> Kept:
    return replace(
        kept,
        tier=opening.tier or kept.tier,
        lifetime=opening.lifetime or kept.lifetime,
        importance=kept.importance if opening.importance is None else opening.importance,
        is_private=opening.is_private or kept.is_private,
    )


def _begun_large(text: str) -> str:
    tidy = text.strip()
    return tidy[:1].upper() + tidy[1:]


def counted_of(text: str, speech: Speech) -> Counted | None:
    """The figure that a message tells or asks for; None where it does neither."""
    whole = plain(text)
    told = speech.patterns["tally.statement"].search(whole)
    asked = speech.patterns["tally.question"].search(whole)
    more = None if told else speech.patterns["tally.more"].search(whole.strip())
    if told is None and asked is None and more is None:
        return None
    counted = Counted()
    if told is not None:
        counted = Counted(
            speech.verbs[told["verb"].lower()],
            told["unit"],
            _number(told["number"], speech),
            is_more=bool(told["more"] or told["more_before"]),
            is_total=bool(speech.patterns["tally.total"].search(whole)),
        )
    elif more is not None:
        number = _number(more["number"], speech)
        counted = Counted(unit=more["unit"] or "", number=number, is_more=True)
    if asked is not None:
        named = asked.groupdict()
        unit = named["unit"] or named.get("unit_after") or counted.unit
        verb = speech.verbs[asked["verb"].lower()]
        counted = replace(counted, verb=counted.verb or verb, unit=unit, is_asked=True)
    return counted


def _number(word: str, speech: Speech) -> int:
    return int(word) if word.isdigit() else speech.numbers[word.lower()]


def same_unit(one: str, other: str) -> bool:
    """Whether two words count the same: one thing or several of it."""
    left, right = sorted((one.casefold(), other.casefold()), key=len)
    return right.startswith(left) and len(right) - len(left) <= 2  # noqa: PLR2004 - plurals


def ids_in(text: str) -> Iterator[tuple[str, str]]:
    """The memories that a text names by link or id: tier, empty if unknown, and id."""
    for found in _ID.finditer(text):
        yield (found["tier"] or "").lower(), (found["id"] or found["bare"]).lower()


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
    "tally", "overview", "recall", "find", "compare", "changed", "next_turn", "forget", "correct",
    "hypothesis", "summary", "talk", "keep", "left_off", "why", "help",
    "compose",
})  # fmt: skip
_PATTERN_WORDS = ("polite", "that", "tail_opening", "tail_close")


def _opening(entry: Mapping[str, Any]) -> Opening:
    return Opening(**{**entry, "pattern": _compiled(entry["pattern"], {})})


def _compiled(pattern: str, filled: Mapping[str, str]) -> re.Pattern[str]:
    for name, value in filled.items():
        pattern = pattern.replace(name, value)
    return re.compile(pattern, _FLAGS)
