"""The clock over real files and the real model: closed in the middle, it ends soon and goes on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.domain.tasks import RunState
from inklings_desktop.scheduler.hosting import clock_running
from inklings_desktop.usecases.backfill_embeddings import backfill_of
from tests.support.sqlite_store import integrity_faults

if TYPE_CHECKING:
    from pathlib import Path

N_MEMORIES = 240
CLOSE_SECONDS = 2.0
SENTENCE = "The harbour glass hums at low tide, and the keeper writes the hour into the ledger. "


def test_closing_while_the_model_works_takes_less_than_two_seconds(tmp_path: Path) -> None:
    with open_inklings(tmp_path, embed_writes=False) as inklings:
        me = inklings.caller
        world = inklings.create_workspace(me, "Saltglass")
        scope = ScopeKey.workspace(world.id)
        for n in range(N_MEMORIES):
            inklings.put_memory(me, MemoryDraft(scope, f"{n} {SENTENCE * 6}"))
        inklings.embedder.embed([SENTENCE])  # loaded, as in a program that has been running
        with clock_running(inklings, 0.5) as running:
            assert running.background is not None
            running.background.request(backfill_of(world.id))
            deadline = time.monotonic() + 60.0
            while inklings.show_models(me).n_missing == N_MEMORIES:
                assert time.monotonic() < deadline
                time.sleep(0.01)
            begun = time.monotonic()
        took = time.monotonic() - begun
        assert took < CLOSE_SECONDS
        missing = inklings.show_models(me).n_missing
        assert 0 < missing < N_MEMORIES
        (run,) = inklings.list_runs(me, world.id)
        assert (run.state, run.problem) == (RunState.STOPPED, "cancelled")
        assert run.counts == {"embedded": N_MEMORIES - missing}
        again = inklings.run_backfill(me, world.id)
        assert again.counts == {"embedded": missing}
    assert integrity_faults(tmp_path / "workspaces" / world.id / "agents.db") == []
