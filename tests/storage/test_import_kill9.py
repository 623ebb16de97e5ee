from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.processes import line_of, started
from tests.support.sqlite_store import integrity_faults
from tests.support.transfers import fill, transfer_bench

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KILLS = 6
KILLS_ENDURANCE = 80
N_MEMORIES = 400


@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_killed_import_is_all_there_or_not_at_all(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    chance = random.Random(3)  # noqa: S311  it only chooses when to kill
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 2, n_memories=N_MEMORIES)
        source.export(file)
    outcomes = set()
    for kill in range(reduced_or_full(KILLS, KILLS_ENDURANCE)):
        root = tmp_path / f"b{kill}"
        with transfer_bench(root) as bench:
            with bench.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
                unit.memories.add([a_memory("Something of mine.")])
                unit.commit()
            before = bench.dumps()[WORKSPACE_ID]
        with started("tests.storage.importing_process", str(root), str(file), "7") as importing:
            assert line_of(importing) == "ready"
            time.sleep(chance.random() * 0.4)
            importing.kill()
        with transfer_bench(root) as bench:
            after = bench.dumps()[WORKSPACE_ID]
            n_imports = len(bench.preview(file).rows)
            with bench.world.store.read(WORKSPACE_ID) as view:
                runs = view.transfers.imports()
                assert view.events.first_broken() is None
            assert n_imports
            if runs:
                assert len(after["memories"]) == 1 + sum(one.n_added for one in runs)
                outcomes.add("all")
            else:
                assert after == before
                outcomes.add("nothing")
            assert integrity_faults(bench.world.path()) == []
    assert outcomes <= {"all", "nothing"}
    assert outcomes
