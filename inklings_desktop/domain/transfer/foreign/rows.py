"""One row of any table, lorebook or list of JSON as a memory: every reader takes its rows by this.

A format says which of its fields is what. A date, figure or word that cannot be read never costs
the text: it goes below it as a line. So does a field nobody knows, where a person made up the
fields; where a program did, it is named as left out.
"""

from __future__ import annotations

import re
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import DEFAULT_IMPORTANCE, Lifetime
from inklings_desktop.domain.memory_values import checked_importance
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.foreign.found import (
    IMPORTANCE_OF_A_RULE,
    Finds,
    Found,
    LeftOut,
    about,
    as_text,
    with_lines,
)
from inklings_desktop.domain.transfer.foreign.source import time_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Fields = Sequence[tuple[str, object]]

CONTENT = ("content", "text", "memory", "note", "fact", "body", "description", "entry")
OWN_ROLES: Mapping[str, str] = {
    **dict.fromkeys(CONTENT, "content"),
    **dict.fromkeys(
        ("tags", "tag", "labels", "keywords", "keys", "categories", "category", "aliases"), "tags"
    ),
    **dict.fromkeys(("importance", "weight"), "importance"),
    **dict.fromkeys(("created_at", "created", "date", "timestamp"), "created_at"),
    **dict.fromkeys(("updated_at", "modified"), "edited_at"),
    **dict.fromkeys(("source", "author"), "source"),
    **dict.fromkeys(("title", "name", "subject"), "title"),
    "lifetime": "lifetime",
}
"""What the fields of a person's own tables, JSON and front matters are."""
COLUMN_ROLES = {
    **{one: one for one in ("title", "tags", "importance", "lifetime", "source")},
    "text": "content",
    "date": "created_at",
}
"""What a person can say that a column is."""
_BETWEEN_TAGS = re.compile(r"[;,|]")


@dataclass(frozen=True, slots=True)
class Shape:
    """How the rows of a format are read.

    Attributes:
        roles: What each field is: ``content``, ``title``, ``tags``, ``importance``, ``lifetime``,
            ``created_at``, ``edited_at``, ``source``, ``always``, ``on``, ``off``.
        silent: Fields that never go into the text: an id, a checksum.
        keeps_rest: Whether other fields go into the text.
        is_own: Whether a person wrote the rows.
    """

    roles: Mapping[str, str] = field(default_factory=lambda: OWN_ROLES)
    silent: frozenset[str] = frozenset({"id", "uid", "uuid", "hash"})
    keeps_rest: bool = True
    is_own: bool = True


OWN = Shape()


def take(
    finds: Finds,
    shape: Shape,
    row: Fields,
    file: str,
    line: int = 0,
    *,
    tag: str = "",
    is_paused: bool = False,
) -> None:
    """Take one row, or name it where it has no text; it may get a tag or be paused from outside."""
    found = found_in(finds, shape, row, file, line)
    if found.content:
        tags = (*found.tags, tag) if tag else found.tags
        finds.add(replace(found, tags=tags, is_paused=found.is_paused or is_paused))
    else:
        told = [(name, value) for name, value in row if as_text(value)]
        finds.leave(LeftOut.EMPTY, with_lines("", told), file, line)


def found_in(finds: Finds, shape: Shape, row: Fields, file: str, line: int) -> Found:
    """What one row says; without content where nothing of it is a text.

    Its fields come in order, named as the file writes them; those without a place are dropped.
    """
    told = [(name, value) for name, value in row if as_text(value)]
    if not shape.keeps_rest:
        finds.unknown.update(
            name for name, one in row if one and not as_text(one) and name not in shape.roles
        )
    fields = {name.strip().casefold(): value for name, value in reversed(told)}
    chosen: dict[str, str] = {}
    for name, role in shape.roles.items():
        if name in fields:
            chosen.setdefault(role, name)
    placed = {role: fields[name] for role, name in chosen.items()}
    read: dict[str, Any] = {role: reads(placed.get(role)) for role, reads in _READ.items()}
    words: list[str] = []
    rest: list[tuple[str, object]] = []
    whole: list[tuple[str, object]] = []
    for name, value in told:
        plain = name.strip().casefold()
        role = shape.roles.get(plain, "")
        is_placed = chosen.get(role) == plain and read.get(role, role) is not None
        if role == "tags":
            words += tags_in(value)
        elif is_placed:
            whole += [(name, value)] if role == "title" else []
        elif plain in shape.silent or not (shape.keeps_rest or role in read):
            finds.drop(name, value, file, line)
        else:
            rest.append((name, value))
            whole.append((name, value))
    text, title = placed.get("content"), as_text(placed.get("title"))
    content = text if isinstance(text, str) else as_text(text)
    if content:
        content = with_lines(about([title], content), rest)
    elif rest:  # nothing says which field is the text: the row stays whole
        content = with_lines("", whole)
    usual = IMPORTANCE_OF_A_RULE if placed.get("always") is True else DEFAULT_IMPORTANCE
    created, edited, importance = (read[one] for one in ("created_at", "edited_at", "importance"))
    return Found(
        content,
        line,
        file,
        (*([title] if title else []), *words),
        usual if importance is None else importance,
        read["lifetime"],
        as_text(placed.get("source")),
        created or (None if "created_at" in shape.roles.values() else edited),
        edited,
        shape.is_own,
        placed.get("off") is True or placed.get("on") is False,
    )


def tags_in(value: object) -> list[str]:
    """The single words of a field of tags: a list, or a text with signs between them."""
    if isinstance(value, list):
        return [one for one in map(as_text, value) if one]
    return [one.strip() for one in _BETWEEN_TAGS.split(as_text(value)) if one.strip()]


def _lifetime(value: object) -> Lifetime | None:
    """A lifetime by its word; None where it is none."""
    return Lifetime(value) if value in ("long_term", "short_term") else None


def _importance(value: object) -> float | None:
    """A figure from 0 to 1, with a comma or a point in it; None where it is none."""
    try:
        figure = float(value.replace(",", ".")) if isinstance(value, str) else value
        return checked_importance(figure)
    except (ValueError, InvalidValueError):
        return None


_READ: Mapping[str, Callable[[object], object]] = {
    "created_at": time_in,
    "edited_at": time_in,
    "importance": _importance,
    "lifetime": _lifetime,
}
"""How the fields are read whose values must be sound; None is what could not be read."""
