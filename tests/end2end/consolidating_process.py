"""A program that consolidates while somebody edits the same memories; tests kill it.

Arguments: data root, number of this start. Says ``ready``, then ``edit ID WORD`` for every edit
that was acknowledged, then ``done``.
"""

from __future__ import annotations

import random
import sys
import threading
import uuid
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Caller, CallerKind, Door
from inklings_desktop.domain.memory import MemoryAction, ScopeKey
from tests.support.asking import asked_by
from tests.support.builders import NOON, WORKSPACE_ID, a_memory, set_to
from tests.support.fake_embedder import FakeEmbedder
from tests.support.sqlite_store import sqlite_world

if TYPE_CHECKING:
    from tests.support.sqlite_store import SqliteWorld

SCOPE = ScopeKey.workspace(WORKSPACE_ID)
CLOCK = Caller(CallerKind.CLOCK, "consolidation", Door.CLOCK)
GROUPS, MEMBERS, WORDS = 6, 3, 30
SPELLINGS = (".", "!", " \u2026")


def say(text: str) -> None:
    """One line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def seed(world: SqliteWorld, embedder: FakeEmbedder, number: int) -> None:
    """Groups of memories that say the same; their tag names the group."""
    entries = []
    for group in range(GROUPS):
        tag = f"g{number}x{group}"
        dice = random.Random(tag)  # noqa: S311  it only makes words
        words = " ".join("".join(dice.choices("bcdfgklmnprstvz", k=6)) for _ in range(WORDS))
        entries += [a_memory(f"{words}{spelling}", tags=(tag,)) for spelling in SPELLINGS]
    with world.store.write(WORKSPACE_ID, initiator="seed") as unit:
        stored = [replace(one, id=str(uuid.uuid4())) for one in entries]
        stored = list(unit.memories.add(stored))
        matrix = embedder.embed([one.content for one in stored])
        unit.memories.put_vectors(
            embedder.model_id,
            [(one.id, one.content, row) for one, row in zip(stored, matrix, strict=True)],
        )
        unit.commit()


def edit_now_and_then(world: SqliteWorld, is_over: threading.Event) -> None:
    """Change one of the memories that are there, as a person would."""
    dice = random.Random()  # noqa: S311  it only chooses
    while not is_over.wait(0.002):
        word = uuid.uuid4().hex
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            active = [
                one
                for one in unit.memories.active_of_conversation(SCOPE)
                if one.source == "user" and one.embedding_model is not None
            ]
            if not active:
                return
            before = dice.choice(active)
            unit.memories.save(
                replace(before, content=f"edited {word}"),
                expected_version=before.version,
                action=MemoryAction.EDITED,
                changed_by="Ada",
                door="window",
                changed_at=NOON,
            )
            unit.commit()
        say(f"edit {before.id} {word}")
        if is_over.wait(0.01):
            return


def main(root: str, number: str) -> None:
    """Consolidate once, edits coming in all the while."""
    embedder = FakeEmbedder(dimension=512)
    with sqlite_world(Path(root)) as world:
        world.clock.advance(hours=int(number))
        seed(world, embedder, int(number))
        is_over = threading.Event()
        editor = threading.Thread(target=edit_now_and_then, args=(world, is_over))
        say("ready")
        editor.start()
        try:
            asked_by(
                CLOCK,
                world,
                embedder=embedder,
                new_id=lambda: str(uuid.uuid4()),
                settings=set_to(cap=1_000_000),
            ).consolidation.run(SCOPE, allow_large=True)
        finally:
            is_over.set()
            editor.join()
        say("done")


if __name__ == "__main__":
    main(*sys.argv[1:])
