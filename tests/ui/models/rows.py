"""Rows to fill models with."""

from __future__ import annotations

from inklings_desktop.ui.kit.lists.memory_row_layout import (
    CurveNumbers,
    HeadingRow,
    MemoryRow,
    NoteRow,
)


def a_memory(number: int = 1, *, excerpt: str = "", version: int = 1) -> MemoryRow:
    return MemoryRow(
        id=f"m{number}",
        version=version,
        excerpt=excerpt or f"Memory number {number}.",
        curator="agent",
        writer_label="loom",
        source="orchestrator",
        lifetime_label="Short-term",
        age_label="13 d old",
        relevance=0.31,
        importance=0.55,
        curve=CurveNumbers(264.0, 1.15, 0.995),
        accessible_description="Agent, orchestrator, short-term",
    )


def a_heading(text: str = "March 2026") -> HeadingRow:
    return HeadingRow(f"heading:{text}", text, "1", captions=True)


def a_note() -> NoteRow:
    return NoteRow("note:toll", "toll", '["knots"]', "written 6 min ago", "Working Note")
