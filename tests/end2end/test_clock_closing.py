"""The clock over real files and the real model: closed in the middle, it ends soon and goes on."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.background.tasks import RunState
from inklings_desktop.domain.memories.listing import MemoryFilter, MemoryState
from inklings_desktop.domain.memory import Curator, MemoryDraft, MemoryRef, ScopeKey
from inklings_desktop.embeddings.following_embedder import select_embedder
from inklings_desktop.scheduler.hosting import clock_running
from inklings_desktop.usecases.background.backfill_embeddings import backfill_of
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.consolidation.consolidation_plans import target_of
from tests.scheduler.clock_bench import GatedEmbedder
from tests.support.builders import a_memory
from tests.support.sqlite_store import integrity_faults
from tests.support.stopwatch import HANG_SECONDS, SLOWNESS, Stopwatch

N_MEMORIES = 160
CLOSE_SECONDS = 2.0 * SLOWNESS
GOES_ON_SECONDS = 0.1
ALPHABET = "abcdefghijklmnopqrst"
SENTENCE = "The harbour glass hums at low tide, and the keeper writes the hour into the ledger. "


def test_closing_while_the_model_works_takes_less_than_two_seconds(tmp_path: Path) -> None:
    model = GatedEmbedder(select_embedder())
    model.gate.set()
    with open_inklings(tmp_path / "root", embedder=model, embed_writes=False) as inklings:
        world = inklings.workspaces.create("Saltglass")
        scope = ScopeKey.workspace(world.id)
        for n in range(N_MEMORIES):
            inklings.memories.put(MemoryDraft(scope, f"{n} {SENTENCE * 6}"))
        inklings.embedder.embed([SENTENCE])  # loaded, as in a program that has been running
        model.begun.clear()
        model.gate.clear()
        with clock_running(inklings, 0.5) as running:
            assert running.background is not None
            running.background.request(backfill_of(world.id))
            assert model.begun.wait(HANG_SECONDS)
            going_on = threading.Timer(GOES_ON_SECONDS, model.gate.set)
            going_on.start()  # the model works on once the clock is being closed
            watch = Stopwatch()
        assert watch.seconds < CLOSE_SECONDS
        going_on.join()
        missing = inklings.models.show().n_missing
        assert 0 < missing < N_MEMORIES
        (run,) = inklings.consolidation.list_runs(world.id)
        assert (run.state, run.problem) == (RunState.STOPPED, "cancelled")
        assert run.counts == {"embedded": N_MEMORIES - missing}
        again = inklings.tasks.backfill(world.id)
        assert again.counts == {"embedded": missing}
    assert integrity_faults(tmp_path / "root" / "workspaces" / world.id / "agents.db") == []


def test_closing_while_memories_are_merged_takes_less_than_two_seconds(tmp_path: Path) -> None:
    with open_inklings(tmp_path, embed_writes=False) as inklings:
        world = inklings.workspaces.create("Saltglass")
        scope = ScopeKey.workspace(world.id)
        pairs = [
            (f"Keeper {name} {SENTENCE}", f"Keeper {name} {SENTENCE.replace(',', ';')}")
            for name in (f"{one}{two}" for one in ALPHABET for two in ALPHABET[:5])
        ]
        with inklings.parts.store.write(world.id, initiator="test") as unit:
            unit.memories.add(
                [
                    a_memory(text, scope=scope, curator=Curator.AGENT, created_at=inklings.clock())
                    for pair in pairs
                    for text in pair
                ]
            )
            unit.commit()
        inklings.tasks.backfill(world.id)
        with inklings.parts.store.write(world.id, initiator="test") as unit:
            # So many that the run sets aside less than a person has to agree to.
            unit.memories.add(
                [a_memory(f"Lamp {n} burns", scope=scope, created_at=inklings.clock())
                 for n in range(len(pairs) * 9)]
            )  # fmt: skip
            unit.commit()
        (first, *_) = inklings.listing.browse([scope], limit=1).entries
        for n in range(20):
            inklings.golden.save(scope, f"Which keeper {n}?", must=[first.id])
        with clock_running(inklings, 0.5) as running:
            assert running.background is not None
            running.background.request(target_of(scope))
            deadline = time.monotonic() + 60.0
            while not merged(inklings, world.id):
                assert time.monotonic() < deadline
                time.sleep(0.005)
            watch = Stopwatch()
        assert watch.seconds < CLOSE_SECONDS
        (run,) = [
            one for one in inklings.consolidation.list_runs(world.id) if one.target.scope == scope
        ]
        assert (run.state, run.problem) == (RunState.STOPPED, "cancelled")
        assert 0 < run.counts["merged"] < len(pairs)
        assert run.counts["parent"] >= 2 * run.counts["merged"]
        # No group is half done: whoever was merged away lives on in an active memory.
        gone = [
            inklings.listing.show(MemoryRef(scope, id_)).entry
            for id_ in forgotten_ids(inklings, world.id)
        ]
        assert len(gone) == run.counts["parent"]
        for one in gone:
            assert one.successor_id is not None
            heir = inklings.listing.show(MemoryRef(scope, one.successor_id)).entry
            assert not heir.is_forgotten
        again = inklings.consolidation.run(scope)
        assert again.state is RunState.FINISHED
    assert integrity_faults(tmp_path / "workspaces" / world.id / "agents.db") == []


def merged(inklings: Inklings, workspace_id: str) -> bool:
    """Whether a run has written a merged memory."""
    return bool(forgotten_ids(inklings, workspace_id))


def forgotten_ids(inklings: Inklings, workspace_id: str) -> list[str]:
    """Memories that were merged away."""
    scope = ScopeKey.workspace(workspace_id)
    where = MemoryFilter(state=MemoryState.FORGOTTEN)
    page = inklings.listing.browse([scope], where=where, limit=500)
    return [one.id for one in page.entries]
