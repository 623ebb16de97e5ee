"""Notes outside the file how far it has come, after upkeep wrote to it past the unit of work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.engine.maintenance import upkeep_connection

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.storage.log.event_log import SqliteEventLog


def note_head(
    databases: Databases, path: Path, workspace_id: str | None, log: SqliteEventLog
) -> None:
    """Note the write and the head of the log once what was appended is durable; never fails.

    Args:
        path: The database that holds the log.
        workspace_id: Whose it is; None for the account's.
        log: What recorded the upkeep.
    """

    def digest_at(number: int) -> str | None:
        with upkeep_connection(path) as connection:
            row = connection.execute(
                "SELECT chain_hash FROM events WHERE seq = ?", (number,)
            ).fetchone()
        return None if row is None else str(row[0])

    databases.witness().note(workspace_id, log.change_seq)
    databases.log_heads().advance(
        workspace_id, log.appended[-1], first=log.appended[1].number, digest_at=digest_at
    )
