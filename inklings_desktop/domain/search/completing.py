"""Which operator of a search is being typed, and which part of it."""

from __future__ import annotations

import re

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.search_operators import Operator

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
