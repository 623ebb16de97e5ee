"""Memories and named entries as parts of one Markdown page that a person reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.wall_clock import on_the_wall

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry

DEEPEST = 6
_HEADING = re.compile(r"(#{1,6})(?=[ \t]|$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def below(body: str, level: int) -> str:
    """A Markdown text whose headings stand below a heading of this level.

    What stands between fences is no heading and stays; a fence that is never closed is closed, so
    that it does not swallow what follows on the page.
    """
    lines: list[str] = []
    fence = ""
    for line in body.strip().replace("\r\n", "\n").split("\n"):
        mark = _FENCE.match(line)
        if fence:
            is_end = mark is not None and mark[1].startswith(fence) and not line.strip("`~ \t")
            fence = "" if is_end else fence
            lines.append(line)
            continue
        if mark is not None:
            fence = mark[1]
        heading = _HEADING.match(line)
        depth = min(len(heading[1]) + level, DEEPEST) if heading else 0
        lines.append(f"{'#' * depth}{line[len(heading[1]) :]}" if heading else line)
    return "\n".join([*lines, *([fence] if fence else [])])


def list_item(entry: MemoryEntry) -> str:
    """A memory as a list item with a line about it; its own line breaks stay inside the item."""
    first, *rest = entry.content.strip().replace("\r\n", "\n").split("\n")
    lines = [f"- {first}", *(f"  {line}" if line.strip() else "" for line in rest)]
    if rest:
        lines.append("")  # else the line about it would end a table or a quotation
    marks = [entry.curator.value, entry.source, f"{on_the_wall(entry.created_at):%Y-%m-%d}"]
    marks += [f"private to {entry.agent_id}"] if entry.agent_id else []
    states = (
        ("pinned", entry.pinned),
        ("paused", entry.paused),
        ("forgotten", entry.is_forgotten),
    )
    marks += [word for word, is_so in states if is_so]
    marks += [f"#{tag}" for tag in entry.tags]
    return "\n".join([*lines, f"  <sub>{' · '.join(marks)}</sub>"]) + "\n"
