"""ChatGPT's saved memories as text: the list as it is copied, or as a chat writes it out.

Assistants are asked to write each entry as ``[date saved, if available] - memory content``; older
ones number them, ``1. [2025-04-02]. The user ...``. The list that is copied by hand has no dates:
each entry is a line about *the user*.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.transfer.foreign.found import Finds, Found, with_lines
from inklings_desktop.domain.transfer.foreign.source import time_in

if TYPE_CHECKING:
    from inklings_desktop.domain.transfer.foreign.source import SourceFile

_MARK = r"[ \t]*+(?:[-*\u2022][ \t]++|\d{1,5}[.)][ \t]*+)?"
_DATED = re.compile(
    _MARK + r"\[(?P<date>\d{4}-\d\d-\d\d[^\]]{0,20}|(?:unknown|no date|date|n/a)[^\]]{0,30})\]"
    r"[ \t]*+[.:\u2013\u2014-]?[ \t]*+(?P<content>\S.*)$",
    re.IGNORECASE,
)
_PLAIN = re.compile(_MARK + r"(?P<content>\S.*)$")
_ABOUT = re.compile(_MARK + r"(?:the )?user(?:'s|\u2019s)?\b", re.IGNORECASE)


def is_chat_list(source: SourceFile) -> bool:
    """Whether most lines are dated entries or, of a plain text, are about the user."""
    lines = _lines(source)
    is_plain = source.suffix not in {".md", ".markdown"}
    n_fit = sum(
        bool(_DATED.match(line) or (is_plain and _ABOUT.match(line))) for _number, line in lines
    )
    return n_fit > 1 and n_fit * 2 > len(lines)


def read_chat_list(source: SourceFile, finds: Finds) -> None:
    """Take each entry; where they are dated, lines without a date go on with the one above."""
    lines = _lines(source)
    is_dated = any(_DATED.match(line) for _number, line in lines)
    open_entry: Found | None = None
    for number, line in lines:
        dated = _DATED.match(line)
        if dated is not None:
            if open_entry is not None:
                finds.add(open_entry)
            date = dated["date"].strip()
            at = time_in(date)
            told = [("date", date)] if at is None and date[:1].isdigit() else []
            content = with_lines(dated["content"].rstrip(), told)
            open_entry = Found(content, number, source.name, created_at=at or time_in(date[:10]))
        elif open_entry is not None:
            content = f"{open_entry.content}\n{line.strip()}"
            at = open_entry.created_at
            open_entry = Found(content, open_entry.line, source.name, created_at=at)
        elif not is_dated and (plain := _PLAIN.match(line)) is not None:
            finds.add(Found(plain["content"].rstrip(), number, source.name))
        else:
            finds.refuse(line.strip(), number, "entry", "no_date", source.name)
    if open_entry is not None:
        finds.add(open_entry)


def _lines(source: SourceFile) -> list[tuple[int, str]]:
    """The lines that say something; a list is often wrapped as a block of code."""
    numbered = enumerate(source.text.split("\n"), start=1)
    return [
        (number, line)
        for number, line in numbered
        if line.strip() and not line.lstrip().startswith("```")
    ]
