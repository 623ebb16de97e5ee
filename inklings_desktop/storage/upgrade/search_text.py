"""Makes the rows of a full-text index again that an earlier version of the program made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.checks.identity import read_counters
from inklings_desktop.storage.engine.maintenance import bare, upkeep_transaction
from inklings_desktop.storage.schema.marks import (
    NOTE_SEARCH_TEXT,
    SEARCH_TEXT,
    SEARCH_TEXT_VERSION,
)
from inklings_desktop.storage.search.full_text_upkeep import put_rows, wrong_rows

if TYPE_CHECKING:
    from pathlib import Path


def renew_search_text(path: Path, at: int, *, busy_timeout_ms: int) -> None:
    """Bring the rows of the index of a file up to date, and note that they are.

    Args:
        path: A database of ours whose identity has been checked.
        at: Milliseconds since 1970, UTC.
        busy_timeout_ms: How long another program's write is waited for, in milliseconds.
    """
    with upkeep_transaction(path, busy_timeout_ms=busy_timeout_ms) as connection:
        raw = bare(connection)
        if read_counters(raw).search_text == SEARCH_TEXT_VERSION:
            return  # another process was first
        rows, surplus = wrong_rows(connection)
        put_rows(connection, rows, surplus)
        raw.execute(NOTE_SEARCH_TEXT, (SEARCH_TEXT, at, SEARCH_TEXT_VERSION))
        if rows or surplus:
            raw.execute("UPDATE meta SET reload_seq = reload_seq + 1")
        connection.commit()
