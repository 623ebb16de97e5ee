from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.dumps import Dump
from tests.support.processes import line_of, started
from tests.support.sqlite_store import integrity_faults
from tests.support.transfers import fill, transfer_bench

KILLS = 2
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
        delay_seconds = chance.random() * 0.4
        with started("tests.storage.importing_process", str(root), str(file), "7") as importing:
            assert line_of(importing) == "ready", importing.communicate()[1]
            time.sleep(delay_seconds)
            importing.kill()
        with kept_on_failure(root, tmp_path / "evidence", kill, delay_seconds):
            outcomes.add(outcome(root, file, before))
    assert outcomes <= {"all", "nothing"}
    assert outcomes


def outcome(root: Path, file: Path, before: Dump) -> str:
    """What a killed import left behind: everything or nothing, and always a sound file."""
    with transfer_bench(root) as bench:
        after = bench.dumps()[WORKSPACE_ID]
        assert bench.preview(file).rows
        with bench.world.store.read(WORKSPACE_ID) as view:
            runs = view.transfers.imports()
            assert view.events.first_broken() is None
        if runs:
            assert len(after["memories"]) == 1 + sum(one.n_added for one in runs)
        else:
            assert after == before
        assert integrity_faults(bench.world.path()) == []
    return "all" if runs else "nothing"


@contextmanager
def kept_on_failure(root: Path, evidence: Path, kill: int, delay_seconds: float) -> Iterator[None]:
    """Keep the files just as the kill left them, and name the place, if what follows fails."""
    shutil.copytree(root, evidence)
    try:
        yield
    except BaseException as error:
        error.add_note(f"kill {kill} after {delay_seconds:.4f} s; as it was left: {evidence}")
        raise
    shutil.rmtree(evidence)
