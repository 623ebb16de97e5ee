"""Empty files under a data root that say what a killed program may have left open.

A start looks for them and opens nothing; what it takes to go on is imported where one is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.places import WORKSPACES_FOLDER

if TYPE_CHECKING:
    from pathlib import Path

HINT_FILE = "purge.pending"
"""Stands beside a database whose purge may be open, so that a start need not open every file."""
DELETION_NOTE = ".deleting-"
"""Before a workspace's id: the name of the note that its deletion has begun."""


def files_to_resume(root: Path) -> tuple[str | None, ...]:
    """Files that may have an open purge, by workspace, the account's as None first."""
    folder = root / WORKSPACES_FOLDER
    noted = sorted(folder.glob(f"*/{HINT_FILE}")) if folder.is_dir() else ()
    own: tuple[str | None, ...] = (None,) if (root / HINT_FILE).exists() else ()
    return (*own, *(path.parent.name for path in noted if not path.parent.name.startswith(".")))


def deletion_notes(root: Path) -> tuple[Path, ...]:
    """Notes of deletions that have begun, whatever is in their names."""
    return tuple((root / WORKSPACES_FOLDER).glob(f"{DELETION_NOTE}*"))
