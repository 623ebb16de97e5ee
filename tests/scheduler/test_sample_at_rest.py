"""The sample world under the clock: what its author sees stays, whatever the hour."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from inklings_desktop.bootstrap import make_sample_world, open_inklings
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.scheduler.clockwork import Clockwork
from inklings_desktop.scheduler.tasks import Work, WrittenMemories
from tests.support.builders import NOON
from tests.support.kept_roots import copied_or_made


def test_nothing_of_a_sample_world_that_stays_open_for_days_is_set_aside(
    tmp_path: Path, kept_roots: Path
) -> None:
    now, root = NOON, tmp_path / "world"

    def clock() -> datetime:
        return now

    copied_or_made(kept_roots / "sample_of_noon", root, lambda: make_sample_world(root, clock))
    no_model = NullEmbedder("none", "missing")
    with open_inklings(root, clock=clock, embedder=no_model) as inklings:
        clockwork = Clockwork(clock, WrittenMemories(inklings), Work(inklings))
        began = clockwork.run_due()
        for _ in range(24):  # five days, and every hour of the day once
            now += timedelta(hours=5)
            began += clockwork.run_due()
        (world,) = [one for one in inklings.places.workspaces() if "Saltglass" in one.name]
        counts = inklings.listing.count(world.id).by_scope
    assert began > 0
    assert sum(counts.values()) == 119 + 26 + 5  # memories, facts, house rules
