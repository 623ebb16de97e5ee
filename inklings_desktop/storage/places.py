"""Where the database files of a data root lie."""

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
