"""Programs beside a scrub: one that scrubs and is killed, one that idles, one that keeps reading.

Arguments: ``scrub`` with data root, tier, scope key and mode; ``idle`` or ``read`` with data root.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.usecases.ports.progress import Progress
from inklings_desktop.usecases.scrubbing.scrub import ExecuteScrub
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.scrub_world import ADA, scrub_world
from tests.support.sqlite_store import raw

if TYPE_CHECKING:
    from collections.abc import Callable

FILES = (None, WORKSPACE_ID, OTHER_WORKSPACE_ID)


def say(text: str) -> None:
    """One line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def scrub(root: str, tier: str, key: str, mode: str) -> None:
    """Dry run and execution; every step is said."""
    scope = ScopeKey(Tier(tier), None if tier == "account" else WORKSPACE_ID, key)
    with scrub_world(Path(root)) as scene:
        manifest = scene.preview(scope, ScrubMode(mode))
        say("ready")
        outcome = ExecuteScrub(scene.manifests, lambda: "ada")(
            ADA,
            scope,
            manifest.mode,
            token=manifest.token,
            phrase=manifest.phrase,
            progress=Progress(lambda step, done, total: say(f"{step} {done}/{total}")),
        )
        say(f"over {outcome.pending}")


def idle(root: str) -> None:
    """Have every file open, as a window does that nobody uses."""
    with scrub_world(Path(root)) as scene, ExitStack() as views:
        for file in FILES:
            with scene.world.store.read(file) as view:
                view.memories.active_counts()
        connections = [views.enter_context(raw(scene.world.path(file))) for file in FILES]
        for connection in connections:
            connection.execute("SELECT count(*) FROM memories").fetchone()
        say("ready")
        sys.stdin.readline()


def read(root: str) -> None:
    """Keep a snapshot of the workspace until told to let go of it."""
    path = Path(root) / "workspaces" / WORKSPACE_ID / "agents.db"
    with raw(path) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM memories").fetchone()
        say("ready")
        sys.stdin.readline()
        connection.execute("ROLLBACK")
        say("released")
        sys.stdin.readline()


def main(task: str, *arguments: str) -> None:
    """Do what is asked."""
    tasks: dict[str, Callable[..., None]] = {"scrub": scrub, "idle": idle, "read": read}
    tasks[task](*arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
