"""A program that puts memories at the cap, or consolidates there; says the most it ever saw.

Arguments: data root, ``put``, ``repeat`` (what the other programs put) or ``consolidate``, cap,
how often.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from inklings_desktop.domain.access.access import Caller, CallerKind, Door
from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from tests.support.asking import asked_by
from tests.support.builders import WORKSPACE_ID, an_agent, set_to
from tests.support.fake_embedder import FakeEmbedder
from tests.support.sqlite_store import raw, sqlite_world

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
CLOCK = Caller(CallerKind.CLOCK, "consolidation", Door.CLOCK)


def main(root: str, role: str, cap: str, times: str) -> None:
    """Work, and count the active memories after every step."""
    most = 0
    most_kept = int(cap) // 2 if role == "consolidate" else int(cap)
    caller = CLOCK if role == "consolidate" else an_agent()
    with (
        sqlite_world(Path(root), busy_timeout_ms=20_000) as world,
        raw(world.path()) as connection,
    ):
        asked = asked_by(
            caller,
            world,
            embedder=FakeEmbedder(is_available=False),
            settings=set_to(cap=most_kept),
        )
        for n in range(int(times)):
            try:
                if role == "consolidate":
                    asked.consolidation.run(SCOPE, allow_large=True)
                else:
                    whose = "" if role == "repeat" else f" of {os.getpid()}"
                    text = f"memory {n}{whose}"
                    asked.memories.put(MemoryDraft(SCOPE, text, importance=n % 7 / 10))
            except DatabaseBusyError:
                continue
            active = "SELECT count(*) FROM memories WHERE forgotten_at IS NULL"
            most = max(most, connection.execute(active).fetchone()[0])
    sys.stdout.write(f"{most}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
