"""A program that has a workspace open, as the window has; it reads and writes when told to.

Argument: data root. Each line on standard input is a command: ``count`` (the memories), ``open``
(how many files it has open) or a text to remember; the answer is one line.
"""

from __future__ import annotations

import sys
import uuid
from pathlib import Path

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.storage.workspaces.foreign_changes import ForeignChanges
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.sqlite_store import sqlite_world


def say(text: object) -> None:
    """One line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(root: str) -> None:
    """Answer until nobody asks any more."""
    with sqlite_world(Path(root)) as world:
        watching = ForeignChanges(world.databases, world.publisher)
        watching.start()
        with world.store.read(WORKSPACE_ID):
            say("ready")
        for line in sys.stdin:
            try:
                if line.strip() == "open":
                    say(len(world.databases.open_files()))
                elif line.strip() == "count":
                    with world.store.read(WORKSPACE_ID) as view:
                        say(sum(view.memories.active_counts().values()))
                else:
                    with world.store.write(WORKSPACE_ID, initiator="other") as unit:
                        unit.memories.add([a_memory(line.strip(), memory_id=str(uuid.uuid4()))])
                        unit.commit()
                    say("written")
            except InklingsError as error:
                say(type(error).__name__)
        watching.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
