"""What stands in a message: the words to keep, where and for how long, figures, names of memories.

Words that say where and for how long are cut from the text; nothing else is: what is kept is what
the person wrote.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.words.function_words import EVERY_LANGUAGE
from inklings_desktop.domain.words.query_text import folded, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.agent.mechanical.speech import Opening, Speech

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
