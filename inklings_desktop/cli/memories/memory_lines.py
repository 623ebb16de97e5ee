"""Memories as lines for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.cli.output import counted, local_time, one_line, terminal_width, visible
from inklings_desktop.domain.ages import age
from inklings_desktop.domain.search.search_operators import Misuse, Operator

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry, MemoryVersion, ScopeKey
    from inklings_desktop.domain.search.search_operators import NotUnderstood
    from inklings_desktop.usecases.search.browse_memories import MemoryWithHistory

SHORT_ID = 8
INDENT = "    "


_MEANINGS = {
    Operator.TAG: "a tag follows",
    Operator.SOURCE: "a source follows",
    Operator.CURATOR: "author, agent or import follows",
    Operator.BEFORE: "a date follows, like 2026-03-14 or 2026-03",
    Operator.AFTER: "a date follows, like 2026-03-14 or 2026-03",
    Operator.IMPORTANCE: "a number from 0 to 1 follows, like >0.5 or 0.2..0.6",
}


def not_understood_line(one: NotUnderstood) -> str:
    """That an operator was taken for words, and what it would need."""
    why = {
        Misuse.VALUE: f"after {one.operator.value}: {_MEANINGS[one.operator]}.",
        Misuse.NO_SUCH_DAY: f"the calendar has no such day; type one like {one.instead}.",
        Misuse.EXCLUDED: "nothing is within that and what comes before it.",
        Misuse.LEFT_OUT: "operators say what to find, nothing can be left out.",
    }[one.why]
    return f"\u201c{one_line(one.typed, 60)}\u201d was searched for as text: {why}"


def short_id(memory_id: str) -> str:
    """The beginning of an id, enough for a person to quote."""
    return memory_id[:SHORT_ID]


def made_room_line(forgotten: Sequence[str]) -> str:
    """Which memories a new one took the place of."""
    return (
        f"The tier was full: forgot {counted(len(forgotten), 'memory')} to make room "
        f"({', '.join(map(short_id, forgotten))})."
    )


def row_lines(
    entry: MemoryEntry,
    relevance: float,
    now: datetime,
    places: Mapping[ScopeKey, str],
    score: float | None = None,
) -> list[str]:
    """Two lines: the figures, then the beginning of the text.

    Args:
        relevance: Its relevance now.
        now: For its age.
        places: Names of scope keys, when the list holds several.
        score: Its score in a search.
    """
    parts = [
        short_id(entry.id),
        "" if score is None else f"score {score:.3f}",
        one_line(places.get(entry.scope, "")),
        one_line(entry.by),
        one_line(entry.source),
        entry.lifetime.value.replace("_", "-"),
        f"importance {entry.importance:.2f}",
        f"relevance {relevance:.2f}",
        age(entry.created_at, now),
        _marks(entry),
        _tags(entry),
    ]
    return [
        "  ".join(part for part in parts if part),
        INDENT + one_line(entry.content, terminal_width() - len(INDENT)),
    ]


READS_RULE = "hits of agents' searches, and turns whose message asked for it"


def whole_memory(
    shown: MemoryWithHistory, relevance: float, place: str, now: datetime
) -> list[str]:
    """The whole text, every field that says something, and the history."""
    entry = shown.entry
    fields = [
        ("Id", entry.id),
        ("Tier", f"{entry.scope.tier.value}, {one_line(place)}"),
        ("Curator", entry.curator.value),
        ("Written by", one_line(entry.by)),
        ("Source", one_line(entry.source)),
        ("Private to", one_line(entry.agent_id or "")),
        ("Lifetime", entry.lifetime.value.replace("_", "-")),
        ("Importance", f"{entry.importance:.2f}"),
        ("Relevance", f"{relevance:.2f}"),
        ("Reads", f"{entry.access_count:,} ({READS_RULE})"),
        ("Tags", _tags(entry)),
        ("Version", str(entry.version)),
        ("Written", local_time(entry.created_at)),
        ("Edited", _time(entry.edited_at)),
        ("Last read", _time(entry.accessed_at)),
        ("Confirmed", _time(entry.confirmed_at)),
        ("Imported", _time(entry.imported_at)),
        ("Forgotten", _time(entry.forgotten_at)),
        ("Reason", one_line(entry.forgotten_reason or "")),
        ("Embedding", entry.embedding_model or "none"),
        *(
            ("Derived from", one_line(f"{one.target} {one.block}".strip()))
            for one in entry.derived_from
        ),
    ]
    lines = [visible(entry.content), ""]
    lines += [f"{name:<13}{value}" for name, value in fields if value]
    if shown.history:
        lines += ["", "History"]
        lines += [_version_line(version, now) for version in shown.history]
    return lines


def _version_line(version: MemoryVersion, now: datetime) -> str:
    return (
        f"  version {version.version + 1}  {version.action.value}  "
        f"by {one_line(version.changed_by)} ({version.door})  {age(version.changed_at, now)}"
    )


def _marks(entry: MemoryEntry) -> str:
    marks = {
        "pinned": entry.pinned,
        "paused": entry.paused,
        "forgotten": entry.is_forgotten,
        f"private to {one_line(entry.agent_id or '')}": entry.agent_id is not None,
        "no embedding": entry.embedding_model is None and entry.is_retrievable,
    }
    return ", ".join(mark for mark, is_set in marks.items() if is_set)


def _tags(entry: MemoryEntry) -> str:
    return " ".join(f"#{one_line(tag)}" for tag in entry.tags)


def _time(instant: datetime | None) -> str:
    return "" if instant is None else local_time(instant)
