"""One row of any table or list of JSON as a memory, and the readers of tables.

A format says which of its fields is what. A date, figure or word that cannot be read never costs
the text: it goes below it as a line. So does a field nobody knows, where a person made up the
fields; where a program did, it is named as left out.
"""

from __future__ import annotations

import csv
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
from inklings_desktop.domain.transfer.foreign.source import time_in, unique

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from inklings_desktop.domain.transfer.foreign.source import SourceFile

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


_DELIMITERS = ",;\t|"
_LOOKED_AT = 20
_SNIFFED = 20_000
_LONGEST_HEADING = 40
_MOST_WORDS = 4
_NO_HEADING = re.compile(r"[\d.,:/%+-]+|.*[.!?\u2026\u3002][\"'\u201d\u00bb)]*")
"""A figure, a date or a sentence."""


def has_header(source: SourceFile) -> bool:
    """Whether the first line names several columns, one of them for texts."""
    first = next(_records(source.text, _delimiter(source.text)), (0, []))[1]
    names = [one.strip().casefold() for one in first]
    is_known = any(one in names for one in CONTENT)
    return len(names) > 1 and sum(one in OWN_ROLES for one in names) > 1 and is_known


def read_csv(source: SourceFile, finds: Finds, columns: Mapping[str, str]) -> None:
    """Take the rows of a table.

    Args:
        source: The table.
        finds: Takes them.
        columns: What a person said of some headings: what each of these columns is.
    """
    wanted = {name.strip().casefold(): role for name, role in columns.items()}
    known = {one: role for one, role in OWN_ROLES.items() if role not in wanted.values()}
    shape = Shape(known | wanted)
    records = list(_records(source.text, _delimiter(source.text)))
    first = [one.strip() for one in records[0][1]] if records else []
    names: Sequence[str] = ()
    if _is_header(first, shape, len(records)):
        names, records = unique(first), records[1:]
        finds.columns.update(dict.fromkeys(filter(None, first)))
    elif len(first) == 1:
        names = ["text"]
    for line, record in records:
        extra = [""] * (len(record) - len(names))
        row = list(zip([*names, *extra], record, strict=False))
        take(finds, shape, row, source.name, line)


def _is_header(cells: Sequence[str], shape: Shape, n_records: int) -> bool:
    """Whether the first line of a table says what its columns are."""
    plain = [one.casefold() for one in cells]
    if len(cells) == 1 or any(one in shape.roles for one in plain):
        return any(one in shape.roles for one in plain)
    return (
        n_records > 1
        and len(set(plain)) == len(plain)
        and not any(
            len(one) > _LONGEST_HEADING
            or len(one.split()) > _MOST_WORDS
            or _NO_HEADING.fullmatch(one)
            for one in cells
        )
    )


def _delimiter(text: str) -> str:
    """The sign that cuts the first lines into the most columns, as many in each."""
    best, most = ",", 1
    for sign in _DELIMITERS:
        widths = []
        for _line, record in _records(text[:_SNIFFED], sign):
            widths.append(len(record))
            if len(widths) == _LOOKED_AT:
                break
        if widths and widths[0] > most and widths.count(widths[0]) * 2 >= len(widths):
            best, most = sign, widths[0]
    return best


def _records(text: str, sign: str) -> Iterator[tuple[int, list[str]]]:
    """The records that say something, each with the line it begins in.

    A quotation mark that is never closed, or closed in the middle of a cell, is a sign like any
    other: it costs nothing but the line breaks that it could have held together.
    """
    lines = text.lstrip("\ufeff").split("\n")
    at = 0
    while at < len(lines):
        end = at + 1
        if lines[at].count('"') % 2:
            while end < len(lines) and not lines[end].count('"') % 2:
                end += 1
            end += 1
        record = _record("\n".join(lines[at:end]), sign) if end <= len(lines) else None
        if record is None:
            end = at + 1
            record = _record(lines[at], sign) or lines[at].split(sign)
        if any(one.strip() for one in record):
            yield at + 1, record
        at = end


def _record(text: str, sign: str) -> list[str] | None:
    """The cells of one record; None where its quotation marks do not fit."""
    try:
        records = list(
            csv.reader([f"{one}\n" for one in text.split("\n")], delimiter=sign, strict=True)
        )
    except csv.Error:
        return None
    return records[0] if len(records) == 1 else ([] if not text.strip() else None)
