"""A process that keeps the state of a run, as the agent's does.

Arguments: data root, what to do. ``write`` stores one step after the other and says the number of
each; ``lease NAME HOLDER`` takes a lease, says who has it, and waits for a line before it ends.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

from inklings_desktop.domain.runs.run_rows import StoredCheckpoint, StoredWrite
from inklings_desktop.storage.runs.run_state import SqliteRunState
from tests.support.builders import WORKSPACE_ID

THREAD = "killed"


def say(text: object) -> None:
    """One line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def write(runs: SqliteRunState) -> None:
    """Until somebody ends it."""
    newest = runs.checkpoint(THREAD, "")
    first = 1 if newest is None else int(newest.checkpoint_id) + 1
    parent = None if newest is None else newest.checkpoint_id
    for number in itertools.count(first):
        id_ = f"{number:08}"
        body = id_.encode() * 2_000
        runs.put_checkpoint(StoredCheckpoint(THREAD, "", id_, parent, 1, body, b"{}"))
        runs.put_writes(THREAD, "", id_, [StoredWrite("t", 0, "calls", body)])
        say(number)
        parent = id_


def main(root: str, what: str, *rest: str) -> None:
    """Do it."""
    runs = SqliteRunState(Path(root), WORKSPACE_ID)
    if what == "write":
        write(runs)
    name, holder = rest
    other = runs.take_lease(name, holder, 60)
    say(holder if other is None else other.holder)
    sys.stdin.readline()


if __name__ == "__main__":
    main(*sys.argv[1:])
