"""A first start: makes the key, the account's file and a workspace, and writes one memory."""

from __future__ import annotations

import hashlib
import sys
import uuid
from pathlib import Path

from inklings_desktop.domain.errors import ConflictError
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.rooms.workspace import Workspace
from tests.support.builders import NOON, a_memory
from tests.support.sqlite_store import sqlite_world


def main(root: str) -> None:
    """Start, and say what came of it."""
    with sqlite_world(Path(root), workspace_ids=()) as world:
        with world.store.write(None, initiator="Ada") as unit:
            unit.memories.add([a_memory(scope=ScopeKey.account(), memory_id=uuid.uuid4().hex)])
            unit.commit()
        try:
            world.directory.create(Workspace("w1", "Saltglass", NOON))
            made = "made"
        except ConflictError:
            made = "taken"
        key = hashlib.sha256(world.databases.key()).hexdigest()
    sys.stdout.write(f"{key} {made}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
