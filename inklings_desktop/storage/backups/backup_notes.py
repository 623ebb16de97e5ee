"""The note beside a backup: why it was made, and whether it stays. It quotes nothing."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from inklings_desktop.domain.log.backup import BackupReason
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.engine.files import remove_spare, replace_file, write_private

if TYPE_CHECKING:
    from pathlib import Path

NOTE_SUFFIX = ".json"
_MAX_BYTES = 4096


@dataclass(frozen=True, slots=True)
class BackupNote:
    """What is noted of a backup beside its file.

    Attributes:
        is_pinned: Whether a person said that it stays.
    """

    reason: BackupReason = BackupReason.UNKNOWN
    is_pinned: bool = False


UNNOTED = BackupNote()


def note_path(backup: Path) -> Path:
    """Where the note of a backup lies."""
    return backup.with_suffix(NOTE_SUFFIX)


def read_note(backup: Path) -> BackupNote:
    """What is noted of a backup; where nothing sensible is, it stays and nobody knows why."""
    try:
        with note_path(backup).open("rb") as file:
            found = json.loads(file.read(_MAX_BYTES))
        return BackupNote(BackupReason(found["reason"]), found["kept"] is True)
    except (OSError, ValueError, KeyError, TypeError):
        return UNNOTED


def write_note(backup: Path, note: BackupNote) -> None:
    """Note this of a backup, in one step.

    Raises:
        StorageError: The folder refuses it.
    """
    import secrets

    fresh = backup.with_name(f".new-{os.getpid()}-{secrets.token_hex(4)}{NOTE_SUFFIX}")
    said = {"reason": note.reason.value, "kept": note.is_pinned}
    try:
        write_private(fresh, json.dumps(said).encode())
        replace_file(fresh, note_path(backup))
    finally:
        remove_spare(fresh)
