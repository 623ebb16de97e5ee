"""Tables as memories: comma, semicolon, tab or bar between the columns, found by looking.

A first line that names a column of texts is a header; without one the first column is the text.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import DEFAULT_IMPORTANCE, Lifetime
from inklings_desktop.domain.transfer.document import ImportRefusedError
from inklings_desktop.domain.transfer.foreign.found import Finds, Found, LeftOut
from inklings_desktop.domain.transfer.foreign.source import time_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.domain.transfer.foreign.source import SourceFile

_DELIMITERS = ",;\t|"
_LOOKED_AT = 20
_SNIFFED = 20_000
_COLUMNS = {
    "content": ("content", "text", "memory", "note", "fact", "body", "description", "entry"),
    "tags": ("tags", "tag", "labels", "keywords", "keys", "categories", "category"),
    "importance": ("importance", "weight"),
    "lifetime": ("lifetime",),
    "created_at": ("created_at", "created", "date", "timestamp"),
    "source": ("source", "author"),
    "title": ("title", "name", "subject"),
}
_BETWEEN_TAGS = re.compile(r"[;,|]")


def has_header(source: SourceFile) -> bool:
    """Whether the first line names several columns, one of them for texts."""
    try:
        first = next(_records(source.text, _delimiter(source.text)), (0, []))[1]
    except ImportRefusedError:
        return False
    names = [one.strip().casefold() for one in first]
    known = {name for some in _COLUMNS.values() for name in some}
    return len(names) > 1 and sum(one in known for one in names) > 1 and _place(names) is not None


def read_csv(source: SourceFile, finds: Finds) -> None:
    """Take the rows of a table; one that does not fit its header is refused with its line.

    Raises:
        ImportRefusedError: A quotation mark is never closed.
    """
    records = _records(source.text, _delimiter(source.text))
    line, first = next(records, (0, []))
    names = [one.strip().casefold() for one in first]
    if _place(names) is None:
        width = len(first)
        finds.drop(f"column {number}" for number in range(2, width + 1))
        columns = {"content": 0}
        _take(source, finds, columns, line, first)
    else:
        columns = {
            kind: found
            for kind, known in _COLUMNS.items()
            if (found := next((names.index(one) for one in known if one in names), None))
            is not None
        }
        width = len(names)
        placed = set(columns.values())
        finds.drop(f"column {one or n + 1}" for n, one in enumerate(names) if n not in placed)
    for line, record in records:
        if len(record) > width:
            finds.refuse(" ".join(record), line, "columns", "too_many", source.name)
        else:
            _take(source, finds, columns, line, record)


def _take(
    source: SourceFile, finds: Finds, columns: dict[str, int], line: int, record: Sequence[str]
) -> None:
    def cell(kind: str) -> str:
        place = columns.get(kind)
        return record[place].strip() if place is not None and place < len(record) else ""

    content, title = cell("content"), cell("title")
    if not content:
        finds.leave(LeftOut.EMPTY)
        return
    tags = tuple(filter(None, map(str.strip, _BETWEEN_TAGS.split(cell("tags")))))
    created, lifetime = cell("created_at"), cell("lifetime")
    if created and time_in(created) is None:
        finds.refuse(content, line, "created_at", "time", source.name)
        return
    if lifetime not in {"", "long_term", "short_term"}:
        finds.refuse(content, line, "lifetime", "word", source.name)
        return
    finds.add(
        Found(
            content,
            line,
            source.name,
            (*([title] if title else []), *tags),
            _figure(cell("importance")),
            Lifetime(lifetime) if lifetime else None,
            cell("source"),
            time_in(created),
        )
    )


def _figure(cell: str) -> object:
    """The number of a cell, with a comma or a point in it; the cell itself where it is none."""
    if not cell:
        return DEFAULT_IMPORTANCE
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return cell


def _place(names: Sequence[str]) -> int | None:
    return next((names.index(one) for one in _COLUMNS["content"] if one in names), None)


def _delimiter(text: str) -> str:
    """The sign that cuts the first lines into the most columns, as many in each."""
    best, most = ",", 1
    for sign in _DELIMITERS:
        widths = []
        try:
            for _line, record in _records(text[:_SNIFFED], sign, strict=False):
                widths.append(len(record))
                if len(widths) == _LOOKED_AT:
                    break
        except ImportRefusedError:
            continue
        if widths and widths[0] > most and widths.count(widths[0]) * 2 >= len(widths):
            best, most = sign, widths[0]
    return best


def _records(text: str, sign: str, *, strict: bool = True) -> Iterator[tuple[int, list[str]]]:
    """The records that say something, each with the line it begins in."""
    lines = io.StringIO(text.lstrip("\ufeff"), newline="")
    reader = csv.reader(lines, delimiter=sign, strict=strict)
    while True:
        line = reader.line_num + 1
        try:
            record = next(reader, None)
        except csv.Error:
            raise ImportRefusedError("quotes", f"line {line}", line) from None
        if record is None:
            return
        if any(one.strip() for one in record):
            yield line, record
