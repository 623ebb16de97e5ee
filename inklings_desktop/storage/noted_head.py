"""Notes how far a log has come after upkeep appended to it past the unit of work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.maintenance import upkeep_connection

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.storage.event_chain import Head


def note_head(
    databases: Databases, path: Path, workspace_id: str | None, appended: Sequence[Head]
) -> None:
    """Note the head of a log once what was appended is durable; never fails.

    Args:
        databases: The files under the data root.
        path: The database that holds the log.
        workspace_id: Whose it is; None for the account's.
        appended: The head before, and after each event, as ``SqliteEventLog.appended`` tells.
    """

    def digest_at(number: int) -> str | None:
        with upkeep_connection(path) as connection:
            row = connection.execute(
                "SELECT chain_hash FROM events WHERE seq = ?", (number,)
            ).fetchone()
        return None if row is None else str(row[0])

    databases.log_heads().advance(
        workspace_id, appended[-1], first=appended[1].number, digest_at=digest_at
    )
