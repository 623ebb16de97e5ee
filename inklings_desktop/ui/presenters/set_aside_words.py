"""What stands below a search, and above the rows, about memories that no search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.models.memory_rows import HeadingRow
from inklings_desktop.ui.presenters.entry_facts import counted, grouped
from inklings_desktop.ui.presenters.list_rows import memory_rows

if TYPE_CHECKING:
    from inklings_desktop.ui.models.memory_rows import Row
    from inklings_desktop.ui.presenters.list_rows import RowStyle
    from inklings_desktop.usecases.search_set_aside import SetAside


def set_aside_line(found: SetAside) -> str:
    """``2 paused memories match too``; empty if there is nothing to tell."""
    n_paused, n_forgotten = len(found.paused), len(found.forgotten)
    if not found:
        return ""
    if not n_forgotten:
        line = counted(
            n_paused, _tr("1 paused memory matches too"), _tr("{n} paused memories match too")
        )
    elif not n_paused:
        line = counted(
            n_forgotten,
            _tr("1 forgotten memory matches too"),
            _tr("{n} forgotten memories match too"),
        )
    else:
        line = _tr("{paused} paused and {forgotten} forgotten match too").format(
            paused=grouped(n_paused), forgotten=grouped(n_forgotten)
        )
    return line if found.is_complete else _tr("{line}, among the latest").format(line=line)


def set_aside_rows(found: SetAside, style: RowStyle) -> tuple[Row, ...]:
    """Both kinds under headings of their own, to stand below what was found."""
    parts = (
        ("paused", _tr("Paused: never retrieved until resumed"), found.paused),
        ("forgotten", _tr("Forgotten: never retrieved"), found.forgotten),
    )
    rows: tuple[Row, ...] = ()
    for key, title, entries in parts:
        if entries:
            rows += (HeadingRow(f"heading:{key}", title, grouped(len(entries))),)
            rows += memory_rows(entries, style)[0]
    return rows


def _tr(text: str) -> str:
    return QCoreApplication.translate("set_aside", text)
