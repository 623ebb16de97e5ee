from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from inklings_desktop.domain.memory import MemoryRef
from tests.storage.writer_process import COUNTER_ID, SCOPE
from tests.support.builders import WORKSPACE_ID, a_memory
from tests.support.processes import finished, started
from tests.support.sqlite_store import integrity_faults, raw, sqlite_world

TIMES = 40
TIMES_ENDURANCE = 1_000


@pytest.mark.endurance
@pytest.mark.timeout(900)
def test_two_processes_lose_no_update_of_each_other(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    times = reduced_or_full(TIMES, TIMES_ENDURANCE)
    with sqlite_world(tmp_path) as world:
        with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            unit.memories.add([a_memory("0", memory_id=COUNTER_ID)])
            unit.commit()
        path = world.path()

    arguments = ("tests.storage.writer_process", str(tmp_path), "count", str(times))
    writers = [started(*arguments), started(*arguments)]
    said = [finished(writer, timeout_seconds=600) for writer in writers]

    assert [len(lines) for lines in said] == [times + 1, times + 1]
    with sqlite_world(tmp_path) as world, world.store.read(WORKSPACE_ID) as view:
        counter = view.memories.get(MemoryRef(SCOPE, COUNTER_ID), None)
        history = view.memories.history(COUNTER_ID)
    assert counter.content == str(2 * times)
    assert counter.version == 2 * times + 1
    assert [one.content for one in reversed(history)] == [str(n) for n in range(2 * times)]
    assert integrity_faults(path) == []


def test_two_processes_that_start_at_once_make_one_store(tmp_path: Path) -> None:
    for round_ in range(2):
        root = tmp_path / str(round_)
        arguments = ("tests.storage.starter_process", str(root))
        starters = [started(*arguments), started(*arguments)]
        said = [finished(starter) for starter in starters]

        assert said[0][0] == said[1][0]
        assert sorted(line[1] for line in said) == ["made", "taken"]
        with raw(root / "agents.db") as connection:
            assert connection.execute("SELECT count(*) FROM memories").fetchone() == (2,)
        assert integrity_faults(root / "agents.db") == []
        assert list(root.glob("*.new")) + list(root.glob(".*.new")) == []
