"""Tables as memories: comma, semicolon, tab or bar between the columns, found by looking.

A first line of short words is a header. A row in which no column is known as the text stays whole,
a line for each of its cells; so does a row of a table without a header.
"""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.transfer.foreign.rows import CONTENT, OWN_ROLES, Shape, take
from inklings_desktop.domain.transfer.foreign.source import unique

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from inklings_desktop.domain.transfer.foreign.found import Finds
    from inklings_desktop.domain.transfer.foreign.source import SourceFile

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
