"""Which files are told to have lost writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit
from inklings_desktop.storage.workspaces.workspace_directory import SqliteWorkspaceDirectory

if TYPE_CHECKING:
    from inklings_desktop.domain.log.events import LostWrites
    from inklings_desktop.storage.databases import Databases


def told_as_lost(databases: Databases) -> dict[str | None, LostWrites]:
    """What is missing in each file of a data root that has lost something."""
    audit = SqliteLogAudit(databases)
    files = (None, *(one.id for one in SqliteWorkspaceDirectory(databases).workspaces()))
    found = {one: audit.lost_writes(one) for one in files}
    return {one: lost for one, lost in found.items() if lost is not None}
