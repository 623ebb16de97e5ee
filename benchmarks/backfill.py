"""Backfill, commits included, beside the bare embedding loop over the same texts.

python -m benchmarks.backfill [--memories 400] [--json]

The bare loop sorts all texts by length and embeds eight at a time on one thread. Texts per second
of processor time for one worker; elapsed time for two.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.made_worlds import make_world
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.usecases.background.backfill_embeddings import BATCH

if TYPE_CHECKING:
    from inklings_desktop.usecases.bundle import Inklings

ONE_GOAL, TWO_GOAL = 0.95, 1.8


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=400)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    figures = measured(chosen.memories)
    if chosen.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:32} {value:10.3f}")


def measured(n_memories: int) -> dict[str, float]:
    """Texts per second, and the ratios that the goals are about."""
    with tempfile.TemporaryDirectory() as folder:
        one = _backfilled(Path(folder) / "one", n_memories, n_workers=1)
        two = _backfilled(Path(folder) / "two", n_memories, n_workers=2)
    return {
        "memories": n_memories,
        "bare_per_cpu_second": one["bare"],
        "one_worker_per_cpu_second": one["cpu"],
        "one_ratio": one["cpu"] / one["bare"],
        "one_goal": ONE_GOAL,
        "one_worker_per_second": one["wall"],
        "two_workers_per_second": two["wall"],
        "two_ratio": two["wall"] / one["wall"],
        "two_goal": TWO_GOAL,
    }


def _backfilled(root: Path, n_memories: int, *, n_workers: int) -> dict[str, float]:
    workspace = make_world(root, n_memories, with_vectors=False)
    with open_inklings(root, workspace=workspace.id, embed_writes=False) as inklings:
        texts = _texts(inklings, workspace.id, n_memories)
        inklings.embedder.embed(texts[:BATCH])  # loads the model
        bare = n_memories / _bare_loop(inklings, texts)
        cpu, wall = time.process_time(), time.perf_counter()
        run = inklings.tasks.backfill(workspace.id, n_workers=n_workers)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    if run.counts["embedded"] != n_memories:
        raise RuntimeError(run.counts)
    return {"bare": bare, "cpu": n_memories / cpu, "wall": n_memories / wall}


def _texts(inklings: Inklings, workspace_id: str, n_memories: int) -> list[str]:
    with inklings.parts.store.read(workspace_id) as view:
        missing = view.memories.without_vector(inklings.embedder.model_id, n_memories)
    return sorted((content for _, content in missing), key=len)


def _bare_loop(inklings: Inklings, texts: list[str]) -> float:
    begun = time.process_time()
    for start in range(0, len(texts), BATCH):
        inklings.embedder.embed(texts[start : start + BATCH])
    return time.process_time() - begun


if __name__ == "__main__":
    main()
