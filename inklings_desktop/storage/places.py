"""Where the database files of a data root lie, and what a killed program left open there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError

if TYPE_CHECKING:
    from pathlib import Path

DATABASE_NAME = "agents.db"
WORKSPACES_FOLDER = "workspaces"
WORLD_NAME, WORLD_ASIDE = "world.db", "world-aside.db"
"""The index of the author's pages, and one that could not be used."""

_WORKSPACE_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}")


def workspace_folder(root: Path, workspace_id: str) -> Path:
    """Where a workspace lives; no id leads out of the data root.

    Raises:
        NotFoundError: No workspace can have this id.
    """
    if not _WORKSPACE_ID.fullmatch(workspace_id):
        raise NotFoundError("workspace", workspace_id)
    return root / WORKSPACES_FOLDER / workspace_id


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
