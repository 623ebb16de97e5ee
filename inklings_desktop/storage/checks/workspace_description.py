"""``workspace.json``: what a workspace is called, beside its database and read without it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.rooms.conversation import checked_name
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.storage.rows.memories import from_ms

if TYPE_CHECKING:
    from pathlib import Path

WORKSPACE_FILE = "workspace.json"


def description_of(workspace: Workspace) -> bytes:
    """What stands in the file of a workspace."""
    fields = {
        "id": workspace.id,
        "name": workspace.name,
        "created_at": workspace.created_at.astimezone(UTC).isoformat(),
    }
    return (json.dumps(fields, ensure_ascii=False, indent=2) + "\n").encode()


def described(folder: Path) -> Workspace:
    """The workspace of a folder; one without a readable description keeps its id for a name."""
    try:
        fields = json.loads((folder / WORKSPACE_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        fields = {}
    return read_description(fields, folder.name, folder)


def read_description(fields: Any, workspace_id: str, folder: Path) -> Workspace:
    """What a description says, whatever JSON it is; without a sound one the id is the name."""
    try:
        created_at = datetime.fromisoformat(fields["created_at"])
        name = checked_name(fields["name"])
    except (ValueError, KeyError, TypeError, InvalidValueError):
        made = from_ms(int(folder.stat().st_ctime * 1000))
        return Workspace(workspace_id, workspace_id, made)
    return Workspace(workspace_id, name, created_at.astimezone(UTC))
