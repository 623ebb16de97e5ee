"""Data roots with many invented memories, for measuring."""

from __future__ import annotations

import random
import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import Curator, Lifetime, MemoryEntry, ScopeKey

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.domain.rooms.workspace import Workspace

WORDS = tuple(
    """tide harbour glass gull ledger bell rope salt provost toll gate island chart compass
    lantern storm ferry keeper brine anchor reef signal plate winter thumb margin debt oath
    smoke raven merchant cipher heir winter orchard citadel raft drift moor marsh causeway
    quay""".split()  # noqa: SIM905 - a list of one word a line helps nobody
)
SOURCES = ("user", "orchestrator", "researcher", "import", "consolidation")
STEP = 2_000


def make_world(root: Path, n_memories: int, *, with_vectors: bool = True) -> Workspace:
    """A workspace whose own tier holds this many memories; the same ones every time.

    Vectors are random and of unit length: they cost what real ones cost and mean nothing.
    """
    with open_inklings(root, embed_writes=False) as inklings:
        workspace = inklings.workspaces.create(f"World of {n_memories}")
        store, model = inklings.parts.store, inklings.embedder
        random_vectors = np.random.default_rng(7)
        entries = list(invented(workspace.id, n_memories))
        for start in range(0, n_memories, STEP):
            part = entries[start : start + STEP]
            with store.write(workspace.id, initiator="benchmark") as unit:
                unit.memories.add(part)
                if with_vectors:
                    matrix = random_vectors.standard_normal((len(part), model.dimension))
                    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
                    unit.memories.put_vectors(
                        model.model_id,
                        [
                            (entry.id, entry.content, vector)
                            for entry, vector in zip(part, matrix.astype(np.float32), strict=True)
                        ],
                    )
                unit.commit()
    return workspace


def invented(workspace_id: str, n_memories: int) -> Iterator[MemoryEntry]:
    """Memories of some 20 words with tags, sources and ages."""
    dice = random.Random(7)
    now = datetime.now(UTC)
    for number in range(n_memories):
        text = " ".join(dice.choices(WORDS, k=20)).capitalize()
        yield MemoryEntry(
            id=str(uuid.UUID(int=dice.getrandbits(128), version=4)),
            sequence=0,
            version=1,
            scope=ScopeKey.workspace(workspace_id),
            content=f"{text}, number {number}.",
            lifetime=dice.choice((Lifetime.SHORT_TERM, Lifetime.LONG_TERM)),
            source=dice.choice(SOURCES),
            curator=dice.choice(tuple(Curator)),
            importance=round(dice.random(), 2),
            tags=tuple(dice.sample(WORDS, 2)),
            created_at=now - timedelta(minutes=dice.randrange(500_000)),
            access_count=dice.randrange(8),
        )
