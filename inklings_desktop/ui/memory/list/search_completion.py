"""What a search may go on with: operators by their names, then the values in use; pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import Curator
from inklings_desktop.domain.search.search_operators import (
    Operator,
    Unfinished,
    unfinished_at,
    written,
)
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.controls.completions import Completion
from inklings_desktop.ui.kit.look.translation import grouped, tr
from inklings_desktop.ui.kit.words.memory_facts import curator_label, name_of_writer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inklings_desktop.domain.memories.listing import Facets

MOST_OFFERED = 8
_SHORTEST_NAME = 2
"""A single letter begins too many words to be taken for an operator."""


def completions_at(
    text: str, caret: int, facets: Facets | None, now: datetime
) -> tuple[Completion, ...]:
    """What may stand at the caret of a search, the likeliest first.

    Args:
        text: The search so far.
        caret: Where in it somebody types.
        facets: Values in use; None where they are not known yet.
        now: For days like today.
    """
    typing = unfinished_at(text, caret)
    if typing is None:
        return ()
    if typing.operator is None:
        return tuple(_names(typing)) if len(typing.typed) >= _SHORTEST_NAME else ()
    wanted = typing.typed.casefold()
    values = [
        (value, hint)
        for value, hint in _values(typing.operator, facets, on_the_wall(now))
        if wanted in value.casefold() and value != typing.typed
    ]
    values.sort(key=lambda one: not one[0].casefold().startswith(wanted))
    operator, start, stop = typing.operator, typing.start, typing.stop
    return tuple(
        Completion(f"{written(operator, value)} ", spelled_out(value), hint, start, stop)
        for value, hint in values[:MOST_OFFERED]
    )


def _names(typing: Unfinished) -> Iterator[Completion]:
    meanings = {
        Operator.TAG: tr("a tag"),
        Operator.SOURCE: tr("where it came from"),
        Operator.CURATOR: tr("author, agent or import"),
        Operator.BY: tr("who wrote it"),
        Operator.BEFORE: tr("written before a day"),
        Operator.AFTER: tr("written on a day or later"),
        Operator.IMPORTANCE: tr("a number from 0 to 1, like >0.5"),
    }
    for operator, meaning in meanings.items():
        if operator.value.startswith(typing.typed.lower()):
            name = f"{operator.value}:"
            yield Completion(name, name, meaning, typing.start, typing.stop)


def _values(
    operator: Operator, facets: Facets | None, today: datetime
) -> Iterable[tuple[str, str]]:
    """Every value that an operator may have, with what is told of it."""
    match operator:
        case Operator.TAG:
            return _counted(facets.tags if facets else ())
        case Operator.SOURCE:
            return _counted(facets.sources if facets else ())
        case Operator.BY:
            writers = facets.writers if facets else ()
            return [(name, _with_label(name, grouped(n))) for name, n in writers]
        case Operator.CURATOR:
            return [(one.value, curator_label(one)) for one in Curator]
        case Operator.IMPORTANCE:
            return [
                (">=0.8", tr("0.80 and up")),
                (">0.5", tr("over 0.50")),
                ("<0.3", tr("under 0.30")),
                ("0.3..0.7", tr("from 0.30 to 0.70")),
            ]
        case Operator.BEFORE | Operator.AFTER:
            days = (
                (today, tr("today")),
                (today - timedelta(days=1), tr("yesterday")),
                (today - timedelta(days=7), tr("a week ago")),
                (today.replace(day=1), tr("this month")),
                (today.replace(month=1, day=1), tr("this year")),
            )
            return [(f"{day:%Y-%m-%d}", words) for day, words in days]


def _counted(values: Iterable[tuple[str, int]]) -> list[tuple[str, str]]:
    return [(value, grouped(n)) for value, n in values]


def _with_label(name: str, count: str) -> str:
    label = name_of_writer(name)
    return count if label == name else f"{label} \u00b7 {count}"
