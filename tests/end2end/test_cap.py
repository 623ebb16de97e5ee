"""Four programs write at the cap, and a fifth consolidates: nobody ever sees more than it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.processes import finished, started
from tests.support.sqlite_store import integrity_faults, raw, sqlite_world
from tests.support.wide import mostly_wide

MODULE = "tests.end2end.capped_writer_process"
WRITERS = 4


@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("consolidators", mostly_wide((0, 1), every_day=bool))
def test_four_writers_never_lift_a_scope_above_its_cap(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int], consolidators: int
) -> None:
    cap, times = reduced_or_full(200, 10_000), reduced_or_full(40, 500)
    with sqlite_world(tmp_path) as world:
        with world.store.write(WORKSPACE_ID, initiator="seed") as unit:
            unit.memories.add([a_memory(f"seed {n}", memory_id=f"s{n}") for n in range(cap - 5)])
            unit.commit()
        path = world.path()
    programs = [started(MODULE, str(tmp_path), "put", str(cap), str(times)) for _ in range(WRITERS)]
    programs += [
        started(MODULE, str(tmp_path), "consolidate", str(cap), str(times // 10))
        for _ in range(consolidators)
    ]
    seen = [int(finished(program, timeout_seconds=800)[0]) for program in programs]
    assert max(seen) <= cap
    with raw(path) as connection:
        counted = connection.execute("SELECT active FROM scope_counts").fetchone()[0]
        active, written = connection.execute(
            "SELECT count(*) FILTER (WHERE forgotten_at IS NULL), count(*) FROM memories"
        ).fetchone()
    assert counted == active <= cap
    assert written == cap - 5 + WRITERS * times
    assert max(seen) == cap or consolidators
    assert integrity_faults(path) == []
