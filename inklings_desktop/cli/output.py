"""Text for a terminal and documents for a script.

Memory text is printed literally. Characters that would move the cursor, start an escape sequence
or turn the reading direction are shown as escapes, so that no memory can act on the terminal;
others that do not show are spelled out.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import unicodedata
from typing import TYPE_CHECKING

import typer

from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.domain.words.hidden_text import hidden_characters, spelled_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.cli.program import Answer

FALLBACK_WIDTH = 100

# Controls but for tab and line feed, line and paragraph separators, direction marks that embed
# or override, and halves of surrogate pairs.
_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str) -> str:
    """The text with an escape or code for every character that acts on a terminal or hides."""
    return spelled_out(_ACTING.sub(lambda found: _escape(found.group()), text))


def one_line(text: str, width: int | None = None) -> str:
    """The text on a single line, cut to a width in columns."""
    line = visible(" ".join(text.split()))
    return line if width is None else _cut(line, width)


def json_text(document: Mapping[str, object]) -> str:
    """The document as JSON that is safe on a terminal and for the encoding of stdout."""
    return _json(document, indent=2)


def json_line(document: Mapping[str, object]) -> str:
    """The same on one line, for documents that come one by one."""
    return _json(document, indent=None)


def write_answer(answer: Answer, *, as_json: bool) -> None:
    """Print what a command has to say; notes go to stderr."""
    if as_json:
        typer.echo(json_text(answer.document))
    else:
        for line in answer.lines:
            typer.echo(line)
    for note in answer.notes:
        typer.echo(note, err=True)


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows with their columns aligned; every cell is one line of visible text."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(map(_columns, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell + " " * (width - _columns(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in cells
    ]


def counted(number: int, noun: str) -> str:
    """A number with its noun in singular or plural: ``1 memory``, ``1,204 memories``."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def terminal_width() -> int:
    """Columns of the terminal."""
    return shutil.get_terminal_size((FALLBACK_WIDTH, 24)).columns


def local_time(instant: datetime) -> str:
    """Date and time where the person is: ``14 Mar 2026, 10:36``."""
    local = on_the_wall(instant)
    return f"{local.day} {local:%b %Y, %H:%M}"


def _json(document: Mapping[str, object], indent: int | None) -> str:
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(document, ensure_ascii=not is_utf8, allow_nan=False, indent=indent)
    text = _ACTING.sub(lambda found: _json_escape(found.group()), text)
    hidden = {one.position for one in hidden_characters(text)}
    if not hidden:
        return text
    return "".join(_json_escape(one) if at in hidden else one for at, one in enumerate(text))


def _json_escape(character: str) -> str:
    return json.dumps(character)[1:-1]


def _escape(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"  # noqa: PLR2004 one byte


def _cut(line: str, width: int) -> str:
    if _columns(line) <= width:
        return line
    kept, used = [], 1
    for character in line:
        used += _columns(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "\u2026"


def _columns(text: str) -> int:
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
