"""A consolidation that is killed at any moment leaves whole groups and loses no edit."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.builders import WORKSPACE_ID
from tests.support.processes import finished, line_of, started
from tests.support.sqlite_store import integrity_faults, raw, sqlite_world

KILLS = 3
KILLS_ENDURANCE = 200
LATEST_KILL_SECONDS = 0.2
LAST_SECONDS = 600.0
"""The last run makes up for all that were killed, while somebody edits what it reads."""
MODULE = "tests.end2end.consolidating_process"

# A merged memory without all of its sources, or a source that lives on in nothing.
INCOHERENT = """
SELECT id FROM memories AS merged WHERE source = 'consolidation'
AND (SELECT count(*) FROM memories WHERE successor_id = merged.id) < 2
UNION ALL
SELECT id FROM memories AS source WHERE forgotten_reason = 'consolidated'
AND NOT EXISTS (SELECT 1 FROM memories WHERE id = source.successor_id)
"""
# Every group has a tag of its own, which its merged memory inherits.
DOUBLE = """
SELECT tags FROM memories WHERE source = 'consolidation' AND forgotten_at IS NULL
GROUP BY tags HAVING count(*) > 1
"""


@pytest.mark.endurance
@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_killed_runs_leave_whole_groups_and_lose_no_edit(
    tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    chance = random.Random(5)  # noqa: S311  it only chooses when to kill
    n_kills = reduced_or_full(KILLS, KILLS_ENDURANCE)
    edits: dict[str, str] = {}
    n_done = 0
    latest = min(LATEST_KILL_SECONDS, _seconds_of_a_whole_run(tmp_path, edits))
    for number in range(1, n_kills + 1):
        with started(MODULE, str(tmp_path), str(number)) as program:
            assert line_of(program) == "ready"
            time.sleep((number - chance.random()) / n_kills * latest)  # all over the run
            program.kill()
            assert program.stdout is not None
            said = program.stdout.read().split("\n")[:-1]
        n_done += "done" in said
        edits |= _edits(said)
        with sqlite_world(tmp_path) as world:
            path = world.path()
        with raw(path) as connection:
            assert connection.execute(INCOHERENT).fetchall() == []
            assert connection.execute(DOUBLE).fetchall() == []
    with started(MODULE, str(tmp_path), str(n_kills + 1)) as program:
        edits |= _edits([" ".join(finished(program, timeout_seconds=LAST_SECONDS))])

    assert n_done < n_kills, "every run had ended before it was killed"
    assert integrity_faults(path) == []
    with raw(path) as connection:
        assert connection.execute(INCOHERENT).fetchall() == []
        assert connection.execute(DOUBLE).fetchall() == []
        _assert_all_there(connection, edits)
        left = connection.execute("SELECT count(*) FROM task_runs WHERE state = 'running'")
        assert left.fetchone()[0] == 0
        merged = connection.execute("SELECT count(*) FROM memories WHERE successor_id IS NOT NULL")
        assert merged.fetchone()[0] > n_kills
    with sqlite_world(tmp_path) as world, world.store.read(WORKSPACE_ID) as view:
        assert view.events.first_broken() is None


def _seconds_of_a_whole_run(root: Path, edits: dict[str, str]) -> float:
    """How long a run works here that nobody kills; its edits are put to the others."""
    with started(MODULE, str(root), "0") as program:
        assert line_of(program) == "ready"
        begun, said = time.monotonic(), [""]
        while said[-1] != "done":
            said.append(line_of(program))
            assert said[-1], "it ended before it was done"
        seconds = time.monotonic() - begun
        edits |= _edits(said)
        assert program.wait() == 0
    return seconds


def _assert_all_there(connection: sqlite3.Connection, edits: dict[str, str]) -> None:
    rows = dict(connection.execute("SELECT id, content FROM memories WHERE forgotten_at IS NULL"))
    lost = {id_: word for id_, word in edits.items() if rows.get(id_) != f"edited {word}"}
    assert lost == {}
    assert edits


def _edits(lines: list[str]) -> dict[str, str]:
    words = " ".join(lines).split()
    return {
        words[place + 1]: words[place + 2]
        for place, word in enumerate(words)
        if word == "edit" and place + 2 < len(words)
    }
