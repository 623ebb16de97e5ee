from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.storage.writer_process import ROWS_PER_WRITE
from tests.support.builders import WORKSPACE_ID
from tests.support.processes import line_of, started
from tests.support.sqlite_store import integrity_faults, raw, sqlite_world

KILLS = 4
KILLS_ENDURANCE = 200


@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_acknowledged_write_is_lost_when_the_writer_is_killed(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    chance = random.Random(7)  # noqa: S311  it only chooses when to kill
    with sqlite_world(tmp_path):
        pass
    acknowledged: list[str] = []

    for _ in range(reduced_or_full(KILLS, KILLS_ENDURANCE)):
        with started("tests.storage.writer_process", str(tmp_path), "append", "0") as writer:
            assert line_of(writer) == "ready"
            acknowledged += [line_of(writer) for _ in range(chance.randrange(12))]
            writer.kill()
            assert writer.stdout is not None
            acknowledged += [line for line in writer.stdout.read().split("\n")[:-1] if line]

        with sqlite_world(tmp_path) as world:
            path = world.path()
            with world.store.read(WORKSPACE_ID) as view:
                assert view.events.first_broken() is None
        assert integrity_faults(path) == []

    assert len(acknowledged) == len(set(acknowledged)) > 0
    with raw(path) as connection:
        rows = dict(connection.execute("SELECT run_id, count(*) FROM memories GROUP BY run_id"))
        events = connection.execute("SELECT count(*) FROM events").fetchone()[0]
        indexed = connection.execute("SELECT count(*) FROM memory_search").fetchone()[0]
        edited = connection.execute("SELECT count(*) FROM memory_versions").fetchone()[0]
    assert set(acknowledged) <= set(rows)
    assert set(rows.values()) == {ROWS_PER_WRITE}
    assert events == edited == len(rows)
    assert indexed == ROWS_PER_WRITE * len(rows)
