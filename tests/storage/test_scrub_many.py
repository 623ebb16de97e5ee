"""Ten thousand memories are scrubbed in a few seconds, and progress is heard."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.usecases.ports.progress import Progress
from inklings_desktop.usecases.scrubbing.scrub import ExecuteScrub
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.scrub_world import ADA, CHANNELS, MODEL, scrub_world
from tests.support.stopwatch import SLOWNESS

MEMORIES, MEMORIES_FULL = 1_000, 10_000
DIMENSION = 384
SECONDS = 8.0 * SLOWNESS
"""Of processor time: a machine that others use too is no reason to fail."""


@pytest.mark.endurance
@pytest.mark.slow
def test_ten_thousand_memories_are_scrubbed_in_a_few_seconds(
    tmp_path: Path,
    reduced_or_full: Callable[[int, int], int],
) -> None:
    n_memories = reduced_or_full(MEMORIES, MEMORIES_FULL)
    chance = random.Random(2)  # noqa: S311  it only makes up texts
    words = [
        "".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randrange(3, 10)))
        for _ in range(4_000)
    ]
    scope, kept = ScopeKey.workspace(WORKSPACE_ID), ScopeKey.channel(WORKSPACE_ID, CHANNELS[0])
    vectors = np.random.default_rng(2).normal(size=(n_memories, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    with scrub_world(tmp_path) as scene:
        for place in (scope, kept):
            texts = [" ".join(chance.choices(words, k=40)) for _ in range(n_memories)]
            with scene.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                stored = unit.memories.add(
                    [
                        a_memory(text, scope=place, source_conversation=f"c{number // 20}")
                        for number, text in enumerate(texts)
                    ]
                )
                pairs = zip(stored, vectors, strict=True)
                unit.memories.put_vectors(MODEL, [(one.id, one.content, it) for one, it in pairs])
                unit.commit()
        manifest = scene.preview(scope, ScrubMode.FULL)
        heard: list[str] = []
        began, began_work = time.monotonic(), time.process_time()

        outcome = ExecuteScrub(scene.manifests, lambda: "ada")(
            ADA,
            scope,
            ScrubMode.FULL,
            token=manifest.token,
            phrase=manifest.phrase,
            progress=Progress(lambda step, _done, _all: heard.append(step)),
        )

        seconds, work = time.monotonic() - began, time.process_time() - began_work
        with scene.world.store.read(WORKSPACE_ID) as view:
            assert view.memories.active_count(kept) == n_memories
            assert view.memories.active_count(scope) == 0
    print(f"{n_memories} memories, {n_memories} kept: {seconds:.2f} s, {work:.2f} s of work")  # noqa: T201
    assert outcome.is_finished
    assert manifest.n_removed == n_memories
    assert work < SECONDS
    steps = ["count", "remove", "index", "compact", "backups", "search", "done"]
    assert list(dict.fromkeys(heard)) == steps
