"""A program that writes and says what it was told is saved; tests kill it.

Arguments: data root, what to do (``append`` or ``count``), how often (0 means for ever).
"""

from __future__ import annotations

import sys
import uuid
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import ConflictError, DatabaseBusyError
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import MemoryAction, MemoryRef, ScopeKey
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import sqlite_world

if TYPE_CHECKING:
    from tests.support.sqlite_store import SqliteWorld

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
COUNTER_ID = "counter"
ROWS_PER_WRITE = 3


def say(text: str) -> None:
    """One line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def append(world: SqliteWorld) -> None:
    """Three neighbours, an edit and an event in one transaction; then their run is acknowledged."""
    run = uuid.uuid4().hex
    entries = [
        replace(
            a_memory(f"saltglass {run} {n}", memory_id=f"{run}-{n}", source_conversation="c1"),
            run_id=run,
        )
        for n in range(ROWS_PER_WRITE)
    ]
    with world.store.write(WORKSPACE_ID, initiator="writer") as unit:
        stored = unit.memories.add(entries)
        unit.memories.save(
            replace(stored[1], content=f"edited {run}"),
            expected_version=1,
            action=MemoryAction.EDITED,
            changed_by="writer",
            door="cli",
            changed_at=NOON,
        )
        draft = EventDraft(EventKind.MEMORY_CREATED, "writer", "agent", "mcp", ids=(run,))
        unit.events.append(draft, NOON)
        unit.commit()
    say(run)


def count(world: SqliteWorld) -> None:
    """Read the counter, add one, save it under the version read; again after a conflict."""
    ref = MemoryRef(SCOPE, COUNTER_ID)
    while True:
        with world.store.read(WORKSPACE_ID) as view:
            seen = view.memories.get(ref, None)
        try:
            with world.store.write(WORKSPACE_ID, initiator="writer") as unit:
                unit.memories.save(
                    replace(seen, content=str(int(seen.content) + 1)),
                    expected_version=seen.version,
                    action=MemoryAction.EDITED,
                    changed_by="writer",
                    door="cli",
                    changed_at=NOON,
                )
                unit.commit()
        except (ConflictError, DatabaseBusyError):
            continue
        say(seen.content)
        return


def main(root: str, task: str, times: str) -> None:
    """Do the task as often as asked."""
    work = {"append": append, "count": count}[task]
    with sqlite_world(Path(root)) as world:
        say("ready")
        done = 0
        while int(times) == 0 or done < int(times):
            work(world)
            done += 1


if __name__ == "__main__":
    main(*sys.argv[1:])
