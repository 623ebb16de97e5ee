"""A consolidation of 10,000 memories beside the bare blocked matrix product over their vectors.

python -m benchmarks.consolidation [--memories 10000] [--new 64] [--rounds 7] [--json]

Process time throughout, medians; the same process, the same vectors, one thread.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
import uuid
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.bootstrap import open_inklings

import numpy as np  # isort: skip - after bootstrap, which asks for one thread

from benchmarks.made_worlds import invented
from inklings_desktop.domain.likeness.near_duplicates import BLOCK
from inklings_desktop.domain.memory import Curator, MemoryEntry, ScopeKey

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.memories.vectors import FloatMatrix
    from inklings_desktop.usecases.bundle import Inklings

DIMENSION_SEED = 7
STEP = 2_000
FULL_GOAL, NEW_GOAL = 1.3, 0.06


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--new", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        open_inklings(Path(folder), embed_writes=False) as inklings,
    ):
        figures = measured(inklings, chosen.memories, chosen.new, chosen.rounds)
    if chosen.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:32} {value:10.3f}")


def measured(inklings: Inklings, n_memories: int, n_new: int, rounds: int) -> dict[str, float]:
    """Milliseconds of processor time, and the ratios that the goals are about."""
    workspace = inklings.workspaces.create("Bench")
    scope = ScopeKey.workspace(workspace.id)
    dice = np.random.default_rng(DIMENSION_SEED)
    matrix = _unit(dice.standard_normal((n_memories, inklings.embedder.dimension)))
    n_first = n_memories - rounds * n_new  # never above the cap
    _fill(inklings, scope, _fresh(workspace.id, n_first), matrix[:n_first])

    def plan() -> None:
        inklings.consolidation.preview(scope)

    plan()  # the arrays are resident from here on, as in a running program
    bare = [_cpu_ms(lambda: _bare_product(matrix[:n_first])) for _ in range(rounds)]
    full = [_cpu_ms(plan) for _ in range(rounds)]
    inklings.consolidation.run(scope, allow_large=True)  # notes how far it came
    new = []
    for _ in range(rounds):
        entries = [replace(one, id=str(uuid.uuid4())) for one in _fresh(workspace.id, n_new)]
        more = _unit(dice.standard_normal((n_new, inklings.embedder.dimension)))
        _fill(inklings, scope, entries, more)
        new.append(_cpu_ms(plan))
        inklings.consolidation.run(scope, allow_large=True)
    limit = statistics.median(bare)
    return {
        "memories": n_memories,
        "rounds": rounds,
        "bare_product_ms": limit,
        "full_plan_ms": statistics.median(full),
        "full_ratio": statistics.median(full) / limit,
        "full_goal": FULL_GOAL,
        "new": n_new,
        "new_plan_ms": statistics.median(new),
        "new_ratio_to_full": statistics.median(new) / statistics.median(full),
        "new_goal": NEW_GOAL,
    }


def _fresh(workspace_id: str, n_memories: int) -> list[MemoryEntry]:
    """Memories that nothing but likeness could touch, no two of which say the same."""
    now = datetime.now(UTC)
    return [
        replace(one, created_at=now, importance=max(one.importance, 0.1), access_count=0,
                curator=Curator.AGENT, content=f"{one.content} {uuid.uuid4()}")
        for one in invented(workspace_id, n_memories)
    ]  # fmt: skip


def _fill(
    inklings: Inklings, scope: ScopeKey, entries: Sequence[MemoryEntry], matrix: FloatMatrix
) -> None:
    store, model = inklings.parts.store, inklings.embedder
    for start in range(0, len(entries), STEP):
        part = entries[start : start + STEP]
        with store.write(scope.workspace_id, initiator="benchmark") as unit:
            unit.memories.add(part)
            rows = matrix[start : start + STEP]
            unit.memories.put_vectors(
                model.model_id,
                [(one.id, one.content, row) for one, row in zip(part, rows, strict=True)],
            )
            unit.commit()


def _bare_product(matrix: FloatMatrix) -> None:
    """The upper blocks and nothing else."""
    buffer = np.empty((BLOCK, BLOCK), np.float32)
    for top in range(0, len(matrix), BLOCK):
        for left in range(top, len(matrix), BLOCK):
            rows, columns = matrix[top : top + BLOCK], matrix[left : left + BLOCK]
            if len(rows) == len(columns) == BLOCK:
                np.dot(rows, columns.T, out=buffer)
            else:
                np.dot(rows, columns.T)


def _unit(rows: np.ndarray) -> FloatMatrix:
    matrix: FloatMatrix = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return matrix


def _cpu_ms(call: Callable[[], None]) -> float:
    begun = time.process_time()
    call()
    return (time.process_time() - begun) * 1000


if __name__ == "__main__":
    main()
