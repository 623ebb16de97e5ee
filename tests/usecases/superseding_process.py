"""Replaces a fact as a program of its own: to be killed at a step, or to race with another one.

Without an argument it serves kills; with a data root, a fact's id and a text it says ``ready``,
waits for a line, replaces the fact and says what stands now.
"""

from __future__ import annotations

import sys
from pathlib import Path

from inklings_desktop.domain.errors import SupersededError
from inklings_desktop.domain.memory import MemoryRef, ScopeKey
from tests.support.asking import asked_by
from tests.support.builders import WORKSPACE_ID, a_person
from tests.support.dying import serve
from tests.support.sqlite_store import SqliteWorld, sqlite_world

NEW_ID = "00000000-0000-4000-8000-0000000000a1"
RIGHT = "Nerys is right-handed."


def replace(world: SqliteWorld, fact_id: str, text: str, new_id: str) -> str:
    """Let a text take the place of a fact; the id of what stands there now."""
    facts = asked_by(a_person(), world, new_id=lambda: new_id).facts
    ref = MemoryRef(ScopeKey.workspace(WORKSPACE_ID), fact_id)
    try:
        return facts.supersede(ref, text, reason="chapter 9", confidence=0.9).memory.id
    except SupersededError as error:
        return error.head_id


def look(root: str) -> None:
    """Open the data root and replace nothing: what it takes to get to the replacing."""
    with sqlite_world(Path(root)) as world, world.store.read(WORKSPACE_ID) as view:
        view.knowledge.domains()


def supersede(root: str, fact_id: str) -> None:
    """Open the data root and replace the fact."""
    with sqlite_world(Path(root)) as world:
        replace(world, fact_id, RIGHT, NEW_ID)


def race(root: str, fact_id: str, text: str, new_id: str) -> None:
    """Replace the fact at a sign."""
    with sqlite_world(Path(root)) as world:
        print("ready", flush=True)  # noqa: T201  how the test hears of it
        sys.stdin.readline()
        print(replace(world, fact_id, text, new_id), flush=True)  # noqa: T201


if __name__ == "__main__":
    if sys.argv[1:]:
        race(*sys.argv[1:])
    else:
        serve({"look": look, "supersede": supersede})
