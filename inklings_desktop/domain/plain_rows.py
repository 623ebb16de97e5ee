"""Records as the plain values that JSON holds, for files and for answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_PLAIN = frozenset({str, int, float, bool, type(None)})


def row_of(record: object, names: str, made: Callable[[Any], Any] | None = None) -> dict[str, Any]:
    """Some values of a record as JSON has them, by their names and in this order.

    ``bytes=n_bytes`` gives one another name; ``key=scope.key`` reaches into a part of the record,
    and is None where a part is. Instead of JSON, ``made`` says what becomes of a value.
    """
    made = made or plain
    return {name: made(value(record)) for name, value in _values(names)}


def plain(value: Any) -> Any:
    """A value as JSON has it; sets come in order."""
    if type(value) in _PLAIN:
        return value
    match value:
        case Enum():
            return value.value
        case datetime():
            return time_text(value)
        case tuple():
            return [plain(one) for one in value]
        case frozenset():
            return sorted(plain(one) for one in value)
        case Mapping():
            return dict(value)
        case str() | int() | float():
            return value
    return {one.name: plain(getattr(value, one.name)) for one in dataclasses.fields(value)}


def time_text(instant: datetime) -> str:
    """RFC 3339 in UTC, to the millisecond."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@cache
def _values(names: str) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    found = []
    for one in names.split():
        name, _, path = one.partition("=")
        value = _reaching(path) if "." in path else attrgetter(path or name)
        found.append((name, value))
    return tuple(found)


def _reaching(path: str) -> Callable[[Any], Any]:
    def value(found: Any) -> Any:
        for part in path.split("."):
            found = None if found is None else getattr(found, part)
        return found

    return value
