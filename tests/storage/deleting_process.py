"""A program that deletes a workspace; tests kill it.

Arguments: data root, workspace id.
"""

from __future__ import annotations

import sys
from pathlib import Path

from inklings_desktop.storage.workspaces.workspace_eraser import SqliteWorkspaceEraser
from tests.support.asking import asked_by
from tests.support.builders import a_person
from tests.support.sqlite_store import sqlite_world


def main(root: str, workspace_id: str) -> None:
    """Say when it begins and when it is done."""
    with sqlite_world(Path(root), workspace_ids=()) as world:
        eraser = SqliteWorkspaceEraser(world.databases, world.store, world.directory)
        mine = asked_by(a_person(), world, workspace_eraser=eraser)
        name = world.directory.get(workspace_id).name
        sys.stdout.write("begin\n")
        sys.stdout.flush()
        mine.workspaces.delete(workspace_id, confirm=f"delete {name}")
        sys.stdout.write("done\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
