"""What is typed into a search: words and operators, and how one being typed is completed.

``tag:``, ``source:``, ``curator:``, ``by:``, ``before:``, ``after:``, ``importance:`` and
phrases between quotation marks. Every text is legal: what looks like an operator and cannot be
understood stays among the words, and is said.
"""

from __future__ import annotations

import calendar
import math
import re
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter
from inklings_desktop.domain.memory import Curator
from inklings_desktop.domain.memory_values import checked_agent, checked_source, checked_tags
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.wall_clock import MONTHS, midnight
from inklings_desktop.domain.words.phrases import MAX_PHRASE_CHARACTERS, phrase_runs
from inklings_desktop.domain.words.query_text import MAX_QUERY_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

_OPENING, _CLOSING = '"\u201c\u201d\u201e', '"\u201d\u201c'
_PART = re.compile(
    rf"(?<!\S)(?:(?P<name>[A-Za-z]+):)?(?:[{_OPENING}](?P<quoted>[^{_OPENING}]*)[{_CLOSING}](?!\S)"
    r"|(?P<plain>\S+))"
)
_ASIDE = re.compile(r"-(?P<left_out>[A-Za-z]+):.*|(?P<bare>[A-Za-z]+):", re.DOTALL)
"""An operator with a minus before it, or with nothing behind it."""
_NUMBER = r"(?:[01](?:\.\d*)?|\.\d+)"
_RANGE = re.compile(rf"(?P<low>{_NUMBER})\.\.(?P<high>{_NUMBER})")
_BOUND = re.compile(rf"(?P<sign><=|>=|<|>|=)?(?P<value>{_NUMBER})")
_WHOLE_DATE = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)(?:-(?P<day>\d\d))?")
"""With every figure of month and day: nobody is still typing it."""
_DATE = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d{1,2}))?(?:-(?P<day>\d{1,2}))?")


class Operator(StrEnum):
    """The operators by the word that begins them."""

    TAG = "tag"
    SOURCE = "source"
    CURATOR = "curator"
    BY = "by"
    BEFORE = "before"
    AFTER = "after"
    IMPORTANCE = "importance"


class Misuse(StrEnum):
    """Why an operator was left among the words."""

    VALUE = "value"
    """What follows it means nothing."""
    NO_SUCH_DAY = "no_such_day"
    """What follows it is written like a date, and is none of the calendar."""
    EXCLUDED = "excluded"
    """Nothing can be within this bound and the others typed before it."""
    LEFT_OUT = "left_out"
    """It stands behind a minus: operators say what to find, not what to leave out."""


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """An operator that could not be followed; it was left among the words.

    Attributes:
        typed: As it was typed, name and value.
        why: What is the matter with it.
        instead: The last day or month of the calendar that is meant to exist; empty where the
            matter is another.
    """

    operator: Operator
    typed: str
    why: Misuse = Misuse.VALUE
    instead: str = ""


@dataclass(frozen=True, slots=True)
class TypedSearch:
    """A search as it was meant.

    Attributes:
        text: The words, without the operators and phrases that were understood.
        where: What these ask of a memory.
        not_understood: In the order typed.
    """

    text: str
    where: MemoryFilter = EVERYTHING
    not_understood: tuple[NotUnderstood, ...] = ()

    @property
    def sought(self) -> str:
        """What is looked for: the words, and those of the phrases."""
        return " ".join((*filter(None, [self.text.strip()]), *sorted(self.where.phrases)))

    @property
    def has_operators(self) -> bool:
        """Whether anything but words was understood."""
        return self.where != EVERYTHING


def typed_search(text: str, zone: tzinfo | None = None) -> TypedSearch:
    """Take words and operators apart; any text is legal.

    Of one kind, several values are alternatives (tags, sources, curators), several bounds narrow
    each other, and every phrase must be said. An unclosed quotation mark is a character like any
    other.

    Args:
        text: Anything; what lies beyond 2,000 characters stays words.
        zone: Whose midnight a date means; None is where this machine is, on that day.
    """
    words: list[str] = []
    where = EVERYTHING
    wrong: list[NotUnderstood] = []
    head, rest = text[:MAX_QUERY_CHARACTERS], text[MAX_QUERY_CHARACTERS:]
    position = 0
    for part in _PART.finditer(head):
        operator = _operator(part["name"])
        understood: MemoryFilter | None = None
        if operator is not None:
            value = part["quoted"] if part["quoted"] is not None else part["plain"]
            understood = _with_value(where, operator, value.strip(), zone)
            if understood is None:
                wrong.append(_misunderstood(operator, part[0], value.strip(), zone))
        elif part["name"] is None and part["quoted"] is not None:
            understood = _with_phrase(where, part["quoted"])
        elif (aside := _stands_aside(part[0])) is not None:
            wrong.append(aside)
        if understood is None:
            continue
        where = understood
        words.append(head[position : part.start()])
        position = part.end()
    words.append(head[position:] + rest)
    if where == EVERYTHING:
        return TypedSearch(text, where, tuple(wrong))
    kept = (" ".join(piece.split()) for piece in words)
    return TypedSearch(" ".join(piece for piece in kept if piece), where, tuple(wrong))


def narrowed(where: MemoryFilter, more: MemoryFilter) -> MemoryFilter:
    """A filter that also asks what a typed search does; values of one kind are alternatives.

    Raises:
        InvalidValueError: No importance lies within both, or no instant does.
    """
    low = max(where.importance_min, more.importance_min)
    high = min(where.importance_max, more.importance_max)
    if low > high:
        raise InvalidValueError("importance", "excluded")
    since = _later(where.written_since, more.written_since)
    before = _earlier(where.written_before, more.written_before)
    if since is not None and before is not None and since >= before:
        raise InvalidValueError("written", "excluded")
    return replace(
        where,
        tags=where.tags | more.tags,
        sources=where.sources | more.sources,
        curators=where.curators | more.curators,
        writers=where.writers | more.writers,
        phrases=where.phrases | more.phrases,
        importance_min=low,
        importance_max=high,
        written_since=since,
        written_before=before,
    )


def _operator(name: str | None) -> Operator | None:
    try:
        return Operator((name or "").lower())
    except ValueError:
        return None


def _misunderstood(
    operator: Operator, typed: str, value: str, zone: tzinfo | None
) -> NotUnderstood:
    """What is the matter with a value that could not be added to what was typed before it."""
    if _with_value(EVERYTHING, operator, value, zone) is not None:
        return NotUnderstood(operator, typed, Misuse.EXCLUDED)
    instead = _nearest_day(value) if operator in {Operator.BEFORE, Operator.AFTER} else ""
    return NotUnderstood(operator, typed, Misuse.NO_SUCH_DAY if instead else Misuse.VALUE, instead)


def _nearest_day(value: str) -> str:
    """The day or month of the calendar nearest to what is written like one; else empty."""
    date = _WHOLE_DATE.fullmatch(value)
    if date is None or not int(date["year"]):
        return ""
    year, month = int(date["year"]), min(max(int(date["month"]), 1), MONTHS)
    if date["day"] is None:
        return f"{year:04}-{month:02}"
    last = calendar.monthrange(year, month)[1]
    return f"{year:04}-{month:02}-{min(max(int(date['day']), 1), last):02}"


def _stands_aside(typed: str) -> NotUnderstood | None:
    """An operator that nothing follows, or that is to leave something out; None for words."""
    aside = _ASIDE.fullmatch(typed)
    if aside is None:
        return None
    operator = _operator(aside["left_out"] or aside["bare"])
    if operator is None:
        return None
    return NotUnderstood(operator, typed, Misuse.LEFT_OUT if aside["left_out"] else Misuse.VALUE)


def _with_phrase(where: MemoryFilter, phrase: str) -> MemoryFilter | None:
    tidy = " ".join(phrase.split())
    if len(tidy) > MAX_PHRASE_CHARACTERS or not phrase_runs(tidy):
        return None
    return replace(where, phrases=where.phrases | {tidy})


def _with_value(
    where: MemoryFilter, operator: Operator, value: str, zone: tzinfo | None
) -> MemoryFilter | None:
    """The filter with one more value, or None when the value means nothing."""
    understand: dict[Operator, Callable[[], MemoryFilter | None]] = {
        Operator.TAG: lambda: replace(where, tags=where.tags | {*checked_tags([value])}),
        Operator.SOURCE: lambda: replace(where, sources=where.sources | {checked_source(value)}),
        Operator.CURATOR: lambda: replace(
            where, curators=where.curators | {Curator(value.lower())}
        ),
        Operator.BY: lambda: replace(where, writers=where.writers | {checked_agent(value)}),
        Operator.BEFORE: lambda: narrowed(
            where, MemoryFilter(written_before=_midnight(value, zone))
        ),
        Operator.AFTER: lambda: narrowed(where, MemoryFilter(written_since=_midnight(value, zone))),
        Operator.IMPORTANCE: lambda: _with_importance(where, value),
    }
    try:
        return understand[operator]()
    except (InvalidValueError, ValueError, OverflowError):
        return None


def _with_importance(where: MemoryFilter, value: str) -> MemoryFilter:
    low, high = _importance(value)
    if low > high:
        raise InvalidValueError("importance", "range")
    return narrowed(where, MemoryFilter(importance_min=low, importance_max=high))


def _importance(value: str) -> tuple[float, float]:
    """Lowest and highest importance that is meant, both inclusive."""
    spread = _RANGE.fullmatch(value)
    if spread is not None:
        return float(spread["low"]), float(spread["high"])
    bound = _BOUND.fullmatch(value)
    if bound is None:
        raise InvalidValueError("importance", "type")
    number = float(bound["value"])
    match bound["sign"]:
        case ">":
            return math.nextafter(number, math.inf), 1.0
        case ">=":
            return number, 1.0
        case "<":
            return 0.0, math.nextafter(number, -math.inf)
        case "<=":
            return 0.0, number
        case _:
            return number, number


def _midnight(value: str, zone: tzinfo | None) -> datetime:
    """The beginning of a day, month or year, where the person is."""
    date = _DATE.fullmatch(value)
    if date is None:
        raise InvalidValueError("date", "type")
    return midnight(int(date["year"]), int(date["month"] or 1), int(date["day"] or 1), zone)


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((at for at in (one, other) if at is not None), default=None)


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    return min((at for at in (one, other) if at is not None), default=None)


_TYPED = re.compile(
    r'(?<!\S)(?:(?P<name>[A-Za-z]+):(?:"(?P<quoted>[^"]*)|(?P<plain>[^\s"]*))|(?P<word>[A-Za-z]+))\Z'
)
_REST = re.compile(r"\S*")


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What stands before the caret and may be completed.

    Attributes:
        start: Where it begins.
        stop: Behind its last letter.
        typed: The beginning of a value, or of an operator's name.
        operator: Whose value; None for a name.
    """

    start: int
    stop: int
    typed: str
    operator: Operator | None = None


def unfinished_at(text: str, caret: int) -> Unfinished | None:
    """What can be completed at a place of a search; None elsewhere, as in a phrase."""
    found = _TYPED.search(text, 0, caret)
    if found is None:
        return None
    rest = _REST.match(text, caret)
    stop = caret if found["quoted"] is not None or rest is None else rest.end()
    if found["word"] is not None:
        return Unfinished(found.start(), stop, found["word"])
    try:
        operator = Operator(found["name"].lower())
    except ValueError:
        return None
    typed = found["quoted"] if found["quoted"] is not None else found["plain"]
    return Unfinished(found.start(), stop, typed, operator)


def written(operator: Operator, value: str) -> str:
    """An operator with a value, between quotation marks where it must be."""
    return f'{operator.value}:"{value}"' if re.search(r"\s", value) else f"{operator.value}:{value}"
