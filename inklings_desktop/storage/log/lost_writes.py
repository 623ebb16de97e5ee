"""Puts into figures what a witness misses in its file, and looks which backup holds most of it."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.domain.log.events import LostWrites
from inklings_desktop.storage.backups.backup_making import verify_database
from inklings_desktop.storage.backups.backups import backups_of
from inklings_desktop.storage.engine.connecting import connect_raw
from inklings_desktop.storage.engine.driver import translated
from inklings_desktop.storage.rows.memories import from_ms, to_ms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from inklings_desktop.storage.backups.backups import BackupFile
    from inklings_desktop.storage.log.witness import Loss


def lost_writes(root: Path, workspace_id: str | None, losses: Sequence[Loss]) -> LostWrites | None:
    """All that is missing in one file; None when nothing is.

    Args:
        workspace_id: Whose file; None for the account's.
        losses: What its witness misses.
    """
    writes = [write for loss in losses for write in loss.writes]
    if not writes:
        return None
    backup, n_in_backup = _best_backup(root, workspace_id, losses)
    return LostWrites(
        len(writes),
        from_ms(min(one.at for one in writes)),
        from_ms(max(one.at for one in writes)),
        sum(one.n_scrubs for one in writes),
        backup,
        n_in_backup,
    )


def _best_backup(
    root: Path, workspace_id: str | None, losses: Sequence[Loss]
) -> tuple[str | None, int]:
    """The sound backup that holds most of what is missing, the newest of several; how much."""
    holding = [(_n_held(one, losses), one) for one in backups_of(root, workspace_id)]
    for n_held, backup in sorted(holding, key=lambda one: (one[0], one[1].name), reverse=True):
        if n_held == 0:
            break
        try:
            verify_database(backup.path, workspace_id)
        except StorageError:
            continue
        return backup.name, n_held
    return None, 0


def _n_held(backup: BackupFile, losses: Sequence[Loss]) -> int:
    """How many of the missing writes a backup holds: it was made between them and their loss."""
    if backup.fault is not None:
        return 0
    made_at = to_ms(backup.created_at)
    with (
        translated(backup.path),
        closing(connect_raw(backup.path, read_only=True, immutable=True)) as kept,
    ):
        (come_to,) = kept.execute("SELECT change_seq FROM meta").fetchone()
    return sum(
        one.change_seq <= come_to and one.at <= made_at <= loss.found_at
        for loss in losses
        for one in loss.writes
    )
