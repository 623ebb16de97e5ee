"""A program that appends events and says their numbers; tests run two of it, or kill it.

Arguments: data root, how many events (0 means for ever), where to die of its own hand: ``-``,
``unnoted`` after a commit, ``before`` the head is noted, or ``between`` writing the noted heads and
giving them their name.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.storage.log.log_heads import LogHeads
from inklings_desktop.storage.log.witness import Witness
from tests.storage.writer_process import say
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.sqlite_store import sqlite_world

if TYPE_CHECKING:
    from tests.support.sqlite_store import SqliteWorld


def die(*_: object, **__: object) -> None:
    """End as if the power had gone."""
    os.kill(os.getpid(), signal.SIGKILL)


def append(world: SqliteWorld) -> None:
    """One event in a transaction of its own; its number is said once it is acknowledged."""
    try:
        with world.store.write(WORKSPACE_ID, initiator="writer") as unit:
            draft = EventDraft(EventKind.DENIED, str(os.getpid()), "agent", "mcp")
            event = unit.events.append(draft, NOON)
            unit.commit()
    except DatabaseBusyError:
        append(world)
    else:
        say(str(event.number))


def main(root: str, times: str, death: str) -> None:
    """Append as often as asked."""
    if death == "unnoted":
        Witness.note = die  # type: ignore[method-assign]
    if death == "before":
        LogHeads.advance = die  # type: ignore[method-assign]
    if death == "between":
        Path.replace = die  # type: ignore[assignment,method-assign]
    with sqlite_world(Path(root)) as world:
        say("ready")
        done = 0
        while int(times) == 0 or done < int(times):
            append(world)
            done += 1


if __name__ == "__main__":
    main(*sys.argv[1:])
